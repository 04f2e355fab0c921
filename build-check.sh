#!/bin/sh
# One clear sentence for what is missing before anything is installed.
python=${PYTHON:-python3}
if ! "$python" -c '' >/dev/null 2>&1; then
    echo "concordant needs Python 3.11 or newer, and '$python' does not run; install it, or say where: make PYTHON=/path/to/python3" >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "concordant needs Python 3.11 or newer, and '$python' is $("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); say where a newer one is: make PYTHON=/path/to/python3" >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "'$python' cannot make virtual environments; install its venv module (on Debian: apt install python3-venv)" >&2
    exit 1
fi
if ! command -v "${CXX:-c++}" >/dev/null 2>&1; then
    echo "concordant has a core in C++20 and there is no compiler '${CXX:-c++}'; install one (on Debian: apt install g++), or say where: make CXX=/path/to/c++" >&2
    exit 1
fi

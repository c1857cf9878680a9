#!/bin/sh
# Installs the programs the crash lab uses, and a debugger for tests that hang, on a Debian machine; to be run as root.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --yes --no-install-recommends python3 gdb strace valgrind mount util-linux e2fsprogs xfsprogs >/dev/null

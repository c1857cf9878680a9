#!/bin/sh
# Installs what the sessions and the tests of completions need on a Debian machine; run it as root. Arguments go to run.py: `--venv DIR`.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --yes --no-install-recommends \
  neovim emacs-nox elpa-eglot vim zsh fish mandoc \
  python3 python3-venv python3-gi gir1.2-jsonrpc-1.0 \
  golang-go golang-github-sourcegraph-jsonrpc2-dev \
  syncthing >/dev/null
exec /usr/bin/python3 "$(dirname "$0")/run.py" --install "$@"

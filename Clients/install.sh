#!/bin/sh
# Builds and installs daybook and daybook-http, the manual page and the completions.
#
#   sh Clients/install.sh [--prefix DIR] [--built DIR]
#
# DIR of --prefix is ~/.local unless told; --built names a folder with both programs, which are then not built.
# The last line that it prints is for the start file of your shell.
set -eu

usage() {
  echo "install.sh: $1; usage: sh Clients/install.sh [--prefix DIR] [--built DIR]" >&2
  exit 2
}

prefix= built=
while [ $# -gt 0 ]; do
  case $1 in
  --prefix) [ $# -gt 1 ] || usage "--prefix needs a folder"; prefix=$2; shift 2 ;;
  --built) [ $# -gt 1 ] || usage "--built needs a folder"; built=$2; shift 2 ;;
  *) usage "unknown option $1" ;;
  esac
done
prefix=${prefix:-${HOME:?is not set; name a folder with --prefix}/.local}

if [ -z "$built" ]; then
  package=$(cd "$(dirname "$0")/.." && pwd)
  for product in daybook daybook-http; do
    swift build --package-path "$package" -c release --product "$product" >&2
  done
  built=$(swift build --package-path "$package" -c release --show-bin-path)
fi

mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
bash=$prefix/share/bash-completion/completions/daybook
zsh=$prefix/share/zsh/site-functions/_daybook
fish=$prefix/share/fish/vendor_completions.d/daybook.fish
mkdir -p "$prefix/bin" "$prefix/share/man/man1" "${bash%/*}" "${zsh%/*}" "${fish%/*}"

# A running program's file cannot be written, only replaced.
for program in daybook daybook-http; do
  cp "$built/$program" "$prefix/bin/.$program.new"
  chmod 755 "$prefix/bin/.$program.new"
  mv -f "$prefix/bin/.$program.new" "$prefix/bin/$program"
done
daybook=$prefix/bin/daybook
"$daybook" man >"$prefix/share/man/man1/daybook.1"
"$daybook" completions bash >"$bash"
"$daybook" completions zsh >"$zsh"
"$daybook" completions fish >"$fish"

echo "Installed under $prefix. For the start file of your shell:"
case ${SHELL:-} in
*/zsh) echo "PATH=\"$prefix/bin:\$PATH\"; fpath=(\"${zsh%/*}\" \$fpath); autoload -Uz compinit; compinit" ;;
*/fish) echo "fish_add_path \"$prefix/bin\"; source \"$fish\"" ;;
*) echo "PATH=\"$prefix/bin:\$PATH\"; [ -z \"\${BASH-}\" ] || . \"$bash\"" ;;
esac

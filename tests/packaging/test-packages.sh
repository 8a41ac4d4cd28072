#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The package list is well formed, groups are told apart, and only what is missing is installed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. packaging/common/build.sh

while read -r line; do
    [[ $line =~ ^(#.*|[a-z0-9][a-z0-9.+-]+)?$ ]] || fail "packaging/packages: '$line' is neither a package nor a comment"
done <packaging/packages
for group in build run test wheels lint bundle; do
    [ -n "$(packages_of "$group")" ] || fail "packaging/packages: no packages in group $group"
done
grep --quiet --line-regexp qt6-base-dev <(packages_of build) || fail 'build: no Qt'
grep --quiet --line-regexp xvfb <(packages_of build run) && fail 'build and run: a test package is among them'
expect 'a package in two groups is listed once' 1 "$(packages_of wheels test | grep --count --line-regexp python3)"

# A made-up dpkg that has all but two, and an apt-get that notes what it is asked.
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/dpkg-query" <<'SH'
#!/bin/sh
shift 2
for name; do
    case $name in cmake) echo "$name not-installed" ;; ninja-build) ;; *) echo "$name installed" ;; esac
done
SH
cat >"$folder/apt-get" <<SH
#!/bin/sh
echo "\$*" >>"$folder/asked"
SH
printf '#!/bin/sh\nexec "$@"\n' >"$folder/sudo"
chmod +x "$folder"/*
PATH="$folder:$PATH"
expect 'missing packages' 'cmake ninja-build' "$(packages_missing build | xargs)"
install_packages build 2>/dev/null
grep --quiet -- 'install --no-install-recommends cmake ninja-build$' "$folder/asked" ||
    fail "apt-get was asked for: $(cat "$folder/asked")"
rm "$folder/asked"
install_packages run 2>/dev/null
[ ! -e "$folder/asked" ] || fail 'apt-get was called though nothing is missing'

# What cannot be installed is said, with the command to do it by hand.
printf '#!/bin/sh\nexit 100\n' >"$folder/apt-get"
message=$( (install_packages build) 2>&1) && fail 'a failed installation went unnoticed'
[[ $message == *'apt-get install --no-install-recommends cmake ninja-build'* ]] || fail "the message is '$message'"
finish

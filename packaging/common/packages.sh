# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Debian packages: which are missing of the groups in packaging/packages, and installing them.

# packages_of GROUP…: the package names of these groups, one a line.
packages_of()
{
    awk -v wanted=" $* " '
        /^#: / { inside = index(wanted, " " $2 " ") > 0; next }
        /^[[:space:]]*(#|$)/ { next }
        inside && !seen[$1]++ { print $1 }' "$PACKAGING/packages"
}

# packages_missing GROUP…: those of them that dpkg does not have installed.
packages_missing()
{
    local -a names
    mapfile -t names < <(packages_of "$@")
    dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null |
        awk '$2 == "installed" { print $1 }' |
        grep --line-regexp --fixed-strings --invert-match --file=- <(printf '%s\n' "${names[@]}") || true
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# install_packages GROUP…: installs what is missing; asks nothing and does nothing where all is there.
install_packages()
{
    if ! have dpkg-query; then
        warn "this is no Debian or Ubuntu: what is needed is listed in packaging/packages, please install its like"
        return 0
    fi
    local -a missing
    mapfile -t missing < <(packages_missing "$@")
    [ ${#missing[@]} -eq 0 ] && return 0

    say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
    local byhand="apt-get install --no-install-recommends ${missing[*]}"
    have apt-get || die "apt-get is not there. Install by hand: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ] && ! have sudo; then
        die "installing needs root and sudo is not there. As root, run: $byhand"
    fi
    local -a quiet=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes -o Dpkg::Use-Pty=0)
    as_root "${quiet[@]}" update >&2 || warn "apt-get update failed; going on with the package lists that are there"
    as_root "${quiet[@]}" install --no-install-recommends "${missing[@]}" >&2 ||
        die "apt-get could not install them. The messages above say why; by hand: $byhand"
}

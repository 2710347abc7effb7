#!/bin/sh
# Fetches CUPTI 11.8 and 12.4 for the tests of this folder: headers and libraries from Debian's non-free packages (bookworm and
# trixie), by apt with lists of its own. Nothing is installed, and nothing of it belongs into the repository.
#
#     tests/older/fetch.sh FOLDER        then configure with -DRL_OLDER_CUPTI=FOLDER
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
key=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/deb"
cd "$folder/apt"
for suite in bookworm trixie; do
    echo "deb [signed-by=$key] http://deb.debian.org/debian $suite non-free"
done >sources.list
set -- -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$PWD/lists" \
    -o "Dir::Cache=$PWD/cache" -o APT::Sandbox::User=root
apt-get "$@" update
cd deb
apt-get "$@" download libcupti11.8 libcupti-dev/bookworm libcupti12
apt-get "$@" download libcupti-dev/trixie
for version in 11.8 12.4; do
    for package in libcupti*_"$version".*.deb; do
        dpkg-deb -x "$package" "$folder/$version"
    done
done
rm -r "$folder/apt"

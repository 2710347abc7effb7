#!/bin/sh
# Fetches CUPTI 11.8 and 12.4 for the tests of this folder: headers and libraries from Debian's non-free packages (bookworm and
# trixie), by apt with lists of its own. Nothing is installed, and nothing of it belongs into the repository.
#
#     tests/older/fetch.sh FOLDER             then configure with -DRL_OLDER_CUPTI=FOLDER
#     tests/older/fetch.sh FOLDER toolkit     also nvcc with what it needs, 2 GB to fetch and 1 GB to keep: FOLDER/11.8/cuda and
#                                             FOLDER/12.4/cuda are toolkits, FOLDER/11.8/usr/bin/g++-11 the compiler for that of 11.8
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
key=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/deb"
cd "$folder/apt"
for suite in bookworm trixie; do
    echo "deb [signed-by=$key] http://deb.debian.org/debian $suite main non-free"
done >sources.list
wanted=${2:-cupti}
set -- -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$PWD/lists" \
    -o "Dir::Cache=$PWD/cache" -o APT::Sandbox::User=root
apt-get "$@" update
cd deb

# Into $folder/VERSION; of the largest package only what a build needs.
unpack() {
    for package in *.deb; do
        case $package in
        nvidia-cuda-dev_*) dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder/$1" --wildcards './usr/include/*' \
            './usr/lib/x86_64-linux-gnu/libcudart_static.a' './usr/lib/x86_64-linux-gnu/libcudadevrt.a' ;;
        *) dpkg-deb -x "$package" "$folder/$1" ;;
        esac
        rm "$package"
    done
}

# The folders in which a toolkit has its parts, and where its compiler looks for them.
arrange() {
    cuda=$folder/$1/cuda
    mkdir -p "$cuda/bin" "$cuda/nvvm"
    ln "$folder/$1/usr/lib/nvidia-cuda-toolkit/bin/nvcc" "$cuda/bin/nvcc" # no link: it looks beside itself
    for program in cicc crt; do
        ln -s "../../usr/lib/nvidia-cuda-toolkit/bin/$program" "$cuda/bin/$program"
    done
    for program in ptxas cudafe++ fatbinary nvlink bin2c cuobjdump; do
        ln -s "../../usr/bin/$program" "$cuda/bin/$program"
    done
    ln -s ../../usr/lib/nvidia-cuda-toolkit/libdevice "$cuda/nvvm/libdevice"
    ln -s ../usr/include "$cuda/include"
    ln -s ../usr/lib/x86_64-linux-gnu "$cuda/lib64"
    cat >"$cuda/bin/nvcc.profile" <<'END'
NVVMIR_LIBRARY_DIR = $(_HERE_)/../nvvm/libdevice
PATH += $(_HERE_):
INCLUDES += "-I$(_HERE_)/../include"
LIBRARIES =+ $(_SPACE_) "-L$(_HERE_)/../lib64"
END
}

for version in 11.8 12.4; do
    suite=bookworm library=libcupti11.8 compiler="g++-11 gcc-11 cpp-11 libstdc++-11-dev libgcc-11-dev"
    if [ "$version" = 12.4 ]; then
        suite=trixie library=libcupti12 compiler= # which takes g++ 13 and older
    fi
    mkdir -p "$folder/$version"
    apt-get "$@" download "$library" "libcupti-dev/$suite"
    if [ "$wanted" = toolkit ]; then
        for package in nvidia-cuda-toolkit nvidia-cuda-dev libcub-dev libthrust-dev libcu++-dev; do
            apt-get "$@" download "$package/$suite"
        done
        for package in $compiler; do
            apt-get "$@" download "$package"
        done
    fi
    unpack "$version"
    if [ "$wanted" = toolkit ]; then
        arrange "$version"
    fi
done
rm -r "$folder/apt"

#!/bin/sh
# Builds the programs of this folder for several GPUs and runs each on one and on all: the numbers before the first comma are to be
# the same, but for jacobi's residual, whose last digits may differ. Usage: run.sh build|run [FOLDER]
here=$(cd "$(dirname "$0")" && pwd)
folder=${2:-$here/bin}
programs="triad jacobi planes transpose nbody large"
mkdir -p "$folder"
if [ "$1" = build ]; then
    for name in $programs; do
        ${PYTHON:-python} -m ompc build -q --gpus several --target cuda --arch "${ARCH:-sm_90}" -O3 "$here/$name.c" -o "$folder/$name" -lm || exit 1
    done
    exit 0
fi
export OMPC_HISTORY= OMPC_OFFLOAD=always
for name in triad jacobi planes transpose nbody; do
    OMPC_DEVICES= "$folder/$name"
    OMPC_DEVICES=all OMPC_LOG=2 "$folder/$name" 2>"$folder/$name.log"
    grep -E "other devices|in parts|OMPC4" "$folder/$name.log" | head -8
done
echo "small sizes and the coherence checker:"
for name in triad jacobi planes transpose; do
    case $name in triad) size=2;; jacobi) size=1501;; planes) size=131;; *) size=1027;; esac
    OMPC_DEVICES= "$folder/$name" $size 6
    OMPC_DEVICES=all OMPC_CHECK=coherence "$folder/$name" $size 6
done
echo "as the program would run without OMPC_OFFLOAD:"
OMPC_OFFLOAD= OMPC_DEVICES=all "$folder/jacobi" 16384 200

#!/usr/bin/env bash
# Reads of a storage that is not in memory: single values, short ranges, a whole tree, verification, recovery. By turns of several builds.
# Usage: bench/run-cold.sh FOLDER ENGINE_BENCH_DLL...   (folder: on the disk to measure, 6 GB; REPS turns). Linux.
set -euo pipefail
folder=${1:?usage: bench/run-cold.sh FOLDER ENGINE_BENCH_DLL...}
shift
mkdir -p "$folder"
[ -d "$folder/loaded" ] || dotnet "$1" cold-load "$folder/loaded"
[ -d "$folder/changed" ] || { cp -r "$folder/loaded" "$folder/changed" && dotnet "$1" cold-change "$folder/changed" >/dev/null; }
# The open after it recovers, and its flush would change the folder: each turn gets a copy of the journals and the headers.
drop() {
  sync
  find "$1" -type f -exec dd if={} iflag=nocache count=0 status=none \;
}
for ((turn = 1; turn <= ${REPS:-3}; turn++)); do
  for build in "$@"; do
    for mode in cold-get cold-range cold-scan cold-verify; do
      drop "$folder/loaded"
      echo "$turn $build $(dotnet "$build" $mode "$folder/loaded" | tr '\n' ' ')"
    done
    rm -rf "$folder/copy"
    cp -r "$folder/changed" "$folder/copy"
    drop "$folder/copy"
    echo "$turn $build recovery: $(dotnet "$build" cold-recover "$folder/copy" | tr '\n' ' ')"
  done
done

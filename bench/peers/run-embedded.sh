#!/usr/bin/env bash
# Our engine and embedded stores on the same disk: durable writes (peers only), point reads, the B+tree benchmark;
# repetitions of the engines are interleaved.
# usage: [REPS=3] [SECS=3] [TX=10000] [DOCS=1000000] [ENGINES="jackdaw rocksdb lmdb sqlite"] bench/peers/run-embedded.sh
# [write|read|seed]...
set -u
. "$(dirname "$0")/common.sh"
need g++ librocksdb-dev liblmdb-dev libsqlite3-dev nodejs
export REPS SECS=${SECS:-3} TX=${TX:-10000}
ENGINES=${ENGINES:-jackdaw rocksdb lmdb sqlite}
documents=$WORK/orders-1k-${DOCS:-1000000}.ndjson
orders "$documents" "${DOCS:-1000000}" --size 1024
[[ " $ENGINES " != *" jackdaw "* ]] || dotnet build "$PEERS/../Engine" -c Release -v q --nologo >"$WORK/engine.log" || { tail -n 5 "$WORK/engine.log"; exit 1; }
for engine in $ENGINES; do
  [ "$engine" = jackdaw ] && continue
  library=$engine
  [ "$engine" = sqlite ] && library=sqlite3
  g++ -O2 -std=c++17 -Wall -o "$WORK/embedded-$engine" "$PEERS/embedded/$engine.cc" "-l$library" -lpthread || exit 1
done

# cell ENGINE MODE: one run in a fresh directory.
cell() {
  rm -rf "$WORK/embedded-data"
  if [ "$1" = jackdaw ]; then
    [ "$2" = write ] || "$PEERS/../Engine/bin/Release/net10.0/engine-bench" "$2" "$WORK/embedded-data" >>"$raw" || exit 1
    return
  fi
  "$WORK/embedded-$1" "$2" "$WORK/embedded-data" "$documents" >>"$raw" || exit 1
}

[ $# -gt 0 ] || set -- write read seed
mkdir -p "$PEERS/../results"
report=$PEERS/../results/$(date -u +%Y-%m-%d)-embedded.md
{
  echo "# The storage engine beside embedded stores"
  echo
  echo "- Commit $(git describe --always --dirty), $(date -u +%Y-%m-%d), \`bench/peers/run-embedded.sh $*\` with REPS=$REPS SECS=$SECS TX=$TX"
  echo "- $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(free -g | awk '/^Mem/ { print $2 }') GiB, kernel $(uname -r)"
  echo "- seed: transactions of 100 values of 128 bytes, each awaited; tx_rate_flushed counts the flush and sync at the end too."
} >"$report"
for mode in "$@"; do
  raw=$WORK/out/embedded-$mode.raw
  : >"$raw"
  case $mode in
    write) for _ in $(seq "$REPS"); do for engine in $ENGINES; do cell "$engine" write; done; done ;;
    read) for engine in $ENGINES; do cell "$engine" read; done ;; # repeats by itself: loading is what takes long
    seed) for _ in $(seq "$REPS"); do for order in seed-seq seed-rnd; do for engine in $ENGINES; do cell "$engine" $order; done; done; done ;;
    *) echo "unknown mode $mode" >&2; exit 1 ;;
  esac
  rm -rf "$WORK/embedded-data"
  { echo; echo "## $mode"; echo; echo '```'; summary "$raw"; echo '```'; } >>"$report"
  summary "$raw"
done

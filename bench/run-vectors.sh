#!/usr/bin/env bash
# Vector searches over HTTP beside a query for one term: the same documents, 10 rows, 32 connections, in turn in one run.
# usage: [REPS=5] [SECS=4] [EVERY=3] [CLIENTS=32] bench/run-vectors.sh      EVERY: each word whose rank is a multiple of this, 1 to 341,479 words
#   JACKDAW_SERVER  the server's executable (default: the Release build of src/Server)
set -u
cd "$(dirname "$0")/.."
REPS=${REPS:-5}
. bench/peers/common.sh
. .ci/programs.sh
SECS=${SECS:-4} EVERY=${EVERY:-3} CLIENTS=${CLIENTS:-32} URL=http://127.0.0.1:18092
raw=$WORK/out/vectors.raw
: >"$raw"
need wrk
find_node
[ -d test/EndToEnd/node_modules ] || (cd test/EndToEnd && npm ci --no-audit --no-fund --loglevel=error) || exit 1
rm -rf "$WORK/vector-data"
"${JACKDAW_SERVER:-src/Server/bin/Release/net10.0/jackdaw}" --ServerUrl="$URL" --DataDir="$WORK/vector-data" >"$WORK/jackdaw.log" 2>&1 &
server=$!
trap 'kill $server; wait $server 2>/dev/null' EXIT
wait_for "$URL/health/ready"
export DATABASE=words VECTORS=$WORK/vectors.txt
WORD_GROUPS=$("$node" bench/Load/words.js "$URL" words "$EVERY" "$VECTORS") || exit 1
export WORD_GROUPS
curl -s "$URL/databases/words/indexes/stats" | grep -o '"VectorFields":[^]]*]'

# cell NAME: one cell of wrk; rate, latencies, errors, and the server's processor time per request.
cell() {
  local before after result
  before=$(cpu_ticks $server)
  result=$(wrk -t1 -c"$CLIENTS" -d"${SECS}s" --timeout 60s -s bench/Load/vectors.lua "$URL" | grep '^RESULT')
  after=$(cpu_ticks $server)
  echo "$result" | awk -v cell="$1" -v ticks="$((after - before))" -v secs="$SECS" '{
    print cell, "rate", $2, "/s"; print cell, "p50", $3, "us"; print cell, "p99", $4, "us"; print cell, "cpu", ticks * 10000 / ($2 * secs), "us"
    print cell, "errors", $6, "requests" }' >>"$raw"
}

for repetition in 0 $(seq "$REPS"); do
  for SELECT in ids documents; do
    export SELECT
    for MODE in term vector; do export MODE; cell "$MODE-$SELECT"; done
  done
  # The first round warms up.
  [ "$repetition" = 0 ] && : >"$raw"
done
summary "$raw"
for SELECT in ids documents; do
  awk -v a="vector-$SELECT" -v b="term-$SELECT" '$2 == "rate" { if ($1 == a) v[++n] = $3; if ($1 == b) t[++m] = $3 }
    END { line = a " / " b ":"; for (i = 1; i <= n; i++) line = line sprintf(" %.2f", v[i] / t[i]); print line }' "$raw"
done

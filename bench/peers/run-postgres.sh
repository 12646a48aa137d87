#!/usr/bin/env bash
# PostgreSQL, jsonb: durable single inserts, 100 per transaction, COPY, point reads; starts every repetition with
# 1,000,000 documents of 1 KB.
# usage: [REPS=3] [SECS=5] [DOCS=1000000] bench/peers/run-postgres.sh
set -u
. "$(dirname "$0")/common.sh"
. "$PEERS/postgres.sh"
SECS=${SECS:-5} DOCS=${DOCS:-1000000}
raw=$WORK/out/postgres.raw
: >"$raw"
pg_scripts "$DOCS"
pg_up
trap pg_down EXIT
for _ in $(seq "$REPS"); do
  pg_load "$DOCS"
  awk -v n="$DOCS" -v s="$LOAD_SECONDS" 'BEGIN { print "pg-copy rate", n / s, "docs/s" }' >>"$raw"
  for clients in 1 8 32 128; do pg_bench pg-get get.sql $clients 1 "$SECS" >>"$raw"; done
  for clients in 1 8 32 128; do pg_bench pg-insert one.sql $clients 1 "$SECS" >>"$raw"; done
  for clients in 1 8; do pg_bench pg-insert100 hundred.sql $clients 100 "$SECS" >>"$raw"; done
done
summary "$raw"

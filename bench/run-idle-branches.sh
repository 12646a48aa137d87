#!/usr/bin/env bash
# What the branches of a database cost while nobody uses them, and how long the first answer takes after a start: with none and with BRANCHES.
# usage: [REPS=5] [BRANCHES=100] [FOLDER=...] bench/run-idle-branches.sh
set -u
cd "$(dirname "$0")/.."
REPS=${REPS:-5} BRANCHES=${BRANCHES:-100} FOLDER=${FOLDER:-$(mktemp -d)}
mkdir -p "$FOLDER"
dotnet publish bench/Documents -c Release --use-current-runtime --self-contained true -p:PublishReadyToRun=true -o "$FOLDER/program" \
  >"$FOLDER/publish.log" || { tail -n 5 "$FOLDER/publish.log"; exit 1; }
trap 'rm -rf "$FOLDER"' EXIT
bench=$FOLDER/program/Jackdaw.DocumentsBench
for count in 0 "$BRANCHES"; do "$bench" idle "$FOLDER/data-$count" "$count" >/dev/null || exit 1; done
for _ in $(seq "$REPS"); do
  for count in 0 "$BRANCHES"; do
    "$bench" idle "$FOLDER/data-$count" "$count"
    echo "  before requests: $("$bench" idle "$FOLDER/data-$count" "$count" before)"
  done
done

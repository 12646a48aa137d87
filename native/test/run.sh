#!/usr/bin/env bash
# The C tests of libpal: the contract of pal.h, the logic of the Windows ring, and on Linux failing calls. Usage: native/test/run.sh [host|wine]
# `host` builds with the C compiler of the system; `wine` builds for Windows with the pinned Zig (native/fetch-zig.sh)
# and runs under Wine, in a prefix that is made and thrown away. Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."

what=${1:-host}
output=$PWD/artifacts/native-test/$what
rm -rf "$output"
mkdir -p "$output/scratch"
contract=(native/test/contract*.c native/test/check.c)
faults=(native/test/faults.c native/test/check.c)
ring=(native/test/ring.c native/test/check.c native/ioring_win_loop.c native/error.c)
programs=(ring contract)
common=(native/error.c native/write.c native/pages.c)
warnings=(-std=c11 -Wall -Wextra -Werror -O1 -g)

if [ "$what" = wine ]; then
  wine=/usr/lib/wine/wine64
  [ -x "$wine" ] || { echo "native/test: needs Wine at $wine (Debian: apt-get install wine64)" >&2; exit 1; }
  compile=(tools/zig-compiler cc -target x86_64-windows-gnu -D_FILE_OFFSET_BITS=64 "${warnings[@]}")
  # The contract is checked on the library as it is shipped.
  library=artifacts/native/win-x64/native/pal.dll
  [ -f "$library" ] || native/build.sh artifacts/native all
  cp "$library" "$output"
  { printf 'LIBRARY pal.dll\nEXPORTS\n'; grep -oE '\bpal_[a-z_]+\(' native/pal.h | tr -d '(' | sort -u; } \
    >"$output/pal.def"
  tools/zig-compiler dlltool -m i386:x86-64 -d "$output/pal.def" -l "$output/pal.lib"
  "${compile[@]}" "${contract[@]}" "$output/pal.lib" -o "$output/contract.exe"
  "${compile[@]}" "${ring[@]}" native/error_win.c -o "$output/ring.exe"
  # The home folder too: Wine leaves links to it, and reads it.
  export HOME=$output/home WINEPREFIX=$output/home/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml,winedbg.exe="
  mkdir -p "$HOME"
  export WINESERVER=${wine%64}server64
  trap '"$WINESERVER" -k || true; rm -rf "$output/home"' EXIT
  "$wine" wineboot -i >/dev/null 2>&1
  run=("$wine")
  suffix=.exe
  "$wine" --version
else
  case "$(uname -s)" in
    Linux) system=(native/file_linux.c native/ring_{linux,engine,test}.c) define=-D_DEFAULT_SOURCE ;;
    Darwin) system=(native/file_macos.c native/ring_none.c) define=-D_DARWIN_C_SOURCE ;;
    *) echo "native/test: $(uname -s) is not supported" >&2; exit 1 ;;
  esac
  compile=("${CC:-cc}" "$define" "${warnings[@]}" -fsanitize=undefined -fno-sanitize-recover=undefined)
  "${compile[@]}" "${contract[@]}" "${common[@]}" native/*_posix.c "${system[@]}" -pthread -o "$output/contract"
  if [ "$(uname -s)" = Linux ]; then
    "${compile[@]}" "${faults[@]}" "${common[@]}" native/*_posix.c "${system[@]}" -pthread -o "$output/faults"
    programs+=(faults)
  fi
  "${compile[@]}" "${ring[@]}" native/error_posix.c -o "$output/ring"
  run=()
  suffix=
fi

cd "$output/scratch"
{
  for program in "${programs[@]}"; do
    "${run[@]}" "../$program$suffix" || true
  done
} 2>&1 | tr -d '\r' | tee ../results.txt
# A program that died has no last line.
awk -v expected="${#programs[@]}" '/^[0-9]+ passed, [0-9]+ failed$/ { programs++; good += $1; bad += $3 }
  END { bad += expected - programs; printf "%d passed, %d failed\n", good, bad; exit bad != 0 }' ../results.txt

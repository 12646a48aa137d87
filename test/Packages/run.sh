#!/usr/bin/env bash
# Packs the client's packages, and uses them as a stranger does: a new project outside of the repository restores them from a folder, is built with the
# analyzer of the package, and runs. Ends with "N passed, N failed". Needs a Release build (BUILD=1 makes it).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
packages=$PWD/artifacts/packages
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() {
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED  $name"; fi
}

# Packages of the same version from another run must not be found in place of these.
cached=$(dotnet nuget locals global-packages --list) || exit 1
export NUGET_PACKAGES=$work/restored
restore=(-p:RestoreAdditionalProjectSources="$packages" -p:RestoreFallbackFolders="${cached#*: }")

pack() {
  rm -rf "$packages"
  if [ "${BUILD:-}" = 1 ]; then
    NUGET_PACKAGES=${cached#*: } dotnet build src/Client.AspNetCore -c Release -v q --nologo || return 1
  fi
  for project in src/Client src/Client.AspNetCore; do
    NUGET_PACKAGES=${cached#*: } dotnet pack $project -c Release --no-build -o "$packages" -v q --nologo || return 1
  done
}

# has PACKAGE FILE...: what a package must bring along.
has() {
  local package=$1 listed file
  shift
  listed=$(unzip_list "$packages/$package".[0-9]*.nupkg) || return 1
  for file in "$@"; do
    grep -qxF "$file" <<<"$listed" || { echo "$package has no $file"; return 1; }
  done
  ls "$packages/$package".[0-9]*.snupkg >/dev/null
}

# Names in the directory of a zip file; node is there for the end-to-end test, unzip may be not.
unzip_list() {
  node -e '
    const data = require("fs").readFileSync(process.argv[1]);
    let end = data.length - 22;
    while (data.readUInt32LE(end) !== 0x06054b50) end--;
    let at = data.readUInt32LE(end + 16);
    for (let i = data.readUInt16LE(end + 10); i > 0; i--) {
      const name = data.readUInt16LE(at + 28);
      console.log(data.toString("utf8", at + 46, at + 46 + name));
      at += 46 + name + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
    }' "$1"
}

console() {
  mkdir -p "$work/console" &&
    cp test/Packages/Console.csproj.txt "$work/console/Console.csproj" &&
    cp test/Packages/Console.cs.txt "$work/console/Program.cs" &&
    version=$(basename "$packages"/Jackdaw.Client.[0-9]*.nupkg .nupkg) &&
    dotnet build "$work/console" -v q --nologo "${restore[@]}" -p:JackdawVersion="${version#Jackdaw.Client.}" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log"; return 1; }
}

# The deliberate mistake of the program is found by the analyzer, and by nothing else.
analyzed() {
  grep -q "warning JD0001: 'Last' cannot be translated. .* Reverse the order and take the first." "$work/build.log" || { cat "$work/build.log"; return 1; }
}

runs() {
  [ "$(dotnet "$work/console/bin/Debug/net10.0/Console.dll")" = "from 'Orders' where Total > \$p0" ]
}

# The tutorial of the client: its commands, as far as this machine can run them, and its program, beside a server.
tutorial() {
  local page=docs/client/tutorial.md site server program status=1
  mkdir -p "$work/tutorial" && cd "$work/tutorial" || return 1
  local root=$OLDPWD port=$((20000 + RANDOM % 10000)) page_port=$((30000 + RANDOM % 10000))
  page=$root/$page
  block "$page" 'sh project' | sed "s|^dotnet add package .*|& --version $version_of|" >project.sh
  export RestoreAdditionalProjectSources="$packages" RestoreFallbackFolders="${cached#*: }"
  bash -e project.sh >project.log 2>&1 || { cat project.log; cd "$root"; return 1; }
  cd Notes && block "$page" 'csharp Program.cs' | sed "s|127.0.0.1:8080|127.0.0.1:$port|" >Program.cs
  dotnet build -v q --nologo >build.log 2>&1 || { cat build.log; cd "$root"; return 1; }
  "$root/src/Server/bin/Release/net10.0/jackdaw" --ServerUrl="http://127.0.0.1:$port" --DataDir="$work/tutorial/data" >server.log 2>&1 &
  server=$!
  wait_for "http://127.0.0.1:$port/build/version" && {
    dotnet bin/Debug/net10.0/Notes.dll --urls "http://127.0.0.1:$page_port" >program.log 2>&1 &
    program=$!
    site=http://127.0.0.1:$page_port/
    wait_for "$site" && curl -sf -o /dev/null --data-urlencode 'text=Buy <bread>' "$site" &&
      curl -sf "$site" | grep -q 'Buy &lt;bread&gt;' && curl -sf "$site?find=bre" | grep -q 'bread' &&
      ! curl -sf "$site?find=milk" | grep -q 'bread' && status=0
    kill "$program"; wait "$program" 2>/dev/null
  }
  kill "$server"; wait "$server" 2>/dev/null
  [ $status = 0 ] || cat server.log program.log
  cd "$root" && return $status
}

# block PAGE MARK: the code behind ```MARK of a page.
block() {
  awk -v mark="\`\`\`$2" '$0 == mark {on = 1; next} /^```/ {on = 0} on' "$1"
}

wait_for() {
  for _ in $(seq 150); do curl -sf -o /dev/null "$1" && return 0; sleep 0.2; done
  return 1
}

check "packages are made" pack
check "contents of Jackdaw.Client" has Jackdaw.Client README.md jackdaw.png lib/net10.0/Jackdaw.Client.dll lib/net10.0/Jackdaw.Client.xml \
  analyzers/dotnet/cs/Jackdaw.Client.Analyzers.dll
check "contents of Jackdaw.Client.AspNetCore" has Jackdaw.Client.AspNetCore README.md jackdaw.png lib/net10.0/Jackdaw.Client.AspNetCore.dll \
  lib/net10.0/Jackdaw.Client.AspNetCore.xml
check "a new project restores and builds" console
check "the analyzer is active" analyzed
check "the program runs" runs
version_of=$(basename "$packages"/Jackdaw.Client.AspNetCore.[0-9]*.nupkg .nupkg) && version_of=${version_of#Jackdaw.Client.AspNetCore.}
check "the tutorial's web page works" tutorial
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

#!/usr/bin/env bash
# Builds the image without any image registry: a minimal Debian 12 made by debootstrap stands in for both base images,
# with this machine's .NET SDK
# in the one that builds. For machines that reach a Debian mirror and package feeds but no registry. Needs root on
# Debian, about 3 GB and 10 minutes.
# usage: docker/build-local.sh [image name]      MIRROR overrides the Debian mirror (default: the first one in the
# sources of apt)
set -euo pipefail
cd "$(dirname "$0")/.."
image=${1:-jackdaw:local}
[ "$(id -u)" = 0 ] || { echo "build-local: needs root (debootstrap makes device nodes)" >&2; exit 1; }

missing=()
for package in buildah debootstrap crun; do dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
if [ ${#missing[@]} != 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
apt_sources() { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; }
mirror=${MIRROR:-$(apt_sources | grep -E '^(deb|URIs:)' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ' || true)}
[ -n "$mirror" ] || { echo "build-local: no Debian mirror found; set MIRROR" >&2; exit 1; }

# One tree for both: what a self-contained .NET program needs, and certificates for the feeds.
debootstrap --variant=minbase --include=ca-certificates,libssl3,libstdc++6,libgcc-s1,tzdata bookworm "$work/debian" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 20 "$work/debootstrap.log" >&2; exit 1; }
rm -rf "$work"/debian/var/cache/apt/* "$work"/debian/var/lib/apt/lists/* "$work"/debian/usr/share/{doc,man,locale}/*

# import NAME FOLDER [buildah config arguments]: an image with one layer that holds the folder.
import() {
  local name=$1 folder=$2 container
  shift 2
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder" / >/dev/null
  [ $# = 0 ] || buildah config "$@" "$container"
  buildah commit --quiet --rm --format docker "$container" "$name" >/dev/null
}

import localhost/debian-minimal:12 "$work/debian"
# Certificates of this machine: a feed behind a company's proxy is signed by them.
cp -L --remove-destination /etc/ssl/certs/ca-certificates.crt "$work/debian/etc/ssl/certs/ca-certificates.crt"
mkdir -p "$work/debian/usr/share/dotnet"
cp -a "$(dirname "$(readlink -f "$(command -v dotnet)")")/." "$work/debian/usr/share/dotnet/"
ln -s /usr/share/dotnet/dotnet "$work/debian/usr/bin/dotnet"
import localhost/dotnet-sdk:local "$work/debian" --env DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 --env DOTNET_CLI_TELEMETRY_OPTOUT=1 --env DOTNET_NOLOGO=1
rm -rf --one-file-system "$work/debian"

# chroot isolation: works where the kernel gives no cgroups to containers, such as inside another container or a small
# virtual machine.
buildah bud --format docker --isolation chroot --network host --layers=false -t "$image" \
  --build-arg BASE_SDK=localhost/dotnet-sdk:local --build-arg BASE_RUNTIME=localhost/debian-minimal:12 .
buildah inspect --type image --format '{{.Docker.Config.User}} {{.Docker.Config.ExposedPorts}} {{.Docker.Config.Healthcheck}}' "$image"
echo
echo "image $image: $(buildah images --format '{{.Size}}' "$image")"

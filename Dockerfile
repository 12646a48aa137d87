# The image of the server: built from source, ahead-of-time compiled where the runtime can (ReadyToRun), run by a user
# without rights.
#   docker build -t jackdaw . && docker run -p 8080:8080 -v jackdaw:/data jackdaw
# The server is secured: its first start makes certificates in /data/Security and says how to use them (docker logs). Clients that reach it by another name
# than localhost need that name: -e JACKDAW_PUBLIC_SERVER_URL=https://db.example.com:8080
# BASE_SDK and BASE_RUNTIME can be replaced where these registries are out of reach; docker/build-local.sh does that.
ARG BASE_SDK=mcr.microsoft.com/dotnet/sdk:10.0
ARG BASE_RUNTIME=mcr.microsoft.com/dotnet/runtime-deps:10.0

FROM ${BASE_SDK} AS build
# The native library is built by the C compiler of the image: it is for this platform only, so Zig is not needed.
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# Self-contained: the runtime comes along, in the version the build used, and the final image needs no .NET of its own.
RUN dotnet publish src/Server -c Release --use-current-runtime --self-contained true -p:PublishReadyToRun=true -o /app

FROM ${BASE_RUNTIME} AS final
RUN (id jackdaw >/dev/null 2>&1 || useradd --uid 1655 --user-group --no-create-home --shell /usr/sbin/nologin jackdaw) \
    && mkdir /data && chown jackdaw:jackdaw /data
COPY --from=build /app /app
USER jackdaw
# All interfaces of the container; which of them the world sees is decided by the port that is published.
ENV JACKDAW_SERVER_URL=https://0.0.0.0:8080 \
    JACKDAW_DATA_DIR=/data
WORKDIR /data
VOLUME /data
EXPOSE 8080
# The check trusts the authority in the data folder. After a crash the port opens at once, but requests are answered 503 until the journals are replayed: two minutes of grace, then three misses in a row.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 CMD ["/app/jackdaw", "health"]
# SIGTERM stops the server in order: requests in flight are answered, the journal is closed.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/jackdaw"]

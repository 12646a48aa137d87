/* Sends one prepared bulk-insert stream over a connection of its own and says how long the server took.
 * usage: bulk-send PORT PATH FILE        prints "SECONDS STATUS"
 * The file (gen-orders.js --format bulk) is mapped and sent in chunks of 64 KB by writev: next to no work, so that the
 * cores
 * belong to the server. The last chunk is never sent: like an official client, it waits for the answer to the closing
 * bracket. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK_BYTES = 64 * 1024 };

static void fail(const char *what) {
    fprintf(stderr, "bulk-send: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int connect_to(int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void send_all(int fd, struct iovec *parts, int count) {
    while (count > 0) {
        ssize_t sent = writev(fd, parts, count);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail("send");
        while (count > 0 && (size_t)sent >= parts->iov_len) {
            sent -= parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + sent;
            parts->iov_len -= sent;
        }
    }
}

static void send_chunk(int fd, const char *data, size_t bytes) {
    char size[32];
    int size_bytes = snprintf(size, sizeof size, "%zx\r\n", bytes);
    struct iovec parts[] = {{size, size_bytes}, {(void *)data, bytes}, {"\r\n", 2}};
    send_all(fd, parts, 3);
}

static int read_status(int fd) {
    char answer[4096];
    size_t length = 0;
    while (length < sizeof answer - 1) {
        ssize_t got = recv(fd, answer + length, sizeof answer - 1 - length, 0);
        if (got <= 0) break;
        length += got;
        answer[length] = 0;
        if (strstr(answer, "\r\n\r\n")) break;
    }
    return length > 12 ? atoi(answer + 9) : 0;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: bulk-send PORT PATH FILE\n");
        return 2;
    }
    int file = open(argv[3], O_RDONLY);
    struct stat stat;
    if (file < 0 || fstat(file, &stat)) fail(argv[3]);
    const char *data = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (data == MAP_FAILED) fail("map");

    int fd = connect_to(atoi(argv[1]));
    char head[1024];
    int head_bytes = snprintf(head, sizeof head,
                              "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                              "Transfer-Encoding: chunked\r\n\r\n",
                              argv[2]);
    double start = now();
    struct iovec first = {head, head_bytes};
    send_all(fd, &first, 1);
    for (off_t at = 0; at < stat.st_size; at += CHUNK_BYTES) {
        off_t left = stat.st_size - at;
        send_chunk(fd, data + at, left < CHUNK_BYTES ? left : CHUNK_BYTES);
    }
    int status = read_status(fd);
    printf("%.3f %d\n", now() - start, status);
    return status == 200 || status == 201 || status == 204 ? 0 : 1;
}

/* Wakes at a steady rate and makes one durable write of 4 KB each time: what the disk of a machine costs those who compute beside it.
 * usage: durable-writer FILE WRITES_PER_SECOND SECONDS [idle]      prints "WRITES MEAN_LATENCY_US CPU_US_PER_WRITE"
 * idle: wakes and writes nothing. FILE is filled with 16 MB first when it is missing; the writes go round in it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WRITE_BYTES = 4096, FILE_BYTES = 16 << 20, FILL_BYTES = 1 << 20 };

static void fail(const char *what) {
    fprintf(stderr, "durable-writer: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void sleep_until(double time) {
    struct timespec until = {.tv_sec = (time_t)time};
    until.tv_nsec = (long)((time - (double)until.tv_sec) * 1e9);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: durable-writer FILE WRITES_PER_SECOND SECONDS [idle]\n");
        return 2;
    }

    double rate = atof(arguments[2]), seconds = atof(arguments[3]), waited = 0;
    int writes = count < 5, file = open(arguments[1], O_RDWR | O_CREAT | O_DIRECT | O_DSYNC, 0644);
    void *data;
    struct stat about;
    if (file < 0 || fstat(file, &about) || posix_memalign(&data, WRITE_BYTES, FILL_BYTES)) fail(arguments[1]);
    memset(data, 7, FILL_BYTES);
    for (off_t at = about.st_size; at < FILE_BYTES; at += FILL_BYTES) {
        if (pwrite(file, data, FILL_BYTES, at) != FILL_BYTES) fail("filling the file");
    }

    double next = now(), end = next + seconds, cpu = cpu_seconds();
    long done = 0;
    for (off_t at = 0; next < end; at = (at + WRITE_BYTES) % FILE_BYTES, done++) {
        next += 1 / rate;
        sleep_until(next);
        double begin = now();
        if (writes && pwrite(file, data, WRITE_BYTES, at) != WRITE_BYTES) fail("writing");
        waited += now() - begin;
    }

    printf("%ld %.0f %.0f\n", done, waited / (double)done * 1e6, (cpu_seconds() - cpu) / (double)done * 1e6);
    return 0;
}

/* file_macos.c: what is specific to macOS. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "pal_internal.h"

static int fcntl_retry(int fd, int command, void *argument)
{
    int result;
    do {
        result = fcntl(fd, command, argument);
    } while (result == -1 && errno == EINTR);
    return result;
}

int pal_os_open_journal(const char *path, int flags, int32_t *direct)
{
    int fd = pal_open_retry(path, flags);
    *direct = fd >= 0 && fcntl(fd, F_NOCACHE, 1) != -1;
    return fd;
}

/* fsync and O_DSYNC stop at the drive's cache on macOS; only F_FULLFSYNC empties it. */
static int full_sync(int fd)
{
    if (fcntl_retry(fd, F_FULLFSYNC, NULL) != -1) {
        return 0;
    }
    if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY) {
        return -1;
    }
    int result;
    do {
        result = fsync(fd);
    } while (result != 0 && errno == EINTR);
    return result;
}

int pal_os_journal_barrier(int fd)
{
    return full_sync(fd);
}

int pal_os_sync(int fd, int32_t kind)
{
    (void)kind;
    return full_sync(fd);
}

int pal_os_write_back(int fd, int64_t offset, int64_t length, int wait)
{
    /* No such call: the sync does all of it. */
    (void)fd;
    (void)offset;
    (void)length;
    (void)wait;
    return 0;
}

int pal_os_allocate(int fd, int64_t offset, int64_t length)
{
    fstore_t store = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, (off_t)length, 0};
    if (fcntl_retry(fd, F_PREALLOCATE, &store) == -1) {
        return -1;
    }
    return pal_truncate_retry(fd, offset + length);
}

int pal_os_punch(int fd, int64_t offset, int64_t length)
{
    fpunchhole_t hole = {0, 0, (off_t)offset, (off_t)length};
    return fcntl_retry(fd, F_PUNCHHOLE, &hole) == -1 ? -1 : 0;
}

int pal_os_fill_hole(int fd, int64_t offset, int64_t length)
{
    /* F_PREALLOCATE only appends. */
    (void)fd;
    (void)offset;
    (void)length;
    errno = EOPNOTSUPP;
    return -1;
}

void pal_os_lower_priority(void)
{
    pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
}

int32_t pal_os_request_short_slices(void)
{
    return 0;
}

int32_t pal_os_request_batch_scheduling(const char *name)
{
    (void)name;
    return 0;
}

int pal_os_memory_file(void)
{
    /* Shared memory objects cannot be written with pwrite here, so it is a nameless file in the temporary folder. */
    char path[] = "/tmp/jackdaw-XXXXXX";
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) {
        unlink(path);
    }
    return fd;
}

void *pal_os_map(int fd, int64_t length)
{
    return mmap(NULL, (size_t)length, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
}

ssize_t pal_os_writev(int fd, const struct iovec *pieces, int count, off_t offset)
{
    return pwritev(fd, pieces, count, offset);
}

int pal_os_ring_write(struct pal_ring *ring, int fd, const struct pal_page_write *writes, int32_t count,
                      struct pal_write_counts *counts, struct pal_error *error)
{
    (void)ring;
    (void)fd;
    (void)writes;
    (void)count;
    (void)counts;
    (void)error;
    return 0;
}

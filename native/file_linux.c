/* file_linux.c: what is specific to Linux. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "pal_internal.h"

int pal_os_open_journal(const char *path, int flags, int32_t *direct)
{
    int fd = pal_open_retry(path, flags | O_DIRECT | O_DSYNC);
    *direct = fd >= 0;
    if (fd < 0 && errno == EINVAL) {
        /* The kernel checks O_DIRECT only after it has created the file, so a second O_EXCL would find our own file. */
        fd = pal_open_retry(path, (flags & ~O_EXCL) | O_DSYNC);
    }
    return fd;
}

int pal_os_journal_barrier(int fd)
{
    /* O_DSYNC: the write itself returned after the flush of the drive. */
    (void)fd;
    return 0;
}

int pal_os_sync(int fd, int32_t kind)
{
    int result;
    do {
        result = kind == PAL_SYNC_DATA ? fdatasync(fd) : fsync(fd);
    } while (result != 0 && errno == EINTR);
    return result;
}

int pal_os_write_back(int fd, int64_t offset, int64_t length, int wait)
{
    unsigned int flags = wait ? SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER
                              : SYNC_FILE_RANGE_WRITE;
    int result;
    do {
        result = sync_file_range(fd, (off_t)offset, (off_t)length, flags);
    } while (result != 0 && errno == EINTR);
    /* Not every sandbox supports it; then the sync that follows does the work. */
    return result != 0 && (errno == ENOSYS || errno == EPERM) ? 0 : result;
}

int pal_os_allocate(int fd, int64_t offset, int64_t length)
{
    int result;
    do {
        result = fallocate(fd, 0, (off_t)offset, (off_t)length);
    } while (result != 0 && errno == EINTR);
    return result;
}

int pal_os_punch(int fd, int64_t offset, int64_t length)
{
    int result;
    do {
        result = fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length);
    } while (result != 0 && errno == EINTR);
    return result;
}

int pal_os_fill_hole(int fd, int64_t offset, int64_t length)
{
    int result;
    do {
        result = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length);
    } while (result != 0 && errno == EINTR);
    return result;
}

void pal_os_lower_priority(void)
{
    /* Linux counts niceness per thread. Five steps leave a third of the weight: low enough to be preempted by a thread
     * that wakes, high enough that a lock held here is not held for long. */
    setpriority(PRIO_PROCESS, (id_t)gettid(), 5);
}

int32_t pal_os_request_short_slices(void)
{
    /* The C library has no name for this call before 2.41. */
    struct {
        uint32_t size;
        uint32_t policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime_ns;
        uint64_t deadline_ns;
        uint64_t period_ns;
    } wanted = {.size = sizeof wanted, .policy = SCHED_OTHER};

    /* Since 6.12 a thread of the usual policy may ask for a slice, of at least 0.1 ms. A thread with a short slice runs
     * next when it wakes, and in return its turns are short. Before 6.12 the kernel ignores the request. */
    wanted.runtime_ns = 100 * 1000;
    wanted.nice = getpriority(PRIO_PROCESS, (id_t)gettid());
    return syscall(SYS_sched_setattr, gettid(), &wanted, 0) == 0;
}

static int thread_has_name(int thread, const char *name)
{
    char path[64];
    char found[32] = {0};
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    ssize_t bytes = read(fd, found, sizeof found - 1);
    close(fd);
    size_t length = strlen(name);
    return bytes == (ssize_t)length + 1 && memcmp(found, name, length) == 0;
}

int32_t pal_os_request_batch_scheduling(const char *name)
{
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) {
        return 0;
    }
    int32_t count = 0;
    const struct sched_param priority = {0};
    for (struct dirent *thread = readdir(threads); thread != NULL; thread = readdir(threads)) {
        /* A batch thread gets the same share of the processor, but does not preempt when it wakes. */
        int id = atoi(thread->d_name);
        if (id > 0 && thread_has_name(id, name) && sched_setscheduler(id, SCHED_BATCH, &priority) == 0) {
            count++;
        }
    }
    closedir(threads);
    return count;
}

int pal_os_memory_file(void)
{
    return memfd_create("jackdaw", MFD_CLOEXEC);
}

void *pal_os_map(int fd, int64_t length)
{
    void *mapped = mmap(NULL, (size_t)length, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (mapped != MAP_FAILED) {
        /* A crash dump of the process must not contain the database. Advice only: its failure changes nothing. */
        madvise(mapped, (size_t)length, MADV_DONTDUMP);
    }
    return mapped;
}

ssize_t pal_os_writev(int fd, const struct iovec *pieces, int count, off_t offset)
{
    return pwritev(fd, pieces, count, offset);
}

/* file_posix.c: files, mappings and memory, as far as Linux and macOS agree. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pal_internal.h"

/* Attempts when the lock file is deleted and created again between open and lock; more than this is not an accident. */
#define LOCK_ATTEMPTS_MAX 16

int pal_open_retry(const char *path, int flags)
{
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC, PAL_FILE_MODE);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

int pal_truncate_retry(int fd, int64_t length)
{
    int result;
    do {
        result = ftruncate(fd, (off_t)length);
    } while (result != 0 && errno == EINTR);
    return result;
}

static int open_flags(int32_t opening, int32_t use)
{
    int flags = use == PAL_USE_READ_ONLY ? O_RDONLY : O_RDWR;
    if (opening == PAL_CREATE_NEW) {
        flags |= O_CREAT | O_EXCL;
    }
    if (opening == PAL_OPEN_OR_CREATE) {
        flags |= O_CREAT;
    }
    return flags;
}

int32_t pal_file_open(const char *path, int32_t opening, int32_t use, int32_t *fd, int32_t *direct,
                      struct pal_error *error)
{
    pal_succeed(error);
    *fd = -1;
    *direct = 0;
    if (opening < PAL_OPEN_EXISTING || opening > PAL_OPEN_OR_CREATE || use < PAL_USE_DATA || use > PAL_USE_READ_ONLY) {
        return pal_fail(error, PAL_OP_OPEN, EINVAL);
    }
    int flags = open_flags(opening, use);
    int opened = use == PAL_USE_JOURNAL ? pal_os_open_journal(path, flags, direct) : pal_open_retry(path, flags);
    if (opened < 0) {
        return pal_fail(error, PAL_OP_OPEN, errno);
    }
    struct stat status;
    int failed = fstat(opened, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EISDIR;
    if (failed != 0) {
        close(opened);
        return pal_fail(error, PAL_OP_OPEN, failed);
    }
    *fd = opened;
    return PAL_OK;
}

int32_t pal_file_close(int32_t fd, struct pal_error *error)
{
    pal_succeed(error);
    /* Not retried: the descriptor is closed even when EINTR is reported, and may already belong to another file. */
    if (close(fd) != 0 && errno != EINTR) {
        return pal_fail(error, PAL_OP_CLOSE, errno);
    }
    return PAL_OK;
}

static void fill_status(const struct stat *from, struct pal_file_status *status)
{
    status->device = (uint64_t)from->st_dev;
    status->file = (uint64_t)from->st_ino;
    status->length = (int64_t)from->st_size;
    status->links = (int32_t)from->st_nlink;
    status->is_directory = S_ISDIR(from->st_mode) ? 1 : 0;
    status->owner = (int64_t)from->st_uid;
    status->allocated = (int64_t)from->st_blocks * 512;
}

int32_t pal_file_status(int32_t fd, struct pal_file_status *status, struct pal_error *error)
{
    pal_succeed(error);
    struct stat from;
    if (fstat(fd, &from) != 0) {
        return pal_fail(error, PAL_OP_STAT, errno);
    }
    fill_status(&from, status);
    return PAL_OK;
}

int32_t pal_path_status(const char *path, int32_t follow, struct pal_file_status *status, struct pal_error *error)
{
    pal_succeed(error);
    struct stat from;
    int result = follow ? stat(path, &from) : lstat(path, &from);
    if (result != 0) {
        return pal_fail(error, PAL_OP_STAT, errno);
    }
    fill_status(&from, status);
    return PAL_OK;
}

int32_t pal_file_allocate(int32_t fd, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    struct stat status;
    if (length < 0) {
        return pal_fail_at(error, PAL_OP_ALLOCATE, EINVAL, PAL_NO_ITEM, 0, length);
    }
    if (fstat(fd, &status) != 0) {
        return pal_fail(error, PAL_OP_ALLOCATE, errno);
    }
    int64_t old_length = (int64_t)status.st_size;
    if (length <= old_length) {
        return PAL_OK;
    }
    int failed = pal_os_allocate(fd, old_length, length - old_length) == 0 ? 0 : errno;
    if (failed == EOPNOTSUPP || failed == ENOTSUP) {
        /* Network and older copy-on-write file systems cannot reserve blocks; writing zeros is the best alternative. */
        failed = pal_write_zeros(fd, old_length, length - old_length, error) == PAL_OK ? 0 : error->os_errno;
    }
    if (failed == 0) {
        return PAL_OK;
    }
    /* Some file systems keep the blocks they allocated before the disk was full. Nobody has seen the new bytes yet. */
    int restored = pal_truncate_retry(fd, old_length);
    (void)restored;
    return pal_fail_at(error, PAL_OP_ALLOCATE, failed, PAL_NO_ITEM, old_length, length - old_length);
}

int32_t pal_file_set_length(int32_t fd, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    if (pal_truncate_retry(fd, length) != 0) {
        return pal_fail_at(error, PAL_OP_SET_LENGTH, errno, PAL_NO_ITEM, 0, length);
    }
    return PAL_OK;
}

/* True when a short read ended at the end of the file: continuing there would be an unaligned unbuffered read. */
static int at_end(int fd, int64_t position)
{
    struct stat status;
    return fstat(fd, &status) == 0 && position >= (int64_t)status.st_size;
}

int32_t pal_file_read(int32_t fd, int64_t offset, void *destination, int64_t length, int64_t *done,
                      struct pal_error *error)
{
    pal_succeed(error);
    *done = 0;
    if (offset < 0 || length < 0) {
        return pal_fail_at(error, PAL_OP_READ, EINVAL, PAL_NO_ITEM, offset, length);
    }
    while (*done < length) {
        int64_t bytes = length - *done < PAL_TRANSFER_BYTES_MAX ? length - *done : PAL_TRANSFER_BYTES_MAX;
        ssize_t read_now = pread(fd, (uint8_t *)destination + *done, (size_t)bytes, (off_t)(offset + *done));
        if (read_now < 0 && errno == EINTR) {
            continue;
        }
        if (read_now < 0) {
            return pal_fail_at(error, PAL_OP_READ, errno, PAL_NO_ITEM, offset + *done, bytes);
        }
        *done += read_now;
        if (read_now == 0 || (read_now < bytes && at_end(fd, offset + *done))) {
            break;
        }
    }
    return PAL_OK;
}

int32_t pal_file_sync(int32_t fd, int32_t kind, struct pal_error *error)
{
    pal_succeed(error);
    if (pal_os_sync(fd, kind) != 0) {
        return pal_fail(error, kind == PAL_SYNC_DATA ? PAL_OP_SYNC_DATA : PAL_OP_SYNC_FULL, errno);
    }
    return PAL_OK;
}

int32_t pal_file_punch(int32_t fd, int64_t offset, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    if (pal_is_unaligned(offset) || pal_is_unaligned(length)) {
        return pal_fail_at(error, PAL_OP_PUNCH, EINVAL, PAL_NO_ITEM, offset, length);
    }
    if (length > 0 && pal_os_punch(fd, offset, length) != 0) {
        return pal_fail_at(error, PAL_OP_PUNCH, errno, PAL_NO_ITEM, offset, length);
    }
    return PAL_OK;
}

int32_t pal_file_fill_hole(int32_t fd, int64_t offset, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    if (pal_is_unaligned(offset) || pal_is_unaligned(length)) {
        return pal_fail_at(error, PAL_OP_ALLOCATE, EINVAL, PAL_NO_ITEM, offset, length);
    }
    if (length > 0 && pal_os_fill_hole(fd, offset, length) != 0) {
        return pal_fail_at(error, PAL_OP_ALLOCATE, errno, PAL_NO_ITEM, offset, length);
    }
    return PAL_OK;
}

int32_t pal_map(int32_t fd, int64_t length, void **address, struct pal_error *error)
{
    pal_succeed(error);
    *address = NULL;
    if (length <= 0) {
        return pal_fail_at(error, PAL_OP_MAP, EINVAL, PAL_NO_ITEM, 0, length);
    }
    void *mapped = pal_os_map(fd, length);
    if (mapped == MAP_FAILED) {
        return pal_fail_at(error, PAL_OP_MAP, errno, PAL_NO_ITEM, 0, length);
    }
    *address = mapped;
    return PAL_OK;
}

int32_t pal_unmap(void *address, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    if (munmap(address, (size_t)length) != 0) {
        return pal_fail_at(error, PAL_OP_UNMAP, errno, PAL_NO_ITEM, 0, length);
    }
    return PAL_OK;
}

void pal_read_at_random(void *address, int64_t length)
{
    madvise(address, (size_t)length, MADV_RANDOM);
}

void pal_will_need(const struct pal_vector *ranges, int32_t count)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int32_t i = 0; i < count; i++) {
        uintptr_t address = (uintptr_t)ranges[i].base;
        uintptr_t start = address - address % page;
        madvise((void *)start, (size_t)(address + (uintptr_t)ranges[i].length - start), MADV_WILLNEED);
    }
}

void pal_use_large_pages(void *address, int64_t length)
{
#ifdef MADV_HUGEPAGE
    madvise(address, (size_t)length, MADV_HUGEPAGE);
#else
    (void)address;
    (void)length;
#endif
}

void pal_thread_lower_priority(void)
{
    pal_os_lower_priority();
}

int32_t pal_thread_request_short_slices(void)
{
    return pal_os_request_short_slices();
}

int32_t pal_threads_request_batch_scheduling(const char *name)
{
    return pal_os_request_batch_scheduling(name);
}

int32_t pal_memory_allocate(int64_t bytes, void **address, struct pal_error *error)
{
    pal_succeed(error);
    *address = NULL;
    if (bytes <= 0) {
        return pal_fail_at(error, PAL_OP_MEMORY, EINVAL, PAL_NO_ITEM, PAL_NO_RANGE, bytes);
    }
    void *mapped = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        return pal_fail_at(error, PAL_OP_MEMORY, errno, PAL_NO_ITEM, PAL_NO_RANGE, bytes);
    }
    *address = mapped;
    return PAL_OK;
}

int32_t pal_memory_free(void *address, int64_t bytes, struct pal_error *error)
{
    pal_succeed(error);
    if (munmap(address, (size_t)bytes) != 0) {
        return pal_fail_at(error, PAL_OP_MEMORY, errno, PAL_NO_ITEM, PAL_NO_RANGE, bytes);
    }
    return PAL_OK;
}

int32_t pal_memory_file(int32_t *fd, struct pal_error *error)
{
    pal_succeed(error);
    *fd = pal_os_memory_file();
    return *fd < 0 ? pal_fail(error, PAL_OP_MEMORY_FILE, errno) : PAL_OK;
}

static int flock_retry(int fd)
{
    int result;
    do {
        result = flock(fd, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result;
}

/* 1 when the name still refers to the locked file; 0 when it was deleted or replaced meanwhile. */
static int is_still_named(int fd, const char *path)
{
    struct stat opened;
    struct stat named;
    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static int open_locked(const char *path, char *owner, int32_t owner_size)
{
    for (int attempt = 0; attempt < LOCK_ATTEMPTS_MAX; attempt++) {
        int fd = pal_open_retry(path, O_RDWR | O_CREAT);
        if (fd < 0) {
            return -1;
        }
        if (flock_retry(fd) != 0) {
            int failed = errno;
            ssize_t length = owner_size > 1 ? pread(fd, owner, (size_t)owner_size - 1, 0) : 0;
            owner[length > 0 ? length : 0] = 0;
            close(fd);
            errno = failed;
            return -1;
        }
        if (is_still_named(fd, path)) {
            return fd;
        }
        close(fd);
    }
    errno = EAGAIN;
    return -1;
}

int32_t pal_lock(const char *path, const char *text, int32_t *fd, char *owner, int32_t owner_size,
                 struct pal_error *error)
{
    pal_succeed(error);
    *fd = -1;
    if (owner_size < 1) {
        return pal_fail(error, PAL_OP_LOCK, EINVAL);
    }
    owner[0] = 0;
    int locked = open_locked(path, owner, owner_size);
    if (locked < 0) {
        return pal_fail(error, PAL_OP_LOCK, errno);
    }
    int cut = pal_truncate_retry(locked, pal_write_text(locked, text));
    (void)cut;
    *fd = locked;
    return PAL_OK;
}

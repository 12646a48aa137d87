/* names_posix.c: folders, links, renames, and making names durable. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "pal_internal.h"

/* A read of a folder stops when the longest possible name might not fit any more. d_name has 256, but on Linux that is
 * only the usual case: 255 units of UTF-16 are 1,530 bytes on FAT and 765 on NTFS, and FUSE allows 1,024. */
#define NAME_BYTES_MAX 2048
#define DIRECTORY_BUFFER_MIN 4096

/* Copies the folder part of a path: "." when there is none. -1 with errno when it is too long. */
static int parent_of(const char *path, char parent[PATH_MAX])
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(parent, path, length);
    parent[length] = 0;
    if (length == 0) {
        parent[0] = '.';
        parent[1] = 0;
    }
    return 0;
}

static int sync_directory(const char *path)
{
    int fd = pal_open_retry(path, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return -1;
    }
    int result = pal_os_sync(fd, PAL_SYNC_FULL);
    int failed = errno;
    close(fd);
    errno = failed;
    return result;
}

static int sync_parent(const char *path)
{
    char parent[PATH_MAX];
    return parent_of(path, parent) != 0 ? -1 : sync_directory(parent);
}

int32_t pal_sync_directories(const char *const *paths, int32_t count, struct pal_error *error)
{
    pal_succeed(error);
    for (int32_t i = 0; i < count; i++) {
        if (sync_directory(paths[i]) != 0) {
            return pal_fail_at(error, PAL_OP_SYNC_DIRECTORY, errno, i, PAL_NO_RANGE, PAL_NO_RANGE);
        }
    }
    return PAL_OK;
}

static int is_same(const struct stat *one, const char *path)
{
    struct stat other;
    return lstat(path, &other) == 0 && one->st_dev == other.st_dev && one->st_ino == other.st_ino;
}

/* In the kernel's own file systems no signal interrupts a change of a name, but FUSE passes on its server's EINTR,
 * whether or not the change was made. So the change is tried again, and an error that shows that it was made counts as
 * success. */
static int link_retry(const char *existing_path, const char *new_path)
{
    struct stat existing;
    int was_interrupted = 0;
    while (link(existing_path, new_path) != 0) {
        int failed = errno;
        if (failed != EINTR) {
            int is_made = was_interrupted && failed == EEXIST && lstat(existing_path, &existing) == 0 &&
                          is_same(&existing, new_path);
            errno = failed;
            return is_made ? 0 : -1;
        }
        was_interrupted = 1;
    }
    return 0;
}

static int rename_retry(const char *from_path, const char *to_path)
{
    struct stat from;
    int is_known = lstat(from_path, &from) == 0;
    int was_interrupted = 0;
    while (rename(from_path, to_path) != 0) {
        int failed = errno;
        if (failed != EINTR) {
            int is_made = was_interrupted && failed == ENOENT && is_known && is_same(&from, to_path);
            errno = failed;
            return is_made ? 0 : -1;
        }
        was_interrupted = 1;
    }
    return 0;
}

static int remove_retry(int (*remove_one)(const char *), const char *path)
{
    int was_interrupted = 0;
    while (remove_one(path) != 0) {
        if (errno != EINTR) {
            return was_interrupted && errno == ENOENT ? 0 : -1;
        }
        was_interrupted = 1;
    }
    return 0;
}

int32_t pal_link(const char *existing_path, const char *new_path, struct pal_error *error)
{
    pal_succeed(error);
    if (link_retry(existing_path, new_path) != 0) {
        return pal_fail(error, PAL_OP_LINK, errno);
    }
    return PAL_OK;
}

int32_t pal_rename_durable(const char *from_path, const char *to_path, struct pal_error *error)
{
    pal_succeed(error);
    char from_parent[PATH_MAX];
    char to_parent[PATH_MAX];
    if (parent_of(from_path, from_parent) != 0 || parent_of(to_path, to_parent) != 0 ||
        rename_retry(from_path, to_path) != 0) {
        return pal_fail(error, PAL_OP_RENAME, errno);
    }
    /* The new name first: a power cut in between must not lose both names. */
    if (sync_directory(to_parent) != 0) {
        return pal_fail(error, PAL_OP_SYNC_DIRECTORY, errno);
    }
    if (strcmp(from_parent, to_parent) != 0 && sync_directory(from_parent) != 0) {
        return pal_fail(error, PAL_OP_SYNC_DIRECTORY, errno);
    }
    return PAL_OK;
}

int32_t pal_delete(const char *path, struct pal_error *error)
{
    pal_succeed(error);
    if (remove_retry(unlink, path) != 0) {
        return pal_fail(error, PAL_OP_DELETE, errno);
    }
    return PAL_OK;
}

int32_t pal_directory_remove(const char *path, struct pal_error *error)
{
    pal_succeed(error);
    if (remove_retry(rmdir, path) != 0) {
        return pal_fail(error, PAL_OP_REMOVE_DIRECTORY, errno);
    }
    return PAL_OK;
}

/* Makes one folder. 1 = made, 0 = existed, -1 with errno. */
static int make_one(const char *path)
{
    int result;
    int was_interrupted = 0;
    while ((result = mkdir(path, PAL_DIRECTORY_MODE)) != 0 && errno == EINTR) {
        was_interrupted = 1;
    }
    if (result == 0) {
        return 1;
    }
    int failed = errno;
    struct stat status;
    if (stat(path, &status) == 0) {
        errno = EEXIST;
        return !S_ISDIR(status.st_mode) ? -1 : was_interrupted;
    }
    errno = failed;
    return -1;
}

int32_t pal_directory_create(const char *path, struct pal_error *error)
{
    pal_succeed(error);
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= PATH_MAX) {
        return pal_fail(error, PAL_OP_MAKE_DIRECTORY, length == 0 ? EINVAL : ENAMETOOLONG);
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0) {
            continue;
        }
        memcpy(part, path, i);
        part[i] = 0;
        int made = make_one(part);
        if (made < 0) {
            return pal_fail(error, PAL_OP_MAKE_DIRECTORY, errno);
        }
        /* The last one is synced even if it existed: an earlier process may have died before its sync. */
        if ((made == 1 || i == length) && sync_parent(part) != 0) {
            pal_fail(error, PAL_OP_SYNC_DIRECTORY, errno);
            if (made == 1) {
                /* Otherwise the next try would find it and not sync its name, unless it is the last one. */
                rmdir(part);
            }
            return error->code;
        }
    }
    return PAL_OK;
}

int32_t pal_directory_open(const char *path, void **directory, struct pal_error *error)
{
    pal_succeed(error);
    *directory = opendir(path);
    return *directory == NULL ? pal_fail(error, PAL_OP_LIST_DIRECTORY, errno) : PAL_OK;
}

int32_t pal_directory_read(void *directory, char *buffer, int32_t size, int32_t *used, struct pal_error *error)
{
    pal_succeed(error);
    *used = 0;
    if (size < DIRECTORY_BUFFER_MIN) {
        return pal_fail(error, PAL_OP_LIST_DIRECTORY, EINVAL);
    }
    while (size - *used >= NAME_BYTES_MAX) {
        errno = 0;
        struct dirent *entry = readdir((DIR *)directory);
        if (entry == NULL) {
            return errno != 0 ? pal_fail(error, PAL_OP_LIST_DIRECTORY, errno) : PAL_OK;
        }
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        size_t length = strlen(entry->d_name) + 1;
        if (length > NAME_BYTES_MAX) {
            return pal_fail(error, PAL_OP_LIST_DIRECTORY, ENAMETOOLONG);
        }
        memcpy(buffer + *used, entry->d_name, length);
        *used += (int32_t)length;
    }
    return PAL_OK;
}

int32_t pal_directory_close(void *directory, struct pal_error *error)
{
    pal_succeed(error);
    if (closedir((DIR *)directory) != 0) {
        return pal_fail(error, PAL_OP_LIST_DIRECTORY, errno);
    }
    return PAL_OK;
}

int32_t pal_free_space(const char *path, int64_t *bytes, struct pal_error *error)
{
    pal_succeed(error);
    *bytes = 0;
    struct statvfs status;
    if (statvfs(path, &status) != 0) {
        return pal_fail(error, PAL_OP_FREE_SPACE, errno);
    }
    /* File systems without a bound of their own (FUSE) report all ones. */
    uint64_t free_bytes;
    int is_too_large = __builtin_mul_overflow((uint64_t)status.f_bavail, (uint64_t)status.f_frsize, &free_bytes);
    *bytes = is_too_large || free_bytes > INT64_MAX ? INT64_MAX : (int64_t)free_bytes;
    return PAL_OK;
}

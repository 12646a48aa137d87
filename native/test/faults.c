/* faults.c: how libpal handles calls that fail in ways that no folder of a test can cause (Linux). The C library's
 * functions of the same names are covered by those below: they fail where a case says so, and otherwise call the
 * kernel. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../pal.h"
#include "check.h"

#define LONG_NAME_BYTES 1530 /* 255 units of UTF-16 on FAT, six bytes each: what statfs says there */

static struct pal_error error;
static int failures_left;
static int failure;
static int takes_effect; /* the call is done although it says that it failed */
static size_t long_name_bytes; /* the next entry of a folder has a name this long */

/* What a call returns when the case wants it to fail; `done` tells whether the kernel is called first. */
static int fails(void)
{
    return failures_left > 0 && failures_left-- > 0;
}

static int finish(int is_failing, long result)
{
    if (is_failing) {
        errno = failure;
        return -1;
    }
    return (int)result;
}

int link(const char *from, const char *to)
{
    int is_failing = fails();
    return finish(is_failing, is_failing && !takes_effect ? 0 : syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int rename(const char *from, const char *to)
{
    int is_failing = fails();
    return finish(is_failing, is_failing && !takes_effect ? 0 : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int unlink(const char *path)
{
    int is_failing = fails();
    return finish(is_failing, is_failing && !takes_effect ? 0 : syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

int msync(void *address, size_t length, int flags)
{
    int is_failing = fails();
    return finish(is_failing, is_failing ? 0 : syscall(SYS_msync, address, length, flags));
}

int fsync(int fd)
{
    int is_failing = fails();
    return finish(is_failing, is_failing ? 0 : syscall(SYS_fsync, fd));
}

int statvfs(const char *path, struct statvfs *status)
{
    (void)path;
    memset(status, 0, sizeof *status);
    status->f_frsize = 4096;
    status->f_bavail = (fsblkcnt_t)-1;
    return 0;
}

struct dirent *readdir(DIR *directory)
{
    static _Alignas(struct dirent) char entry[sizeof(struct dirent) + LONG_NAME_BYTES];
    (void)directory;
    if (long_name_bytes == 0) {
        return NULL;
    }
    struct dirent *found = (struct dirent *)entry;
    char *name = entry + offsetof(struct dirent, d_name);
    memset(name, 'n', long_name_bytes);
    name[long_name_bytes] = 0;
    return found;
}

static void make_file(const char *path)
{
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
}

static int exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

static void interrupt(int times, int after_the_effect)
{
    failures_left = times;
    failure = EINTR;
    takes_effect = after_the_effect;
}

static void test_interrupted_names(void)
{
    for (int after = 0; after <= 1; after++) {
        begin_case(after ? "interrupted after it took effect: link, rename, delete" : "interrupted: link, rename, delete");
        make_file("first");
        interrupt(1, after);
        CHECK(pal_link("first", "second", &error) == PAL_OK && exists("first") && exists("second"));
        interrupt(1, after);
        CHECK(pal_rename_durable("second", "third", &error) == PAL_OK && exists("third"));
        interrupt(1, after);
        CHECK(pal_delete("third", &error) == PAL_OK && !exists("third"));
        interrupt(0, 0);
        unlink("first");
        unlink("second");
        unlink("third");
    }

    begin_case("interrupted, then refused: link over another file, rename and delete of nothing");
    make_file("first");
    make_file("second");
    interrupt(1, 0);
    CHECK(pal_link("first", "second", &error) == PAL_ALREADY_EXISTS);
    interrupt(1, 0);
    CHECK(pal_link("missing", "fourth", &error) == PAL_NOT_FOUND && error.op == PAL_OP_LINK);
    interrupt(1, 0);
    CHECK(pal_rename_durable("missing", "fourth", &error) == PAL_NOT_FOUND && error.op == PAL_OP_RENAME);
    interrupt(0, 0);
    CHECK(unlink("first") == 0 && unlink("second") == 0);
}

static void test_folder_without_sync(void)
{
    begin_case("folders: one whose name could not be made durable is made again by the next try");
    failures_left = 1;
    failure = EIO;
    CHECK(pal_directory_create("new/inner", &error) == PAL_IO_ERROR && error.op == PAL_OP_SYNC_DIRECTORY);
    CHECK(error.os_errno == EIO && !exists("new"));
    CHECK(pal_directory_create("new/inner", &error) == PAL_OK);
    failures_left = 1;
    CHECK(pal_directory_create("new/inner", &error) == PAL_IO_ERROR && exists("new/inner"));
    CHECK(rmdir("new/inner") == 0 && rmdir("new") == 0);
}

static void test_endless_space(void)
{
    int64_t bytes = 0;
    begin_case("free space: a file system that knows no bound has room");
    CHECK(pal_free_space(".", &bytes, &error) == PAL_OK && bytes == INT64_MAX);
}

static void test_lock_without_space(void)
{
    char owner[16];
    int32_t fd;
    begin_case("lock: held although the disk has no room for the owner's text");
    CHECK(symlink("/dev/full", "full") == 0);
    CHECK(pal_lock("full", "process 17", &fd, owner, sizeof owner, &error) == PAL_OK && fd >= 0);
    CHECK(pal_file_close(fd, &error) == PAL_OK);
    unlink("full");
}

static void test_mapped_without_space(void)
{
    static uint8_t page[4096];
    struct pal_page_write write = {page, 0, sizeof page};
    struct pal_write_counts counts;
    int32_t fd;
    int32_t direct;
    begin_case("mapped write: a write-back without space is a failed sync, nothing to be tried again");
    CHECK(pal_file_open("mapped", PAL_CREATE_NEW, PAL_USE_DATA, &fd, &direct, &error) == PAL_OK);
    failures_left = 1;
    failure = ENOSPC;
    CHECK(pal_pages_write(fd, PAL_WRITE_MAPPED, NULL, &write, 1, &counts, &error) == PAL_IO_ERROR);
    CHECK(error.op == PAL_OP_SYNC_DATA);
    failures_left = 0;
    CHECK(pal_file_close(fd, &error) == PAL_OK && unlink("mapped") == 0);
}

static void test_long_names(void)
{
    enum { ROOM = 4096 };
    char *buffer = malloc(ROOM + 4096);
    int32_t used;
    int any = 0; /* stands for a folder */
    begin_case("folders: longer names than 255 bytes stay inside the buffer");
    memset(buffer, '#', ROOM + 4096);
    long_name_bytes = 1000;
    CHECK(pal_directory_read(&any, buffer, ROOM, &used, &error) == PAL_OK);
    CHECK(used > 0 && used <= ROOM && used % 1001 == 0);
    CHECK(buffer[ROOM] == '#');
    long_name_bytes = LONG_NAME_BYTES;
    memset(buffer, '#', ROOM + 4096);
    CHECK(pal_directory_read(&any, buffer, ROOM, &used, &error) == PAL_OK);
    CHECK(used > 0 && used <= ROOM && used % (LONG_NAME_BYTES + 1) == 0);
    CHECK(buffer[ROOM] == '#');
    long_name_bytes = 0;
    free(buffer);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    test_interrupted_names();
    test_folder_without_sync();
    test_endless_space();
    test_lock_without_space();
    test_mapped_without_space();
    test_long_names();
    return end_cases();
}

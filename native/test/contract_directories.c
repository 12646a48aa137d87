/* contract_directories.c: folders. */
#include <stdio.h>
#include <string.h>

#include "../pal.h"
#include "check.h"

#define FILES 300
#define BUFFER 4096

static struct pal_error error;

static void make_file(const char *path)
{
    int32_t fd;
    int32_t direct;
    CHECK(pal_file_open(path, PAL_CREATE_NEW, PAL_USE_DATA, &fd, &direct, &error) == PAL_OK);
    CHECK(pal_file_close(fd, &error) == PAL_OK);
}

static void test_creation(void)
{
    struct pal_file_status status;
    begin_case("folders: with parents, again, over a file");
    CHECK(pal_directory_create("top/middle/b", &error) == PAL_OK);
    CHECK(pal_path_status("top/middle/b", 1, &status, &error) == PAL_OK && status.is_directory == 1);
    CHECK(pal_directory_create("top/middle/b", &error) == PAL_OK);
    CHECK(pal_directory_create("top/middle/c/", &error) == PAL_OK);
    make_file("top/file");
    CHECK(pal_directory_create("top/file", &error) == PAL_ALREADY_EXISTS && error.op == PAL_OP_MAKE_DIRECTORY);
    CHECK(pal_directory_create("top/file/below", &error) != PAL_OK);
    CHECK(pal_directory_create("", &error) != PAL_OK);

    begin_case("folders: removed when empty");
    CHECK(pal_directory_remove("top", &error) == PAL_ALREADY_EXISTS && error.op == PAL_OP_REMOVE_DIRECTORY);
    CHECK(pal_directory_remove("top/middle/b", &error) == PAL_OK);
    CHECK(pal_directory_remove("top/middle/b", &error) == PAL_NOT_FOUND);
    CHECK(pal_path_status("top/middle/b", 1, &status, &error) == PAL_NOT_FOUND);
}

static void test_listing(void)
{
    static uint8_t seen[FILES];
    char name[64];
    char buffer[BUFFER];
    int32_t used;
    int others = 0;
    int reads = 0;
    void *directory;
    begin_case("folders: every name once, over several reads");
    CHECK(pal_directory_create("list/folder", &error) == PAL_OK);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "list/n\xc3\xa4me-of-some-length-%d", i);
        make_file(name);
    }
    CHECK(pal_directory_open("list", &directory, &error) == PAL_OK);
    while (pal_directory_read(directory, buffer, BUFFER, &used, &error) == PAL_OK && used > 0) {
        reads++;
        for (int32_t at = 0; at < used; at += (int32_t)strlen(buffer + at) + 1) {
            int number = -1;
            sscanf(buffer + at, "n\xc3\xa4me-of-some-length-%d", &number);
            others += number < 0;
            if (number >= 0 && number < FILES) {
                seen[number]++;
            }
        }
    }
    CHECK(error.code == PAL_OK && others == 1 && reads > 1);
    CHECK(pal_directory_read(directory, buffer, BUFFER, &used, &error) == PAL_OK && used == 0);
    CHECK(pal_directory_read(directory, buffer, 100, &used, &error) == PAL_INVALID_ARGUMENT);
    CHECK(pal_directory_close(directory, &error) == PAL_OK);
    int once = 1;
    for (int i = 0; i < FILES; i++) {
        once = once && seen[i] == 1;
    }
    CHECK(once);
    CHECK(pal_directory_open("list/missing", &directory, &error) == PAL_NOT_FOUND && directory == NULL);
    CHECK(pal_directory_open("list/n\xc3\xa4me-of-some-length-0", &directory, &error) == PAL_NOT_FOUND);
}

static void test_sync(void)
{
    const char *folders[] = {".", "list", "list/missing"};
    begin_case("folders: names made durable, the one that fails is named");
    CHECK(pal_sync_directories(folders, 2, &error) == PAL_OK);
    CHECK(pal_sync_directories(folders, 3, &error) == PAL_NOT_FOUND && error.item == 2);
    CHECK(error.op == PAL_OP_SYNC_DIRECTORY);
}

void test_directories(void)
{
    test_creation();
    test_listing();
    test_sync();
}

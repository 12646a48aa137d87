/* contract_files.c: opening, lengths, blocks and reads. */
#include <stdlib.h>
#include <string.h>

#include "../pal.h"
#include "check.h"

static struct pal_error error;

static int32_t open_file(const char *path, int32_t opening, int32_t use)
{
    int32_t fd;
    int32_t direct;
    return pal_file_open(path, opening, use, &fd, &direct, &error) == PAL_OK ? fd : -1;
}

static int64_t length_of(int32_t fd)
{
    struct pal_file_status status;
    return pal_file_status(fd, &status, &error) == PAL_OK ? status.length : -1;
}

/* 1 when the range reads as zeros. */
static int is_zero(int32_t fd, int64_t offset, int64_t length)
{
    uint8_t *bytes = malloc((size_t)length);
    int64_t done;
    memset(bytes, 0xEE, (size_t)length);
    int zero = pal_file_read(fd, offset, bytes, length, &done, &error) == PAL_OK && done == length;
    for (int64_t i = 0; zero && i < length; i++) {
        zero = bytes[i] == 0;
    }
    free(bytes);
    return zero;
}

static void write_bytes(int32_t fd, int64_t offset, int64_t length, uint8_t seed)
{
    uint8_t *bytes = malloc((size_t)length);
    fill_pattern(bytes, length, seed);
    struct pal_page_write write = {bytes, offset, length};
    struct pal_write_counts counts;
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, &write, 1, &counts, &error) == PAL_OK);
    CHECK(counts.bytes == length && counts.runs == 1);
    free(bytes);
}

static void test_opening(void)
{
    begin_case("open: existing, new, either");
    CHECK(open_file("data", PAL_OPEN_EXISTING, PAL_USE_DATA) < 0 && error.code == PAL_NOT_FOUND);
    CHECK(error.op == PAL_OP_OPEN);
    int32_t fd = open_file("data", PAL_CREATE_NEW, PAL_USE_DATA);
    CHECK(fd >= 0 && error.code == 0 && error.os_errno == 0);
    CHECK(open_file("data", PAL_CREATE_NEW, PAL_USE_DATA) < 0 && error.code == PAL_ALREADY_EXISTS);
    int32_t second = open_file("data", PAL_OPEN_OR_CREATE, PAL_USE_READ_ONLY);
    CHECK(second >= 0);
    CHECK(pal_file_close(second, &error) == PAL_OK);
    CHECK(pal_file_close(fd, &error) == PAL_OK);
    CHECK(open_file("no/such/folder", PAL_CREATE_NEW, PAL_USE_DATA) < 0 && error.code == PAL_NOT_FOUND);
    CHECK(open_file(".", PAL_OPEN_EXISTING, PAL_USE_READ_ONLY) < 0 && error.code == PAL_INVALID_ARGUMENT);
    CHECK(open_file("", PAL_OPEN_EXISTING, PAL_USE_DATA) < 0 && error.code == PAL_NOT_FOUND);
    CHECK(open_file("data", 9, PAL_USE_DATA) < 0 && error.code == PAL_INVALID_ARGUMENT);
}

static void test_lengths(void)
{
    int32_t fd = open_file("lengths", PAL_CREATE_NEW, PAL_USE_DATA);
    begin_case("allocate: grows, reads as zero, never shrinks");
    CHECK(pal_file_allocate(fd, 100000, &error) == PAL_OK);
    CHECK(length_of(fd) == 100000 && is_zero(fd, 0, 100000));
    write_bytes(fd, 0, 8192, 1);
    CHECK(pal_file_allocate(fd, 50000, &error) == PAL_OK && length_of(fd) == 100000);
    CHECK(pal_file_allocate(fd, 200000, &error) == PAL_OK && length_of(fd) == 200000);
    CHECK(is_zero(fd, 8192, 200000 - 8192) && !is_zero(fd, 0, 8192));
    CHECK(pal_file_allocate(fd, -1, &error) == PAL_INVALID_ARGUMENT);

    begin_case("set length: cuts and extends");
    CHECK(pal_file_set_length(fd, 4096, &error) == PAL_OK && length_of(fd) == 4096);
    CHECK(pal_file_set_length(fd, 65536, &error) == PAL_OK && length_of(fd) == 65536);
    CHECK(is_zero(fd, 4096, 61440));
    CHECK(pal_file_set_length(fd, -1, &error) == PAL_INVALID_ARGUMENT);

    begin_case("allocate: more than the disk has fails and changes nothing");
    CHECK(pal_file_allocate(fd, INT64_C(1) << 60, &error) != PAL_OK && error.op == PAL_OP_ALLOCATE);
    CHECK(length_of(fd) == 65536);

    begin_case("zero fill");
    write_bytes(fd, 0, 65536, 2);
    CHECK(pal_file_zero_fill(fd, 8192, 16384, &error) == PAL_OK);
    CHECK(is_zero(fd, 8192, 16384) && !is_zero(fd, 4096, 4096) && !is_zero(fd, 24576, 4096));
    CHECK(pal_file_zero_fill(fd, 1, 4096, &error) == PAL_INVALID_ARGUMENT);

    begin_case("sync of data and of everything");
    CHECK(pal_file_sync(fd, PAL_SYNC_DATA, &error) == PAL_OK);
    CHECK(pal_file_sync(fd, PAL_SYNC_FULL, &error) == PAL_OK);
    pal_file_close(fd, &error);
}

static void test_holes(void)
{
    int32_t fd = open_file("holes", PAL_CREATE_NEW, PAL_USE_DATA);
    begin_case("punch hole");
    write_bytes(fd, 0, 262144, 3);
    CHECK(pal_file_punch(fd, 1, 4096, &error) == PAL_INVALID_ARGUMENT);
    CHECK(pal_file_punch(fd, 0, 0, &error) == PAL_OK);
    if (pal_file_punch(fd, 65536, 65536, &error) == PAL_NOT_SUPPORTED) {
        skip_case("the file system makes no holes");
    } else {
        CHECK(error.code == PAL_OK);
        CHECK(length_of(fd) == 262144 && is_zero(fd, 65536, 65536));
        CHECK(!is_zero(fd, 61440, 4096) && !is_zero(fd, 131072, 4096));
        CHECK(pal_file_allocate(fd, 524288, &error) == PAL_OK);
        CHECK(length_of(fd) == 524288 && is_zero(fd, 262144, 262144));
    }
    pal_file_close(fd, &error);
}

static void test_reads(void)
{
    int32_t fd = open_file("reads", PAL_CREATE_NEW, PAL_USE_DATA);
    uint8_t bytes[8192];
    uint8_t expected[8192];
    int64_t done;
    fill_pattern(expected, sizeof expected, 4);
    begin_case("read: offsets, the end, behind it");
    write_bytes(fd, 0, 8192, 4);
    CHECK(pal_file_read(fd, 100, bytes, 200, &done, &error) == PAL_OK && done == 200);
    CHECK(memcmp(bytes, expected + 100, 200) == 0);
    CHECK(pal_file_read(fd, 8000, bytes, 1000, &done, &error) == PAL_OK && done == 192);
    CHECK(memcmp(bytes, expected + 8000, 192) == 0);
    CHECK(pal_file_read(fd, 8192, bytes, 10, &done, &error) == PAL_OK && done == 0);
    CHECK(pal_file_read(fd, 99999, bytes, 10, &done, &error) == PAL_OK && done == 0);
    CHECK(pal_file_read(fd, 0, bytes, 0, &done, &error) == PAL_OK && done == 0);
    CHECK(pal_file_read(fd, -1, bytes, 10, &done, &error) == PAL_INVALID_ARGUMENT && error.op == PAL_OP_READ);
    pal_file_close(fd, &error);

    begin_case("write to a file opened for reading is refused");
    fd = open_file("reads", PAL_OPEN_EXISTING, PAL_USE_READ_ONLY);
    struct pal_page_write write = {bytes, 0, 4096};
    struct pal_write_counts counts;
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, &write, 1, &counts, &error) != PAL_OK && error.op == PAL_OP_WRITE && error.item == 0);
    pal_file_close(fd, &error);
}

void test_files(void)
{
    test_opening();
    test_lengths();
    test_holes();
    test_reads();
}

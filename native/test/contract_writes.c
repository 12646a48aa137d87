/* contract_writes.c: journal writes, batches of pages, the scripted write loop. */
#include <stdlib.h>
#include <string.h>

#include "../pal.h"
#include "check.h"

#ifdef _WIN32
#define INTERRUPTED 995 /* ERROR_OPERATION_ABORTED */
#define FULL 112        /* ERROR_DISK_FULL */
#else
#define INTERRUPTED 4 /* EINTR */
#define FULL 28       /* ENOSPC */
#endif

#define PAGE 8192
#define BATCH 200

static struct pal_error error;

/* One journal write whose vectors lie apart in memory, read back through the file and through a buffered one. */
static void write_journal(int32_t fd, uint8_t *memory, int32_t count, int64_t each, int64_t offset)
{
    struct pal_vector *vectors = calloc((size_t)count, sizeof *vectors);
    for (int32_t i = 0; i < count; i++) {
        vectors[i] = (struct pal_vector){memory + 2 * i * each, each};
        fill_pattern(vectors[i].base, each, (uint8_t)i);
    }
    CHECK(pal_journal_write(fd, vectors, count, offset, &error) == PAL_OK);
    uint8_t *found = memory + (2 * count - 1) * each;
    int64_t done = 0;
    for (int32_t i = 0; i < count; i++) {
        CHECK(pal_file_read(fd, offset + i * each, found, each, &done, &error) == PAL_OK && done == each);
        if (memcmp(found, vectors[i].base, (size_t)each) != 0) {
            check_that(0, "a vector came back as it was", __FILE__, __LINE__);
            break;
        }
    }
    free(vectors);
}

static void test_journal(void)
{
    int32_t fd;
    int32_t direct;
    void *memory;
    const int64_t bytes = 48 << 20;
    begin_case("journal: vectors that lie apart, written and read past the cache");
    CHECK(pal_memory_allocate(bytes, &memory, &error) == PAL_OK);
    CHECK(pal_file_open("journal", PAL_CREATE_NEW, PAL_USE_JOURNAL, &fd, &direct, &error) == PAL_OK);
    CHECK(pal_file_allocate(fd, 1 << 20, &error) == PAL_OK);
    CHECK(pal_file_zero_fill(fd, 0, 1 << 20, &error) == PAL_OK);
    write_journal(fd, memory, 3, 4096, 0);
    write_journal(fd, memory, 7, 12288, 65536);

    begin_case("journal: as many vectors as a call takes, and more than one call of the system takes");
    write_journal(fd, memory, PAL_VECTORS_MAX, 4096, 0);
    write_journal(fd, memory, PAL_VECTORS_MAX, 16384, 4096);

    begin_case("journal: what is not aligned, or too much, is refused");
    struct pal_vector vector = {memory, 4096};
    CHECK(pal_journal_write(fd, &vector, 1, 1, &error) == PAL_INVALID_ARGUMENT && error.offset == 1);
    CHECK(pal_journal_write(fd, &vector, 0, 0, &error) == PAL_INVALID_ARGUMENT);
    CHECK(pal_journal_write(fd, &vector, PAL_VECTORS_MAX + 1, 0, &error) == PAL_INVALID_ARGUMENT);
    vector.length = 100;
    CHECK(pal_journal_write(fd, &vector, 1, 0, &error) == PAL_INVALID_ARGUMENT && error.item == 0);
    vector = (struct pal_vector){(uint8_t *)memory + 512, 4096};
    CHECK(pal_journal_write(fd, &vector, 1, 0, &error) == PAL_INVALID_ARGUMENT);
    CHECK(pal_file_close(fd, &error) == PAL_OK);
    CHECK(pal_memory_free(memory, bytes, &error) == PAL_OK);
}

static int reads_back(int32_t fd, const struct pal_page_write *write)
{
    uint8_t *found = malloc((size_t)write->length);
    int64_t done;
    int same = pal_file_read(fd, write->offset, found, write->length, &done, &error) == PAL_OK &&
               done == write->length && memcmp(found, write->base, (size_t)write->length) == 0;
    free(found);
    return same;
}

/* `gap` bytes lie between two writes in the file. */
static void write_batch(int32_t fd, int32_t count, int64_t each, int64_t gap, struct pal_write_counts *counts)
{
    struct pal_page_write *writes = calloc((size_t)count, sizeof *writes);
    uint8_t *memory = malloc((size_t)(2 * count * each));
    for (int32_t i = 0; i < count; i++) {
        writes[i] = (struct pal_page_write){memory + 2 * i * each, i * (each + gap), each};
        fill_pattern(writes[i].base, each, (uint8_t)(i + each + gap));
    }
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, writes, count, counts, &error) == PAL_OK);
    CHECK(counts->bytes == count * each);
    CHECK(counts->runs == (gap == 0 ? 1 : count));
    for (int32_t i = 0; i < count; i++) {
        if (!reads_back(fd, &writes[i])) {
            check_that(0, "a page came back as it was", __FILE__, __LINE__);
            break;
        }
    }
    free(memory);
    free(writes);
}

static void test_pages(void)
{
    int32_t fd;
    int32_t direct;
    struct pal_write_counts counts;
    pal_file_open("pages", PAL_CREATE_NEW, PAL_USE_DATA, &fd, &direct, &error);
    begin_case("pages: neighbours take fewer calls than pages");
    write_batch(fd, 24, PAGE, 0, &counts);
    CHECK(counts.calls < 24);
    begin_case("pages: scattered, few and many");
    write_batch(fd, 5, PAGE, PAGE, &counts);
    write_batch(fd, BATCH, PAGE, PAGE, &counts);
    begin_case("pages: neighbours, many, and large ones");
    write_batch(fd, BATCH, PAGE, 0, &counts);
    write_batch(fd, 3, 1 << 20, 0, &counts);
    write_batch(fd, 3, 100000, 17, &counts);

    begin_case("pages: unsorted, overlapping or empty writes are refused before anything is written");
    uint8_t page[PAGE] = {0};
    struct pal_page_write wrong[2] = {{page, PAGE, PAGE}, {page, 0, PAGE}};
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, wrong, 2, &counts, &error) == PAL_INVALID_ARGUMENT && error.item == 1);
    CHECK(counts.calls == 0);
    wrong[1] = (struct pal_page_write){page, PAGE + 100, PAGE};
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, wrong, 2, &counts, &error) == PAL_INVALID_ARGUMENT && error.item == 1);
    wrong[0].length = 0;
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, wrong, 2, &counts, &error) == PAL_INVALID_ARGUMENT && error.item == 0);
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, wrong, 0, &counts, &error) == PAL_OK && counts.runs == 0);
    pal_file_close(fd, &error);
}

static int64_t run_script(const int64_t *script, int32_t length, int64_t bytes, int64_t granularity)
{
    struct pal_vector vector = {(void *)4096, bytes};
    int64_t calls;
    int32_t unused;
    pal_test_write_loop(script, length, &vector, 1, granularity, &calls, &unused, &error);
    CHECK(unused == 0);
    return calls;
}

static void test_loop(void)
{
    begin_case("write loop: interruptions and short writes are made up for");
    CHECK(run_script((int64_t[]){-INTERRUPTED, -INTERRUPTED, 8192}, 3, 8192, 4096) == 3 && error.code == PAL_OK);
    CHECK(run_script((int64_t[]){5000, 5000, 5000}, 3, 12288, 1) == 3 && error.code == PAL_OK);
    CHECK(run_script((int64_t[]){5000, 8192}, 2, 12288, 4096) == 2 && error.code == PAL_OK);
    begin_case("write loop: no progress and errors end it");
    CHECK(run_script((int64_t[]){4096, 0}, 2, 8192, 4096) == 2 && error.code == PAL_IO_ERROR && error.offset == 4096);
    CHECK(run_script((int64_t[]){512}, 1, 8192, 4096) == 1 && error.code == PAL_IO_ERROR);
    CHECK(run_script((int64_t[]){8192, -FULL}, 2, 12288, 4096) == 2 && error.code == PAL_NO_SPACE);
    CHECK(error.os_errno == FULL && error.offset == 8192 && error.len == 4096);
    begin_case("write loop: more than the system takes at once is split");
    CHECK(run_script((int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX}, 3, 3 * INT64_C(0x7ffff000), 4096) == 3);
}

void test_writes(void)
{
    test_journal();
    test_pages();
    test_loop();
}

/* contract_mappings.c: mappings, memory and threads. */
#include <string.h>

#include "../pal.h"
#include "check.h"

#define PAGE 8192

static struct pal_error error;

static void write_page(int32_t fd, int64_t offset, uint8_t seed)
{
    uint8_t page[PAGE];
    fill_pattern(page, PAGE, seed);
    struct pal_page_write write = {page, offset, PAGE};
    struct pal_write_counts counts;
    CHECK(pal_pages_write(fd, PAL_WRITE_RING, NULL, &write, 1, &counts, &error) == PAL_OK);
}

static int holds_page(const void *address, uint8_t seed)
{
    uint8_t page[PAGE];
    fill_pattern(page, PAGE, seed);
    return memcmp(address, page, PAGE) == 0;
}

static void test_growth(int32_t fd, uint8_t *mapped)
{
    void *grown;
    begin_case("map: past the end of the file, or a new mapping when it grew");
    int32_t status = pal_map(fd, 64 * PAGE, &grown, &error);
#ifdef _WIN32
    CHECK(status == PAL_NOT_SUPPORTED && error.op == PAL_OP_MAP && grown == NULL);
    CHECK(pal_file_allocate(fd, 64 * PAGE, &error) == PAL_OK);
    CHECK(pal_map(fd, 64 * PAGE, &grown, &error) == PAL_OK);
#else
    CHECK(status == PAL_OK);
    CHECK(pal_file_allocate(fd, 64 * PAGE, &error) == PAL_OK);
#endif
    write_page(fd, 63 * PAGE, 9);
    CHECK(grown != NULL && holds_page((uint8_t *)grown + 63 * PAGE, 9));
    write_page(fd, 0, 10);
    CHECK(grown != NULL && holds_page(grown, 10) && holds_page(mapped, 10));
    CHECK(pal_unmap(grown, 64 * PAGE, &error) == PAL_OK);
}

static void test_files_mapped(void)
{
    int32_t fd;
    int32_t direct;
    void *mapped = NULL;
    pal_file_open("mapped", PAL_CREATE_NEW, PAL_USE_DATA, &fd, &direct, &error);
    begin_case("map: shows what is written before and after");
    write_page(fd, 0, 5);
    write_page(fd, PAGE, 6);
    CHECK(pal_map(fd, 2 * PAGE, &mapped, &error) == PAL_OK && mapped != NULL);
    CHECK(holds_page(mapped, 5) && holds_page((uint8_t *)mapped + PAGE, 6));
    write_page(fd, PAGE, 7);
    CHECK(holds_page((uint8_t *)mapped + PAGE, 7));
    pal_read_at_random(mapped, 2 * PAGE);
    struct pal_vector ranges[130];
    for (int i = 0; i < 130; i++) {
        ranges[i] = (struct pal_vector){(uint8_t *)mapped + 100 + i % 2 * PAGE, PAGE - 100};
    }
    pal_will_need(ranges, 130);
    pal_will_need(ranges, 0);
    CHECK(holds_page(mapped, 5) && holds_page((uint8_t *)mapped + PAGE, 7));
    CHECK(pal_file_sync(fd, PAL_SYNC_DATA, &error) == PAL_OK);
    test_growth(fd, mapped);

    begin_case("map: outlives the descriptor");
    CHECK(pal_file_close(fd, &error) == PAL_OK);
    CHECK(holds_page((uint8_t *)mapped + PAGE, 7));
    begin_case("map: outlives the name");
    if (pal_delete("mapped", &error) == PAL_ACCESS_DENIED && OLD_DELETE) {
        skip_case("the file system deletes no mapped file");
    } else {
        CHECK(error.code == PAL_OK);
        CHECK(holds_page((uint8_t *)mapped + PAGE, 7));
    }
    CHECK(pal_unmap(mapped, 2 * PAGE, &error) == PAL_OK);
    CHECK(pal_map(-1, PAGE, &mapped, &error) != PAL_OK && mapped == NULL && error.op == PAL_OP_MAP);
}

static void test_memory(void)
{
    int32_t fd;
    void *address;
    uint8_t page[PAGE];
    int64_t done;
    begin_case("memory: zeroed, aligned, freed");
    CHECK(pal_memory_allocate(1 << 20, &address, &error) == PAL_OK);
    uint8_t *bytes = address;
    CHECK((uintptr_t)address % PAL_ALIGNMENT == 0 && bytes[0] == 0 && bytes[(1 << 20) - 1] == 0);
    bytes[(1 << 20) - 1] = 1;
    pal_use_large_pages(address, 1 << 20);
    CHECK(pal_memory_free(address, 1 << 20, &error) == PAL_OK);
    CHECK(pal_memory_allocate(0, &address, &error) == PAL_INVALID_ARGUMENT);
    CHECK(pal_memory_allocate(INT64_C(1) << 60, &address, &error) != PAL_OK && error.op == PAL_OP_MEMORY);

    begin_case("memory file: written, read, mapped, grown");
    CHECK(pal_memory_file(&fd, &error) == PAL_OK);
    write_page(fd, 0, 8);
    CHECK(pal_file_read(fd, 0, page, PAGE, &done, &error) == PAL_OK && done == PAGE && holds_page(page, 8));
    CHECK(pal_map(fd, PAGE, &address, &error) == PAL_OK && holds_page(address, 8));
    CHECK(pal_file_set_length(fd, 4 * PAGE, &error) == PAL_OK);
    CHECK(pal_file_close(fd, &error) == PAL_OK);
    CHECK(holds_page(address, 8));
    CHECK(pal_unmap(address, PAGE, &error) == PAL_OK);

    begin_case("threads: priority and turns");
    int32_t is_soon = pal_thread_request_short_slices();
    CHECK(is_soon == 0 || is_soon == 1);
    pal_thread_lower_priority();
    CHECK(pal_threads_request_batch_scheduling("no such thread") == 0);
}

void test_mappings(void)
{
    test_files_mapped();
    test_memory();
}

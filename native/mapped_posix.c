/* mapped_posix.c: page writes through a writable mapping. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pal_internal.h"

/* Copies the writes into a writable mapping that begins at file offset `base`. */
static int32_t copy_to_mapping(int fd, uint8_t *mapped, int64_t base, const struct pal_page_write *writes,
                               int32_t count, struct pal_write_counts *counts, struct pal_error *error)
{
    struct pal_write_back state = {.first = writes[0].offset};
    for (int32_t i = 0; i < count; i++) {
        const struct pal_page_write *write = &writes[i];
        memcpy(mapped + (write->offset - base), write->base, (size_t)write->length);
        counts->runs += i == 0 || write->offset != write[-1].offset + write[-1].length;
        counts->bytes += write->length;
        if (pal_advance_write_back(fd, &state, write->offset + write->length, write->length, error) != PAL_OK) {
            error->item = i;
            return error->code;
        }
    }
    return PAL_OK;
}

/* A byte beyond the end of the file cannot be touched, so the file gets its length and blocks first. */
static int32_t grow_to(int fd, int64_t end, struct pal_error *error)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return pal_fail(error, PAL_OP_STAT, errno);
    }
    if (status.st_size >= end) {
        return PAL_OK;
    }
    return pal_file_allocate(fd, end, error);
}

int32_t pal_os_write_mapped(int fd, const struct pal_page_write *writes, int32_t count,
                            struct pal_write_counts *counts, struct pal_error *error)
{
    int64_t end = writes[count - 1].offset + writes[count - 1].length;
    int64_t base = writes[0].offset - writes[0].offset % sysconf(_SC_PAGESIZE);
    if (grow_to(fd, end, error) != PAL_OK) {
        return error->code;
    }
    uint8_t *mapped = mmap(NULL, (size_t)(end - base), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
                           (off_t)base);
    if (mapped == MAP_FAILED) {
        return pal_fail_at(error, PAL_OP_MAP, errno, PAL_NO_ITEM, base, end - base);
    }
    counts->calls += 3;
    if (copy_to_mapping(fd, mapped, base, writes, count, counts, error) == PAL_OK &&
        msync(mapped, (size_t)(end - base), MS_SYNC) != 0) {
        /* Not errno: a full disk would be tried again, but the pages count as clean now. */
        pal_fail_at(error, PAL_OP_SYNC_DATA, PAL_OS_IO_ERROR, PAL_NO_ITEM, base, end - base);
    }
    munmap(mapped, (size_t)(end - base));
    return error->code;
}

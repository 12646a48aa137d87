/* pages.c: batches of page writes, in each of the write modes. */
#include <string.h>

#include "pal_internal.h"

int32_t pal_advance_write_back(int fd, struct pal_write_back *state, int64_t end, int64_t bytes,
                               struct pal_error *error)
{
    state->end = end;
    state->bytes += bytes;
    if (state->bytes < PAL_WRITE_BACK_BYTES) {
        return PAL_OK;
    }
    int64_t length = state->end - state->first;
    if (pal_os_write_back(fd, state->first, length, 0) != 0 ||
        (state->previous_end > 0 &&
         pal_os_write_back(fd, state->previous_first, state->previous_end - state->previous_first, 1) != 0)) {
        /* Treated as a failed sync, whatever the cause: the kernel reports it once, without the page. */
        return pal_fail_at(error, PAL_OP_SYNC_DATA, PAL_OS_IO_ERROR, PAL_NO_ITEM, state->first, length);
    }
    state->previous_first = state->first;
    state->previous_end = state->end;
    state->first = state->end;
    state->bytes = 0;
    return PAL_OK;
}

/* Writes one run of neighbours, a limited number of pieces at a time. */
static int32_t write_run(int fd, const struct pal_page_write *writes, int32_t count, int32_t pieces_max,
                         struct pal_write_back *state, int64_t *calls, struct pal_error *error)
{
    struct iovec pieces[PAL_PAGE_VECTORS_MAX];
    for (int32_t done = 0; done < count;) {
        int32_t chunk = count - done < pieces_max ? count - done : pieces_max;
        int64_t bytes = 0;
        for (int32_t i = 0; i < chunk; i++) {
            pieces[i].iov_base = writes[done + i].base;
            pieces[i].iov_len = (size_t)writes[done + i].length;
            bytes += writes[done + i].length;
        }
        int64_t offset = writes[done].offset;
        if (pal_write_all(pal_os_writev, fd, pieces, chunk, offset, 1, calls, error) != PAL_OK ||
            pal_advance_write_back(fd, state, offset + bytes, bytes, error) != PAL_OK) {
            return error->code;
        }
        done += chunk;
    }
    return PAL_OK;
}

static int32_t check_page_writes(const struct pal_page_write *writes, int32_t count, struct pal_error *error)
{
    int64_t end = 0;
    for (int32_t i = 0; i < count; i++) {
        if (writes[i].length <= 0 || writes[i].offset < end || writes[i].offset > INT64_MAX - writes[i].length) {
            return pal_fail_at(error, PAL_OP_WRITE, PAL_OS_INVALID_ARGUMENT, i, writes[i].offset, writes[i].length);
        }
        end = writes[i].offset + writes[i].length;
    }
    return PAL_OK;
}

/* The end of the run that begins with `first`; `bytes` gets its length. */
static int32_t find_run(const struct pal_page_write *writes, int32_t count, int32_t first, int64_t *bytes)
{
    int32_t next = first + 1;
    *bytes = writes[first].length;
    while (next < count && writes[next].offset == writes[next - 1].offset + writes[next - 1].length) {
        *bytes += writes[next].length;
        next++;
    }
    return next;
}

/* One call after the other, each for a page or for as many neighbours as a call takes. */
static int32_t write_by_calls(int fd, const struct pal_page_write *writes, int32_t count, int32_t pieces_max,
                              struct pal_write_counts *counts, struct pal_error *error)
{
    struct pal_write_back state = {.first = writes[0].offset};
    for (int32_t first = 0; first < count;) {
        int64_t bytes;
        int32_t next = find_run(writes, count, first, &bytes);
        if (write_run(fd, writes + first, next - first, pieces_max, &state, &counts->calls, error) != PAL_OK) {
            error->item = first;
            return error->code;
        }
        counts->runs++;
        counts->bytes += bytes;
        first = next;
    }
    return PAL_OK;
}

/* The ring runs requests in parallel. A single request would only wait for two threads to wake. */
static int is_one_request(const struct pal_page_write *writes, int32_t count)
{
    int64_t bytes;
    return count <= PAL_PAGE_VECTORS_MAX && find_run(writes, count, 0, &bytes) == count;
}

int32_t pal_pages_write(int32_t fd, int32_t mode, struct pal_ring *ring, const struct pal_page_write *writes,
                        int32_t count, struct pal_write_counts *counts, struct pal_error *error)
{
    pal_succeed(error);
    memset(counts, 0, sizeof *counts);
    if (check_page_writes(writes, count, error) != PAL_OK || count <= 0) {
        return error->code;
    }
    switch (mode) {
    case PAL_WRITE_RING:
        if (!is_one_request(writes, count) && pal_os_ring_write(ring, fd, writes, count, counts, error)) {
            return error->code;
        }
        return write_by_calls(fd, writes, count, PAL_PAGE_VECTORS_MAX, counts, error);
    case PAL_WRITE_VECTORED: return write_by_calls(fd, writes, count, PAL_PAGE_VECTORS_MAX, counts, error);
    case PAL_WRITE_FILE: return write_by_calls(fd, writes, count, 1, counts, error);
    case PAL_WRITE_MAPPED: return pal_os_write_mapped(fd, writes, count, counts, error);
    default: return pal_fail(error, PAL_OP_WRITE, PAL_OS_INVALID_ARGUMENT);
    }
}

/* write.c: the write loop, journal writes and zero fills. */
#include <string.h>

#include "pal_internal.h"

/* Scripted results of the test; per thread, so that tests may run in parallel. */
struct write_script {
    const int64_t *results;
    int32_t length;
    int32_t next;
};

static _Thread_local struct write_script test_script;

/* Source of zero fills, page aligned for unbuffered files. Never written; in .bss, and costs one zero page. */
static uint8_t zeros[1 << 20] __attribute__((aligned(PAL_ALIGNMENT)));

/* Number of leading pieces that fit into one call; cuts the last one and leaves its rest in `rest`. */
static int take_window(struct iovec *pieces, int count, int64_t *bytes, size_t *rest)
{
    int64_t total = 0;
    *rest = 0;
    for (int i = 0; i < count; i++) {
        int64_t length = (int64_t)pieces[i].iov_len;
        if (length > PAL_TRANSFER_BYTES_MAX - total) {
            int64_t kept = PAL_TRANSFER_BYTES_MAX - total;
            *bytes = PAL_TRANSFER_BYTES_MAX;
            if (kept == 0) {
                return i;
            }
            *rest = (size_t)(length - kept);
            pieces[i].iov_len = (size_t)kept;
            return i + 1;
        }
        total += length;
    }
    *bytes = total;
    return count;
}

int pal_skip_written(struct iovec *pieces, int count, int64_t done)
{
    int i = 0;
    while (i < count && done >= (int64_t)pieces[i].iov_len) {
        done -= (int64_t)pieces[i].iov_len;
        i++;
    }
    if (done > 0) {
        pieces[i].iov_base = (uint8_t *)pieces[i].iov_base + done;
        pieces[i].iov_len -= (size_t)done;
    }
    return i;
}

int32_t pal_write_all(pal_writev_function writev_function, int fd, struct iovec *pieces, int count, int64_t offset,
                      int64_t granularity, int64_t *calls, struct pal_error *error)
{
    while (count > 0) {
        int64_t bytes;
        size_t rest;
        int window = take_window(pieces, count, &bytes, &rest);
        if (bytes == 0) {
            break;
        }
        ssize_t written = writev_function(fd, pieces, window, (off_t)offset);
        if (rest != 0) {
            pieces[window - 1].iov_len += rest;
        }
        (*calls)++;
        if (written < 0 && pal_os_failure() == PAL_OS_INTERRUPTED) {
            continue;
        }
        if (written < 0) {
            return pal_fail_at(error, PAL_OP_WRITE, pal_os_failure(), PAL_NO_ITEM, offset, bytes);
        }
        int64_t done = written == bytes ? written : written - written % granularity;
        if (done == 0) {
            return pal_fail_at(error, PAL_OP_WRITE, PAL_OS_IO_ERROR, PAL_NO_ITEM, offset, bytes);
        }
        int skipped = pal_skip_written(pieces, count, done);
        pieces += skipped;
        count -= skipped;
        offset += done;
    }
    return PAL_OK;
}

int64_t pal_write_text(int fd, const char *text)
{
    struct iovec piece = {(void *)(uintptr_t)text, strlen(text)};
    int64_t length = (int64_t)piece.iov_len;
    int64_t calls = 0;
    struct pal_error ignored;
    pal_succeed(&ignored);
    return pal_write_all(pal_os_writev, fd, &piece, 1, 0, 1, &calls, &ignored) == PAL_OK ? length : 0;
}

static int32_t check_journal_vectors(const struct pal_vector *vectors, int32_t count, int64_t offset,
                                     struct pal_error *error)
{
    if (count <= 0 || count > PAL_VECTORS_MAX || pal_is_unaligned(offset)) {
        return pal_fail_at(error, PAL_OP_WRITE, PAL_OS_INVALID_ARGUMENT, PAL_NO_ITEM, offset, PAL_NO_RANGE);
    }
    for (int32_t i = 0; i < count; i++) {
        if (vectors[i].length <= 0 || pal_is_unaligned(vectors[i].length) ||
            (uintptr_t)vectors[i].base % PAL_ALIGNMENT != 0) {
            return pal_fail_at(error, PAL_OP_WRITE, PAL_OS_INVALID_ARGUMENT, i, offset, vectors[i].length);
        }
    }
    return PAL_OK;
}

static void to_pieces(const struct pal_vector *vectors, int32_t count, struct iovec *pieces)
{
    for (int32_t i = 0; i < count; i++) {
        pieces[i].iov_base = vectors[i].base;
        pieces[i].iov_len = (size_t)vectors[i].length;
    }
}

int32_t pal_journal_write(int32_t fd, const struct pal_vector *vectors, int32_t count, int64_t offset,
                          struct pal_error *error)
{
    pal_succeed(error);
    if (check_journal_vectors(vectors, count, offset, error) != PAL_OK) {
        return error->code;
    }
    struct iovec pieces[PAL_VECTORS_MAX];
    to_pieces(vectors, count, pieces);
    int64_t calls = 0;
    if (pal_write_all(pal_os_writev, fd, pieces, count, offset, PAL_ALIGNMENT, &calls, error) != PAL_OK) {
        return error->code;
    }
    if (pal_os_journal_barrier(fd) != 0) {
        return pal_fail_at(error, PAL_OP_SYNC_DATA, pal_os_failure(), PAL_NO_ITEM, offset, PAL_NO_RANGE);
    }
    return PAL_OK;
}

int32_t pal_write_zeros(int fd, int64_t offset, int64_t length, struct pal_error *error)
{
    int64_t calls = 0;
    for (int64_t done = 0; done < length;) {
        int64_t bytes = length - done < (int64_t)sizeof zeros ? length - done : (int64_t)sizeof zeros;
        struct iovec piece = {zeros, (size_t)bytes};
        if (pal_write_all(pal_os_writev, fd, &piece, 1, offset + done, PAL_ALIGNMENT, &calls, error) != PAL_OK) {
            return error->code;
        }
        done += bytes;
    }
    return PAL_OK;
}

int32_t pal_file_zero_fill(int32_t fd, int64_t offset, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    if (pal_is_unaligned(offset) || pal_is_unaligned(length)) {
        return pal_fail_at(error, PAL_OP_WRITE, PAL_OS_INVALID_ARGUMENT, PAL_NO_ITEM, offset, length);
    }
    if (pal_write_zeros(fd, offset, length, error) == PAL_OK && length > 0 && pal_os_journal_barrier(fd) != 0) {
        return pal_fail_at(error, PAL_OP_SYNC_DATA, pal_os_failure(), PAL_NO_ITEM, offset, length);
    }
    return error->code;
}

static ssize_t scripted_writev(int fd, const struct iovec *pieces, int count, off_t offset)
{
    (void)fd;
    (void)offset;
    if (test_script.next >= test_script.length) {
        pal_os_set_failure(PAL_OS_SCRIPT_ENDED);
        return -1;
    }
    int64_t result = test_script.results[test_script.next++];
    int64_t bytes = 0;
    for (int i = 0; i < count; i++) {
        bytes += (int64_t)pieces[i].iov_len;
    }
    if (result < 0) {
        pal_os_set_failure((int)-result);
        return -1;
    }
    return (ssize_t)(result < bytes ? result : bytes);
}

int32_t pal_test_write_loop(const int64_t *script, int32_t script_length, const struct pal_vector *vectors,
                            int32_t count, int64_t granularity, int64_t *calls, int32_t *unused,
                            struct pal_error *error)
{
    pal_succeed(error);
    *calls = 0;
    *unused = 0;
    if (count < 0 || count > PAL_VECTORS_MAX) {
        return pal_fail(error, PAL_OP_WRITE, PAL_OS_INVALID_ARGUMENT);
    }
    struct iovec pieces[PAL_VECTORS_MAX];
    to_pieces(vectors, count, pieces);
    test_script = (struct write_script){script, script_length, 0};
    pal_write_all(scripted_writev, -1, pieces, count, 0, granularity, calls, error);
    *unused = script_length - test_script.next;
    return error->code;
}

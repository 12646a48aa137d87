/* write_win.c: the system calls below the write loop. Each function makes at most one system call and may write less
 * than it was given: the loop continues from there. */
#include <string.h>

#include "win.h"

/* Pages of one gathered write: 4 MB, eight kilobytes of stack. A journal write that is larger takes several calls. */
#define GATHER_PAGES_MAX 1024

/* Bytes of small neighbours that one buffered write takes. Windows gathers only in unbuffered writes, so they are
 * copied together: the cache would copy them anyway, and eight pages of 8 KB cost one call instead of eight. */
#define MERGE_BYTES 65536

static ssize_t write_once(HANDLE handle, const void *base, size_t bytes, off_t offset)
{
    OVERLAPPED call;
    if (pal_win_begin(&call, offset) != 0) {
        return -1;
    }
    return (ssize_t)pal_win_end(handle, &call, WriteFile(handle, base, (DWORD)bytes, NULL, &call));
}

/* One durable unbuffered write: the pieces page by page, as the call requires. The array is valid until the write has
 * ended, because this function waits for it. */
static ssize_t write_gathered(HANDLE handle, const struct iovec *pieces, int count, off_t offset)
{
    FILE_SEGMENT_ELEMENT pages[GATHER_PAGES_MAX + 1];
    int used = 0;
    for (int i = 0; i < count && used < GATHER_PAGES_MAX; i++) {
        for (size_t at = 0; at < pieces[i].iov_len && used < GATHER_PAGES_MAX; at += PAL_ALIGNMENT) {
            pages[used++].Alignment = (ULONGLONG)(uintptr_t)pieces[i].iov_base + at;
        }
    }
    pages[used].Alignment = 0;
    OVERLAPPED call;
    if (pal_win_begin(&call, offset) != 0) {
        return -1;
    }
    BOOL started = WriteFileGather(handle, pages, (DWORD)used * PAL_ALIGNMENT, NULL, &call);
    return (ssize_t)pal_win_end(handle, &call, started);
}

/* One write through the cache: a large piece as it is, small ones copied together. */
static ssize_t write_merged(HANDLE handle, const struct iovec *pieces, int count, off_t offset)
{
    if (count == 1 || pieces[0].iov_len + pieces[1].iov_len > MERGE_BYTES) {
        return write_once(handle, pieces[0].iov_base, pieces[0].iov_len, offset);
    }
    uint8_t merged[MERGE_BYTES];
    size_t bytes = 0;
    for (int i = 0; i < count && bytes + pieces[i].iov_len <= MERGE_BYTES; i++) {
        memcpy(merged + bytes, pieces[i].iov_base, pieces[i].iov_len);
        bytes += pieces[i].iov_len;
    }
    return write_once(handle, merged, bytes, offset);
}

ssize_t pal_os_writev(int fd, const struct iovec *pieces, int count, off_t offset)
{
    HANDLE handle = pal_win_handle(fd);
    if (fd >= 0 && (fd & PAL_WIN_UNBUFFERED) != 0) {
        return write_gathered(handle, pieces, count, offset);
    }
    return write_merged(handle, pieces, count, offset);
}

int pal_os_journal_barrier(int fd)
{
    /* FILE_FLAG_WRITE_THROUGH: the write itself returned after the drive had it on stable storage. */
    (void)fd;
    return 0;
}

int pal_os_write_back(int fd, int64_t offset, int64_t length, int wait)
{
    /* No such call for a range: the cache writes when it wants to, and the sync does the rest. */
    (void)fd;
    (void)offset;
    (void)length;
    (void)wait;
    return 0;
}

int32_t pal_os_write_mapped(int fd, const struct pal_page_write *writes, int32_t count,
                            struct pal_write_counts *counts, struct pal_error *error)
{
    (void)fd;
    (void)writes;
    (void)count;
    (void)counts;
    return pal_fail(error, PAL_OP_MAP, PAL_OS_NOT_SUPPORTED);
}

/* pal_internal.h: what the C files of libpal share. Not part of the contract. */
#ifndef PAL_INTERNAL_H
#define PAL_INTERNAL_H

#include <stddef.h>

#include "pal.h"
#ifdef _WIN32
#include "os_win.h"
#else
#include "os_posix.h"
#endif

/* The kernel limits one read or write to this many bytes (INT_MAX rounded down to a page): a larger request is cut. */
#define PAL_TRANSFER_BYTES_MAX ((int64_t)0x7ffff000)

/* Files hold user data: the owner writes, the group (backup) reads, others nothing. */
#define PAL_FILE_MODE 0640
#define PAL_DIRECTORY_MODE 0750

/* Page writes per call: 1 MB of single pages. */
#define PAL_PAGE_VECTORS_MAX 128

/* Bytes of written pages after which their write-back starts. Small, because a journal write ends with a flush of the
 * drive, which waits for all requests in progress: a megabyte of random pages at once would delay every commit
 * (docs/decisions/0012-little-write-back-at-once.md). */
#define PAL_WRITE_BACK_BYTES (64 << 10)

#define PAL_NO_ITEM (-1)
#define PAL_NO_RANGE (-1)

/* The system call below the write loop; the test replaces it. Returns bytes or -1 with pal_os_failure. */
typedef ssize_t (*pal_writev_function)(int fd, const struct iovec *pieces, int count, off_t offset);

/* error.c */
int32_t pal_succeed(struct pal_error *error);
int32_t pal_fail(struct pal_error *error, int32_t op, int32_t os_errno);
int32_t pal_fail_at(struct pal_error *error, int32_t op, int32_t os_errno, int32_t item, int64_t offset, int64_t len);
int32_t pal_is_unaligned(int64_t value);

/* write.c: writes all pieces or fails. Changes `pieces`. After a short write it continues from the last multiple of
 * `granularity`, because an unbuffered file refuses any other position. */
int32_t pal_write_all(pal_writev_function writev_function, int fd, struct iovec *pieces, int count, int64_t offset,
                      int64_t granularity, int64_t *calls, struct pal_error *error);

/* write.c: writes a text at the start of the file, the owner of a lock for people who find the folder locked. Returns
 * its bytes, or 0 when they could not all be written. The lock is held without it: a server must be able to start on a
 * full disk, if only to delete what fills it. The old text is overwritten, so that its block is used again; the caller
 * cuts the file to the returned length, because no text is better than that of a process that has ended. */
int64_t pal_write_text(int fd, const char *text);

/* write.c: skips `done` bytes; returns how many pieces are complete and shortens the next one. */
int pal_skip_written(struct iovec *pieces, int count, int64_t done);

/* write.c: zeros in the file's own write mode. */
int32_t pal_write_zeros(int fd, int64_t offset, int64_t length, struct pal_error *error);

/* pages.c: write-back of buffered pages. Without it the sync at the end would have to write hundreds of megabytes at
 * once, and every journal write would wait behind them in the drive's queue. At most two groups are in progress. */
struct pal_write_back {
    int64_t first;
    int64_t end;
    int64_t bytes;
    int64_t previous_first;
    int64_t previous_end;
};

/* pages.c: counts what was written up to `end`; starts the group when it is large enough, and then waits for the one
 * before it. */
int32_t pal_advance_write_back(int fd, struct pal_write_back *state, int64_t end, int64_t bytes,
                               struct pal_error *error);

/* file_posix.c: EINTR is retried; -1 with errno otherwise. */
int pal_open_retry(const char *path, int flags);
int pal_truncate_retry(int fd, int64_t length);

/* file_linux.c, file_macos.c and, what write.c calls, write_win.c: one implementation each; all return -1 with
 * pal_os_failure. */
int pal_os_open_journal(const char *path, int flags, int32_t *direct);
int pal_os_journal_barrier(int fd);
int pal_os_sync(int fd, int32_t kind);
int pal_os_allocate(int fd, int64_t offset, int64_t length);

/* Starts writing the dirty pages of a range to the disk, or waits for what was started; makes nothing durable. 0 where
 * the system has no such call. */
int pal_os_write_back(int fd, int64_t offset, int64_t length, int wait);
int pal_os_punch(int fd, int64_t offset, int64_t length);
int pal_os_fill_hole(int fd, int64_t offset, int64_t length);
void pal_os_lower_priority(void);
int32_t pal_os_request_short_slices(void);
int32_t pal_os_request_batch_scheduling(const char *name);
int pal_os_memory_file(void);
void *pal_os_map(int fd, int64_t length);
ssize_t pal_os_writev(int fd, const struct iovec *pieces, int count, off_t offset);

/* Writes a checked batch through a ring of the system: 1 = done, with the outcome in `error`; 0 = there is no ring,
 * nothing was written. Windows makes a ring for each batch and ignores `ring`. */
int pal_os_ring_write(struct pal_ring *ring, int fd, const struct pal_page_write *writes, int32_t count,
                      struct pal_write_counts *counts, struct pal_error *error);

/* Writes a checked batch through a writable mapping; Windows does not offer it. */
int32_t pal_os_write_mapped(int fd, const struct pal_page_write *writes, int32_t count,
                            struct pal_write_counts *counts, struct pal_error *error);

#endif

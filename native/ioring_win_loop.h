/* ioring_win_loop.h: batches of page writes through a ring of Windows. The logic is separate from the system's calls,
 * which come as a table of functions: so it builds everywhere, and its test can script what no healthy system does. */
#ifndef PAL_IORING_WIN_LOOP_H
#define PAL_IORING_WIN_LOOP_H

#include "pal_internal.h"

/* Writes under way at once: a megabyte of single pages. */
#define PAL_WIN_RING_DEPTH 128

/* One entry of a ring. `tag` comes back with its completion. */
struct pal_win_ring_entry {
    const uint8_t *base;
    int64_t offset;
    int64_t length; /* bytes, at most PAL_TRANSFER_BYTES_MAX */
    uint32_t tag;
};

struct pal_win_ring_completion {
    uint64_t tag;
    int32_t failure; /* code of the system, 0 = none */
    int64_t bytes;
};

/* A ring of one batch, used by one thread. Functions return 0 or a code of the system unless they say otherwise. */
struct pal_win_ring_calls {
    void *ring;

    /* Makes a ring with room for this many entries. */
    int32_t (*open)(void *ring, uint32_t depth);

    /* Queues an entry; nothing happens yet. */
    int32_t (*queue)(void *ring, int32_t fd, const struct pal_win_ring_entry *entry);

    /* Passes the queued entries to the system and waits until this many completions can be taken. */
    int32_t (*submit)(void *ring, uint32_t completions);

    /* 1 = one was taken, 0 = there is none. */
    int (*take)(void *ring, struct pal_win_ring_completion *completion);

    /* Asks the system to cancel what is in progress on the file; does not wait. */
    void (*cancel)(void *ring, int32_t fd);

    /* Frees the ring; entries that were never submitted are dropped. */
    void (*close)(void *ring);
};

/* Writes a checked batch: 1 = done, with the outcome in `error`; 0 = no ring could be opened, nothing was written.
 *
 * Rounds of PAL_WIN_RING_DEPTH entries; a round ends when all of it has completed. The rest of a short write goes into
 * the next round; one that writes nothing is an I/O error. After an error no new round begins, and `item` is the first
 * write that failed: those before it are written. An error is not returned before everything under way has ended,
 * because the system still reads the caller's memory. Only if completions never come is the rest cancelled instead;
 * the caller must then not use the memory again, like after any failed write of a storage. */
int pal_win_ring_write(const struct pal_win_ring_calls *calls, int32_t fd, const struct pal_page_write *writes,
                         int32_t count, struct pal_write_counts *counts, struct pal_error *error);

#endif

/* ring.h: what the files of the submission ring share (Linux only). Not part of the contract.
 *
 * ring_linux.c owns the ring, its thread and the list of batches; ring_engine.c turns batches into requests and
 * completions into results, and does not know whether the kernel or ring_test.c answers.
 */
#ifndef PAL_RING_H
#define PAL_RING_H

#include <linux/io_uring.h>
#include <semaphore.h>

#include "pal_internal.h"

/* Limits the load: the most requests that the kernel has at a time. One entry is for the wake-up, the others write.
 * Small, because the memory of a ring counts against RLIMIT_MEMLOCK before Linux 5.12. */
#define RING_ENTRIES 64
#define RING_REQUESTS (RING_ENTRIES - 1)

/* Bytes of one batch in requests or in the cache that are not part of a group yet: the next group fills while two are
 * in progress. */
#define RING_AHEAD_BYTES_MAX (2 * PAL_WRITE_BACK_BYTES)

/* Groups of PAL_WRITE_BACK_BYTES of one batch in progress; more would make journal writes wait. */
#define RING_WRITE_BACKS_MAX 2

/* Answers like "try again" in a row, without any progress, that count as a failure. */
#define RING_TRIES_MAX 1000

enum ring_request_kind { RING_WRITE = 0, RING_WRITE_BACK = 1 };

/* One call of pal_pages_write; on its stack until `done`. */
struct ring_batch {
    struct ring_batch *next;
    const struct pal_page_write *writes;
    int fd;
    int32_t count;
    int32_t next_write; /* first write that is not, or only partly, in a request yet */
    int32_t requests;   /* requests that are not finished */
    int32_t write_backs; /* of those, the write-backs of groups */
    int32_t refused;    /* the ring ended before it began the batch */
    int64_t next_skip;  /* bytes of `next_write` that are in a request */
    int64_t back_first; /* written since the last group: range and bytes */
    int64_t back_end;
    int64_t back_bytes;
    int64_t ahead_bytes; /* of requests, without those that are part of groups */
    int64_t calls_before;
    struct pal_write_counts counts;
    struct pal_error error;
    sem_t done;
};

struct ring_request {
    struct ring_batch *batch; /* null: free */
    int32_t kind;
    int32_t item; /* first write of the batch in it */
    int32_t tries;
    int32_t first; /* the pieces before it are written */
    int32_t count;
    int32_t padding;
    int64_t offset;
    int64_t bytes;
    struct iovec pieces[PAL_PAGE_VECTORS_MAX];
};

/* The two queues, in memory shared with the kernel. */
struct ring_queues {
    unsigned *sq_head;
    unsigned *sq_tail;
    unsigned *sq_array;
    unsigned sq_mask;
    unsigned cq_mask;
    unsigned *cq_head;
    unsigned *cq_tail;
    struct io_uring_sqe *sqes;
    struct io_uring_cqe *cqes;
};

struct ring_engine;

/* io_uring_enter: hands over `submit` requests, waits for `wait` completions. -1 with errno on failure; how many
 * requests were taken is read from the queue. */
typedef int (*ring_enter_function)(struct ring_engine *engine, unsigned submit, unsigned wait);

struct ring_engine {
    struct ring_queues queues;
    ring_enter_function enter;
    void *context; /* of `enter` */
    struct ring_batch *first_batch; /* in the order they came */
    int32_t in_flight; /* requests that the kernel has, without the wake-up */
    int32_t fruitless;
    int32_t is_held; /* completions first, then submit again */
    int32_t broken; /* errno after which nothing is submitted any more */
    int32_t wake_fd; /* -1: none */
    int32_t is_wake_queued;
    uint64_t wake_value;
    int64_t calls;
    struct ring_request requests[RING_REQUESTS];
};

/* Adds a batch after the existing ones. */
void ring_engine_add(struct ring_engine *engine, struct ring_batch *batch);

/* Queues requests for as much of the batches as there is room for, and the wake-up. */
void ring_engine_fill(struct ring_engine *engine);

/* One call of `enter` and all available completions. Returns 0, or the errno after which the ring cannot be used. */
int ring_engine_step(struct ring_engine *engine);

/* Ends all batches with an error, if possible after the kernel has finished with their memory. */
void ring_engine_break(struct ring_engine *engine, int failed);

/* io_uring_setup; the test replaces it. */
typedef int (*ring_setup_function)(unsigned entries, struct io_uring_params *params);

/* Tries the best set of flags first, then fewer. Returns the ring or -1 with errno. */
int ring_setup(ring_setup_function setup, struct io_uring_params *params);

#endif

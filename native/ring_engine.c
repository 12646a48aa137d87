/* ring_engine.c: batches to requests, completions to results. One thread; blocks only in `enter`.
 *
 * 1. Requests are unordered: the kernel may do a later one first. A batch has no overlapping writes, so the order
 *    does not matter.
 * 2. A request is in the submission queue or in the kernel, never both; the queue has room for all.
 * 3. A batch ends when the kernel has none of its requests, also after an error: its memory belongs to the caller.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>

#include "ring.h"

#define WAKE UINT64_MAX

static int is_transient(int os_errno)
{
    return os_errno == EINTR || os_errno == EAGAIN || os_errno == ECANCELED;
}

static struct io_uring_sqe *next_entry(struct ring_queues *queues, uint64_t user_data)
{
    unsigned tail = *queues->sq_tail;
    unsigned index = tail & queues->sq_mask;
    struct io_uring_sqe *entry = &queues->sqes[index];
    memset(entry, 0, sizeof *entry);
    entry->user_data = user_data;
    queues->sq_array[index] = index;
    return entry;
}

static void publish_entry(struct ring_queues *queues)
{
    __atomic_store_n(queues->sq_tail, *queues->sq_tail + 1, __ATOMIC_RELEASE);
}

static void queue_wake(struct ring_engine *engine)
{
    struct io_uring_sqe *entry = next_entry(&engine->queues, WAKE);
    entry->opcode = IORING_OP_READ;
    entry->fd = engine->wake_fd;
    entry->addr = (uint64_t)(uintptr_t)&engine->wake_value;
    entry->len = sizeof engine->wake_value;
    publish_entry(&engine->queues);
    engine->is_wake_queued = 1;
}

static void finish_batch(struct ring_engine *engine, struct ring_batch *batch)
{
    struct ring_batch **link = &engine->first_batch;
    while (*link != batch) {
        link = &(*link)->next;
    }
    *link = batch->next;
    batch->counts.calls = engine->calls - batch->calls_before;
    sem_post(&batch->done);
}

/* Frees the request's slot; the batch ends with the last one. */
static void finish_request(struct ring_engine *engine, struct ring_request *request)
{
    struct ring_batch *batch = request->batch;
    request->batch = NULL;
    batch->requests--;
    batch->write_backs -= request->kind == RING_WRITE_BACK;
    if (batch->requests == 0 && batch->next_write == batch->count) {
        finish_batch(engine, batch);
    }
}

/* Reports the first failure of a batch; only "the kernel may still read the memory" replaces it, because the caller has
 * no other way to learn that. Nothing more of the batch is started. */
static void fail_batch(struct ring_batch *batch, int op, int os_errno, int32_t item, int64_t offset, int64_t bytes)
{
    int is_worse = op == PAL_OP_RING_WAIT && batch->error.op != PAL_OP_RING_WAIT;
    if (batch->error.code == PAL_OK || is_worse) {
        pal_fail_at(&batch->error, op, os_errno, item, offset, bytes);
    }
    batch->next_write = batch->count;
}

static void fail_request(struct ring_engine *engine, struct ring_request *request, int op, int os_errno)
{
    fail_batch(request->batch, op, os_errno, request->item, request->offset, request->bytes);
    finish_request(engine, request);
}

static void queue_request(struct ring_engine *engine, struct ring_request *request)
{
    if (engine->broken != 0) {
        fail_request(engine, request, PAL_OP_RING_SUBMIT, engine->broken);
        return;
    }
    struct io_uring_sqe *entry = next_entry(&engine->queues, (uint64_t)(request - engine->requests));
    entry->fd = request->batch->fd;
    entry->off = (uint64_t)request->offset;
    if (request->kind == RING_WRITE) {
        entry->opcode = IORING_OP_WRITEV;
        entry->addr = (uint64_t)(uintptr_t)(request->pieces + request->first);
        entry->len = (uint32_t)(request->count - request->first);
    } else {
        entry->opcode = IORING_OP_SYNC_FILE_RANGE;
        /* An entry has 32 bits for the length; 0 means up to the end of the file. */
        entry->len = request->bytes > UINT32_MAX ? 0 : (uint32_t)request->bytes;
        entry->sync_range_flags = SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    }
    publish_entry(&engine->queues);
}

static struct ring_request *take_request(struct ring_engine *engine, struct ring_batch *batch)
{
    for (int32_t i = 0; i < RING_REQUESTS; i++) {
        struct ring_request *request = &engine->requests[i];
        if (request->batch == NULL) {
            request->batch = batch;
            request->kind = RING_WRITE;
            request->tries = request->first = request->count = 0;
            batch->requests++;
            return request;
        }
    }
    return NULL;
}

/* Neighbours from the batch's cursor on, as many as one call takes. */
static void cut_request(struct ring_batch *batch, struct ring_request *request)
{
    request->item = batch->next_write;
    request->offset = batch->writes[batch->next_write].offset + batch->next_skip;
    request->bytes = 0;
    while (batch->next_write < batch->count && request->count < PAL_PAGE_VECTORS_MAX) {
        const struct pal_page_write *write = &batch->writes[batch->next_write];
        int64_t room = PAL_TRANSFER_BYTES_MAX - request->bytes;
        if (room == 0 || write->offset + batch->next_skip != request->offset + request->bytes) {
            return;
        }
        int64_t rest = write->length - batch->next_skip;
        int64_t taken = rest < room ? rest : room;
        request->pieces[request->count++] =
            (struct iovec){(uint8_t *)write->base + batch->next_skip, (size_t)taken};
        request->bytes += taken;
        batch->next_skip = taken < rest ? batch->next_skip + taken : 0;
        batch->next_write += taken == rest;
    }
}

static int is_new_run(const struct ring_batch *batch)
{
    const struct pal_page_write *write = &batch->writes[batch->next_write];
    return batch->next_skip == 0 && (batch->next_write == 0 || write->offset != write[-1].offset + write[-1].length);
}

/* Starts the write-back of what was written since the last group, once that is enough; the request whose write has
 * ended is reused for it. The little that the end of a batch leaves in the cache is written by the sync. Returns 0 when
 * there is nothing to do. */
static int begin_write_back(struct ring_engine *engine, struct ring_request *request)
{
    struct ring_batch *batch = request->batch;
    if (batch->back_bytes < PAL_WRITE_BACK_BYTES || batch->write_backs == RING_WRITE_BACKS_MAX ||
        batch->next_write == batch->count) {
        return 0;
    }
    request->kind = RING_WRITE_BACK;
    request->tries = 0;
    request->item = PAL_NO_ITEM;
    request->offset = batch->back_first;
    request->bytes = batch->back_end - batch->back_first;
    batch->write_backs++;
    batch->ahead_bytes -= batch->back_bytes;
    batch->back_bytes = 0;
    queue_request(engine, request);
    return 1;
}

void ring_engine_add(struct ring_engine *engine, struct ring_batch *batch)
{
    struct ring_batch **link = &engine->first_batch;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    batch->next = NULL;
    batch->calls_before = engine->calls;
    *link = batch;
}

void ring_engine_fill(struct ring_engine *engine)
{
    for (struct ring_batch *batch = engine->first_batch; batch != NULL; batch = batch->next) {
        while (batch->next_write < batch->count && batch->ahead_bytes < RING_AHEAD_BYTES_MAX) {
            struct ring_request *request = take_request(engine, batch);
            if (request == NULL) {
                break;
            }
            batch->counts.runs += is_new_run(batch);
            cut_request(batch, request);
            batch->ahead_bytes += request->bytes;
            queue_request(engine, request);
        }
    }
    if (engine->wake_fd >= 0 && !engine->is_wake_queued) {
        queue_wake(engine);
    }
}

static void count_written(struct ring_batch *batch, int64_t offset, int64_t bytes)
{
    int64_t end = offset + bytes;
    batch->counts.bytes += bytes;
    batch->back_first = batch->back_bytes == 0 || offset < batch->back_first ? offset : batch->back_first;
    batch->back_end = batch->back_bytes == 0 || end > batch->back_end ? end : batch->back_end;
    batch->back_bytes += bytes;
}

static void complete_write(struct ring_engine *engine, struct ring_request *request, int64_t written)
{
    if (written == 0 || written > request->bytes) {
        fail_request(engine, request, PAL_OP_WRITE, EIO);
        return;
    }
    count_written(request->batch, request->offset, written);
    request->tries = 0;
    request->offset += written;
    request->bytes -= written;
    if (request->bytes > 0) {
        request->first += pal_skip_written(request->pieces + request->first, request->count - request->first, written);
        queue_request(engine, request);
    } else if (!begin_write_back(engine, request)) {
        finish_request(engine, request);
    }
}

static void complete_write_back(struct ring_engine *engine, struct ring_request *request, int failed)
{
    /* Not every kernel and sandbox supports it; then the sync that follows does the work. */
    if (failed != 0 && failed != ENOSYS && failed != EPERM && failed != EINVAL && failed != EOPNOTSUPP) {
        /* Treated as a failed sync, whatever the cause: the kernel reports it once, without the page. */
        fail_request(engine, request, PAL_OP_SYNC_DATA, EIO);
        return;
    }
    request->kind = RING_WRITE;
    request->batch->write_backs--;
    if (!begin_write_back(engine, request)) {
        finish_request(engine, request);
    }
}

/* The only place that examines the result of a completion: bytes, or a negative errno. */
static void complete(struct ring_engine *engine, uint64_t user_data, int32_t result)
{
    int failed = result < 0 ? -result : 0;
    if (user_data == WAKE) {
        engine->is_wake_queued = 0;
        if (failed != 0 && !is_transient(failed)) {
            engine->broken = failed;
        }
        return;
    }
    struct ring_request *request = &engine->requests[user_data];
    engine->in_flight--;
    if (is_transient(failed) && request->tries++ < RING_TRIES_MAX) {
        queue_request(engine, request);
    } else if (request->kind == RING_WRITE_BACK) {
        complete_write_back(engine, request, failed);
    } else if (failed != 0) {
        fail_request(engine, request, PAL_OP_WRITE, failed);
    } else {
        complete_write(engine, request, result);
    }
}

static int reap(struct ring_engine *engine)
{
    struct ring_queues *queues = &engine->queues;
    int count = 0;
    unsigned head = *queues->cq_head;
    while (head != __atomic_load_n(queues->cq_tail, __ATOMIC_ACQUIRE)) {
        const struct io_uring_cqe *completion = &queues->cqes[head & queues->cq_mask];
        uint64_t user_data = completion->user_data;
        int32_t result = completion->res;
        __atomic_store_n(queues->cq_head, ++head, __ATOMIC_RELEASE);
        complete(engine, user_data, result);
        count++;
    }
    return count;
}

/* Counts what the kernel took from the submission queue since `head`. */
static int count_taken(struct ring_engine *engine, unsigned head)
{
    struct ring_queues *queues = &engine->queues;
    int count = 0;
    for (unsigned end = __atomic_load_n(queues->sq_head, __ATOMIC_ACQUIRE); head != end; head++, count++) {
        engine->in_flight += queues->sqes[head & queues->sq_mask].user_data != WAKE;
    }
    return count;
}

int ring_engine_step(struct ring_engine *engine)
{
    struct ring_queues *queues = &engine->queues;
    unsigned head = __atomic_load_n(queues->sq_head, __ATOMIC_ACQUIRE);
    unsigned queued = *queues->sq_tail - head;
    int has_completions = *queues->cq_head != __atomic_load_n(queues->cq_tail, __ATOMIC_ACQUIRE);
    /* If the kernel has nothing that could complete, waiting would never end. */
    int can_wait = !has_completions && (!engine->is_held || engine->in_flight > 0);
    unsigned submit = engine->is_held ? 0 : queued;
    int failed = engine->enter(engine, submit, can_wait ? 1 : 0) < 0 ? errno : 0;
    engine->calls++;
    int progress = count_taken(engine, head) + reap(engine);
    if (engine->broken != 0) {
        return engine->broken;
    }
    /* EBUSY: completions have no room in their queue. EAGAIN: no memory for requests. In both cases completions come
     * first. */
    int is_busy = failed == EBUSY || failed == EAGAIN;
    if (failed != 0 && failed != EINTR && !is_busy) {
        return failed;
    }
    engine->is_held = is_busy && engine->in_flight > 0;
    engine->fruitless = progress > 0 ? 0 : engine->fruitless + (is_busy || (failed == 0 && submit > 0));
    if (engine->fruitless > RING_TRIES_MAX) {
        return failed != 0 ? failed : EIO;
    }
    if (is_busy && !engine->is_held) {
        sched_yield();
    }
    return 0;
}

/* Requests the kernel did not take end here, and with them the rest of the batches. */
static void fail_queued(struct ring_engine *engine)
{
    struct ring_queues *queues = &engine->queues;
    unsigned head = __atomic_load_n(queues->sq_head, __ATOMIC_ACQUIRE);
    unsigned tail = *queues->sq_tail;
    __atomic_store_n(queues->sq_tail, head, __ATOMIC_RELEASE);
    for (struct ring_batch *batch = engine->first_batch, *next; batch != NULL; batch = next) {
        next = batch->next;
        if (batch->next_write < batch->count) {
            const struct pal_page_write *write = &batch->writes[batch->next_write];
            fail_batch(batch, PAL_OP_RING_SUBMIT, engine->broken, batch->next_write, write->offset, write->length);
            if (batch->requests == 0) {
                finish_batch(engine, batch);
            }
        }
    }
    for (; head != tail; head++) {
        uint64_t user_data = queues->sqes[head & queues->sq_mask].user_data;
        if (user_data != WAKE) {
            fail_request(engine, &engine->requests[user_data], PAL_OP_RING_SUBMIT, engine->broken);
        }
    }
}

void ring_engine_break(struct ring_engine *engine, int failed)
{
    engine->broken = failed;
    fail_queued(engine);
    for (int tries = 0; engine->in_flight > 0 && tries < RING_TRIES_MAX; tries++) {
        int result = engine->enter(engine, 0, 1);
        failed = result < 0 ? errno : 0;
        engine->calls++;
        if (reap(engine) > 0) {
            tries = 0;
        } else if (failed != 0 && failed != EINTR && failed != EAGAIN && failed != EBUSY) {
            break;
        }
    }
    for (int32_t i = 0; i < RING_REQUESTS; i++) {
        if (engine->requests[i].batch != NULL) {
            fail_request(engine, &engine->requests[i], PAL_OP_RING_WAIT, failed != 0 ? failed : EIO);
        }
    }
    engine->in_flight = 0;
}

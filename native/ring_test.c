/* ring_test.c: a script in place of the kernel, for the tests of ring_engine.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

/* What the kernel would know about a request it took. */
struct taken_request {
    uint64_t user_data;
    int64_t offset;
    int64_t bytes;
    int32_t is_write;
};

struct scripted_kernel {
    const struct pal_ring_script *script;
    struct pal_ring_trace *trace;
    int32_t next_step;
    int32_t next_result;
    int32_t taken_count;
    int32_t is_busy; /* it reported that, and its completions have not been waited for since */
    unsigned sq_head;
    unsigned sq_tail;
    unsigned cq_head;
    unsigned cq_tail;
    unsigned sq_array[RING_ENTRIES];
    struct io_uring_sqe sqes[RING_ENTRIES];
    struct io_uring_cqe cqes[2 * RING_ENTRIES];
    struct taken_request taken[RING_ENTRIES];
    struct ring_engine engine;
};

static void take_requests(struct scripted_kernel *kernel, int32_t count)
{
    for (; count > 0 && kernel->sq_head != kernel->sq_tail; count--) {
        const struct io_uring_sqe *entry = &kernel->sqes[kernel->sq_array[kernel->sq_head++ % RING_ENTRIES]];
        struct taken_request *taken = &kernel->taken[kernel->taken_count++];
        *taken = (struct taken_request){.user_data = entry->user_data, .offset = (int64_t)entry->off,
                                        .is_write = entry->opcode == IORING_OP_WRITEV};
        const struct iovec *pieces = (const struct iovec *)(uintptr_t)entry->addr;
        for (uint32_t i = 0; taken->is_write && i < entry->len; i++) {
            taken->bytes += (int64_t)pieces[i].iov_len;
        }
        kernel->trace->writes += taken->is_write;
        kernel->trace->write_backs += !taken->is_write;
    }
    if (kernel->taken_count > kernel->trace->requests_max) {
        kernel->trace->requests_max = kernel->taken_count;
    }
}

static void complete_requests(struct scripted_kernel *kernel, int32_t count)
{
    const struct pal_ring_script *script = kernel->script;
    for (; count > 0 && kernel->taken_count > 0; count--) {
        const struct taken_request *taken = &kernel->taken[--kernel->taken_count];
        int64_t result = taken->bytes;
        if (kernel->next_result < script->result_count) {
            int64_t scripted = script->results[kernel->next_result++];
            result = scripted < result ? scripted : result;
        }
        kernel->trace->bytes += result > 0 ? result : 0;
        struct io_uring_cqe *completion = &kernel->cqes[kernel->cq_tail % (2 * RING_ENTRIES)];
        completion->user_data = taken->user_data;
        completion->res = (int32_t)result;
        kernel->cq_tail++;
    }
}

static int scripted_enter(struct ring_engine *engine, unsigned submit, unsigned wait)
{
    struct scripted_kernel *kernel = engine->context;
    if (kernel->is_busy && submit > 0 && kernel->taken_count > 0) {
        errno = EPROTO;
        return -1;
    }
    kernel->is_busy = 0;
    (void)wait;
    struct pal_ring_step step = {0, RING_ENTRIES, RING_ENTRIES, 0};
    if (kernel->next_step < kernel->script->step_count) {
        step = kernel->script->steps[kernel->next_step++];
    }
    take_requests(kernel, (int32_t)submit < step.taken ? (int32_t)submit : step.taken);
    complete_requests(kernel, step.completed);
    kernel->is_busy = step.os_errno == EBUSY || step.os_errno == EAGAIN;
    errno = step.os_errno;
    return step.os_errno != 0 ? -1 : 0;
}

static struct scripted_kernel *make_kernel(const struct pal_ring_script *script, struct pal_ring_trace *trace)
{
    struct scripted_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        return NULL;
    }
    kernel->script = script;
    kernel->trace = trace;
    kernel->engine.enter = scripted_enter;
    kernel->engine.context = kernel;
    kernel->engine.wake_fd = -1;
    kernel->engine.queues = (struct ring_queues){
        .sq_head = &kernel->sq_head,
        .sq_tail = &kernel->sq_tail,
        .sq_array = kernel->sq_array,
        .sq_mask = RING_ENTRIES - 1,
        .cq_mask = 2 * RING_ENTRIES - 1,
        .cq_head = &kernel->cq_head,
        .cq_tail = &kernel->cq_tail,
        .sqes = kernel->sqes,
        .cqes = kernel->cqes,
    };
    return kernel;
}

int32_t pal_test_ring(const struct pal_ring_script *script, const struct pal_page_write *writes, int32_t count,
                      struct pal_write_counts *counts, struct pal_ring_trace *trace, struct pal_error *error)
{
    pal_succeed(error);
    memset(trace, 0, sizeof *trace);
    struct scripted_kernel *kernel = make_kernel(script, trace);
    if (kernel == NULL) {
        return pal_fail(error, PAL_OP_RING_SETUP, ENOMEM);
    }
    struct ring_batch batch = {.writes = writes, .fd = -1, .count = count};
    sem_init(&batch.done, 0, 0);
    ring_engine_add(&kernel->engine, &batch);
    while (kernel->engine.first_batch != NULL) {
        ring_engine_fill(&kernel->engine);
        int failed = ring_engine_step(&kernel->engine);
        if (failed != 0) {
            ring_engine_break(&kernel->engine, failed);
        }
    }
    sem_destroy(&batch.done);
    trace->unused_steps = script->step_count - kernel->next_step;
    trace->unused_results = script->result_count - kernel->next_result;
    *counts = batch.counts;
    *error = batch.error;
    free(kernel);
    return error->code;
}

/* The failures of pal_test_ring_setup; per thread, so that tests may run in parallel. */
static _Thread_local const int32_t *setup_failures;
static _Thread_local int32_t setup_failures_left;

static int scripted_setup(unsigned entries, struct io_uring_params *params)
{
    (void)entries;
    (void)params;
    if (setup_failures_left == 0) {
        return 0;
    }
    setup_failures_left--;
    errno = *setup_failures++;
    return -1;
}

int32_t pal_test_ring_setup(const int32_t *failures, int32_t count, uint32_t *flags, struct pal_error *error)
{
    pal_succeed(error);
    setup_failures = failures;
    setup_failures_left = count;
    struct io_uring_params params;
    int result = ring_setup(scripted_setup, &params);
    *flags = params.flags;
    return result < 0 ? pal_fail(error, PAL_OP_RING_SETUP, errno) : PAL_OK;
}

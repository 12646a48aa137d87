/* ring_linux.c: the ring, its thread, and the list that passes batches to it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ring.h"

/* The thread keeps its state in the ring's memory; a small stack, with room for the checks of a sanitizer, is enough.
 * */
#define STACK_BYTES (256 * 1024)

struct pal_ring {
    struct ring_engine engine;
    struct ring_batch *incoming; /* newest first; CLOSED when nobody reads it any more */
    int32_t is_stopping;
    int fd;
    int setup_errno;
    struct io_uring_params params;
    void *ring_memory;
    size_t ring_bytes;
    size_t entry_bytes;
    pthread_t thread;
    sem_t is_set_up;
};

static struct ring_batch closed_list;
#define CLOSED (&closed_list)

/* Flags by the kernel that introduced them: 6.1, 6.0, 5.19, 5.18, any. An older kernel refuses unknown flags with
 * EINVAL. */
static const unsigned flag_sets[] = {
    IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
    IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER,
    IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN,
    IORING_SETUP_SUBMIT_ALL,
    0,
};

int ring_setup(ring_setup_function setup, struct io_uring_params *params)
{
    for (size_t i = 0; i < sizeof flag_sets / sizeof flag_sets[0]; i++) {
        memset(params, 0, sizeof *params);
        params->flags = flag_sets[i];
        int fd = setup(RING_ENTRIES, params);
        if (fd >= 0 || errno != EINVAL) {
            return fd;
        }
    }
    return -1;
}

static int system_setup(unsigned entries, struct io_uring_params *params)
{
    return (int)syscall(__NR_io_uring_setup, entries, params);
}

static int system_enter(struct ring_engine *engine, unsigned submit, unsigned wait)
{
    /* Always GETEVENTS: with DEFER_TASKRUN completions are made only in that call, and it empties a queue that has
     * overflowed. */
    const struct pal_ring *ring = engine->context;
    return (int)syscall(__NR_io_uring_enter, ring->fd, submit, wait, IORING_ENTER_GETEVENTS, NULL, 0);
}

static unsigned *at(void *memory, uint32_t offset)
{
    return (unsigned *)((uint8_t *)memory + offset);
}

static int map_queues(struct pal_ring *ring)
{
    const struct io_uring_params *params = &ring->params;
    size_t sq_bytes = params->sq_off.array + params->sq_entries * sizeof(unsigned);
    size_t cq_bytes = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);
    ring->ring_bytes = sq_bytes > cq_bytes ? sq_bytes : cq_bytes;
    ring->entry_bytes = params->sq_entries * sizeof(struct io_uring_sqe);
    void *memory = mmap(NULL, ring->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd,
                        IORING_OFF_SQ_RING);
    if (memory == MAP_FAILED) {
        return -1;
    }
    ring->ring_memory = memory;
    void *entries = mmap(NULL, ring->entry_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd,
                         IORING_OFF_SQES);
    if (entries == MAP_FAILED) {
        return -1;
    }
    ring->engine.queues = (struct ring_queues){
        .sq_head = at(memory, params->sq_off.head),
        .sq_tail = at(memory, params->sq_off.tail),
        .sq_array = at(memory, params->sq_off.array),
        .sq_mask = *at(memory, params->sq_off.ring_mask),
        .cq_mask = *at(memory, params->cq_off.ring_mask),
        .cq_head = at(memory, params->cq_off.head),
        .cq_tail = at(memory, params->cq_off.tail),
        .sqes = entries,
        .cqes = (struct io_uring_cqe *)((uint8_t *)memory + params->cq_off.cqes),
    };
    return 0;
}

/* Frees what set_up made. */
static void tear_down(struct pal_ring *ring)
{
    if (ring->engine.queues.sqes != NULL) {
        munmap(ring->engine.queues.sqes, ring->entry_bytes);
    }
    if (ring->ring_memory != NULL) {
        munmap(ring->ring_memory, ring->ring_bytes);
    }
    if (ring->fd >= 0) {
        close(ring->fd);
    }
}

/* On the worker: with SINGLE_ISSUER the ring belongs to the thread that makes it. */
static int set_up(struct pal_ring *ring)
{
    ring->fd = ring_setup(system_setup, &ring->params);
    if (ring->fd < 0) {
        return errno;
    }
    const uint32_t needed = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP;
    if ((ring->params.features & needed) != needed) {
        return ENOSYS;
    }
    return map_queues(ring) == 0 ? 0 : errno;
}

/* Takes the new batches and adds them after the others, in the order they came. */
static void take_incoming(struct pal_ring *ring, struct ring_batch *instead)
{
    struct ring_batch *batch = __atomic_exchange_n(&ring->incoming, instead, __ATOMIC_ACQ_REL);
    struct ring_batch *ordered = NULL;
    while (batch != NULL) {
        struct ring_batch *next = batch->next;
        batch->next = ordered;
        ordered = batch;
        batch = next;
    }
    while (ordered != NULL) {
        struct ring_batch *next = ordered->next;
        if (instead == CLOSED) {
            ordered->refused = 1;
            sem_post(&ordered->done);
        } else {
            ring_engine_add(&ring->engine, ordered);
        }
        ordered = next;
    }
}

static void work(struct pal_ring *ring)
{
    for (;;) {
        take_incoming(ring, NULL);
        if (ring->engine.first_batch == NULL && __atomic_load_n(&ring->is_stopping, __ATOMIC_ACQUIRE)) {
            break;
        }
        ring_engine_fill(&ring->engine);
        int failed = ring_engine_step(&ring->engine);
        if (failed != 0) {
            ring_engine_break(&ring->engine, failed);
            break;
        }
    }
    take_incoming(ring, CLOSED);
}

static void *run_worker(void *argument)
{
    struct pal_ring *ring = argument;
    pthread_setname_np(pthread_self(), "pal-ring");
    pal_os_lower_priority();
    ring->setup_errno = set_up(ring);
    int is_ready = ring->setup_errno == 0;
    sem_post(&ring->is_set_up);
    if (is_ready) {
        work(ring);
    }
    tear_down(ring);
    return NULL;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) {
    }
}

static int start_worker(struct pal_ring *ring)
{
    /* Signals are for the program's threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int failed = pthread_create(&ring->thread, &attributes, run_worker, ring);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static void free_ring(struct pal_ring *ring)
{
    if (ring->engine.wake_fd >= 0) {
        close(ring->engine.wake_fd);
    }
    sem_destroy(&ring->is_set_up);
    free(ring);
}

int32_t pal_ring_open(struct pal_ring **opened, struct pal_error *error)
{
    pal_succeed(error);
    *opened = NULL;
    struct pal_ring *ring = calloc(1, sizeof *ring);
    if (ring == NULL) {
        return pal_fail(error, PAL_OP_RING_SETUP, ENOMEM);
    }
    ring->fd = -1;
    ring->engine.enter = system_enter;
    ring->engine.context = ring;
    sem_init(&ring->is_set_up, 0, 0);
    ring->engine.wake_fd = eventfd(0, EFD_CLOEXEC);
    int failed = ring->engine.wake_fd < 0 ? errno : start_worker(ring);
    if (failed == 0) {
        wait_for(&ring->is_set_up);
        failed = ring->setup_errno;
        if (failed != 0) {
            pthread_join(ring->thread, NULL);
        }
    }
    if (failed != 0) {
        free_ring(ring);
        return pal_fail(error, PAL_OP_RING_SETUP, failed);
    }
    *opened = ring;
    return PAL_OK;
}

static void wake(struct pal_ring *ring)
{
    const uint64_t one = 1;
    while (write(ring->engine.wake_fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

void pal_ring_close(struct pal_ring *ring)
{
    __atomic_store_n(&ring->is_stopping, 1, __ATOMIC_RELEASE);
    wake(ring);
    pthread_join(ring->thread, NULL);
    free_ring(ring);
}

int32_t pal_ring_is_working(const struct pal_ring *ring)
{
    return __atomic_load_n(&ring->incoming, __ATOMIC_ACQUIRE) != CLOSED;
}

int pal_os_ring_write(struct pal_ring *ring, int fd, const struct pal_page_write *writes, int32_t count,
                      struct pal_write_counts *counts, struct pal_error *error)
{
    if (ring == NULL) {
        return 0;
    }
    struct ring_batch batch = {.writes = writes, .fd = fd, .count = count};
    sem_init(&batch.done, 0, 0);
    struct ring_batch *newest = __atomic_load_n(&ring->incoming, __ATOMIC_ACQUIRE);
    do {
        if (newest == CLOSED) {
            sem_destroy(&batch.done);
            return 0;
        }
        batch.next = newest;
    } while (!__atomic_compare_exchange_n(&ring->incoming, &newest, &batch, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    wake(ring);
    wait_for(&batch.done);
    sem_destroy(&batch.done);
    *counts = batch.counts;
    counts->calls++;
    *error = batch.error;
    return !batch.refused;
}

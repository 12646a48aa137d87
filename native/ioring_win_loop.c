/* ioring_win_loop.c: see ioring_win_loop.h. */
#include "ioring_win_loop.h"

/* Retries of a submit that returns before its completions: a system may return early once or twice, and one that always
 * does must not hold the thread forever. */
#define SUBMITS_MAX 16

/* A write in progress: what is left of it. */
struct slot {
    struct pal_win_ring_entry entry;
    int32_t item; /* index in the batch */
    int32_t is_under_way;
};

struct batch {
    const struct pal_win_ring_calls *calls;
    int32_t fd;
    int32_t next; /* first write that is in no slot yet */
    int32_t used; /* slots in use, from the first on */
    int32_t under_way;
    struct slot slots[PAL_WIN_RING_DEPTH];
    const struct pal_page_write *writes;
    struct pal_write_counts *counts;
    struct pal_error *error;
};

/* Keeps the failure of the first write of the batch; the order of completions says nothing. */
static void note_failure(struct batch *batch, const struct slot *slot, int32_t failure)
{
    if (batch->error->code == PAL_OK || slot->item < batch->error->item) {
        pal_fail_at(batch->error, PAL_OP_WRITE, failure, slot->item, slot->entry.offset, slot->entry.length);
    }
}

/* Fills free slots with further writes. A slot holds all of its write; one call takes what it can. */
static void fill(struct batch *batch, int32_t count)
{
    while (batch->used < PAL_WIN_RING_DEPTH && batch->next < count) {
        const struct pal_page_write *write = &batch->writes[batch->next];
        struct slot *slot = &batch->slots[batch->used];
        slot->entry = (struct pal_win_ring_entry){write->base, write->offset, write->length, 0};
        slot->item = batch->next++;
        slot->is_under_way = 0;
        batch->used++;
    }
}

/* Queues every slot. 0 when one was refused: then none of this round is submitted. */
static int queue_round(struct batch *batch)
{
    for (int32_t i = 0; i < batch->used; i++) {
        struct slot *slot = &batch->slots[i];
        struct pal_win_ring_entry entry = slot->entry;
        entry.tag = (uint32_t)i;
        if (entry.length > PAL_TRANSFER_BYTES_MAX) {
            entry.length = PAL_TRANSFER_BYTES_MAX;
        }
        int32_t failure = batch->calls->queue(batch->calls->ring, batch->fd, &entry);
        if (failure != 0) {
            note_failure(batch, slot, failure);
            return 0;
        }
    }
    for (int32_t i = 0; i < batch->used; i++) {
        batch->slots[i].is_under_way = 1;
    }
    batch->under_way = batch->used;
    return 1;
}

static void complete(struct batch *batch, const struct pal_win_ring_completion *completion)
{
    if (completion->tag >= (uint64_t)batch->used || !batch->slots[completion->tag].is_under_way) {
        /* A completion without a known write: since it is unknown which write ended, no further one can be trusted. */
        note_failure(batch, &batch->slots[0], PAL_OS_IO_ERROR);
        return;
    }
    struct slot *slot = &batch->slots[completion->tag];
    slot->is_under_way = 0;
    batch->under_way--;
    if (completion->failure != 0) {
        note_failure(batch, slot, completion->failure);
    } else if (completion->bytes <= 0 || completion->bytes > slot->entry.length) {
        note_failure(batch, slot, PAL_OS_IO_ERROR);
    } else {
        slot->entry.base += completion->bytes;
        slot->entry.offset += completion->bytes;
        slot->entry.length -= completion->bytes;
        batch->counts->bytes += completion->bytes;
    }
}

/* Submits and takes completions until nothing is in progress. A submit may fail after it has passed entries on, so the
 * wait continues; the failure is reported even when every completion comes. */
static void finish_round(struct batch *batch)
{
    for (int attempt = 0; attempt < SUBMITS_MAX && batch->under_way > 0; attempt++) {
        int32_t failure = batch->calls->submit(batch->calls->ring, (uint32_t)batch->under_way);
        batch->counts->calls++;
        if (failure != 0) {
            note_failure(batch, &batch->slots[0], failure);
        }
        struct pal_win_ring_completion completion;
        while (batch->under_way > 0 && batch->calls->take(batch->calls->ring, &completion)) {
            complete(batch, &completion);
        }
    }
    for (int32_t i = 0; i < batch->used && batch->under_way > 0; i++) {
        if (batch->slots[i].is_under_way) {
            note_failure(batch, &batch->slots[i], PAL_OS_IO_ERROR);
            batch->calls->cancel(batch->calls->ring, batch->fd);
            return;
        }
    }
}

/* Keeps the slots that are not written to their end, in their order. */
static void keep_rests(struct batch *batch)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < batch->used; i++) {
        if (batch->slots[i].entry.length > 0) {
            batch->slots[kept++] = batch->slots[i];
        }
    }
    batch->used = kept;
}

static int64_t count_runs(const struct pal_page_write *writes, int32_t count)
{
    int64_t runs = 0;
    for (int32_t i = 0; i < count; i++) {
        runs += i == 0 || writes[i].offset != writes[i - 1].offset + writes[i - 1].length;
    }
    return runs;
}

int pal_win_ring_write(const struct pal_win_ring_calls *calls, int32_t fd, const struct pal_page_write *writes,
                         int32_t count, struct pal_write_counts *counts, struct pal_error *error)
{
    if (calls->open(calls->ring, PAL_WIN_RING_DEPTH) != 0) {
        return 0;
    }
    struct batch batch = {.calls = calls, .fd = fd, .writes = writes, .counts = counts, .error = error};
    fill(&batch, count);
    while (batch.used > 0 && error->code == PAL_OK) {
        if (queue_round(&batch)) {
            finish_round(&batch);
            keep_rests(&batch);
            fill(&batch, count);
        }
    }
    calls->close(calls->ring);
    if (error->code == PAL_OK) {
        counts->runs = count_runs(writes, count);
    }
    return 1;
}

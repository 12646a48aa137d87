/* ring.c: the logic of the Windows ring with results that no healthy system gives. Needs no Windows: the ring is a
 * script. */
#include <stdio.h>
#include <string.h>

#include "../ioring_win_loop.h"
#include "check.h"

#define PAGE 8192
#define WRITES_MAX 400
#define ENTRIES_MAX 2048

#ifdef _WIN32
#define FULL ERROR_DISK_FULL
#else
#define FULL ENOSPC
#endif

/* What the scripted ring does wrong, and what it saw. Numbers count from 1; 0 = never. */
struct scripted_ring {
    int refuse;          /* opening fails */
    int queue_failing;   /* the n-th entry is not taken */
    int submit_failing;  /* the n-th submit reports a failure */
    int submit_keeping;  /* ... and passes nothing on */
    int early_submits;   /* this many submits return before anything has completed */
    int lost;            /* the n-th completion never comes */
    int alien;           /* a completion with an unknown tag comes first */
    int repeat;          /* the first completion comes twice */
    int reverse;         /* completions come last first */
    int64_t write_bytes; /* most bytes one entry writes; 0 = all */
    int failing;         /* the n-th entry fails with FULL ... */
    int failing_too;     /* ... and this one too */
    int writes_nothing;  /* the n-th entry completes with 0 bytes */

    int opened;
    int closed;
    int cancelled;
    int queued;
    int submits;
    struct pal_win_ring_entry waiting[ENTRIES_MAX];
    int numbers[ENTRIES_MAX];
    int waiting_count;
    int ready_count; /* of `waiting`, from the front */
    struct pal_win_ring_completion last;
    uint8_t file[WRITES_MAX * 2 * PAGE];
};

static struct scripted_ring ring;
static uint8_t memory[WRITES_MAX * PAGE];
static struct pal_page_write writes[WRITES_MAX];
static struct pal_write_counts counts;
static struct pal_error error;

static int32_t scripted_open(void *state, uint32_t depth)
{
    (void)state;
    CHECK(depth == PAL_WIN_RING_DEPTH);
    ring.opened++;
    return ring.refuse ? PAL_OS_IO_ERROR : 0;
}

static int32_t scripted_queue(void *state, int32_t fd, const struct pal_win_ring_entry *entry)
{
    (void)state;
    CHECK(fd == 7);
    CHECK(ring.waiting_count < PAL_WIN_RING_DEPTH);
    if (++ring.queued == ring.queue_failing) {
        return FULL;
    }
    ring.numbers[ring.waiting_count] = ring.queued;
    ring.waiting[ring.waiting_count++] = *entry;
    return 0;
}

static int32_t scripted_submit(void *state, uint32_t completions)
{
    (void)state;
    CHECK(completions > 0 && completions <= (uint32_t)ring.waiting_count);
    int fails = ++ring.submits == ring.submit_failing;
    if (ring.submits > ring.early_submits && !(fails && ring.submit_keeping)) {
        ring.ready_count = ring.waiting_count;
    }
    return fails ? FULL : 0;
}

static void remove_entry(int at)
{
    ring.waiting_count--;
    ring.ready_count--;
    memmove(&ring.waiting[at], &ring.waiting[at + 1], (size_t)(ring.waiting_count - at) * sizeof ring.waiting[0]);
    memmove(&ring.numbers[at], &ring.numbers[at + 1], (size_t)(ring.waiting_count - at) * sizeof ring.numbers[0]);
}

static int scripted_take(void *state, struct pal_win_ring_completion *completion)
{
    (void)state;
    if (ring.alien) {
        ring.alien = 0;
        *completion = (struct pal_win_ring_completion){999, 0, PAGE};
        return 1;
    }
    if (ring.repeat && ring.last.bytes != 0) {
        ring.repeat = 0;
        *completion = ring.last;
        return 1;
    }
    int at = ring.reverse ? ring.ready_count - 1 : 0;
    if (ring.lost != 0 && ring.ready_count > 0 && ring.numbers[at] == ring.lost) {
        at += ring.reverse ? -1 : 1;
    }
    if (at < 0 || at >= ring.ready_count) {
        return 0;
    }
    struct pal_win_ring_entry entry = ring.waiting[at];
    int number = ring.numbers[at];
    remove_entry(at);
    *completion = (struct pal_win_ring_completion){entry.tag, 0, 0};
    if (number == ring.failing || number == ring.failing_too) {
        completion->failure = FULL;
    } else if (number != ring.writes_nothing) {
        int is_cut = ring.write_bytes != 0 && entry.length > ring.write_bytes;
        completion->bytes = is_cut ? ring.write_bytes : entry.length;
        memcpy(ring.file + entry.offset, entry.base, (size_t)completion->bytes);
    }
    ring.last = *completion;
    return 1;
}

static void scripted_cancel(void *state, int32_t fd)
{
    (void)state;
    CHECK(fd == 7 && ring.closed == 0);
    ring.cancelled++;
}

static void scripted_close(void *state)
{
    (void)state;
    ring.closed++;
}

static const struct pal_win_ring_calls calls = {NULL, scripted_open, scripted_queue, scripted_submit, scripted_take,
                                            scripted_cancel, scripted_close};

/* A batch of single pages; every second page of the file unless they are neighbours. The script must be set before. */
static int run(int count, int are_neighbours)
{
    fill_pattern(memory, sizeof memory, 11);
    for (int i = 0; i < count; i++) {
        writes[i] = (struct pal_page_write){memory + i * PAGE, (int64_t)i * (are_neighbours ? PAGE : 2 * PAGE), PAGE};
    }
    memset(&counts, 0, sizeof counts);
    memset(&error, 0, sizeof error);
    return pal_win_ring_write(&calls, 7, writes, count, &counts, &error);
}

static void begin(const char *name)
{
    begin_case(name);
    memset(&ring, 0, sizeof ring);
}

/* 1 when the first so many writes are in the file. */
static int are_written(int count)
{
    for (int i = 0; i < count; i++) {
        if (memcmp(ring.file + writes[i].offset, writes[i].base, PAGE) != 0) {
            return 0;
        }
    }
    return 1;
}

static void test_healthy(void)
{
    begin("one write, and an empty batch");
    CHECK(run(1, 0) == 1 && error.code == PAL_OK && are_written(1) && counts.calls == 1 && counts.runs == 1);
    CHECK(run(0, 0) == 1 && error.code == PAL_OK && counts.calls == 0 && counts.runs == 0);
    CHECK(ring.opened == 2 && ring.closed == 2);
    begin("several rounds, completions last first");
    ring.reverse = 1;
    CHECK(run(WRITES_MAX, 0) == 1 && error.code == PAL_OK && are_written(WRITES_MAX));
    CHECK(counts.calls == (WRITES_MAX + PAL_WIN_RING_DEPTH - 1) / PAL_WIN_RING_DEPTH);
    CHECK(counts.runs == WRITES_MAX && counts.bytes == WRITES_MAX * PAGE && ring.closed == 1 && ring.cancelled == 0);
    begin("neighbours are one run");
    CHECK(run(WRITES_MAX, 1) == 1 && error.code == PAL_OK && are_written(WRITES_MAX) && counts.runs == 1);
    begin("no ring: nothing is written, the caller takes another way");
    ring.refuse = 1;
    CHECK(run(5, 0) == 0 && error.code == PAL_OK && ring.queued == 0 && ring.closed == 0);
}

static void test_short(void)
{
    begin("short writes go on where they ended");
    ring.write_bytes = 3000;
    CHECK(run(200, 0) == 1 && error.code == PAL_OK && are_written(200) && counts.bytes == 200 * PAGE);
    begin("short writes, last first");
    ring.write_bytes = 5000;
    ring.reverse = 1;
    CHECK(run(200, 1) == 1 && error.code == PAL_OK && are_written(200) && counts.runs == 1);
    begin("a write of nothing is an error, not an endless loop");
    ring.writes_nothing = 4;
    CHECK(run(10, 0) == 1 && error.code == PAL_IO_ERROR && error.item == 3 && error.offset == 6 * PAGE);
    CHECK(ring.closed == 1 && are_written(3));
}

static void test_failures(void)
{
    begin("a failed write is reported with its code and place; what follows is not started");
    ring.failing = 140;
    CHECK(run(WRITES_MAX, 0) == 1 && error.code == PAL_NO_SPACE && error.os_errno == FULL && error.item == 139);
    CHECK(error.offset == 139 * 2 * PAGE && error.len == PAGE && error.op == PAL_OP_WRITE);
    CHECK(are_written(139) && ring.queued == 2 * PAL_WIN_RING_DEPTH && ring.waiting_count == 0 && ring.cancelled == 0);
    begin("of two failures the first in the file is reported, in whatever order they come");
    ring.failing = 9;
    ring.failing_too = 30;
    ring.reverse = 1;
    CHECK(run(100, 0) == 1 && error.item == 8 && are_written(8) && ring.waiting_count == 0);
    begin("an entry that is not taken: nothing of its round is handed over");
    ring.queue_failing = 5;
    CHECK(run(20, 0) == 1 && error.code == PAL_NO_SPACE && error.item == 4 && ring.submits == 0 && ring.closed == 1);
    begin("a submit that fails after passing entries on: waits for what is in progress, then fails");
    ring.submit_failing = 1;
    CHECK(run(20, 0) == 1 && error.code == PAL_NO_SPACE && ring.waiting_count == 0 && ring.cancelled == 0);
    begin("a submit that fails and hands nothing over: the next one does, the failure stands");
    ring.submit_failing = 1;
    ring.submit_keeping = 1;
    CHECK(run(20, 0) == 1 && error.code == PAL_NO_SPACE && ring.waiting_count == 0 && ring.submits == 2);
}

static void test_completions(void)
{
    begin("submits that return early are waited on");
    ring.early_submits = 3;
    CHECK(run(20, 0) == 1 && error.code == PAL_OK && are_written(20) && counts.calls == 4);
    begin("a completion that never comes: cancelled, told, no endless loop");
    ring.lost = 6;
    CHECK(run(200, 0) == 1 && error.code == PAL_IO_ERROR && error.item == 5 && ring.cancelled == 1 && ring.closed == 1);
    CHECK(ring.submits > 1 && ring.queued == PAL_WIN_RING_DEPTH);
    begin("a completion with an unknown tag fails the batch");
    ring.alien = 1;
    CHECK(run(20, 0) == 1 && error.code == PAL_IO_ERROR && ring.waiting_count == 0 && ring.cancelled == 0);
    begin("a completion that comes twice spoils the batch");
    ring.repeat = 1;
    CHECK(run(20, 0) == 1 && error.code == PAL_IO_ERROR && ring.waiting_count == 0 && ring.cancelled == 0);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    test_healthy();
    test_short();
    test_failures();
    test_completions();
    return end_cases();
}

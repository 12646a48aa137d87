/* ioring_win.c: the ring of Windows 11, looked up when it is needed. */
#include "win.h"

#include "ioring_win_loop.h"

/* A ring costs some calls of its own (make, map, free); smaller batches are written one by one. An estimate, not
 * measured on Windows. */
#define RING_WRITES_MIN 32

/* What the headers of the pinned Zig do not have yet, with the names of ioringapi.h and ntioring_x.h. Writes exist
 * since the third version (Windows 11 22H2). A flush is not sent through the ring: pal_file_sync is a call of its own
 * for one file, after the last completion, and FlushFileBuffers does just that. */
#define IORING_VERSION_3 300
#define IORING_OP_WRITE 5
#define FILE_WRITE_FLAGS_NONE 0
#define RING_WAIT_MS 0xFFFFFFFFu

struct ring_handle;
struct ring_create_flags {
    int32_t required;
    int32_t advisory;
};
struct ring_handle_ref {
    int32_t kind; /* 0 = raw */
    HANDLE handle;
};
struct ring_buffer_ref {
    int32_t kind; /* 0 = raw */
    void *address;
};
struct ring_result {
    UINT_PTR tag;
    HRESULT result;
    ULONG_PTR bytes;
};

typedef HRESULT(WINAPI *create_ring)(int32_t version, struct ring_create_flags flags, UINT32 submissions,
                                     UINT32 completions, struct ring_handle **ring);
typedef BOOL(WINAPI *is_supported)(struct ring_handle *ring, int32_t operation);
typedef HRESULT(WINAPI *build_write)(struct ring_handle *ring, struct ring_handle_ref file,
                                     struct ring_buffer_ref buffer, UINT32 bytes, UINT64 offset, int32_t write_flags,
                                     UINT_PTR tag, int32_t entry_flags);
typedef HRESULT(WINAPI *submit_ring)(struct ring_handle *ring, UINT32 completions, UINT32 ms, UINT32 *submitted);
typedef HRESULT(WINAPI *pop_completion)(struct ring_handle *ring, struct ring_result *result);
typedef HRESULT(WINAPI *close_ring)(struct ring_handle *ring);

struct system_ring {
    struct ring_handle *handle;
    create_ring create;
    is_supported supports;
    build_write build;
    submit_ring submit;
    pop_completion pop;
    close_ring close;
};

/* An HRESULT contains a code of Windows; one without is an I/O error. */
static int32_t failure_of(HRESULT result)
{
    if (SUCCEEDED(result)) {
        return 0;
    }
    return HRESULT_FACILITY(result) == FACILITY_WIN32 ? HRESULT_CODE(result) : PAL_OS_IO_ERROR;
}

static int load(struct system_ring *ring)
{
    HMODULE library = GetModuleHandleW(L"kernelbase.dll");
    if (library == NULL) {
        return 0;
    }
    ring->create = (create_ring)(void *)GetProcAddress(library, "CreateIoRing");
    ring->supports = (is_supported)(void *)GetProcAddress(library, "IsIoRingOpSupported");
    ring->build = (build_write)(void *)GetProcAddress(library, "BuildIoRingWriteFile");
    ring->submit = (submit_ring)(void *)GetProcAddress(library, "SubmitIoRing");
    ring->pop = (pop_completion)(void *)GetProcAddress(library, "PopIoRingCompletion");
    ring->close = (close_ring)(void *)GetProcAddress(library, "CloseIoRing");
    return ring->create != NULL && ring->supports != NULL && ring->build != NULL && ring->submit != NULL &&
           ring->pop != NULL && ring->close != NULL;
}

static int32_t system_open(void *state, uint32_t depth)
{
    struct system_ring *ring = state;
    struct ring_create_flags flags = {0, 0};
    if (!load(ring)) {
        return ERROR_NOT_SUPPORTED;
    }
    HRESULT result = ring->create(IORING_VERSION_3, flags, depth, 2 * depth, &ring->handle);
    if (FAILED(result)) {
        return failure_of(result);
    }
    if (!ring->supports(ring->handle, IORING_OP_WRITE)) {
        ring->close(ring->handle);
        return ERROR_NOT_SUPPORTED;
    }
    return 0;
}

static int32_t system_queue(void *state, int32_t fd, const struct pal_win_ring_entry *entry)
{
    struct system_ring *ring = state;
    struct ring_handle_ref file = {0, pal_win_handle(fd)};
    struct ring_buffer_ref buffer = {0, (void *)(uintptr_t)entry->base};
    return failure_of(ring->build(ring->handle, file, buffer, (UINT32)entry->length, (UINT64)entry->offset,
                                  FILE_WRITE_FLAGS_NONE, entry->tag, 0));
}

static int32_t system_submit(void *state, uint32_t completions)
{
    struct system_ring *ring = state;
    UINT32 submitted;
    return failure_of(ring->submit(ring->handle, completions, RING_WAIT_MS, &submitted));
}

static int system_take(void *state, struct pal_win_ring_completion *completion)
{
    struct system_ring *ring = state;
    struct ring_result result;
    /* S_FALSE: the queue is empty. */
    if (ring->pop(ring->handle, &result) != S_OK) {
        return 0;
    }
    completion->tag = result.tag;
    completion->failure = failure_of(result.result);
    completion->bytes = (int64_t)result.bytes;
    return 1;
}

static void system_cancel(void *state, int32_t fd)
{
    (void)state;
    CancelIoEx(pal_win_handle(fd), NULL);
}

static void system_close(void *state)
{
    struct system_ring *ring = state;
    ring->close(ring->handle);
}

int pal_os_ring_write(struct pal_ring *unused, int fd, const struct pal_page_write *writes, int32_t count,
                      struct pal_write_counts *counts, struct pal_error *error)
{
    (void)unused;
    struct system_ring ring = {0};
    const struct pal_win_ring_calls calls = {&ring,       system_open,   system_queue, system_submit,
                                             system_take, system_cancel, system_close};
    return count >= RING_WRITES_MIN && pal_win_ring_write(&calls, fd, writes, count, counts, error);
}

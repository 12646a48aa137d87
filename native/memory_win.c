/* memory_win.c: mappings, memory and threads on Windows. */
#include <wchar.h>

#include "win.h"

/* Attempts when a random name already exists; more than this is not an accident. */
#define TEMPORARY_ATTEMPTS_MAX 16

/* Ranges in one call to the system: 1 KB of stack. */
#define PREFETCH_RANGES 64

int32_t pal_map(int32_t fd, int64_t length, void **address, struct pal_error *error)
{
    pal_succeed(error);
    *address = NULL;
    HANDLE handle = pal_win_handle(fd);
    struct pal_file_status status;
    if (length <= 0) {
        return pal_fail_at(error, PAL_OP_MAP, ERROR_INVALID_PARAMETER, PAL_NO_ITEM, 0, length);
    }
    if (pal_win_status(handle, &status) != 0) {
        return pal_fail_at(error, PAL_OP_MAP, pal_os_failure(), PAL_NO_ITEM, 0, length);
    }
    /* The system would answer "not enough memory". The caller should learn that it needs another way. */
    if (length > status.length) {
        return pal_fail_at(error, PAL_OP_MAP, ERROR_NOT_SUPPORTED, PAL_NO_ITEM, 0, length);
    }
    HANDLE section = CreateFileMappingW(handle, NULL, PAGE_READONLY, (DWORD)(length >> 32), (DWORD)length, NULL);
    if (section == NULL) {
        return pal_fail_at(error, PAL_OP_MAP, pal_os_failure(), PAL_NO_ITEM, 0, length);
    }
    *address = MapViewOfFile(section, FILE_MAP_READ, 0, 0, (SIZE_T)length);
    pal_win_close(section); /* The view keeps what it needs, the file included. */
    return *address == NULL ? pal_fail_at(error, PAL_OP_MAP, pal_os_failure(), PAL_NO_ITEM, 0, length) : PAL_OK;
}

int32_t pal_unmap(void *address, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    if (!UnmapViewOfFile(address)) {
        return pal_fail_at(error, PAL_OP_UNMAP, pal_os_failure(), PAL_NO_ITEM, 0, length);
    }
    return PAL_OK;
}

void pal_read_at_random(void *address, int64_t length)
{
    /* Advice of this kind is given when a file is opened, and also changes how its cache is filled by reads. */
    (void)address;
    (void)length;
}

void pal_will_need(const struct pal_vector *ranges, int32_t count)
{
    WIN32_MEMORY_RANGE_ENTRY entries[PREFETCH_RANGES];
    for (int32_t done = 0; done < count;) {
        int32_t taken = 0;
        for (; taken < PREFETCH_RANGES && done < count; taken++, done++) {
            entries[taken].VirtualAddress = ranges[done].base;
            entries[taken].NumberOfBytes = (SIZE_T)ranges[done].length;
        }
        PrefetchVirtualMemory(GetCurrentProcess(), (ULONG_PTR)taken, entries, 0);
    }
}

void pal_use_large_pages(void *address, int64_t length)
{
    /* Large pages must be asked for when memory is allocated, and need a privilege. */
    (void)address;
    (void)length;
}

void pal_thread_lower_priority(void)
{
    /* Not the background mode, which would also give the thread's reads and writes the lowest priority. */
    SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
}

int32_t pal_thread_request_short_slices(void)
{
    return 0;
}

int32_t pal_threads_request_batch_scheduling(const char *name)
{
    (void)name;
    return 0;
}

int32_t pal_memory_allocate(int64_t bytes, void **address, struct pal_error *error)
{
    pal_succeed(error);
    *address = NULL;
    if (bytes <= 0) {
        return pal_fail_at(error, PAL_OP_MEMORY, ERROR_INVALID_PARAMETER, PAL_NO_ITEM, PAL_NO_RANGE, bytes);
    }
    *address = VirtualAlloc(NULL, (SIZE_T)bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (*address == NULL) {
        return pal_fail_at(error, PAL_OP_MEMORY, pal_os_failure(), PAL_NO_ITEM, PAL_NO_RANGE, bytes);
    }
    return PAL_OK;
}

int32_t pal_memory_free(void *address, int64_t bytes, struct pal_error *error)
{
    pal_succeed(error);
    if (!VirtualFree(address, 0, MEM_RELEASE)) {
        return pal_fail_at(error, PAL_OP_MEMORY, pal_os_failure(), PAL_NO_ITEM, PAL_NO_RANGE, bytes);
    }
    return PAL_OK;
}

/* Names differ by process, by the clock and by attempt. */
static int open_temporary(const wchar_t *folder, HANDLE *handle)
{
    /* Temporary: the cache keeps it and writes it only when memory is short. */
    const DWORD flags = FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE;
    wchar_t name[MAX_PATH + 64];
    for (int attempt = 0; attempt < TEMPORARY_ATTEMPTS_MAX; attempt++) {
        LARGE_INTEGER ticks;
        QueryPerformanceCounter(&ticks);
        swprintf(name, MAX_PATH + 64, L"%lsjackdaw-%lx-%llx-%x", folder, GetCurrentProcessId(),
                 (unsigned long long)ticks.QuadPart, (unsigned)attempt);
        if (pal_win_open(name, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW, flags, handle) == 0) {
            return 0;
        }
        if (GetLastError() != ERROR_FILE_EXISTS) {
            return -1;
        }
    }
    return -1;
}

int32_t pal_memory_file(int32_t *fd, struct pal_error *error)
{
    pal_succeed(error);
    *fd = -1;
    wchar_t folder[MAX_PATH + 1];
    HANDLE handle;
    /* A section of the paging file would be memory, but cannot be written, read or grown as a file. */
    if (GetTempPathW(MAX_PATH + 1, folder) == 0 || open_temporary(folder, &handle) != 0) {
        return pal_fail(error, PAL_OP_MEMORY_FILE, pal_os_failure());
    }
    *fd = pal_win_descriptor(handle, 0);
    return *fd < 0 ? pal_fail(error, PAL_OP_MEMORY_FILE, pal_os_failure()) : PAL_OK;
}

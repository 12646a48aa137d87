/* directory_win.c: folders on Windows. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "win.h"

/* A read of a folder stops when the longest possible name might not fit any more: 255 units, three bytes each. */
#define NAME_BYTES_MAX (255 * 3 + 1)
#define DIRECTORY_BUFFER_MIN 4096

/* A folder being read; `found` is the entry to hand out next while there is one. */
struct reading {
    HANDLE search;
    WIN32_FIND_DATAW found;
    int has_found;
};

/* Flushing a folder needs the right to write into it, and not every file system supports it. Without it names are as
 * durable as the file system's own log makes them. */
static int offers_no_flush(DWORD failure)
{
    return failure == ERROR_ACCESS_DENIED || failure == ERROR_INVALID_FUNCTION || failure == ERROR_INVALID_HANDLE ||
           failure == ERROR_INVALID_PARAMETER || failure == ERROR_NOT_SUPPORTED;
}

/* 0 when there is a folder of that name, -1 with the last error set. */
static int require_folder(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return -1;
    }
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0) {
        SetLastError(ERROR_DIRECTORY);
        return -1;
    }
    return 0;
}

int pal_win_sync_directory(const wchar_t *path)
{
    HANDLE handle;
    if (require_folder(path) != 0) {
        return -1;
    }
    if (pal_win_open(path, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, &handle) != 0) {
        return offers_no_flush(GetLastError()) ? 0 : -1;
    }
    int result = FlushFileBuffers(handle) || offers_no_flush(GetLastError()) ? 0 : -1;
    pal_win_close(handle);
    return result;
}

int32_t pal_sync_directories(const char *const *paths, int32_t count, struct pal_error *error)
{
    pal_succeed(error);
    for (int32_t i = 0; i < count; i++) {
        wchar_t units[PAL_WIN_PATH_UNITS];
        if (pal_win_path(paths[i], units) != 0 || pal_win_sync_directory(units) != 0) {
            return pal_fail_at(error, PAL_OP_SYNC_DIRECTORY, pal_os_failure(), i, PAL_NO_RANGE, PAL_NO_RANGE);
        }
    }
    return PAL_OK;
}

/* Makes one folder. 1 = made, 0 = existed, -1 with the last error set. */
static int make_one(const wchar_t *path)
{
    if (CreateDirectoryW(path, NULL)) {
        return 1;
    }
    DWORD failed = GetLastError();
    DWORD attributes = GetFileAttributesW(path);
    if (attributes != INVALID_FILE_ATTRIBUTES) {
        SetLastError(ERROR_ALREADY_EXISTS);
        return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? 0 : -1;
    }
    SetLastError(failed);
    return -1;
}

static int sync_parent(const wchar_t *path)
{
    wchar_t parent[PAL_WIN_PATH_UNITS];
    wcscpy(parent, path);
    return pal_win_parent(parent) ? pal_win_sync_directory(parent) : 0;
}

/* Cuts names off until a folder exists or can be made, then goes back down. This does not need to know which part is
 * the root of a drive or share. PAL_OP_NONE, or the step that failed with the last error set. */
static int32_t make_with_parents(const wchar_t *whole)
{
    wchar_t part[PAL_WIN_PATH_UNITS];
    wcscpy(part, whole);
    int made = make_one(part);
    while (made < 0) {
        if (GetLastError() != ERROR_PATH_NOT_FOUND || !pal_win_parent(part)) {
            return PAL_OP_MAKE_DIRECTORY;
        }
        made = make_one(part);
    }
    for (size_t at = wcslen(part);;) {
        /* The last one is synced even if it existed: an earlier process may have died before its sync. */
        if ((made == 1 || whole[at] == 0) && sync_parent(part) != 0) {
            DWORD failed = GetLastError();
            if (made == 1) {
                /* Otherwise the next try would find it and not sync its name, unless it is the last one. */
                RemoveDirectoryW(part);
            }
            SetLastError(failed);
            return PAL_OP_SYNC_DIRECTORY;
        }
        if (whole[at] == 0) {
            return PAL_OP_NONE;
        }
        at += 1 + wcscspn(whole + at + 1, L"\\");
        memcpy(part, whole, at * sizeof(wchar_t));
        part[at] = 0;
        made = make_one(part);
        if (made < 0) {
            return PAL_OP_MAKE_DIRECTORY;
        }
    }
}

int32_t pal_directory_create(const char *path, struct pal_error *error)
{
    pal_succeed(error);
    wchar_t units[PAL_WIN_PATH_UNITS];
    if (pal_win_path(path, units) != 0) {
        return pal_fail(error, PAL_OP_MAKE_DIRECTORY, pal_os_failure());
    }
    int32_t failed = make_with_parents(units);
    return failed == PAL_OP_NONE ? PAL_OK : pal_fail(error, failed, pal_os_failure());
}

int32_t pal_directory_remove(const char *path, struct pal_error *error)
{
    pal_succeed(error);
    wchar_t units[PAL_WIN_PATH_UNITS];
    if (pal_win_path(path, units) != 0 || !RemoveDirectoryW(units)) {
        return pal_fail(error, PAL_OP_REMOVE_DIRECTORY, pal_os_failure());
    }
    return PAL_OK;
}

/* The names of a folder are listed by searching for a pattern. 0 or -1 with the last error set. */
static int begin_search(const char *path, struct reading *reading)
{
    wchar_t pattern[PAL_WIN_PATH_UNITS + 2];
    if (pal_win_path(path, pattern) != 0 || require_folder(pattern) != 0) {
        return -1;
    }
    size_t length = wcslen(pattern);
    wcscpy(pattern + length, pattern[length - 1] == L'\\' ? L"*" : L"\\*");
    reading->search = FindFirstFileExW(pattern, FindExInfoBasic, &reading->found, FindExSearchNameMatch, NULL,
                                       FIND_FIRST_EX_LARGE_FETCH);
    reading->has_found = reading->search != INVALID_HANDLE_VALUE;
    /* An empty root of a drive has not even "." in it. */
    return reading->has_found || GetLastError() == ERROR_FILE_NOT_FOUND ? 0 : -1;
}

int32_t pal_directory_open(const char *path, void **directory, struct pal_error *error)
{
    pal_succeed(error);
    *directory = NULL;
    struct reading *reading = malloc(sizeof *reading);
    if (reading == NULL) {
        return pal_fail(error, PAL_OP_LIST_DIRECTORY, ERROR_NOT_ENOUGH_MEMORY);
    }
    if (begin_search(path, reading) != 0) {
        pal_fail(error, PAL_OP_LIST_DIRECTORY, pal_os_failure());
        free(reading);
        return error->code;
    }
    *directory = reading;
    return PAL_OK;
}

/* Moves to the next entry: 0, also at the end, or -1 with the last error set. */
static int search_on(struct reading *reading)
{
    reading->has_found = FindNextFileW(reading->search, &reading->found) != 0;
    return reading->has_found || GetLastError() == ERROR_NO_MORE_FILES ? 0 : -1;
}

int32_t pal_directory_read(void *directory, char *buffer, int32_t size, int32_t *used, struct pal_error *error)
{
    pal_succeed(error);
    *used = 0;
    struct reading *reading = directory;
    if (size < DIRECTORY_BUFFER_MIN) {
        return pal_fail(error, PAL_OP_LIST_DIRECTORY, ERROR_INVALID_PARAMETER);
    }
    while (reading->has_found && size - *used >= NAME_BYTES_MAX) {
        const wchar_t *name = reading->found.cFileName;
        if (wcscmp(name, L".") != 0 && wcscmp(name, L"..") != 0) {
            /* A name that is not valid text could not be opened by the name we would return. */
            int bytes = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, name, -1, buffer + *used, size - *used, NULL,
                                            NULL);
            if (bytes == 0) {
                return pal_fail(error, PAL_OP_LIST_DIRECTORY, pal_os_failure());
            }
            *used += bytes;
        }
        if (search_on(reading) != 0) {
            return pal_fail(error, PAL_OP_LIST_DIRECTORY, pal_os_failure());
        }
    }
    return PAL_OK;
}

int32_t pal_directory_close(void *directory, struct pal_error *error)
{
    pal_succeed(error);
    struct reading *reading = directory;
    BOOL closed = reading->search == INVALID_HANDLE_VALUE || FindClose(reading->search);
    free(reading);
    return closed ? PAL_OK : pal_fail(error, PAL_OP_LIST_DIRECTORY, pal_os_failure());
}

/* names_win.c: locks, links, renames and deletions on Windows. */
#include <string.h>

#include "win.h"

/* Attempts when the lock file is deleted and created again between open and lock; more than this is not an accident. */
#define LOCK_ATTEMPTS_MAX 16

int32_t pal_path_status(const char *path, int32_t follow, struct pal_file_status *status, struct pal_error *error)
{
    pal_succeed(error);
    wchar_t units[PAL_WIN_PATH_UNITS];
    HANDLE handle;
    /* Folders can be opened only with this flag, which has nothing to do with backups here. */
    DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
    if (pal_win_path(path, units) != 0 ||
        pal_win_open(units, FILE_READ_ATTRIBUTES, OPEN_EXISTING, flags, &handle) != 0) {
        return pal_fail(error, PAL_OP_STAT, pal_os_failure());
    }
    int result = pal_win_status(handle, status);
    pal_win_close(handle);
    return result == 0 ? PAL_OK : pal_fail(error, PAL_OP_STAT, pal_os_failure());
}

static int lock_handle(HANDLE handle)
{
    OVERLAPPED place;
    if (pal_win_begin(&place, PAL_WIN_LOCK_OFFSET) != 0) {
        return -1;
    }
    const DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    BOOL started = LockFileEx(handle, flags, 0, 1, 0, &place);
    return pal_win_end(handle, &place, started) < 0 ? -1 : 0;
}

/* 1 when the name still refers to the locked file; 0 when it was deleted or replaced meanwhile. */
static int is_still_named(HANDLE handle, const char *path)
{
    struct pal_file_status opened;
    struct pal_file_status named;
    struct pal_error ignored;
    return pal_win_status(handle, &opened) == 0 && pal_path_status(path, 1, &named, &ignored) == PAL_OK &&
           opened.device == named.device && opened.file == named.file;
}

static void read_owner(HANDLE handle, char *owner, int32_t owner_size)
{
    DWORD failed = GetLastError();
    int64_t bytes = 0;
    struct pal_error ignored;
    int32_t fd = (int32_t)(intptr_t)handle;
    if (pal_file_read(fd, 0, owner, owner_size - 1, &bytes, &ignored) != PAL_OK) {
        bytes = 0;
    }
    owner[bytes] = 0;
    SetLastError(failed);
}

static int open_locked(const char *path, HANDLE *handle, char *owner, int32_t owner_size)
{
    wchar_t units[PAL_WIN_PATH_UNITS];
    if (pal_win_path(path, units) != 0) {
        return -1;
    }
    for (int attempt = 0; attempt < LOCK_ATTEMPTS_MAX; attempt++) {
        if (pal_win_open(units, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, 0, handle) != 0) {
            return -1;
        }
        if (lock_handle(*handle) != 0) {
            read_owner(*handle, owner, owner_size);
            pal_win_close(*handle);
            return -1;
        }
        if (is_still_named(*handle, path)) {
            return 0;
        }
        CloseHandle(*handle);
    }
    SetLastError(ERROR_LOCK_VIOLATION);
    return -1;
}

int32_t pal_lock(const char *path, const char *text, int32_t *fd, char *owner, int32_t owner_size,
                 struct pal_error *error)
{
    pal_succeed(error);
    *fd = -1;
    if (owner_size < 1) {
        return pal_fail(error, PAL_OP_LOCK, ERROR_INVALID_PARAMETER);
    }
    owner[0] = 0;
    HANDLE handle;
    int32_t locked = open_locked(path, &handle, owner, owner_size) == 0
        ? pal_win_descriptor(handle, PAL_WIN_LOCKED) : -1;
    if (locked < 0) {
        return pal_fail(error, PAL_OP_LOCK, pal_os_failure());
    }
    int cut = pal_win_set_length(handle, pal_write_text(locked, text));
    (void)cut;
    *fd = locked;
    return PAL_OK;
}

int32_t pal_link(const char *existing_path, const char *new_path, struct pal_error *error)
{
    pal_succeed(error);
    wchar_t existing[PAL_WIN_PATH_UNITS];
    wchar_t added[PAL_WIN_PATH_UNITS];
    if (pal_win_path(existing_path, existing) != 0 || pal_win_path(new_path, added) != 0 ||
        !CreateHardLinkW(added, existing, NULL)) {
        return pal_fail(error, PAL_OP_LINK, pal_os_failure());
    }
    return PAL_OK;
}

int32_t pal_rename_durable(const char *from_path, const char *to_path, struct pal_error *error)
{
    pal_succeed(error);
    wchar_t from[PAL_WIN_PATH_UNITS];
    wchar_t to[PAL_WIN_PATH_UNITS];
    if (pal_win_path(from_path, from) != 0 || pal_win_path(to_path, to) != 0 ||
        !MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
        return pal_fail(error, PAL_OP_RENAME, pal_os_failure());
    }
    /* The new name first: a power cut in between must not lose both names. */
    if (pal_win_parent(to) && pal_win_sync_directory(to) != 0) {
        return pal_fail(error, PAL_OP_SYNC_DIRECTORY, pal_os_failure());
    }
    if (pal_win_parent(from) && lstrcmpiW(from, to) != 0 && pal_win_sync_directory(from) != 0) {
        return pal_fail(error, PAL_OP_SYNC_DIRECTORY, pal_os_failure());
    }
    return PAL_OK;
}

/* Removes the name at once even if other handles are open, where the system can (Windows 10 on NTFS); otherwise the
 * name is removed with the last handle. */
static int delete_handle(HANDLE handle)
{
    FILE_DISPOSITION_INFO_EX at_once = {FILE_DISPOSITION_FLAG_DELETE | FILE_DISPOSITION_FLAG_POSIX_SEMANTICS};
    if (SetFileInformationByHandle(handle, PAL_WIN_DISPOSITION_EX, &at_once, sizeof at_once)) {
        return 0;
    }
    switch (GetLastError()) {
    case ERROR_INVALID_PARAMETER:
    case ERROR_INVALID_FUNCTION:
    case ERROR_NOT_SUPPORTED:
    case ERROR_CALL_NOT_IMPLEMENTED: break;
    default: return -1;
    }
    FILE_DISPOSITION_INFO later = {TRUE};
    return SetFileInformationByHandle(handle, FileDispositionInfo, &later, sizeof later) ? 0 : -1;
}

int32_t pal_delete(const char *path, struct pal_error *error)
{
    pal_succeed(error);
    wchar_t units[PAL_WIN_PATH_UNITS];
    HANDLE handle;
    if (pal_win_path(path, units) != 0 ||
        pal_win_open(units, DELETE, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, &handle) != 0) {
        return pal_fail(error, PAL_OP_DELETE, pal_os_failure());
    }
    int result = delete_handle(handle);
    pal_win_close(handle);
    return result == 0 ? PAL_OK : pal_fail(error, PAL_OP_DELETE, pal_os_failure());
}

int32_t pal_free_space(const char *path, int64_t *bytes, struct pal_error *error)
{
    pal_succeed(error);
    *bytes = 0;
    wchar_t units[PAL_WIN_PATH_UNITS];
    ULARGE_INTEGER available;
    if (pal_win_path(path, units) != 0) {
        return pal_fail(error, PAL_OP_FREE_SPACE, pal_os_failure());
    }
    /* The call needs a folder; for a file, its folder is used. */
    DWORD attributes = GetFileAttributesW(units);
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return pal_fail(error, PAL_OP_FREE_SPACE, pal_os_failure());
    }
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0) {
        pal_win_parent(units);
    }
    if (!GetDiskFreeSpaceExW(units, &available, NULL, NULL)) {
        return pal_fail(error, PAL_OP_FREE_SPACE, pal_os_failure());
    }
    *bytes = (int64_t)available.QuadPart;
    return PAL_OK;
}

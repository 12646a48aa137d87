/* file_win.c: files on Windows. */
#include "win.h"

#include <winioctl.h>

static DWORD disposition_of(int32_t opening)
{
    switch (opening) {
    case PAL_CREATE_NEW: return CREATE_NEW;
    case PAL_OPEN_OR_CREATE: return OPEN_ALWAYS;
    default: return OPEN_EXISTING;
    }
}

/* The system refuses a folder as a lack of rights; the caller should learn that it is a folder. */
static int32_t open_failure(const wchar_t *path)
{
    DWORD failed = GetLastError();
    if (failed == ERROR_ACCESS_DENIED) {
        DWORD attributes = GetFileAttributesW(path);
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
            failed = ERROR_DIRECTORY_NOT_SUPPORTED;
        }
    }
    return (int32_t)failed;
}

static int open_for(const wchar_t *path, int32_t opening, int32_t use, HANDLE *handle, int32_t *direct)
{
    DWORD access = use == PAL_USE_READ_ONLY ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
    DWORD flags = use == PAL_USE_JOURNAL ? FILE_FLAG_NO_BUFFERING | FILE_FLAG_WRITE_THROUGH : 0;
    DWORD disposition = disposition_of(opening);
    int result = pal_win_open(path, access, disposition, flags, handle);
    *direct = result == 0 && use == PAL_USE_JOURNAL;
    if (result != 0 && use == PAL_USE_JOURNAL && GetLastError() == ERROR_INVALID_PARAMETER) {
        /* A volume that only works through the cache: slower, equally durable. */
        result = pal_win_open(path, access, disposition, FILE_FLAG_WRITE_THROUGH, handle);
    }
    return result;
}

int32_t pal_file_open(const char *path, int32_t opening, int32_t use, int32_t *fd, int32_t *direct,
                      struct pal_error *error)
{
    pal_succeed(error);
    *fd = -1;
    *direct = 0;
    if (opening < PAL_OPEN_EXISTING || opening > PAL_OPEN_OR_CREATE || use < PAL_USE_DATA || use > PAL_USE_READ_ONLY) {
        return pal_fail(error, PAL_OP_OPEN, ERROR_INVALID_PARAMETER);
    }
    wchar_t units[PAL_WIN_PATH_UNITS];
    HANDLE handle;
    if (pal_win_path(path, units) != 0) {
        return pal_fail(error, PAL_OP_OPEN, pal_os_failure());
    }
    if (open_for(units, opening, use, &handle, direct) != 0) {
        return pal_fail(error, PAL_OP_OPEN, open_failure(units));
    }
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        CloseHandle(handle);
        return pal_fail(error, PAL_OP_OPEN, ERROR_BAD_FILE_TYPE);
    }
    *fd = pal_win_descriptor(handle, *direct ? PAL_WIN_UNBUFFERED : 0);
    return *fd < 0 ? pal_fail(error, PAL_OP_OPEN, pal_os_failure()) : PAL_OK;
}

int32_t pal_file_close(int32_t fd, struct pal_error *error)
{
    pal_succeed(error);
    HANDLE handle = pal_win_handle(fd);
    OVERLAPPED place;
    /* The system would do it too, but later. */
    if (fd >= 0 && (fd & PAL_WIN_LOCKED) != 0 && pal_win_begin(&place, PAL_WIN_LOCK_OFFSET) == 0) {
        UnlockFileEx(handle, 0, 1, 0, &place);
        CloseHandle(place.hEvent);
    }
    return CloseHandle(handle) ? PAL_OK : pal_fail(error, PAL_OP_CLOSE, pal_os_failure());
}

int32_t pal_file_status(int32_t fd, struct pal_file_status *status, struct pal_error *error)
{
    pal_succeed(error);
    return pal_win_status(pal_win_handle(fd), status) == 0 ? PAL_OK : pal_fail(error, PAL_OP_STAT, pal_os_failure());
}

int pal_win_set_length(HANDLE handle, int64_t length)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = length};
    return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end) ? 0 : -1;
}

/* True when a new length alone does not allocate blocks: the file was once punched, or is stored compressed. */
static int is_sparse(HANDLE handle)
{
    const DWORD sparse = FILE_ATTRIBUTE_SPARSE_FILE | FILE_ATTRIBUTE_COMPRESSED;
    FILE_BASIC_INFO basic;
    return GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic) &&
           (basic.FileAttributes & sparse) != 0;
}

int32_t pal_file_allocate(int32_t fd, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    HANDLE handle = pal_win_handle(fd);
    struct pal_file_status status;
    if (length < 0) {
        return pal_fail_at(error, PAL_OP_ALLOCATE, ERROR_INVALID_PARAMETER, PAL_NO_ITEM, 0, length);
    }
    if (pal_win_status(handle, &status) != 0) {
        return pal_fail(error, PAL_OP_ALLOCATE, pal_os_failure());
    }
    int64_t more = length - status.length;
    if (more <= 0) {
        return PAL_OK;
    }
    /* An ordinary file gets its clusters with its length; what is behind the last byte written reads as zero. */
    int32_t failed = pal_win_set_length(handle, length) == 0 ? 0 : pal_os_failure();
    if (failed == 0 && is_sparse(handle)) {
        failed = pal_write_zeros(fd, status.length, more, error) == PAL_OK ? 0 : error->os_errno;
    }
    if (failed == 0) {
        return PAL_OK;
    }
    int restored = pal_win_set_length(handle, status.length);
    (void)restored;
    return pal_fail_at(error, PAL_OP_ALLOCATE, failed, PAL_NO_ITEM, status.length, more);
}

int32_t pal_file_set_length(int32_t fd, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    if (pal_win_set_length(pal_win_handle(fd), length) != 0) {
        return pal_fail_at(error, PAL_OP_SET_LENGTH, pal_os_failure(), PAL_NO_ITEM, 0, length);
    }
    return PAL_OK;
}

/* Bytes, 0 at the end of the file, or -1 with the last error set. */
static int64_t read_once(HANDLE handle, int64_t offset, void *destination, int64_t bytes)
{
    OVERLAPPED call;
    if (pal_win_begin(&call, offset) != 0) {
        return -1;
    }
    int64_t done = pal_win_end(handle, &call, ReadFile(handle, destination, (DWORD)bytes, NULL, &call));
    return done < 0 && GetLastError() == ERROR_HANDLE_EOF ? 0 : done;
}

/* True when a short read ended at the end of the file: continuing there would be an unaligned unbuffered read. */
static int at_end(HANDLE handle, int64_t position)
{
    struct pal_file_status status;
    return pal_win_status(handle, &status) == 0 && position >= status.length;
}

int32_t pal_file_read(int32_t fd, int64_t offset, void *destination, int64_t length, int64_t *done,
                      struct pal_error *error)
{
    pal_succeed(error);
    *done = 0;
    HANDLE handle = pal_win_handle(fd);
    if (offset < 0 || length < 0) {
        return pal_fail_at(error, PAL_OP_READ, ERROR_INVALID_PARAMETER, PAL_NO_ITEM, offset, length);
    }
    while (*done < length) {
        int64_t bytes = length - *done < PAL_WIN_CALL_BYTES_MAX ? length - *done : PAL_WIN_CALL_BYTES_MAX;
        int64_t read_now = read_once(handle, offset + *done, (uint8_t *)destination + *done, bytes);
        if (read_now < 0 && pal_os_failure() == PAL_OS_INTERRUPTED) {
            continue;
        }
        if (read_now < 0) {
            return pal_fail_at(error, PAL_OP_READ, pal_os_failure(), PAL_NO_ITEM, offset + *done, bytes);
        }
        *done += read_now;
        if (read_now == 0 || (read_now < bytes && at_end(handle, offset + *done))) {
            break;
        }
    }
    return PAL_OK;
}

int32_t pal_file_sync(int32_t fd, int32_t kind, struct pal_error *error)
{
    pal_succeed(error);
    /* Data, metadata and the drive's cache, whatever the kind: there is no weaker call that every file system supports.
     * */
    if (!FlushFileBuffers(pal_win_handle(fd))) {
        return pal_fail(error, kind == PAL_SYNC_DATA ? PAL_OP_SYNC_DATA : PAL_OP_SYNC_FULL, pal_os_failure());
    }
    return PAL_OK;
}

static int control(HANDLE handle, DWORD code, void *input, DWORD bytes)
{
    OVERLAPPED call;
    if (pal_win_begin(&call, 0) != 0) {
        return -1;
    }
    BOOL started = DeviceIoControl(handle, code, input, bytes, NULL, 0, NULL, &call);
    return pal_win_end(handle, &call, started) < 0 ? -1 : 0;
}

int32_t pal_file_punch(int32_t fd, int64_t offset, int64_t length, struct pal_error *error)
{
    pal_succeed(error);
    HANDLE handle = pal_win_handle(fd);
    if (pal_is_unaligned(offset) || pal_is_unaligned(length)) {
        return pal_fail_at(error, PAL_OP_PUNCH, ERROR_INVALID_PARAMETER, PAL_NO_ITEM, offset, length);
    }
    FILE_ZERO_DATA_INFORMATION range = {.FileOffset.QuadPart = offset, .BeyondFinalZero.QuadPart = offset + length};
    if (length > 0 && (control(handle, FSCTL_SET_SPARSE, NULL, 0) != 0 ||
                       control(handle, FSCTL_SET_ZERO_DATA, &range, sizeof range) != 0)) {
        return pal_fail_at(error, PAL_OP_PUNCH, pal_os_failure(), PAL_NO_ITEM, offset, length);
    }
    return PAL_OK;
}

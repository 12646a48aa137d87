/* handle_win.c: handles as descriptors, overlapped calls, and the kind of a handle. */
#include "win.h"

HANDLE pal_win_handle(int32_t fd)
{
    return fd < 0 ? NULL : (HANDLE)(intptr_t)(fd & ~(PAL_WIN_UNBUFFERED | PAL_WIN_LOCKED));
}

int32_t pal_win_descriptor(HANDLE handle, int32_t marks)
{
    intptr_t value = (intptr_t)handle;
    if (value <= 0 || value > INT32_MAX || (value & (PAL_WIN_UNBUFFERED | PAL_WIN_LOCKED)) != 0) {
        CloseHandle(handle);
        SetLastError(ERROR_NO_SYSTEM_RESOURCES);
        return -1;
    }
    return (int32_t)value | marks;
}

int pal_win_open(const wchar_t *path, DWORD access, DWORD disposition, DWORD flags, HANDLE *handle)
{
    *handle = CreateFileW(path, access, PAL_WIN_SHARE_ALL, NULL, disposition, flags | FILE_FLAG_OVERLAPPED, NULL);
    return *handle == INVALID_HANDLE_VALUE ? -1 : 0;
}

void pal_win_close(HANDLE handle)
{
    DWORD failed = GetLastError();
    CloseHandle(handle);
    SetLastError(failed);
}

int pal_win_begin(OVERLAPPED *call, int64_t offset)
{
    *call = (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    /* One event per call, which is cheap compared with the disk: one per thread would leak with the thread, and the
     * file's own is shared by every call in progress on it. */
    call->hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    return call->hEvent == NULL ? -1 : 0;
}

int64_t pal_win_end(HANDLE handle, OVERLAPPED *call, BOOL started)
{
    DWORD bytes = 0;
    int64_t result = -1;
    if ((started || GetLastError() == ERROR_IO_PENDING) && GetOverlappedResult(handle, call, &bytes, TRUE)) {
        result = (int64_t)bytes;
    }
    pal_win_close(call->hEvent);
    return result;
}

/* 64 of the 128 bits. NTFS and FAT use the lower half only; ReFS has a number of the folder in the upper one, both
 * small: rotated by half, they do not collide. */
static uint64_t fold_file(const FILE_ID_128 *id)
{
    uint64_t low = 0;
    uint64_t high = 0;
    for (int i = 7; i >= 0; i--) {
        low = low << 8 | id->Identifier[i];
        high = high << 8 | id->Identifier[i + 8];
    }
    return low ^ (high << 32 | high >> 32);
}

int pal_win_status(HANDLE handle, struct pal_file_status *status)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle(handle, &found)) {
        return -1;
    }
    status->length = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
    status->links = (int32_t)found.nNumberOfLinks;
    status->is_directory = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    status->owner = -1;
    status->allocated = status->length;
    FILE_STANDARD_INFO blocks;
    if (GetFileInformationByHandleEx(handle, FileStandardInfo, &blocks, sizeof blocks)) {
        status->allocated = blocks.AllocationSize.QuadPart;
    }
    status->device = found.dwVolumeSerialNumber;
    status->file = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    FILE_ID_INFO identity;
    /* File systems without it have identities of 64 bits, which are set above. */
    if (GetFileInformationByHandleEx(handle, FileIdInfo, &identity, sizeof identity)) {
        status->device = identity.VolumeSerialNumber;
        status->file = fold_file(&identity.FileId);
    }
    return 0;
}

/* win.h: what the Windows files of libpal share.
 *
 * Descriptors: a file handle of Windows has 32 significant bits by its contract between 32- and 64-bit processes, is
 * never negative, and its two lowest bits are ignored by the system, for use as marks. So an `fd` is the handle itself
 * with marks in it: no table, no state. Every file is opened for overlapped calls: otherwise no call on a file could
 * begin while another one (such as a sync) is in progress on it. */
#ifndef PAL_WIN_H
#define PAL_WIN_H

#include "pal_internal.h"

/* What the headers of the pinned Zig lack. */
#define PAL_WIN_DISPOSITION_EX ((FILE_INFO_BY_HANDLE_CLASS)21) /* FileDispositionInfoEx */
#ifndef ERROR_DIRECTORY_NOT_SUPPORTED
#define ERROR_DIRECTORY_NOT_SUPPORTED 336
#endif
#ifndef ERROR_DISK_QUOTA_EXCEEDED
#define ERROR_DISK_QUOTA_EXCEEDED 1295
#endif

/* Marks in an fd. */
#define PAL_WIN_UNBUFFERED 1
#define PAL_WIN_LOCKED 2

/* Longest path in UTF-16 units, with its zero: the PATH_MAX of Linux. The system takes 32,767, more than a stack
 * should. */
#define PAL_WIN_PATH_UNITS 4096

/* Longest read, write or piece of one call. */
#define PAL_WIN_CALL_BYTES_MAX PAL_TRANSFER_BYTES_MAX

/* Other handles of a file never prevent reading, writing, renaming or deleting it, as on other systems. */
#define PAL_WIN_SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* The place of the lock in a lock file: one byte far behind any text, because a locked byte cannot be read by others.
 * */
#define PAL_WIN_LOCK_OFFSET INT64_C(0x4000000000000000)

/* path_win.c: UTF-8 to an absolute path with the prefix that lifts the limit of 260 units. 0, or -1 with the last error
 * set. */
int pal_win_path(const char *path, wchar_t units[PAL_WIN_PATH_UNITS]);

/* path_win.c: cuts the last name off an absolute path. 0 when there is none to cut. */
int pal_win_parent(wchar_t *units);

/* handle_win.c: the handle in an fd; NULL, which every call refuses, for a negative one. */
HANDLE pal_win_handle(int32_t fd);

/* handle_win.c: the fd of a handle; takes it over. -1 with the last error set when it does not fit (none ever did). */
int32_t pal_win_descriptor(HANDLE handle, int32_t marks);

/* handle_win.c: opens; 0 or -1 with the last error set. `flags` beside overlapped mode. */
int pal_win_open(const wchar_t *path, DWORD access, DWORD disposition, DWORD flags, HANDLE *handle);

/* handle_win.c: closes and leaves the last error as it was. */
void pal_win_close(HANDLE handle);

/* handle_win.c: one overlapped call. Begin makes its event: 0 or -1 with the last error set. End takes the result of
 * the call, waits for it where need be and frees the event: bytes, or -1 with the last error set. */
int pal_win_begin(OVERLAPPED *call, int64_t offset);
int64_t pal_win_end(HANDLE handle, OVERLAPPED *call, BOOL started);

/* handle_win.c: the kind of a handle; 0 or -1 with the last error set. */
int pal_win_status(HANDLE handle, struct pal_file_status *status);

/* file_win.c: 0 or -1 with the last error set. */
int pal_win_set_length(HANDLE handle, int64_t length);

/* directory_win.c: 0 or -1 with the last error set. */
int pal_win_sync_directory(const wchar_t *path);

#endif

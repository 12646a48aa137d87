/* os_win.h: how the shared C files name pieces and failures of Windows. Its twin is os_posix.h. */
#ifndef PAL_OS_WIN_H
#define PAL_OS_WIN_H

#include <stddef.h>
#include <sys/types.h>
#include <windows.h>

/* Windows has no type of its own for a piece of memory of any length. */
struct iovec {
    void *iov_base;
    size_t iov_len;
};

/* The C library's off_t has 32 bits unless the build asks for more. */
_Static_assert(sizeof(off_t) == 8, "build with -D_FILE_OFFSET_BITS=64");

/* Where a failed system call leaves its code. */
#define pal_os_failure() ((int32_t)GetLastError())
#define pal_os_set_failure(os_code) SetLastError((DWORD)(os_code))

/* Codes that libpal itself reports. A transfer is aborted when somebody cancels the thread's calls; it is then
 * repeated, as after a signal on other systems. */
#define PAL_OS_IO_ERROR ERROR_IO_DEVICE
#define PAL_OS_INVALID_ARGUMENT ERROR_INVALID_PARAMETER
#define PAL_OS_INTERRUPTED ERROR_OPERATION_ABORTED
#define PAL_OS_NOT_SUPPORTED ERROR_NOT_SUPPORTED
#define PAL_OS_SCRIPT_ENDED ERROR_NO_MORE_ITEMS

#endif

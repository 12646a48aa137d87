/* os_posix.h: how the shared C files name pieces and failures of Linux and macOS. Its twin is os_win.h. */
#ifndef PAL_OS_POSIX_H
#define PAL_OS_POSIX_H

#include <errno.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Where a failed system call leaves its code. */
#define pal_os_failure() errno
#define pal_os_set_failure(os_code) (errno = (os_code))

/* Codes that libpal itself reports. */
#define PAL_OS_IO_ERROR EIO
#define PAL_OS_INVALID_ARGUMENT EINVAL
#define PAL_OS_INTERRUPTED EINTR
#define PAL_OS_NOT_SUPPORTED ENOSYS
#define PAL_OS_SCRIPT_ENDED ENODATA

#endif

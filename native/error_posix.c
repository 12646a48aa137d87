/* error_posix.c: texts, and the only place where an errno becomes a pal_status. */
#include <errno.h>
#include <string.h>

#include "pal_internal.h"

void pal_error_text(int32_t os_errno, char *buffer, int32_t length)
{
    if (length <= 0) {
        return;
    }
    if (strerror_r(os_errno, buffer, (size_t)length) != 0) {
        buffer[0] = 0;
    }
}

int32_t pal_status_of(int32_t op, int32_t os_errno)
{
    /* FAT, some FUSE and network volumes answer EPERM to a link: they cannot share files, which is not a matter of
     * access rights. */
    if (op == PAL_OP_LINK && os_errno == EPERM) {
        return PAL_NOT_SUPPORTED;
    }
    switch (os_errno) {
    case 0: return PAL_OK;
    case ENOSPC:
    case EDQUOT: return PAL_NO_SPACE;
    case ENOENT:
    case ENOTDIR: return PAL_NOT_FOUND;
    case EEXIST:
    case ENOTEMPTY: return PAL_ALREADY_EXISTS;
    case EACCES:
    case EPERM:
    case EROFS: return PAL_ACCESS_DENIED;
    /* Only for a lock it means that somebody holds it; a write that may not be tried again has failed. */
    case EAGAIN: return op == PAL_OP_LOCK ? PAL_LOCKED : PAL_IO_ERROR;
    case EXDEV: return PAL_CROSS_DEVICE;
    case EMLINK: return PAL_TOO_MANY_LINKS;
    case ENOSYS:
#if ENOTSUP != EOPNOTSUPP
    case ENOTSUP: /* macOS: the answer of file systems; the other one is for sockets */
#endif
    case EOPNOTSUPP: return PAL_NOT_SUPPORTED;
    case EINVAL:
    case EBADF:
    case EFAULT:
    case EISDIR:
    case ENAMETOOLONG: return PAL_INVALID_ARGUMENT;
    case ENOMEM: return PAL_NO_MEMORY;
    case EMFILE:
    case ENFILE: return PAL_TOO_MANY_FILES;
    default: return PAL_IO_ERROR;
    }
}

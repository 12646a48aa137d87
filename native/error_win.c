/* error_win.c: texts, and the only place where a code of Windows becomes a pal_status. */
#include <string.h>

#include "win.h"

/* Longest text requested; those of the system are below 200 units. */
#define TEXT_UNITS 512

void pal_error_text(int32_t os_errno, char *buffer, int32_t length)
{
    if (length <= 0) {
        return;
    }
    buffer[0] = 0;
    wchar_t units[TEXT_UNITS];
    const DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
    /* English, like every other message of the server; the user's language where that is not installed. */
    const DWORD english = MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US);
    DWORD count = FormatMessageW(flags, NULL, (DWORD)os_errno, english, units, TEXT_UNITS, NULL);
    if (count == 0) {
        count = FormatMessageW(flags, NULL, (DWORD)os_errno, 0, units, TEXT_UNITS, NULL);
    }
    while (count > 0 && units[count - 1] <= L' ') {
        count--;
    }
    char text[TEXT_UNITS * 3];
    int bytes = WideCharToMultiByte(CP_UTF8, 0, units, (int)count, text, sizeof text, NULL, NULL);
    if (bytes >= length) {
        bytes = length - 1;
        while (bytes > 0 && (text[bytes] & 0xC0) == 0x80) {
            bytes--;
        }
    }
    memcpy(buffer, text, (size_t)bytes);
    buffer[bytes] = 0;
}

int32_t pal_status_of(int32_t op, int32_t os_errno)
{
    (void)op;
    switch (os_errno) {
    case ERROR_SUCCESS: return PAL_OK;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
    case ERROR_DISK_QUOTA_EXCEEDED: return PAL_NO_SPACE;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_DIRECTORY:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME: return PAL_NOT_FOUND;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
    case ERROR_DIR_NOT_EMPTY: return PAL_ALREADY_EXISTS;
    case ERROR_ACCESS_DENIED:
    case ERROR_DELETE_PENDING:
    case ERROR_PRIVILEGE_NOT_HELD:
    case ERROR_WRITE_PROTECT: return PAL_ACCESS_DENIED;
    case ERROR_SHARING_VIOLATION: /* open in a program that does not share it */
    case ERROR_LOCK_VIOLATION: return PAL_LOCKED;
    case ERROR_NOT_SAME_DEVICE: return PAL_CROSS_DEVICE;
    case ERROR_TOO_MANY_LINKS: return PAL_TOO_MANY_LINKS;
    case ERROR_INVALID_FUNCTION: /* the file system does not support the request: links and holes on FAT */
    case ERROR_CALL_NOT_IMPLEMENTED:
    case ERROR_NOT_SUPPORTED: return PAL_NOT_SUPPORTED;
    case ERROR_BAD_FILE_TYPE:
    case ERROR_BAD_PATHNAME:
    case ERROR_DIRECTORY_NOT_SUPPORTED:
    case ERROR_FILENAME_EXCED_RANGE:
    case ERROR_INVALID_ADDRESS:
    case ERROR_INVALID_HANDLE:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_PARAMETER:
    case ERROR_NEGATIVE_SEEK:
    case ERROR_NOACCESS:
    case ERROR_NO_UNICODE_TRANSLATION:
    case ERROR_USER_MAPPED_FILE: return PAL_INVALID_ARGUMENT;
    case ERROR_COMMITMENT_LIMIT:
    case ERROR_NO_SYSTEM_RESOURCES:
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_NOT_ENOUGH_QUOTA:
    case ERROR_OUTOFMEMORY: return PAL_NO_MEMORY;
    case ERROR_TOO_MANY_OPEN_FILES: return PAL_TOO_MANY_FILES;
    default: return PAL_IO_ERROR;
    }
}

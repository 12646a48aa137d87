/* path_win.c: paths from UTF-8 to the form that Windows needs. */
#include <string.h>
#include <wchar.h>

#include "win.h"

static const wchar_t long_prefix[] = L"\\\\?\\";
static const wchar_t share_prefix[] = L"\\\\?\\UNC\\";

/* Puts the prefix before the absolute path that begins at unit `room` of the buffer. */
static void add_prefix(wchar_t *units, size_t room)
{
    const wchar_t *absolute = units + room;
    const wchar_t *prefix = long_prefix;
    if (wcsncmp(absolute, L"\\\\?\\", 4) == 0 || wcsncmp(absolute, L"\\\\.\\", 4) == 0) {
        prefix = L"";
    } else if (wcsncmp(absolute, L"\\\\", 2) == 0) {
        prefix = share_prefix;
        absolute += 2;
    }
    size_t length = wcslen(prefix);
    memmove(units + length, absolute, (wcslen(absolute) + 1) * sizeof(wchar_t));
    memcpy(units, prefix, length * sizeof(wchar_t));
}

int pal_win_path(const char *path, wchar_t units[PAL_WIN_PATH_UNITS])
{
    enum { room = sizeof share_prefix / sizeof share_prefix[0] - 1 };
    wchar_t given[PAL_WIN_PATH_UNITS];
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, PAL_WIN_PATH_UNITS) == 0) {
        if (GetLastError() == ERROR_INSUFFICIENT_BUFFER) {
            SetLastError(ERROR_FILENAME_EXCED_RANGE);
        }
        return -1;
    }
    if (given[0] == 0) {
        /* As elsewhere: there is no file without a name. */
        SetLastError(ERROR_PATH_NOT_FOUND);
        return -1;
    }
    /* Converts slashes and resolves "..", which the system does not do for paths with the prefix. */
    DWORD length = GetFullPathNameW(given, PAL_WIN_PATH_UNITS - room, units + room, NULL);
    if (length == 0) {
        return -1;
    }
    if (length >= PAL_WIN_PATH_UNITS - room) {
        SetLastError(ERROR_FILENAME_EXCED_RANGE);
        return -1;
    }
    /* "folder/" means the folder; only a root keeps its last separator. */
    if (length > 3 && units[room + length - 1] == L'\\') {
        units[room + length - 1] = 0;
    }
    add_prefix(units, room);
    return 0;
}

int pal_win_parent(wchar_t *units)
{
    wchar_t *last = wcsrchr(units, L'\\');
    /* Before the separator there must be more than the prefix. */
    if (last == NULL || last[1] == 0 || last - units < 4) {
        return 0;
    }
    /* The root of a drive is "C:\"; without its separator it would be the drive itself. */
    last[last[-1] == L':' ? 1 : 0] = 0;
    return 1;
}

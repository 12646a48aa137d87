/* error.c: names of steps, and how a failure is recorded. Texts and statuses: error_posix.c, error_win.c. */
#include <string.h>

#include "pal_internal.h"

static const char *const op_names[PAL_OP_COUNT] = {
    "none",   "open",  "close",          "stat",           "allocate",         "set length",     "read",       "write",
    "sync data", "sync", "punch hole",   "map",            "unmap",            "lock",           "link",       "rename",
    "delete", "create directory", "list directory", "remove directory", "sync directory", "free space", "memory file",
    "memory", "set up ring", "submit to ring", "wait for ring"};

int32_t pal_abi_version(void)
{
    return PAL_ABI_VERSION;
}

int32_t pal_struct_size(int32_t which)
{
    switch (which) {
    case PAL_STRUCT_ERROR: return (int32_t)sizeof(struct pal_error);
    case PAL_STRUCT_VECTOR: return (int32_t)sizeof(struct pal_vector);
    case PAL_STRUCT_PAGE_WRITE: return (int32_t)sizeof(struct pal_page_write);
    case PAL_STRUCT_WRITE_COUNTS: return (int32_t)sizeof(struct pal_write_counts);
    case PAL_STRUCT_FILE_STATUS: return (int32_t)sizeof(struct pal_file_status);
    case PAL_STRUCT_RING_STEP: return (int32_t)sizeof(struct pal_ring_step);
    case PAL_STRUCT_RING_SCRIPT: return (int32_t)sizeof(struct pal_ring_script);
    case PAL_STRUCT_RING_TRACE: return (int32_t)sizeof(struct pal_ring_trace);
    default: return -1;
    }
}

const char *pal_op_name(int32_t op)
{
    return op >= 0 && op < PAL_OP_COUNT ? op_names[op] : "unknown";
}

int32_t pal_succeed(struct pal_error *error)
{
    memset(error, 0, sizeof *error);
    return PAL_OK;
}

int32_t pal_fail_at(struct pal_error *error, int32_t op, int32_t os_errno, int32_t item, int64_t offset, int64_t len)
{
    /* Without an errno the caller would take the failure for success. */
    error->os_errno = os_errno == 0 ? PAL_OS_IO_ERROR : os_errno;
    error->code = pal_status_of(op, error->os_errno);
    error->op = op;
    error->item = item;
    error->offset = offset;
    error->len = len;
    return error->code;
}

int32_t pal_fail(struct pal_error *error, int32_t op, int32_t os_errno)
{
    return pal_fail_at(error, op, os_errno, PAL_NO_ITEM, PAL_NO_RANGE, PAL_NO_RANGE);
}

int32_t pal_is_unaligned(int64_t value)
{
    return value < 0 || value % PAL_ALIGNMENT != 0;
}

/* ring_none.c: systems without a ring for the process: macOS has none, Windows makes one for each batch. */

#include "pal_internal.h"

int32_t pal_ring_open(struct pal_ring **ring, struct pal_error *error)
{
    *ring = NULL;
    return pal_fail(error, PAL_OP_RING_SETUP, PAL_OS_NOT_SUPPORTED);
}

void pal_ring_close(struct pal_ring *ring)
{
    (void)ring;
}

int32_t pal_ring_is_working(const struct pal_ring *ring)
{
    (void)ring;
    return 0;
}

int32_t pal_test_ring(const struct pal_ring_script *script, const struct pal_page_write *writes, int32_t count,
                      struct pal_write_counts *counts, struct pal_ring_trace *trace, struct pal_error *error)
{
    (void)script;
    (void)writes;
    (void)count;
    (void)counts;
    (void)trace;
    return pal_fail(error, PAL_OP_RING_SETUP, PAL_OS_NOT_SUPPORTED);
}

int32_t pal_test_ring_setup(const int32_t *failures, int32_t count, uint32_t *flags, struct pal_error *error)
{
    (void)failures;
    (void)count;
    *flags = 0;
    return pal_fail(error, PAL_OP_RING_SETUP, PAL_OS_NOT_SUPPORTED);
}

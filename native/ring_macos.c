/* ring_macos.c: macOS has no submission ring. */
#include <errno.h>

#include "pal_internal.h"

int32_t pal_ring_open(struct pal_ring **ring, struct pal_error *error)
{
    *ring = NULL;
    return pal_fail(error, PAL_OP_RING_SETUP, ENOSYS);
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

int pal_ring_write(struct pal_ring *ring, int fd, const struct pal_page_write *writes, int32_t count,
                   struct pal_write_counts *counts, struct pal_error *error)
{
    (void)ring;
    (void)fd;
    (void)writes;
    (void)count;
    (void)counts;
    (void)error;
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
    return pal_fail(error, PAL_OP_RING_SETUP, ENOSYS);
}

int32_t pal_test_ring_setup(const int32_t *failures, int32_t count, uint32_t *flags, struct pal_error *error)
{
    (void)failures;
    (void)count;
    *flags = 0;
    return pal_fail(error, PAL_OP_RING_SETUP, ENOSYS);
}

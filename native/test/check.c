/* check.c: counts cases. */
#include "check.h"

#include <stdio.h>

static const char *current;
static const char *skipped;
static int current_failures;
static int passed;
static int failed;

static void end_case(void)
{
    if (current == NULL) {
        return;
    }
    if (current_failures != 0) {
        failed++;
        printf("FAILED   %s\n", current);
    } else if (skipped != NULL) {
        printf("skipped  %s: %s\n", current, skipped);
    } else {
        passed++;
        printf("ok       %s\n", current);
    }
}

void begin_case(const char *name)
{
    end_case();
    current = name;
    current_failures = 0;
    skipped = NULL;
}

void check_that(int holds, const char *condition, const char *file, int line)
{
    if (!holds) {
        current_failures++;
        printf("  %s:%d: %s\n", file, line, condition);
    }
}

void skip_case(const char *reason)
{
    skipped = reason;
}

int end_cases(void)
{
    end_case();
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}

void fill_pattern(uint8_t *bytes, int64_t count, uint8_t seed)
{
    for (int64_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(seed + i * 7 + i / 4096);
    }
}

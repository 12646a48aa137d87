/* check.h: what the C tests of libpal share. Each case prints whether it passed; the last line counts them. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>

/* Begins a case; what is checked until the next one belongs to it. */
void begin_case(const char *name);

/* Notes a condition of the case; shows it when it does not hold. */
void check_that(int holds, const char *condition, const char *file, int line);

/* Says that the system under the test lacks what the rest of the case needs; counts neither as passed nor as failed. */
void skip_case(const char *reason);

/* Ends the last case and prints the counts. The exit code. */
int end_cases(void);

/* 1 where a name may outlive its deletion: Windows without the newer kind of deletion (Wine; FAT). */
#ifdef _WIN32
#define OLD_DELETE 1
#else
#define OLD_DELETE 0
#endif

#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)

/* One function per part of the contract. */
void test_library(void);
void test_files(void);
void test_writes(void);
void test_mappings(void);
void test_names(void);
void test_directories(void);

/* Bytes of a pattern that differs by place and seed. */
void fill_pattern(uint8_t *bytes, int64_t count, uint8_t seed);

#endif

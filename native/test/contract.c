/* contract.c: the contract of pal.h, called as the managed side calls it, in a folder of its own (the process's). The
 * same program runs on Linux and, built for Windows, under Wine. */
#include <stdio.h>
#include <string.h>

#include "../pal.h"
#include "check.h"

void test_library(void)
{
    begin_case("about the library");
    CHECK(pal_abi_version() == PAL_ABI_VERSION);
    CHECK(pal_struct_size(PAL_STRUCT_ERROR) == 32);
    CHECK(pal_struct_size(PAL_STRUCT_VECTOR) == 16);
    CHECK(pal_struct_size(PAL_STRUCT_PAGE_WRITE) == 24);
    CHECK(pal_struct_size(PAL_STRUCT_WRITE_COUNTS) == 24);
    CHECK(pal_struct_size(PAL_STRUCT_FILE_STATUS) == 48);
    CHECK(strcmp(pal_op_name(PAL_OP_LINK), "link") == 0);
    CHECK(strcmp(pal_op_name(PAL_OP_COUNT), "unknown") == 0);

    begin_case("texts of errors");
    char text[128];
    struct pal_error error;
    int32_t fd;
    int32_t direct;
    pal_file_open("missing", PAL_OPEN_EXISTING, PAL_USE_DATA, &fd, &direct, &error);
    pal_error_text(error.os_errno, text, sizeof text);
    CHECK(strlen(text) > 5);
    pal_error_text(error.os_errno, text, 4);
    CHECK(text[3] == 0);

    begin_case("a bad descriptor is refused");
    CHECK(pal_file_close(-1, &error) == PAL_INVALID_ARGUMENT);
    CHECK(error.op == PAL_OP_CLOSE && error.os_errno != 0);
    CHECK(pal_file_sync(-1, PAL_SYNC_FULL, &error) == PAL_INVALID_ARGUMENT);
    struct pal_file_status status;
    CHECK(pal_file_status(-1, &status, &error) == PAL_INVALID_ARGUMENT);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    test_library();
    test_files();
    test_writes();
    test_mappings();
    test_names();
    test_directories();
    return end_cases();
}

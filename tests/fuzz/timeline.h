/* timeline.h - what the fuzzers of timelines have in common: bytes are refused in one line, or make a capture that can be written
 * and read back. */
#ifndef RL_FUZZ_TIMELINE_H
#define RL_FUZZ_TIMELINE_H

#include <string.h>

#include "capture/capture.h"
#include "fuzz.h"
#include "import/import.h"

static inline void fuzz_timeline(const void *bytes, size_t len)
{
    const struct rl_import_options options = {.tool_version = "1"};
    struct rl_err err = RL_ERR_INIT;
    struct rl_import *import = rl_import_new(&options);
    struct rl_capture *capture = NULL, *back = NULL;
    struct rl_buf file = RL_BUF_INIT;
    enum rl_status status = rl_import_bytes(import, bytes, len, "input", &err);

    REQUIRE(status == RL_OK || status == RL_FORMAT);
    REQUIRE(status == RL_OK || (strncmp(err.text, "'input': ", 9) == 0 && !strchr(err.text, '\n')));
    if (status == RL_OK) {
        status = rl_import_finish(import, &capture, &err);
        REQUIRE(status == RL_OK || strstr(err.text, "only roofs") || strstr(err.text, "no kernel was read"));
    }
    if (status == RL_OK) {
        REQUIRE(capture->kernel_count > 0 ? capture->gpu_count > 0 : capture->benchmark_count > 0);
        REQUIRE(rl_capture_write_bytes(capture, &file, &err) == RL_OK);
        REQUIRE(rl_capture_read_bytes(file.data, file.len, "made", &back, &err) == RL_OK);
    }
    rl_buf_release(&file);
    rl_capture_free(capture);
    rl_capture_free(back);
    rl_import_free(import);
}

#endif

/* Any bytes are refused in one line, or make a capture that can be written and read back. A first byte below 32 cuts the rest into
 * two files of one run, at so many 32nds of its length. */
#include <string.h>

#include "capture/capture.h"
#include "fuzz.h"
#include "import/import.h"

static enum rl_status read_part(struct rl_import *import, const uint8_t *data, size_t size)
{
    struct rl_err err = RL_ERR_INIT;
    enum rl_status status = rl_import_bytes(import, data, size, "input", &err);
    REQUIRE(status == RL_OK || status == RL_FORMAT);
    REQUIRE(status == RL_OK || (strncmp(err.text, "'input': ", 9) == 0 && !strchr(err.text, '\n')));
    return status;
}

static void require_capture(struct rl_import *import)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL, *back = NULL;
    struct rl_buf bytes = RL_BUF_INIT;
    if (rl_import_finish(import, &capture, &err) != RL_OK) {
        REQUIRE(!capture && (strstr(err.text, "import them separately") || strstr(err.text, "only roofs") ||
                             strstr(err.text, "no kernel was read"))); /* no other refusal so late */
        return;
    }
    REQUIRE(capture->kernel_count > 0 ? capture->gpu_count > 0 : capture->benchmark_count > 0);
    REQUIRE(rl_capture_write_bytes(capture, &bytes, &err) == RL_OK);
    REQUIRE(rl_capture_read_bytes(bytes.data, bytes.len, "made", &back, &err) == RL_OK);
    rl_buf_release(&bytes);
    rl_capture_free(rl_capture_of_launches(back));
    rl_capture_free(capture);
    rl_capture_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rl_import_options options = {.tool_version = "1"};
    struct rl_import *import = rl_import_new(&options);
    const bool two = size && data[0] < 32;
    const size_t start = two, first = two ? 1 + (size - 1) * data[0] / 32 : size;
    enum rl_status status = read_part(import, data + start, first - start);
    if (status == RL_OK && two)
        status = read_part(import, data + first, size - first);
    if (status == RL_OK && size % 4 == 0) /* most of the time goes here: one input of four is enough */
        require_capture(import);
    rl_import_free(import);
    return 0;
}

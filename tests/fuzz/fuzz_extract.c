/* Any bytes are refused in one line, or give a capture whose hash is the one that is said; and twice the same. */
#include <string.h>

#include "fuzz.h"
#include "media/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_extracted extracted;
    enum rl_status status = rl_report_extract(data, size, &out, &extracted, &err);
    REQUIRE(status == RL_OK || status == RL_FORMAT || status == RL_ABSENT);
    if (status == RL_OK) {
        REQUIRE(strcmp(extracted.sha256.hex, rl_sha256_of(out.data, out.len).hex) == 0);
    } else {
        REQUIRE(out.len == 0 && err.text[0] && !strchr(err.text, '\n'));
    }
    rl_buf_release(&out);
    return 0;
}

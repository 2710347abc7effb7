/* Any bytes are refused in one line, or are a capture that comes back the same when it is written and read, and that can be written
 * and read when it is redacted. */
#include <string.h>

#include "capture/capture.h"
#include "fuzz.h"

static struct rl_buf written(const struct rl_capture *capture)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    REQUIRE(rl_capture_write_bytes(capture, &bytes, &err) == RL_OK);
    return bytes;
}

/* Takes the capture over. */
static void redact(struct rl_capture *capture)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *back = NULL;
    const struct rl_redaction how = {.key = "k"};
    rl_capture_redact(capture, &how);
    struct rl_buf bytes = written(capture);
    REQUIRE(rl_capture_read_bytes(bytes.data, bytes.len, "redacted", &back, &err) == RL_OK);
    rl_buf_release(&bytes);
    rl_capture_free(back);
    rl_capture_free(capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL, *back = NULL;
    enum rl_status status = rl_capture_read_bytes(data, size, "input", &capture, &err);
    if (status != RL_OK) {
        REQUIRE(status == RL_FORMAT || status == RL_VERSION);
        REQUIRE(!capture && strncmp(err.text, "'input': ", 9) == 0 && !strchr(err.text, '\n'));
        return 0;
    }
    struct rl_buf once = written(capture);
    REQUIRE(rl_capture_read_bytes(once.data, once.len, "input", &back, &err) == RL_OK);
    struct rl_buf twice = written(back);
    REQUIRE(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
    rl_buf_release(&once);
    rl_buf_release(&twice);
    rl_capture_free(capture);
    redact(back);
    return 0;
}

#ifdef RL_LIBFUZZER
/* Mends the header most of the time: otherwise nearly every input would end at its first checks. */
static void mend_header(uint8_t *data, size_t size)
{
    static const uint8_t start[] = "SQLite format 3\0\x02\x00\x01\x01\x00\x40\x20\x20"; /* pages of 512 bytes */
    static const uint8_t ours[] = "\0\0\0\x01"
                                  "\0\0\0\x01"
                                  "\0\0\0\0"
                                  "RLCP"; /* encoding, version, vacuum, application */
    uint32_t pages = (uint32_t)(size / 512);
    memcpy(data, start, sizeof start - 1);
    for (int i = 0; i < 4; i++)
        data[28 + i] = (uint8_t)(pages >> 8 * (3 - i));
    memcpy(data + 56, ours, sizeof ours - 1);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, max);
    if (seed % 8 == 0 || size < 1024)
        return size;
    mend_header(data, size - size % 512);
    return size - size % 512;
}
#endif

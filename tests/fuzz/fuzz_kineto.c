/* Traces of PyTorch's profiler: what is no object yet is put into one, so that most inputs are events. */
#include "core/buf.h"
#include "timeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char before[] = "{\"traceEvents\":[";
    struct rl_buf text = RL_BUF_INIT;

    if (size && data[0] != '{' && data[0] != '[' && data[0] != 0x1F)
        rl_buf_adds(&text, before);
    rl_buf_add(&text, data, size);
    fuzz_timeline(text.data, text.len);
    rl_buf_release(&text);
    return 0;
}

/* SQLite exports of Nsight Systems. Fields of the header that no export has otherwise are put right, and so is the size, because
 * SQLite looks no further when they are wrong. */
#include "core/buf.h"
#include "timeline.h"

enum { HEADER = 100, PAGE_SIZE_AT = 16, PAGES_AT = 28 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char magic[] = "SQLite format 3";
    struct rl_buf file = RL_BUF_INIT;

    rl_buf_add(&file, data, size);
    if (size >= HEADER && size % 2) {
        const size_t page = 512, pages = size / page;
        memcpy(file.data, magic, sizeof magic);
        file.data[PAGE_SIZE_AT] = (char)(page >> 8);
        file.data[PAGE_SIZE_AT + 1] = 0;
        for (size_t i = 0; i < 4; i++)
            file.data[PAGES_AT + i] = (char)(pages >> (24 - 8 * i));
    }
    fuzz_timeline(file.data, file.len);
    rl_buf_release(&file);
    return 0;
}

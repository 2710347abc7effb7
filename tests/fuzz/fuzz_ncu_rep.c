/* A report of Nsight Compute of any bytes is refused in one line, or makes a capture that can be written and read back. After a
 * first byte below 32 the rest is one launch, in a report that is otherwise right; from 16 on a module stands before it, eight
 * times as long as the second byte says. */
#include <string.h>

#include "capture/capture.h"
#include "fuzz.h"
#include "import/import.h"

static void add_length(struct rl_buf *report, size_t len)
{
    for (unsigned i = 0; i < 4; i++)
        rl_buf_addch(report, (char)(len >> 8 * i));
}

static void add_varint(struct rl_buf *to, size_t value)
{
    for (; value > 0x7F; value >>= 7)
        rl_buf_addch(to, (char)(value | 0x80));
    rl_buf_addch(to, (char)value);
}

static void add_field(struct rl_buf *to, unsigned field, const void *bytes, size_t len)
{
    add_varint(to, field << 3 | 2);
    add_varint(to, len);
    rl_buf_add(to, bytes, len);
}

/* One block with eight names, which are numbers 0 to 7. */
static void wrap(struct rl_buf *report, const uint8_t *module, size_t module_size, const uint8_t *launch, size_t size)
{
    static const char *const names[] = {"gpu__time_duration.sum",
                                        "device__attribute_device_index",
                                        "x__share.pct",
                                        "x__words",
                                        "smsp__pcsamp_interval_cycles",
                                        "launch__function_pcs",
                                        "smsp__pcsamp_warps_issue_stalled_wait",
                                        "inst_executed"};
    struct rl_buf header = RL_BUF_INIT, table = RL_BUF_INIT, source = RL_BUF_INIT;

    rl_buf_add(&source, "\x08\x51", 2); /* its number is 81 */
    add_field(&source, 4, module, module_size);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rl_buf_addch(&table, 1 << 3 | 2);
        add_varint(&table, strlen(names[i]));
        rl_buf_adds(&table, names[i]);
    }
    rl_buf_add(&header, "\x08\x01\x10\x01\x22", 5); /* one module, one launch; names */
    add_varint(&header, table.len);
    rl_buf_add(&header, table.data, table.len);
    rl_buf_addch(&header, 5 << 3); /* size of the messages */
    add_varint(&header, source.len + size + 8);
    rl_buf_add(report, "NVR\0\2\0\0\0\x08\x07", 10);
    add_length(report, header.len);
    rl_buf_add(report, header.data, header.len);
    add_length(report, source.len);
    rl_buf_add(report, source.data, source.len);
    add_length(report, size);
    rl_buf_add(report, launch, size);
    rl_buf_release(&source);
    rl_buf_release(&header);
    rl_buf_release(&table);
}

static void require_capture(struct rl_import *import)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL, *back = NULL;
    struct rl_buf bytes = RL_BUF_INIT;

    REQUIRE(rl_import_finish(import, &capture, &err) == RL_OK);
    REQUIRE(capture->kernel_count > 0 && capture->gpu_count > 0 && capture->session.complete);
    REQUIRE(rl_capture_write_bytes(capture, &bytes, &err) == RL_OK);
    REQUIRE(rl_capture_read_bytes(bytes.data, bytes.len, "made", &back, &err) == RL_OK);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
    rl_capture_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rl_import_options options = {.tool_version = "1"};
    struct rl_import *import = rl_import_new(&options);
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf report = RL_BUF_INIT;

    const size_t module = size > 1 && data[0] >= 16 && (size_t)data[1] * 8 < size - 2 ? (size_t)data[1] * 8 : 0;
    if (size && data[0] < 16)
        wrap(&report, data, 0, data + 1, size - 1);
    else if (size > 2 && data[0] < 32)
        wrap(&report, data + 2, module, data + 2 + module, size - 2 - module);
    else
        rl_buf_add(&report, data, size);
    if (report.len < 4 || memcmp(report.data, "NVR", 4) != 0) { /* fuzz_import has the others */
        rl_buf_release(&report);
        rl_import_free(import);
        return 0;
    }
    const enum rl_status status = rl_import_bytes(import, report.data, report.len, "input", &err);
    REQUIRE(status == RL_OK || status == RL_FORMAT);
    REQUIRE(status == RL_OK || (strncmp(err.text, "'input': ", 9) == 0 && !strchr(err.text, '\n')));
    if (status == RL_OK && size % 4 == 0) /* most of the time goes here: one input of four is enough */
        require_capture(import);
    rl_buf_release(&report);
    rl_import_free(import);
    return 0;
}

/* check_stand_in.c - the parts of the program in which nothing is measured: `collect_suite` takes the capture that $CHECK_CAPTURE
 * names for what it found, or, whatever is asked for, that of $COLLECT_CAPTURE, and so does `collect_links`. Linked into the
 * program in place of cli/parts.c, so that `rooflight check` and `rooflight collect` can be tried without a GPU.
 */
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/fs.h"
#include "parts.h"

const char cli_no_collector[] = "", cli_no_reports[] = "";
const struct cli_reports *const cli_reports = NULL;

/* What `check` asks for: all of the experiment, without ceilings, and the counters that it needs. */
static bool is_the_check(const struct rl_collect_options *options)
{
    for (size_t i = 0; i < options->item_count; i++)
        if (strcmp(options->items[i].experiment->name, "self_check") != 0)
            return false;
    return options->item_count > 20 && options->ceilings == RL_CEILINGS_NONE && options->plan;
}

static enum rl_status take(const char *capture, const char *output, struct rl_err *err)
{
    struct rl_buf bytes = RL_BUF_INIT;
    enum rl_status status = rl_read_file(capture, 1 << 26, &bytes, err);
    if (status == RL_OK)
        status = rl_write_file_atomic(output, bytes.data, bytes.len, err);
    rl_buf_release(&bytes);
    return status;
}

static enum rl_status collect_suite(const struct rl_collect_options *options, struct rl_collect_summary *summary,
                                    struct rl_err *err)
{
    const char *capture = getenv("COLLECT_CAPTURE");
    (void)summary;
    if (capture)
        return take(capture, options->output, err);
    if (!is_the_check(options))
        return rl_err_set(err, RL_FAILED, "this is not what the check collects");
    return take(getenv("CHECK_CAPTURE"), options->output, err);
}

static enum rl_status collect_links(const struct rl_links_options *options, struct rl_links_summary *summary, struct rl_err *err)
{
    (void)summary;
    return take(getenv("COLLECT_CAPTURE"), options->output, err);
}

static const struct cli_collector collector = {.collect_suite = collect_suite, .collect_links = collect_links};
const struct cli_collector *const cli_collector = &collector;

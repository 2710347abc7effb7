/* suite_stand_in.c - `rooflight collect` of the suite without a GPU: the program and its supervisor as they are, and in the place
 * of collector/suite/suite.c a process that measures nothing, but writes the capture as it goes. Linked in place of cli/parts.c. */
#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "core/fs.h"
#include "parts.h"
#include "session.h"

const char cli_no_collector[] = "", cli_no_reports[] = "this build makes no reports";
const struct cli_reports *const cli_reports = NULL;
static const struct cli_collector collector = {.collect_suite = rl_collect_suite};
const struct cli_collector *const cli_collector = &collector;

static enum rl_status begin(struct rl_collecting *s, const struct rl_collect_task *task, struct rl_err *err)
{
    if (task->resumes)
        return rl_capture_read(task->path, &s->capture, err);
    s->capture = rl_capture_new();
    rl_capture_add_gpu(s->capture)->name = rl_capture_text(s->capture, "no card");
    return rl_capture_write_growing(s->capture, task->path, err);
}

enum rl_status rl_collect_items(const struct rl_collect_options *options, const struct rl_collect_task *task,
                                struct rl_collect_summary *summary, struct rl_err *err)
{
    struct rl_collecting s = {.options = options, .summary = summary, .path = task->path, .start_ns = task->start_ns};
    enum rl_status status = begin(&s, task, err);
    for (size_t i = task->first; i < task->item_count && status == RL_OK; i++) {
        task->begins(task->context, i);
        rl_describe_variant(&s, &task->items[i]);
        status = rl_capture_write_growing(s.capture, task->path, err);
    }
    if (status == RL_OK) {
        s.capture->session.complete = true;
        status = rl_capture_write(s.capture, options->output, err);
    }
    if (status == RL_OK && strcmp(s.path, options->output) != 0)
        remove(s.path);
    rl_capture_free(s.capture);
    return status;
}

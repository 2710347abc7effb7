/* collect_links.c - rooflight collect --links only: copies between GPUs. */
#include <unistd.h>

#include "collect.h"
#include "parts.h"

void collect_say_name(const struct cli_call *call, const char *output)
{
    if (rl_path_exists(output))
        cli_say(call, "'%s' stays until all is measured; what is finished is in '%s.partial'", output, output);
    else
        cli_detail(call, "the capture will be %s", output);
}

struct collect_progress collect_progress_new(const struct cli_call *call)
{
    return (struct collect_progress){.on_terminal = cli_terminal_of(STDERR_FILENO).moves && !call->quiet,
                                     .verbose = call->verbose && !call->quiet};
}

void collect_progress_clear(struct collect_progress *progress)
{
    if (progress->line_open)
        fputs("\r\033[K", stderr);
    progress->line_open = false;
}

void collect_progress_show(void *context, size_t done, size_t total, const char *what)
{
    struct collect_progress *progress = context;
    RL_SCRATCH line = RL_BUF_INIT;
    rl_buf_addf(&line, "%zu of %zu done, now %s", done, total, what);
    collect_progress_clear(progress);
    if (progress->on_terminal) {
        /* One column less than the terminal has, so that it does not wrap. */
        RL_SCRATCH cut = RL_BUF_INIT;
        rl_utf8_ellipsis(&cut, line.data, line.len, cli_terminal_of(STDERR_FILENO).width - 1);
        fputs(cut.data, stderr);
        fflush(stderr);
        progress->line_open = true;
    } else if (progress->verbose) {
        cli_usage_error(line.data);
    }
}

static enum rl_status judge(const struct rl_links_summary *summary, const char *output, struct rl_err *err)
{
    if (summary->failed)
        return rl_err_set(err, RL_FAILED, "%zu of %zu links could not be measured, or only in part: 'rooflight show %s' says why",
                          summary->failed, summary->links, output);
    return RL_OK;
}

enum rl_status collect_links(const struct cli_call *call, const int *gpus, size_t gpu_count, const char *output, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    struct collect_progress progress = collect_progress_new(call);
    struct rl_links_summary summary = {0};
    const struct rl_links_options links = {.output = output,
                                           .gpus = gpus,
                                           .gpu_count = gpu_count,
                                           .quick = chosen->quick,
                                           .command = call->command,
                                           .command_count = call->command_count,
                                           .keep_command = chosen->keep_command,
                                           .tool_version = CLI_VERSION,
                                           .progress = collect_progress_show,
                                           .progress_context = &progress};
    assert(cli_collector);
    collect_say_name(call, output);
    enum rl_status status = cli_collector->collect_links(&links, &summary, err);
    collect_progress_clear(&progress);
    if (status != RL_OK)
        return status;
    cli_say(call, "links: %zu GPUs, %zu of %zu links measured, in %.1f s", summary.gpus, summary.links - summary.failed,
            summary.links, summary.wall_s);
    cli_say(call, "wrote %s", output);
    return status == RL_OK ? judge(&summary, output, err) : status;
}

/* collect_program.c - `rooflight collect -- PROGRAM`: what to observe, and the closing lines. */
#include <signal.h>
#include <unistd.h>

#include "collect.h"
#include "core/child.h"
#include "parts.h"
#include "show.h"

enum { DEFAULT_SAMPLES = 3, DEFAULT_BUDGET = 5, DEFAULT_PC_SAMPLING = 16 };

const char *const collect_backends[] = {
    "auto",
#define BACKEND(id, first, last, least, most, words) #id,
#include "collector/backends.def"
    NULL,
};

const char *collect_backend(int choice)
{
    assert(choice >= 0 && choice < (int)RL_COUNT(collect_backends) - 1);
    return choice ? collect_backends[choice] : NULL;
}

/* Options of the suite mean nothing for a program. */
static enum rl_status refuse_suite_options(const struct collect_options *chosen, struct rl_err *err)
{
    const struct {
        bool given;
        const char *name, *instead;
    } options[] = {
        {chosen->gpu != NULL, "--gpu", ": set CUDA_VISIBLE_DEVICES"},
        {chosen->serial, "--serial", ""},
        {chosen->gpu_limit > 0, "--gpu-limit", ""},
        {chosen->quick, "--quick", ""},
        {chosen->size > 0, "--size", ""},
        {chosen->time_limit > 0, "--time-limit", ""},
        {chosen->window > 0, "--window", ""},
        {chosen->lock_clocks != 0, "--lock-clocks", ": lock them yourself with 'sudo nvidia-smi -lgc MHZ' and free them with -rgc"},
        {chosen->ceilings > 0, "--ceilings", ": measure the roofs with 'rooflight collect' without a program"},
    };
    for (size_t i = 0; i < RL_COUNT(options); i++)
        if (options[i].given)
            return rl_err_set(err, RL_USAGE, "option '%s' is for the suite, not for a program%s", options[i].name,
                              options[i].instead);
    return RL_OK;
}

/* The program is found in $PATH, where the table of options does not look. */
static enum rl_status declare_program(const struct cli_call *call, struct rl_err *err)
{
    assert(call->operand_count > 0);
    RL_FREED char *path = rl_find_program(call->operands[0]);
    const char *const paths[] = {path};
    return cli_declare_files(call, paths, path != NULL, err);
}

static void say_run(void *context, size_t done, size_t total, const char *what)
{
    cli_say(context, "run %zu of %zu: %s", done + 1, total + 1, what);
}

/* Whoever wants times alone wants no samples; whoever gives counters all the time there is wants them at once. */
static enum rl_sample_gpu sampling_of(const struct collect_options *chosen)
{
    if (chosen->pc_sampling)
        return RL_SAMPLE_NOT;
    if (chosen->sample_gpu > 0)
        return (enum rl_sample_gpu)(chosen->sample_gpu - 1);
    if (chosen->sample_gpu < 0)
        return RL_SAMPLE_ONLY;
    return chosen->replay == RL_REPLAY_NONE || chosen->budget == INT_MAX ? RL_SAMPLE_NOT : RL_SAMPLE_FIRST;
}

/* Counters of the hardware have one owner at a time. */
static enum rl_status check_sampling(const struct collect_options *chosen, struct rl_err *err)
{
    const bool samples_gpu =
        chosen->sample_gpu < 0 || chosen->sample_gpu - 1 == RL_SAMPLE_FIRST || chosen->sample_gpu - 1 == RL_SAMPLE_ONLY;
    if (sampling_of(chosen) == RL_SAMPLE_ONLY && chosen->budget > 0)
        return rl_err_set(err, RL_USAGE,
                          "options '--sample-gpu=only' and '--budget' need the GPU's counters at the same time: leave out one of "
                          "them, or sample first ('--sample-gpu=first')");
    if (chosen->pc_sampling && chosen->sample_gpu && samples_gpu)
        return rl_err_set(err, RL_USAGE,
                          "options '--pc-sampling' and '--sample-gpu' need the GPU's counters at the same time: leave out one of "
                          "them");
    return RL_OK;
}

/* Faults of options are found before the program runs. */
static enum rl_status check(const struct cli_call *call, const struct rl_launcher *launcher, struct cli_plans *plans,
                            struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    enum rl_status status = refuse_suite_options(chosen, err);
    RL_THEN(status, check_sampling(chosen, err));
    if (status == RL_OK) {
        /* Faults that would otherwise show only inside the program. */
        regex_t expression;
        status = chosen->kernel ? cli_expression("--kernel", chosen->kernel, &expression, err) : RL_OK;
        if (chosen->kernel && status == RL_OK)
            regfree(&expression);
        if (status == RL_OK && chosen->range && !strstr(chosen->range, ".."))
            status = rl_err_set(err, RL_USAGE, "option '--range': '%s' is not of the form START..END", chosen->range);
    }
    if (status == RL_OK && chosen->output)
        status = collect_check_name(chosen->output, launcher, true, err);
    if (status == RL_OK && chosen->metrics)
        status = cli_parse_metrics(chosen->metrics, plans, err);
    return status == RL_OK ? declare_program(call, err) : status;
}

/* The options about a program; the rest is for the caller to add. */
static struct rl_program_options options_of(const struct cli_call *call)
{
    const struct collect_options *chosen = call->options;
    const int budget = chosen->budget ? chosen->budget : DEFAULT_BUDGET;
    const enum rl_sample_gpu sampling = sampling_of(chosen);
    return (struct rl_program_options){.program = call->operands, /* ends with the NULL of argv */
                                       .closed = cli_closed_streams(),
                                       .ignored = cli_ignored_signals(),
                                       .replay = (enum rl_replay)chosen->replay,
                                       .samples = chosen->samples ? chosen->samples : DEFAULT_SAMPLES,
                                       .budget = chosen->budget < 0 || sampling == RL_SAMPLE_ONLY ? 0 : budget,
                                       .sample_gpu = sampling,
                                       .pc_sampling = chosen->pc_sampling < 0 ? DEFAULT_PC_SAMPLING : chosen->pc_sampling,
                                       .cupti = (enum rl_cupti_use)chosen->cupti,
                                       .backend = collect_backend(chosen->backend),
                                       .kernel = chosen->kernel,
                                       .nvtx = chosen->nvtx,
                                       .range = chosen->range,
                                       .launch_skip = chosen->launch_skip,
                                       .launch_count = chosen->launch_count,
                                       .profiler_api = chosen->profiler_api,
                                       .chip_count = rl_chip_count,
                                       .command = call->command,
                                       .command_count = call->command_count,
                                       .keep_command = chosen->keep_command,
                                       .tool_version = CLI_VERSION};
}

static void say_summary(const struct cli_call *call, const struct rl_program_summary *summary)
{
    RL_SCRATCH gpu = RL_BUF_INIT;
    rl_unit_format(&gpu, RL_UNIT_SECOND, (double)summary->gpu_ns * 1e-9, 3);
    if (summary->exit_signal)
        cli_say(call, "the program was ended by signal %d (%s); the capture has the finished part", summary->exit_signal,
                strsignal(summary->exit_signal));
    else if (summary->exit_status)
        cli_say(call, "the program ended with status %d", summary->exit_status);
    if (summary->launches)
        cli_say(call, "%llu launches of %zu launch configurations, %s of GPU time, in %.1f s",
                (unsigned long long)summary->launches, summary->classes, gpu.data, summary->wall_s);
    if (summary->counted_ns && summary->gpu_ns)
        cli_say(call, "counters cover %.1f %% of GPU time: %zu of %zu launch configurations, %llu of %llu launches",
                100.0 * (double)summary->counted_ns / (double)summary->gpu_ns, summary->counted_classes, summary->classes,
                (unsigned long long)summary->counted_launches, (unsigned long long)summary->launches);
    else if (*summary->counters_text)
        cli_say(call, "counters: %s", summary->counters_text);
    if (summary->sampled_ns && summary->gpu_ns)
        cli_say(call, "samples of the GPU cover %.1f %% of GPU time, as estimates: %zu of %zu launch configurations",
                100.0 * (double)summary->sampled_ns / (double)summary->gpu_ns, summary->sampled_classes, summary->classes);
    if (summary->warnings)
        cli_say(call, "warning: %s%s", summary->warning, summary->warnings > 1 ? " (and more: see 'rooflight show')" : "");
    if (summary->kept)
        cli_say(call, "%s%s", summary->kept_text, summary->kept > 1 ? " (and others)" : "");
    if (summary->captures > 1)
        cli_say(call, "wrote %zu captures, %s and others", summary->captures, summary->output);
    else
        cli_say(call, "wrote %s", summary->output);
}

static enum rl_status observe(const struct cli_call *call, struct rl_program_options *options, struct rl_err *err)
{
    struct rl_program_summary summary = {0};
    options->progress = say_run;
    options->progress_context = (void *)call;
    assert(cli_collector && !call->operands[call->operand_count]);
    enum rl_status status = cli_collector->collect_program(options, &summary, err);
    if (status == RL_OK)
        say_summary(call, &summary);
    if (summary.ran) /* the program's end is this one's, unless something of ours failed */
        *call->outcome = (struct cli_outcome){summary.exit_status, summary.exit_signal, summary.stop};
    const struct collect_options *chosen = call->options;
    if (status == RL_OK && chosen->brief && *summary.output)
        status = show_brief_of(call, summary.output, chosen->kernel, err);
    return status;
}

/* The program takes the place of this process. */
static enum rl_status run_unprofiled(const struct cli_call *call, const char *which, struct rl_err *err)
{
    const char *name = call->operands[0];
    char *path = rl_find_program(name);
    if (!path)
        return rl_err_set(err, RL_ABSENT, "program '%s' not found%s", name, strchr(name, '/') ? "" : " in $PATH");
    RL_SCRATCH text = RL_BUF_INIT;
    rl_buf_addf(&text, "the program runs without being profiled, and there is no capture: only one tool can profile it, and %s",
                which);
    cli_usage_error(text.data);
    for (const int *fd = cli_closed_streams(); fd && *fd >= 0; fd++)
        close(*fd);
    for (const int *number = cli_ignored_signals(); number && *number; number++)
        signal(*number, SIG_IGN);
    const int error = rl_child_become(path, (const char *const *)call->operands);
    free(path);
    return rl_err_set(err, RL_FAILED, "cannot run '%s': %s", name, strerror(error));
}

enum rl_status collect_program(const struct cli_call *call, bool alone, struct rl_err *err)
{
    assert(call->operand_count > 0);
    const struct collect_options *chosen = call->options;
    const struct rl_launcher launcher = rl_launcher_find();
    RL_SCRATCH output = RL_BUF_INIT;
    struct cli_plans plans = {.of_program = true};
    enum rl_status status = check(call, &launcher, &plans, err);
    RL_SCRATCH which = RL_BUF_INIT;
    if (status == RL_OK && alone && cli_collector->other_tool(call->operands[0], &which))
        status = run_unprofiled(call, which.data, err);
    if (status != RL_OK) {
        cli_plans_release(&plans);
        return status;
    }
    if (chosen->output)
        rl_buf_adds(&output, chosen->output);
    else {
        /* "python3-20261121-103040.rlcap"; where there are several ranks, "python3-rank3-20261121-103040.rlcap". */
        const char *program = call->operands[0];
        const char *slash = strrchr(program, '/');
        char date[32] = "";
        time_t now = time(NULL);
        struct tm utc;
        if (gmtime_r(&now, &utc))
            strftime(date, sizeof date, "-%Y%m%d-%H%M%S", &utc);
        for (const char *c = slash ? slash + 1 : program; *c; c++)
            rl_buf_addch(&output, *c == '%' ? '-' : *c);
        rl_buf_addf(&output, "%s%s.rlcap", launcher.size > 1 ? "-rank%r" : "", date);
    }
    const char **chips = rl_calloc(rl_chip_count, sizeof *chips);
    for (size_t i = 0; i < rl_chip_count; i++)
        chips[i] = rl_chips[i].name;
    struct rl_program_options options = options_of(call);
    options.output = output.data;
    options.chips = chips;
    options.plan = cli_plans_give;
    options.plan_context = &plans;
    status = observe(call, &options, err);
    free(chips);
    cli_plans_release(&plans);
    return status;
}

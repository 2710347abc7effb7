#include <unistd.h>

#include "collect.h"
#include "parts.h"

enum { USUAL_WINDOW_MS = 500 };

/* "base-2.rlcap" for "base.rlcap". */
static void name_session(const char *output, int session, struct rl_buf *name)
{
    static const char ending[] = ".rlcap";
    const size_t len = strlen(output), end = strlen(ending);
    const bool ends = len > end && strcmp(output + len - end, ending) == 0;
    rl_buf_add(name, output, ends ? len - end : len);
    rl_buf_addf(name, "-%d%s", session, ends ? ending : "");
}

static enum rl_status check(const struct collect_options *chosen, struct rl_err *err)
{
    if (!chosen->output)
        return rl_err_set(err, RL_USAGE, "--sessions needs a name: with -o base.rlcap the captures are base-1.rlcap and so on");
    if (chosen->gpu && (strcmp(chosen->gpu, "all") == 0 || strchr(chosen->gpu, ',')))
        return rl_err_set(err, RL_USAGE, "--sessions measures one GPU, not '--gpu %s'", chosen->gpu);
    if (chosen->links == COLLECT_LINKS_ONLY)
        return rl_err_set(err, RL_USAGE, "--sessions cannot be combined with '--links only'");
    return RL_OK;
}

/* Measures the sessions that --sessions asks for by `session`, in turn, and ends at the first that fails or whose program does;
 * captures of sessions before it stay. */
static enum rl_status collect_sessions(const struct cli_call *call, collect_session *session, struct rl_err *err)
{
    struct collect_options one = *(const struct collect_options *)call->options;
    const char *const output = one.output;
    const int sessions = one.sessions;
    struct cli_call of_one = *call;
    assert(sessions > 0);
    of_one.options = &one;
    RL_TRY(check(&one, err));
    enum rl_status status = RL_OK;
    if (cli_operands_behind_dashes(call) == 0 && !one.window)
        one.window = USUAL_WINDOW_MS;
    int done = 0;
    while (done < sessions && status == RL_OK && !call->outcome->status && !call->outcome->signal && !call->outcome->stop) {
        RL_SCRATCH name = RL_BUF_INIT;
        name_session(output, ++done, &name);
        one.output = name.data;
        /* Device memory that a session takes first: a whole number of pages, by chance. */
        enum { PAGES = 64 };
        const size_t page_bytes = 2 << 20;
        one.displacement = page_bytes * (size_t)(((uint64_t)rl_realtime_ns() / 1000 ^ (uint64_t)getpid()) % PAGES);
        cli_say(call, "session %d of %d", done, sessions);
        status = session(&of_one, err);
    }
    if (done < sessions)
        cli_say(call, "stopped in session %d of %d", done, sessions);
    if (call->outcome->stop && !call->outcome->signal)
        call->outcome->signal = call->outcome->stop;
    /* Captures of an earlier call with more sessions would be taken for sessions of this one. */
    struct rl_buf name = RL_BUF_INIT;
    name_session(output, sessions + 1, &name);
    if (access(name.data, F_OK) == 0)
        cli_say(call, "'%s' also exists: it is from an earlier call", name.data);
    return status;
}

/* The first leaves it to the other options; the rest are in the order of enum rl_collect_ceilings. */
static const char *const ceiling_choices[] = {"auto", "none", "quick", "full", "sustained", NULL};

/* In the order of collect.h. */
static const char *const link_choices[] = {"auto", "none", "only", NULL};

/* In the order of enum rl_replay. */
static const char *const replay_choices[] = {"rotate", "kernel", "application", "none", NULL};

/* The first leaves it to the other options; the rest are in the order of enum rl_sample_gpu. */
static const char *const sample_choices[] = {"auto", "first", "only", "no", NULL};

/* In the order of enum rl_cupti_use. */
static const char *const cupti_choices[] = {"share", "yield", "leave", NULL};

static const struct cli_option options[] = {
    {'o', "output", CLI_GROWING, offsetof(struct collect_options, output), "FILE", .group = "Output",
     .help = "write the capture to FILE (may have %h, %p: manual)", .formats = cli_capture_formats},
    {0, "brief", CLI_FLAG, offsetof(struct collect_options, brief), .help = "print a brief when the program has ended"},
    {0, "keep-command", CLI_FLAG, offsetof(struct collect_options, keep_command),
     .help = "record the arguments of commands in full"},
    {0, "gpu", CLI_TEXT, offsetof(struct collect_options, gpu), "GPU", .group = "Where and how often",
     .help = "measure on CUDA devices N, N,N or all (default: 0)"},
    {0, "serial", CLI_FLAG, offsetof(struct collect_options, serial), .help = "measure several GPUs one after another"},
    {0, "gpu-limit", CLI_INT, offsetof(struct collect_options, gpu_limit), "SECONDS", .low = 1, .high = 7 * 86400,
     .help = "give up on a GPU after SECONDS (default: 7200)"},
    {0, "sessions", CLI_INT, offsetof(struct collect_options, sessions), "N", .low = 1, .high = 500,
     .help = "measure N times, with a capture for each"},
    {0, "quick", CLI_FLAG, offsetof(struct collect_options, quick), .group = "The suite",
     .help = "use small problems and few repetitions: a first look"},
    {0, "size", CLI_UINT64, offsetof(struct collect_options, size), "N", .low = 1, .high = (uint64_t)1 << 40,
     .help = "set the problem size, in the unit of the experiment"},
    {0, "time-limit", CLI_INT, offsetof(struct collect_options, time_limit), "SECONDS", .low = 1, .high = 86400,
     .help = "treat a launch as hung after SECONDS (default: 60)"},
    {0, "window", CLI_INT, offsetof(struct collect_options, window), "MS", .low = 1, .high = 60000,
     .help = "spread the times of a variant over at least MS"},
    {0, "lock-clocks", CLI_MAYBE, offsetof(struct collect_options, lock_clocks), "MHZ", .low = 1, .high = 100000,
     .help = "lock SM and memory clocks; needs root"},
    {0, "ceilings", CLI_CHOICE, offsetof(struct collect_options, ceilings), "WHICH",
     .help = "measure roofs: none, quick, full, sustained or auto", .choices = ceiling_choices},
    {0, "links", CLI_CHOICE, offsetof(struct collect_options, links), "WHICH",
     .help = "measure copies between GPUs: auto, none or only", .choices = link_choices},
    {0, "metrics", CLI_TEXT, offsetof(struct collect_options, metrics), "SET,...", .group = "Counters",
     .help = "collect more sets of metrics ('list metrics')"},
    {0, "backend", CLI_CHOICE, offsetof(struct collect_options, backend), "NAME",
     .help = "count through CUPTI's API range, profiler or auto", .choices = collect_backends},
    {0, "replay", CLI_CHOICE, offsetof(struct collect_options, replay), "HOW", .group = "Program counters",
     .help = "count by rotate, kernel, application or none", .choices = replay_choices},
    {0, "samples", CLI_INT, offsetof(struct collect_options, samples), "N", .low = 1, .high = 100,
     .help = "count N launches per configuration (default: 3)"},
    {0, "budget", CLI_COUNT, offsetof(struct collect_options, budget), "PERCENT", .low = 1, .high = 100000, .percent = true,
     .help = "limit counting to PERCENT (default: 5), none or all"},
    {0, "sample-gpu", CLI_MAYBE, offsetof(struct collect_options, sample_gpu), "HOW",
     .help = "sample the whole GPU: first, only, no or auto", .choices = sample_choices},
    {0, "pc-sampling", CLI_MAYBE, offsetof(struct collect_options, pc_sampling), "POWER", .low = 5, .high = 31,
     .help = "sample stalls every 2^POWER cycles (default: 16)"},
    {0, "cupti", CLI_CHOICE, offsetof(struct collect_options, cupti), "HOW",
     .help = "treat the program's CUPTI: share, yield or leave", .choices = cupti_choices},
    {'k', "kernel-name", CLI_TEXT, offsetof(struct collect_options, kernel_name), "NAME", .group = "Program launches",
     .help = "profile kernels of this plain name, as ncu -k"},
    {0, "kernel", CLI_TEXT, offsetof(struct collect_options, kernel), "REGEX", .help = "profile kernels whose name matches REGEX"},
    {0, "nvtx", CLI_TEXT, offsetof(struct collect_options, nvtx), "RANGE",
     .help = "profile launches inside an NVTX range of this name"},
    {0, "range", CLI_TEXT, offsetof(struct collect_options, range), "START..END",
     .help = "profile from the start of START to the end of END"},
    {'s', "launch-skip", CLI_UINT64, offsetof(struct collect_options, launch_skip), "N", .low = 0, .high = (uint64_t)1 << 40,
     .help = "skip the first N selected launches"},
    {'c', "launch-count", CLI_UINT64, offsetof(struct collect_options, launch_count), "N", .low = 1, .high = (uint64_t)1 << 40,
     .help = "profile N launches"},
    {0, "profiler-api", CLI_FLAG, offsetof(struct collect_options, profiler_api),
     .help = "profile between cuProfilerStart and cuProfilerStop"},
    {0},
};

/* ---- the command ---- */

/* "node7-gpu%g-20261121-103040.rlcap", `what` in the middle; bytes of the host's name that are awkward in a file name become '-'.
 */
static void default_pattern(struct rl_buf *out, const char *what)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    char host[65] = "", date[32] = "";
    bool named = gethostname(host, sizeof host - 1) == 0 && *host;
    host[strcspn(host, ".")] = 0;
    for (char *c = host + strspn(host, plain); *c; c += strspn(c, plain))
        *c = '-';
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "-%Y%m%d-%H%M%S", &utc);
    rl_buf_addf(out, "%s-%s%s.rlcap", named ? host : "host", what, date);
}

static void add_count(struct rl_buf *out, size_t count, const char *what)
{
    if (count)
        rl_buf_addf(out, "%s%zu %s", out->len ? ", " : "", count, what);
}

/* "time: ceilings 3.0 s, checking results 1.2 s, ...": what cannot be seen at that precision is left out. */
static void say_phases(const struct cli_call *call, const struct rl_collect_summary *summary)
{
    static const char *const names[] = {
#define PHASE(id, name) [RL_PHASE_##id] = name,
#include "collector/phases.def"
        [RL_PHASE_COUNT] = "the rest"};
    enum { PARTS = RL_PHASE_COUNT + 1 };
    double part_s[PARTS] = {[RL_PHASE_COUNT] = summary->wall_s};
    RL_SCRATCH line = RL_BUF_INIT;
    for (size_t i = 0; i < RL_PHASE_COUNT; i++) {
        part_s[i] = summary->phase_s[i];
        part_s[RL_PHASE_COUNT] -= part_s[i];
    }
    for (size_t i = 0; i < PARTS; i++)
        if (part_s[i] >= 0.05)
            rl_buf_addf(&line, "%s%s %.1f s", line.len ? ", " : "", names[i], part_s[i]);
    if (line.len)
        cli_say(call, "time: %s", line.data);
}

static enum rl_status judge(const struct rl_collect_summary *summary, const char *output, struct rl_err *err)
{
    if (summary->variants_wrong)
        return rl_err_set(err, RL_FAILED, "%zu variant(s) computed a WRONG result: 'rooflight show %s' says which",
                          summary->variants_wrong, output);
    if (summary->variants_failed)
        return rl_err_set(err, RL_FAILED, "%zu variant(s) failed: 'rooflight show %s' says why", summary->variants_failed, output);
    return RL_OK;
}

static enum rl_collect_ceilings ceilings_of(const struct collect_options *chosen, bool whole_suite)
{
    if (chosen->ceilings > 0)
        return (enum rl_collect_ceilings)(chosen->ceilings - 1);
    if (chosen->quick)
        return RL_CEILINGS_QUICK;
    return whole_suite ? RL_CEILINGS_SUSTAINED : RL_CEILINGS_FULL;
}

/* One GPU, in this process. */
static void say_summary(const struct cli_call *call, const struct rl_collect_summary *summary)
{
    RL_SCRATCH variants = RL_BUF_INIT;
    add_count(&variants, summary->variants_done, "measured");
    add_count(&variants, summary->variants_wrong, "with a WRONG result");
    add_count(&variants, summary->variants_unsupported, "not supported here");
    add_count(&variants, summary->variants_failed, "failed");
    cli_say(call, "variants: %s, in %.1f s", variants.len ? variants.data : "none", summary->wall_s);
    say_phases(call, summary);
    cli_say(call, "counters: %s", summary->counters == RL_OK ? "collected" : summary->counters_text);
    if (summary->warnings)
        cli_say(call, "%zu warning%s in the capture: see 'rooflight show'", summary->warnings, summary->warnings == 1 ? "" : "s");
}

static enum rl_status measure(const struct cli_call *call, int gpu, const char *output, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    struct cli_plans plans = {0};
    struct collect_progress progress = collect_progress_new(call);
    struct rl_collect_summary summary = {0};
    struct rl_suite_item *items = NULL;
    size_t item_count = 0;
    plans.sets = rl_sets_of_suite();
    enum rl_status status = chosen->metrics ? cli_parse_metrics(chosen->metrics, &plans, err) : RL_OK;
    RL_THEN(status, rl_suite_select(call->operands, call->operand_count, &items, &item_count, err));
    if (status != RL_OK) {
        cli_plans_release(&plans);
        return status;
    }
    struct rl_collect_options collect = {.output = output,
                                         .gpu = gpu,
                                         .quick = chosen->quick,
                                         .size = chosen->size,
                                         .items = items,
                                         .item_count = item_count,
                                         .ceilings = ceilings_of(chosen, call->operand_count == 0),
                                         .backend = collect_backend(chosen->backend),
                                         .time_limit_s = chosen->time_limit,
                                         .window_s = 1e-3 * chosen->window,
                                         .displacement_bytes = chosen->displacement,
                                         .lock_clocks_mhz = chosen->lock_clocks,
                                         .command = call->command,
                                         .command_count = call->command_count,
                                         .keep_command = chosen->keep_command,
                                         .tool_version = CLI_VERSION,
                                         .plan = cli_plans_give,
                                         .plan_context = &plans,
                                         .progress = collect_progress_show,
                                         .progress_context = &progress};
    assert(cli_collector);
    collect_say_name(call, output);
    status = cli_collector->collect_suite(&collect, &summary, err);
    collect_progress_clear(&progress);
    if (status == RL_OK) {
        say_summary(call, &summary);
        cli_say(call, "wrote %s", output);
        status = judge(&summary, output, err);
    }
    cli_plans_release(&plans);
    free(items);
    return status;
}

static enum rl_status measure_one(const struct cli_call *call, const struct rl_launcher *launcher, int gpu, const char *pattern,
                                  struct rl_err *err)
{
    RL_SCRATCH output = RL_BUF_INIT;
    char number[16];
    snprintf(number, sizeof number, "%d", gpu);
    enum rl_status status = collect_name(pattern, launcher, gpu, &output, err);
    RL_THEN(status, collect_standin(number, output.data, err));
    RL_THEN(status, measure(call, gpu, output.data, err));
    return status;
}

/* The links alone, between the GPUs that --gpu names. */
static enum rl_status measure_links(const struct cli_call *call, const struct rl_launcher *launcher,
                                    const struct collect_gpus *gpus, const char *pattern, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    RL_SCRATCH output = RL_BUF_INIT;
    if (call->operand_count || chosen->size || chosen->metrics || chosen->ceilings || chosen->time_limit)
        return rl_err_set(err, RL_USAGE, "--links only measures nothing else: leave out experiments and their options");
    enum rl_status status = collect_name(pattern, launcher, RL_NAME_LINKS, &output, err);
    RL_THEN(status, collect_standin("links", output.data, err));
    RL_THEN(status, collect_links(call, chosen->gpu ? gpus->list : NULL, chosen->gpu ? gpus->count : 0, output.data, err));
    return status;
}

static enum rl_status measure_suite(const struct cli_call *call, const struct rl_launcher *launcher, struct collect_gpus *gpus,
                                    struct rl_err *err)
{
    enum { DEFAULT_GPU_LIMIT_S = 7200 };
    const struct collect_options *chosen = call->options;
    RL_SCRATCH pattern = RL_BUF_INIT, links = RL_BUF_INIT;
    default_pattern(&pattern, "gpu%g");
    default_pattern(&links, "links");
    struct collect_node node = {.gpus = *gpus,
                                .pattern = chosen->output ? chosen->output : pattern.data,
                                .links_pattern = chosen->links == COLLECT_LINKS_NONE ? NULL
                                                 : chosen->output                    ? chosen->output
                                                                                     : links.data,
                                .quick = chosen->quick,
                                .at_once = chosen->serial ? 1 : 0,
                                .limit_s = chosen->gpu_limit ? chosen->gpu_limit : DEFAULT_GPU_LIMIT_S};
    enum rl_status status = gpus->which == COLLECT_ONE ? measure_one(call, launcher, gpus->list[0], node.pattern, err)
                                                       : collect_node_run(call, &node, launcher, err);
    *gpus = node.gpus;
    return status;
}

static enum rl_status collect_suite(const struct cli_call *call, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    const struct rl_launcher launcher = rl_launcher_find();
    struct collect_gpus gpus = {0};
    RL_SCRATCH pattern = RL_BUF_INIT;
    default_pattern(&pattern, "links");
    enum rl_status status = collect_gpus_parse(chosen->gpu, &launcher, &gpus, err);
    RL_THEN(status, chosen->links == COLLECT_LINKS_ONLY
                        ? measure_links(call, &launcher, &gpus, chosen->output ? chosen->output : pattern.data, err)
                        : measure_suite(call, &launcher, &gpus, err));
    free(gpus.list);
    return status;
}

/* A program in place of experiments is missing its "--". */
static enum rl_status check_experiments(const struct cli_call *call, struct rl_err *err)
{
    RL_FREED struct rl_suite_item *items = NULL;
    struct rl_err unknown = RL_ERR_INIT;
    size_t item_count = 0;
    const enum rl_status status = rl_suite_select(call->operands, call->operand_count, &items, &item_count, &unknown);
    if (status == RL_OK || !*cli_file_hint(call->operands[0]))
        return RL_OK; /* the suite refuses unknown names itself */
    return rl_err_set(err, RL_USAGE, "unknown experiment '%s'%s", call->operands[0], cli_file_hint(call->operands[0]));
}

static enum rl_status run_chosen(const struct cli_call *call, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    size_t behind = cli_operands_behind_dashes(call);
    if (chosen->common.dashes && behind == 0)
        return rl_err_set(err, RL_USAGE, "no program follows '--'");
    if (behind && behind < call->operand_count)
        return rl_err_set(err, RL_USAGE, "'%s' in front of '--': profile a program or run the suite, not both", call->operands[0]);
    if (behind)
        return collect_program(call, true, err);
    if (check_experiments(call, err) != RL_OK)
        return RL_USAGE;
    if (chosen->replay || chosen->samples || chosen->budget || chosen->sample_gpu || chosen->pc_sampling || chosen->brief ||
        chosen->cupti || chosen->kernel || chosen->nvtx || chosen->range || chosen->launch_skip || chosen->launch_count ||
        chosen->profiler_api)
        return rl_err_set(err, RL_USAGE,
                          "filters, --replay, --samples, --sample-gpu, --budget and --brief are for a program: put it behind '--'");
    return collect_suite(call, err);
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    struct collect_options chosen = *(const struct collect_options *)call->options;
    struct cli_call with_kernel = *call;
    RL_SCRATCH kernel = RL_BUF_INIT;
    with_kernel.options = &chosen;
    enum rl_status status = cli_kernel_named(chosen.kernel_name, &chosen.kernel, &kernel, err);
    RL_THEN(status, chosen.sessions ? collect_sessions(&with_kernel, run_chosen, err) : run_chosen(&with_kernel, err));
    return status;
}

const struct cli_command_body cmd_collect = {
    .operands = "[EXPERIMENT[/VARIANT] ... | -- PROGRAM [ARG ...]]",
    .most = SIZE_MAX,
    .reads_operands = true,
    .runs_programs = true,
    .about = "Times kernels without counters, then counts in separate passes. With -- PROGRAM it profiles an unmodified CUDA "
             "program: launches, copies, NVTX ranges, and counters of the kernels that make up 99 % of GPU time. 'man "
             "rooflight-collect' explains each option.",
    .options = options,
    .options_size = sizeof(struct collect_options),
    .run = run,
};

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect.h"
#include "core/mem.h"
#include "expression.h"
#include "kernels/suite.h"
#include "output.h"
#include "parts.h"

/* The first leaves it to the other options; the rest are in the order of enum rl_collect_ceilings. */
static const char *const ceiling_choices[] = {"auto", "none", "quick", "full", "sustained", NULL};

/* In the order of collect.h. */
static const char *const link_choices[] = {"auto", "none", "only", NULL};

/* In the order of enum rl_replay. */
static const char *const replay_choices[] = {"rotate", "auto", "kernel", "application", "none", NULL};

/* The first leaves it to the other options; the rest are in the order of enum rl_sample_gpu. */
static const char *const sample_choices[] = {"auto", "first", "only", "no", NULL};

/* In the order of enum rl_cupti_use. */
static const char *const cupti_choices[] = {"share", "yield", "leave", NULL};

static const struct cli_option options[] = {
    {'o', "output", CLI_GROWING, offsetof(struct collect_options, output), "FILE",
     .help = "write the capture to FILE (default, in the current folder: HOST-gpuN-DATE-TIME.rlcap, of a program "
             "PROGRAM[-rankN]-DATE-TIME.rlcap); in its name %h stands for the host, %g for the GPU, %r for the rank, %p for the "
             "process, %j for the batch job",
     .formats = cli_capture_formats},
    {0, "sessions", CLI_INT, offsetof(struct collect_options, sessions), "N", .low = 1, .high = 500,
     .help =
         "measure N times, one session after another, each in processes of its own and with a capture of its own: of FILE.rlcap "
         "they are FILE-1.rlcap to FILE-N.rlcap (rooflight compare takes several on each side)"},
    {0, "gpu", CLI_TEXT, offsetof(struct collect_options, gpu), "GPU",
     .help = "measure on this CUDA device (default: 0; under mpirun and srun the one of the local rank), on several (N,N), or on "
             "all of this machine (all), with a process for each: then the name needs %g"},
    {0, "serial", CLI_FLAG, offsetof(struct collect_options, serial), .help = "several GPUs one after another, not all at once"},
    {0, "gpu-limit", CLI_INT, offsetof(struct collect_options, gpu_limit), "SECONDS", .low = 1, .high = 7 * 86400,
     .help = "give up on one of several GPUs after SECONDS (default: 7200)"},
    {0, "quick", CLI_FLAG, offsetof(struct collect_options, quick),
     .help = "smaller problems and fewer repetitions: a first look, not evidence"},
    {0, "size", CLI_UINT64, offsetof(struct collect_options, size), "N", .low = 1, .high = (uint64_t)1 << 40,
     .help = "problem size for every chosen variant, in the experiment's own unit (see rooflight list kernels)"},
    {0, "ceilings", CLI_CHOICE, offsetof(struct collect_options, ceilings), "WHICH",
     .help = "measure the roofs of the card: none, quick (2 s), full (3 s), sustained (full, and again after long load: a minute "
             "more) or auto, the default: sustained for the whole suite, full for a part of it, quick with --quick",
     .choices = ceiling_choices},
    {0, "links", CLI_CHOICE, offsetof(struct collect_options, links), "WHICH",
     .help = "copies between GPUs, and between all of them and the host: auto (after several GPUs were measured, in a capture of "
             "their own), none, or only (nothing else is measured)",
     .choices = link_choices},
    {0, "metrics", CLI_TEXT, offsetof(struct collect_options, metrics), "SET,...",
     .help =
         "collect these sets of metrics besides core, which is always collected, in passes of their own: topstalls, stalls, pipes, "
         "caches, tensor, links, limits, or all; a metric stands for its set (see rooflight list metrics), any counter that the "
         "chip takes in one pass for itself, by the vendor's name (default: stalls,limits of the suite, core alone of a program)"},
    {0, "backend", CLI_CHOICE, offsetof(struct collect_options, backend), "NAME",
     .help = "which of CUPTI's interfaces takes the counters: range (CUPTI 12.6 and newer), profiler (11.8 and newer, compute "
             "capability 7.0 and newer) or auto, the default: the first that serves the card (rooflight doctor says which do)",
     .choices = collect_backends},
    {0, "time-limit", CLI_INT, offsetof(struct collect_options, time_limit), "SECONDS", .low = 1, .high = 86400,
     .help = "treat a launch as hung after SECONDS and go on with the next variant (default: 60)"},
    {0, "window", CLI_INT, offsetof(struct collect_options, window), "MS", .low = 1, .high = 60000,
     .help = "spread the times of each variant over at least MS milliseconds of launches one after another, so that slow states "
             "of the card are seen (default: no longer than it takes; with --sessions 500)"},
    {0, "lock-clocks", CLI_MAYBE, offsetof(struct collect_options, lock_clocks), "MHZ", .low = 1, .high = 100000,
     .help =
         "lock the SM clock to MHZ, or to the card's base clock, and the memory clock to its highest while the suite runs; needs "
         "root (default: clocks are left alone)"},
    {0, "brief", CLI_FLAG, offsetof(struct collect_options, brief),
     .help = "program: when the program has ended, print what 'show --brief' says about the capture; with --kernel, about "
             "these kernels"},
    {0, "keep-command", CLI_FLAG, offsetof(struct collect_options, keep_command),
     .help =
         "keep command lines as they were typed (default: arguments other than options, numbers and short plain words are kept as "
         "a mark only; credentials never)"},
    {0, "replay", CLI_CHOICE, offsetof(struct collect_options, replay), "HOW",
     .help = "program: how counters are taken: rotate (default: in the one run that is timed, as far as --budget goes; nothing is "
             "repeated), "
             "kernel (a second run repeats chosen launches), application (one more run for each configuration), none (times only), "
             "auto "
             "(rotate; where that misses much, the others too). Further runs have no input, and their output is thrown away",
     .choices = replay_choices},
    {0, "samples", CLI_INT, offsetof(struct collect_options, samples), "N", .low = 1, .high = 100,
     .help = "program: launches of each kernel class that are counted under each configuration (default: 3)"},
    {0, "budget", CLI_COUNT, offsetof(struct collect_options, budget), "PERCENT", .low = 1, .high = 100000, .percent = true,
     .help = "program: slow it down by at most PERCENT of its time, plus 0.85 s, to take counters in the timed run (default: "
             "5); none: not at all; all: as long as it takes"},
    {0, "sample-gpu", CLI_MAYBE, offsetof(struct collect_options, sample_gpu), "HOW",
     .help = "program: sample hardware counters of its first GPU every 20 us from another process, and estimate what launches of "
             "each kernel class that ran alone in samples do, with intervals, CUDA graphs included: first (behind the first "
             "counters that "
             "--budget has room for, in runs of 2 s or more and with graphs), only (as without HOW: all along, and no other "
             "counters in the timed run), "
             "no, or auto, the default: first, but no with --replay none and with --budget all",
     .choices = sample_choices},
    {0, "pc-sampling", CLI_MAYBE, offsetof(struct collect_options, pc_sampling), "POWER", .low = 5, .high = 31,
     .help =
         "program: sample the instruction that each warp is at, and why it waits, every 2 to the POWER cycles (default: 16) in the "
         "timed run, which then takes no counters and no samples of the GPU (with --replay kernel a further run does); 'rooflight "
         "show --source' prints lines and reasons"},
    {0, "cupti", CLI_CHOICE, offsetof(struct collect_options, cupti), "HOW",
     .help =
         "program: one that uses CUPTI itself, as torch.profiler does: share (default: both get what they asked for; where that is "
         "not possible, the program gets it for as long), yield (from its first call on it is the program's, and nothing more is "
         "counted or timed), leave (CUPTI is not used: only NVTX ranges and samples of the GPU)",
     .choices = cupti_choices},
    {'k', "kernel-name", CLI_TEXT, offsetof(struct collect_options, kernel_name), "NAME",
     .help = "program: only kernels of this name, without namespaces, template arguments and parameters, as Nsight Compute has it; "
             "regex:REGEX is --kernel REGEX"},
    {0, "kernel", CLI_TEXT, offsetof(struct collect_options, kernel), "REGEX",
     .help = "program: only kernels whose demangled name matches the extended regular expression"},
    {0, "nvtx", CLI_TEXT, offsetof(struct collect_options, nvtx), "RANGE",
     .help = "program: only launches inside an NVTX range of this name, [DOMAIN@]NAME[/NAME ...] with the wildcards of the shell"},
    {0, "range", CLI_TEXT, offsetof(struct collect_options, range), "START..END",
     .help = "program: only from entering the NVTX range START to leaving the NVTX range END"},
    {'s', "launch-skip", CLI_UINT64, offsetof(struct collect_options, launch_skip), "N", .low = 0, .high = (uint64_t)1 << 40,
     .help = "program: skip the first N launches that the other filters select"},
    {'c', "launch-count", CLI_UINT64, offsetof(struct collect_options, launch_count), "N", .low = 1, .high = (uint64_t)1 << 40,
     .help = "program: observe N launches only"},
    {0, "profiler-api", CLI_FLAG, offsetof(struct collect_options, profiler_api),
     .help = "program: only between cuProfilerStart and cuProfilerStop"},
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
#undef PHASE
        [RL_PHASE_COUNT] = "the rest"};
    enum { PARTS = RL_PHASE_COUNT + 1 };
    double part_s[PARTS] = {[RL_PHASE_COUNT] = summary->wall_s};
    struct rl_buf line = RL_BUF_INIT;
    for (size_t i = 0; i < RL_PHASE_COUNT; i++) {
        part_s[i] = summary->phase_s[i];
        part_s[RL_PHASE_COUNT] -= part_s[i];
    }
    for (size_t i = 0; i < PARTS; i++)
        if (part_s[i] >= 0.05)
            rl_buf_addf(&line, "%s%s %.1f s", line.len ? ", " : "", names[i], part_s[i]);
    if (line.len)
        cli_say(call, "time: %s", line.data);
    rl_buf_release(&line);
}

static void say_summary(const struct cli_call *call, const struct rl_collect_summary *summary, const char *output)
{
    struct rl_buf variants = RL_BUF_INIT;
    add_count(&variants, summary->variants_done, "measured");
    add_count(&variants, summary->variants_wrong, "with a WRONG result");
    add_count(&variants, summary->variants_unsupported, "not supported here");
    add_count(&variants, summary->variants_failed, "failed");
    cli_say(call, "variants: %s, in %.1f s", variants.len ? variants.data : "none", summary->wall_s);
    say_phases(call, summary);
    cli_say(call, "counters: %s", summary->counters == RL_OK ? "collected" : summary->counters_text);
    if (summary->warnings)
        cli_say(call, "%zu warning%s in the capture: see 'rooflight show'", summary->warnings, summary->warnings == 1 ? "" : "s");
    cli_say(call, "wrote %s", output);
    rl_buf_release(&variants);
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
    if (status == RL_OK)
        status = rl_suite_select(call->operands, call->operand_count, &items, &item_count, err);
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
        say_summary(call, &summary, output);
        status = judge(&summary, output, err);
    }
    cli_plans_release(&plans);
    free(items);
    return status;
}

static enum rl_status measure_one(const struct cli_call *call, const struct rl_launcher *launcher, int gpu, const char *pattern,
                                  struct rl_err *err)
{
    struct rl_buf output = RL_BUF_INIT;
    char number[16];
    snprintf(number, sizeof number, "%d", gpu);
    enum rl_status status = collect_name(pattern, launcher, gpu, &output, err);
    if (status == RL_OK)
        status = collect_standin(number, output.data, err);
    if (status == RL_OK)
        status = measure(call, gpu, output.data, err);
    rl_buf_release(&output);
    return status;
}

/* The links alone, between the GPUs that --gpu names. */
static enum rl_status measure_links(const struct cli_call *call, const struct rl_launcher *launcher,
                                    const struct collect_gpus *gpus, const char *pattern, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    struct rl_buf output = RL_BUF_INIT;
    if (call->operand_count || chosen->size || chosen->metrics || chosen->ceilings || chosen->time_limit)
        return rl_err_set(err, RL_USAGE, "--links only measures nothing else: leave out experiments and their options");
    enum rl_status status = collect_name(pattern, launcher, RL_NAME_LINKS, &output, err);
    if (status == RL_OK)
        status = collect_standin("links", output.data, err);
    if (status == RL_OK)
        status = collect_links(call, chosen->gpu ? gpus->list : NULL, chosen->gpu ? gpus->count : 0, output.data, err);
    rl_buf_release(&output);
    return status;
}

static enum rl_status measure_suite(const struct cli_call *call, const struct rl_launcher *launcher, struct collect_gpus *gpus,
                                    struct rl_err *err)
{
    enum { DEFAULT_GPU_LIMIT_S = 7200 };
    const struct collect_options *chosen = call->options;
    struct rl_buf pattern = RL_BUF_INIT, links = RL_BUF_INIT;
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
    rl_buf_release(&pattern);
    rl_buf_release(&links);
    return status;
}

static enum rl_status collect_suite(const struct cli_call *call, struct rl_err *err)
{
    const struct collect_options *chosen = call->options;
    const struct rl_launcher launcher = rl_launcher_find();
    struct collect_gpus gpus = {0};
    struct rl_buf pattern = RL_BUF_INIT;
    default_pattern(&pattern, "links");
    enum rl_status status = collect_gpus_parse(chosen->gpu, &launcher, &gpus, err);
    if (status == RL_OK)
        status = chosen->links == COLLECT_LINKS_ONLY
                     ? measure_links(call, &launcher, &gpus, chosen->output ? chosen->output : pattern.data, err)
                     : measure_suite(call, &launcher, &gpus, err);
    rl_buf_release(&pattern);
    free(gpus.list);
    return status;
}

/* Whether there are options that only a program can take. */
static bool has_program_filters(const struct collect_options *chosen)
{
    return chosen->kernel || chosen->nvtx || chosen->range || chosen->launch_skip || chosen->launch_count || chosen->profiler_api;
}

static bool has_program_options(const struct collect_options *chosen)
{
    return chosen->replay || chosen->samples || chosen->budget || chosen->sample_gpu || chosen->pc_sampling || chosen->brief ||
           chosen->cupti || has_program_filters(chosen);
}

/* A program in place of experiments is missing its "--". */
static enum rl_status check_experiments(const struct cli_call *call, struct rl_err *err)
{
    struct rl_suite_item *items = NULL;
    struct rl_err unknown = RL_ERR_INIT;
    size_t item_count = 0;
    const enum rl_status status = rl_suite_select(call->operands, call->operand_count, &items, &item_count, &unknown);
    free(items);
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
        return rl_err_set(err, RL_USAGE, "'%s' in front of '--': a program is observed or the suite is run, not both",
                          call->operands[0]);
    if (behind)
        return collect_program(call, true, err);
    if (check_experiments(call, err) != RL_OK)
        return RL_USAGE;
    if (has_program_options(chosen))
        return rl_err_set(err, RL_USAGE,
                          "filters, --replay, --samples, --sample-gpu, --budget and --brief are for a program: put it behind '--'");
    return collect_suite(call, err);
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    struct collect_options chosen = *(const struct collect_options *)call->options;
    struct cli_call with_kernel = *call;
    struct rl_buf kernel = RL_BUF_INIT;
    with_kernel.options = &chosen;
    enum rl_status status = cli_kernel_named(chosen.kernel_name, &chosen.kernel, &kernel, err);
    if (status == RL_OK)
        status = chosen.sessions ? collect_sessions(&with_kernel, run_chosen, err) : run_chosen(&with_kernel, err);
    rl_buf_release(&kernel);
    return status;
}

const struct cli_command_body cmd_collect = {
    .operands = "[EXPERIMENT[/VARIANT] ... | -- PROGRAM [ARG ...]]",
    .most = SIZE_MAX,
    .reads_operands = true,
    .runs_programs = true,
    .about =
        "Runs the suite, or the chosen experiments and variants, on a GPU: checks every result, measures times without counters, "
        "then collects the counters in separate passes, and writes the capture as it goes. If it is stopped, the capture holds "
        "what was finished and is marked incomplete; an existing capture is replaced only by a complete one, and not by one "
        "without figures: that is FILE.partial. Without permission to "
        "read counters, times, static occupancy and the work model are recorded and the rest is marked as missing. A variant that "
        "fails, crashes or hangs is marked so and the rest goes on.\nSeveral GPUs are measured by one process each: one that "
        "fails, crashes or hangs stops no other, and a table at the end says what happened where. When they are done, copies "
        "between them and to the host are measured, in a separate capture whose name has links in place of the GPU. Under mpirun "
        "and srun each process takes the GPU of its local rank.\nWith -- PROGRAM an unmodified CUDA program is observed instead: "
        "every launch is recorded and timed, copies and NVTX ranges are recorded, and counters are taken for the kernels that make "
        "up 99 % of the GPU's time. The program's output, exit status and signals are unchanged. In the name of the capture %p "
        "stands for the number of the process, %h for the host, %r for the rank; with one of them each process gets a capture of "
        "its own.",
    .options = options,
    .options_size = sizeof(struct collect_options),
    .run = run,
};

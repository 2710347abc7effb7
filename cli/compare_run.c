/* compare_run.c - measures two programs in turn until their comparison is decided, or a budget ends. */
#include "compare.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect.h"
#include "parts.h"

extern const struct cli_command_body cmd_collect; /* of cmd_collect.c: whose options a session has */

/* A program and its arguments: words of the call, in a list that ends with NULL. */
struct session_program {
    const char **words;
    size_t count;
};

/* Standard input and output while the program runs; -1: nothing is to be restored. */
struct streams {
    int input, output;
};

static void restore(const struct streams *streams)
{
    if (streams->input >= 0) {
        (void)dup2(streams->input, STDIN_FILENO);
        close(streams->input);
    }
    if (streams->output >= 0) {
        (void)dup2(streams->output, STDOUT_FILENO);
        close(streams->output);
    }
}

static enum rl_status redirect(struct streams *streams, struct rl_err *err)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    *streams = (struct streams){fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
                                fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
    const bool done = nothing >= 0 && streams->input >= 0 && streams->output >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                      dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    const int error = errno;
    if (nothing >= 0)
        close(nothing);
    if (done)
        return RL_OK;
    restore(streams);
    return rl_err_set(err, RL_FAILED, "cannot redirect the program's input and output: %s", strerror(error));
}

static enum rl_status judge(const struct cli_outcome *outcome, struct rl_err *err)
{
    if (outcome->signal)
        return rl_err_set(err, RL_FAILED, "the program was ended by signal %d (%s)", outcome->signal, strsignal(outcome->signal));
    if (outcome->status)
        return rl_err_set(err, RL_FAILED, "the program ended with status %d", outcome->status);
    if (outcome->stop)
        return rl_err_set(err, RL_FAILED, "stopped by signal %d (%s)", outcome->stop, strsignal(outcome->stop));
    return RL_OK;
}

/* Observes the program as 'rooflight collect -o OUTPUT -- PROGRAM' does, without input, its output on standard error: standard
 * output is the comparison's. `times_only`: no counters. RL_FAILED, with what happened, when the program ends with another status
 * than 0, or when a signal came meanwhile that asks for an end, which the call's outcome tells. */
static enum rl_status session_measure(const struct cli_call *call, const struct session_program *program, const char *output,
                                      bool times_only, struct rl_err *err)
{
    struct cli_outcome outcome = {0};
    struct collect_options options = {.output = output, .replay = times_only ? RL_REPLAY_NONE : RL_REPLAY_ROTATE};
    struct streams streams;
    size_t command_count = 0;
    RL_TRY(redirect(&streams, err));
    /* "rooflight collect -o OUTPUT -- PROGRAM ...": what makes the same capture. */
    const char *const front[] = {"rooflight", "collect", "-o", output, "--"};
    const char **command = rl_calloc(RL_COUNT(front) + program->count, sizeof *command);
    memcpy(command, front, sizeof front);
    memcpy(command + RL_COUNT(front), program->words, program->count * sizeof *command);
    command_count = RL_COUNT(front) + program->count;
    options.common.dashes = command[command_count - program->count - 1];
    const struct cli_call of_one = {.body = &cmd_collect,
                                    .options = &options,
                                    .operands = program->words,
                                    .operand_count = program->count,
                                    .command = command,
                                    .command_count = command_count,
                                    .quiet = !call->verbose,
                                    .verbose = call->verbose,
                                    .terminal = call->terminal,
                                    .out = call->out,
                                    .outcome = &outcome};
    enum rl_status status = collect_program(&of_one, false, err);
    restore(&streams);
    free(command);
    call->outcome->stop = outcome.stop;
    return status == RL_OK ? judge(&outcome, err) : status;
}

enum { USUAL_SESSIONS = 16, USUAL_WARM_UP = 1 };
#define ENOUGH_OPEN 0.01 /* share of the base's time that may stay undecided */
static const char *const side_names[] = {"base", "new"};

struct run {
    const struct cli_call *call;
    struct session_program programs[2];
    const char *folder;
    struct rl_buf own_folder; /* where none was named */
    double limit_s;           /* budget; INFINITY without one */
    size_t most;              /* sessions of each side */
    size_t done[2], looks;
    int64_t start_ns;
    double open;   /* share of the time at the last look */
    bool hopeless; /* at the last look: sessions up to `most` will not decide enough */
    double pair_s; /* what the last session of each side took, together */
    uint64_t seed;
};

/* ---- what is asked ---- */

enum rl_status compare_run_options_alone(const struct compare_run_options *options, struct rl_err *err)
{
    const char *const alone = options->captures   ? "captures"
                              : options->time     ? "time"
                              : options->sessions ? "sessions"
                              : options->warm_up  ? "warm-up"
                                                  : NULL;
    return alone ? rl_err_set(err, RL_USAGE, "--%s goes with --run", alone) : RL_OK;
}

/* "90s", "10m", "2h". */
static enum rl_status parse_time(const char *text, double *seconds, struct rl_err *err)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    const size_t len = strlen(text);
    double number;
    for (size_t i = 0; i < RL_COUNT(units); i++)
        if (len > 1 && text[len - 1] == units[i].letter && rl_number_parse(text, len - 1, &number) && number > 0 && number <= 1e6) {
            *seconds = number * units[i].seconds;
            return RL_OK;
        }
    return rl_err_set(err, RL_USAGE, "--time takes a duration like 90s, 10m or 2h, not '%s'", text);
}

/* The programs: "-- BASE ... -- NEW ...", or "BASE -- NEW ..." where the base has the same options. */
static enum rl_status find_programs(struct run *run, struct rl_err *err)
{
    const struct cli_call *call = run->call;
    const size_t behind = cli_operands_behind_dashes(call);
    size_t bases = call->operand_count - behind, news = bases;
    if (bases == 0) {
        while (bases < call->operand_count && strcmp(call->operands[bases], "--") != 0)
            bases++;
        news = bases + 1;
    }
    if (bases == 0 || news >= call->operand_count)
        return rl_err_set(err, RL_USAGE, "--run takes two programs: --run -- BASELINE [ARG ...] -- CANDIDATE [ARG ...]");
    const size_t from[] = {0, news}, counts[] = {bases, call->operand_count - news};
    for (size_t i = 0; i < RL_COUNT(from); i++) {
        run->programs[i] = (struct session_program){rl_calloc(counts[i] + 1, sizeof(char *)), counts[i]};
        memcpy(run->programs[i].words, call->operands + from[i], counts[i] * sizeof(char *));
    }
    return RL_OK;
}

/* Wrong options are refused before anything is measured. */
static enum rl_status prepare(struct run *run, struct rl_err *err)
{
    const struct compare_options *chosen = run->call->options;
    const struct compare_run_options *asked = &chosen->run;
    run->most = asked->sessions ? (size_t)asked->sessions : USUAL_SESSIONS;
    run->limit_s = INFINITY;
    run->seed = (uint64_t)rl_realtime_ns() ^ (uint64_t)getpid();
    enum rl_status status = asked->time ? parse_time(asked->time, &run->limit_s, err) : RL_OK;
    RL_THEN(status, compare_check_options(run->call, err));
    RL_THEN(status, find_programs(run, err));
    return status == RL_OK && !cli_collector ? rl_err_set(err, RL_UNSUPPORTED, "%s", cli_no_collector) : status;
}

/* ---- captures ---- */

static void name_capture(const struct run *run, size_t side, size_t session, struct rl_buf *name)
{
    assert(side < 2 && session > 0);
    rl_buf_addf(name, "%s/%s-%zu.rlcap", run->folder, side_names[side], session);
}

static enum rl_status make_folder(struct run *run, struct rl_err *err)
{
    const struct compare_options *chosen = run->call->options;
    const time_t now = time(NULL);
    char date[32] = "";
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "-%Y%m%d-%H%M%S", &utc);
    rl_buf_addf(&run->own_folder, "compare%s", date);
    run->folder = chosen->run.captures ? chosen->run.captures : run->own_folder.data;
    if (mkdir(run->folder, RL_PRIVATE_FOLDER) != 0 && errno != EEXIST)
        return rl_err_set(err, RL_IO, "cannot make the folder '%s': %s", run->folder, strerror(errno));
    /* Captures of an earlier call would be taken for sessions of this one. */
    enum rl_status status = RL_OK;
    for (size_t side = 0; side < 2 && status == RL_OK; side++) {
        RL_SCRATCH name = RL_BUF_INIT;
        name_capture(run, side, 1, &name);
        if (access(name.data, F_OK) == 0)
            status = rl_err_set(err, RL_USAGE, "'%s' is there already: name another folder with --captures", name.data);
    }
    return status;
}

/* All captures so far, as compare_open takes them; free them with release_sides. */
static struct compare_sides list_sides(const struct run *run)
{
    const size_t count = run->done[0] + run->done[1];
    const char **paths = rl_calloc(count, sizeof *paths);
    for (size_t i = 0; i < count; i++) {
        const size_t side = i >= run->done[0];
        struct rl_buf name = RL_BUF_INIT;
        name_capture(run, side, side ? i - run->done[0] + 1 : i + 1, &name);
        paths[i] = name.data;
    }
    return (struct compare_sides){.paths = paths, .count = count, .behind = run->done[1], .look = run->looks};
}

static void release_sides(struct compare_sides *sides)
{
    for (size_t i = 0; i < sides->count; i++)
        free((char *)sides->paths[i]);
    free((void *)sides->paths);
}

/* ---- looking ---- */

static enum rl_status look(struct run *run, struct rl_err *err)
{
    struct compare_options chosen = *(const struct compare_options *)run->call->options;
    struct cli_call quiet = *run->call;
    struct compare_sides sides = list_sides(run);
    struct compare compare;
    chosen.document = (struct compare_document_options){NULL}; /* is made at the end */
    quiet.options = &chosen;
    quiet.quiet = true;
    enum rl_status status = compare_open(&quiet, &sides, &compare, err);
    if (status == RL_OK && compare.parts[1].against_base->pair_count == 0)
        status =
            rl_err_set(err, RL_FAILED, "the programs have no kernel in common: there is nothing to compare in '%s'", run->folder);
    if (status == RL_OK) {
        run->open = rl_comparison_open_share(compare.parts[1].against_base);
        run->hopeless = rl_comparison_hopeless_share(compare.parts[1].against_base, run->most) > ENOUGH_OPEN;
    }
    compare_close(&compare);
    release_sides(&sides);
    return status;
}

/* Why it ends after a session of each side. */
enum ending { GOES_ON, DECIDED, NO_MORE_SESSIONS, NO_MORE_TIME, HOPELESS };

static void say_open(const struct run *run, enum ending ending)
{
    static const char *const words[] = {[GOES_ON] = "",
                                        [DECIDED] = "",
                                        [NO_MORE_SESSIONS] = ", and --sessions allows no more",
                                        [NO_MORE_TIME] = ", and --time ends",
                                        [HOPELESS] = ", and the sessions that --sessions allows would not decide enough"};
    cli_say(run->call, "%zu session%s of each side, %.0f s: %.1f %% of the baseline's time is undecided%s", run->done[0],
            run->done[0] == 1 ? "" : "s", rl_seconds_since(run->start_ns), 100 * run->open, words[ending]);
}

/* After a session of each side: looks where that is due, also behind the first, whether there is anything to compare. */
static enum rl_status decide(struct run *run, enum ending *ending, struct rl_err *err)
{
    const bool late = rl_seconds_since(run->start_ns) + run->pair_s > run->limit_s;
    *ending = run->done[0] == run->most ? NO_MORE_SESSIONS : late ? NO_MORE_TIME : GOES_ON;
    const bool is_look = rl_turns_look(run->done[0]) || *ending != GOES_ON;
    const bool was_hopeless = run->hopeless;
    run->looks += is_look;
    const enum rl_status status = is_look || run->done[0] == 1 ? look(run, err) : RL_OK;
    if (status != RL_OK || !is_look)
        return status;
    *ending = run->open <= ENOUGH_OPEN ? DECIDED : (*ending) == GOES_ON && run->hopeless && was_hopeless ? HOPELESS : (*ending);
    say_open(run, *ending);
    return RL_OK;
}

/* ---- measuring ---- */

/* Renames the capture of a failed program, which must not be taken for a session. */
static void set_aside(const struct run *run, size_t side, const char *capture)
{
    RL_SCRATCH name = RL_BUF_INIT;
    rl_buf_addf(&name, "%s/failed-%s-%zu.rlcap", run->folder, side_names[side], run->done[side] + 1);
    if (rename(capture, name.data) == 0)
        cli_say(run->call, "what it launched is in '%s'", name.data);
}

static enum rl_status measure_one(struct run *run, size_t side, struct rl_err *err)
{
    RL_SCRATCH name = RL_BUF_INIT;
    const int64_t start_ns = rl_monotonic_ns();
    name_capture(run, side, run->done[side] + 1, &name);
    enum rl_status status = session_measure(run->call, &run->programs[side], name.data, false, err);
    if (status == RL_OK)
        cli_say(run->call, "session %zu of %s: %.1f s, %s", ++run->done[side], side_names[side], rl_seconds_since(start_ns),
                name.data);
    else {
        rl_err_context(err, status, "session %zu of %s", run->done[side] + 1, side_names[side]);
        set_aside(run, side, name.data);
    }
    return status;
}

/* Caches of files and of compiled kernels are filled, clocks and temperature begin to settle. */
static enum rl_status warm_up(struct run *run, struct rl_err *err)
{
    const int asked = ((const struct compare_options *)run->call->options)->run.warm_up;
    const int times = asked < 0 ? 0 : asked ? asked : USUAL_WARM_UP;
    RL_FREED char *folder = NULL;
    enum rl_status status = times ? rl_make_temp_dir(&folder, err) : RL_OK;
    RL_SCRATCH name = RL_BUF_INIT;
    if (folder)
        rl_buf_addf(&name, "%s/warm-up.rlcap", folder);
    for (int i = 0; i < 2 * times && status == RL_OK; i++) {
        status = session_measure(run->call, &run->programs[i % 2], name.data, true, err);
        if (status != RL_OK)
            rl_err_context(err, status, "warm-up of %s", side_names[i % 2]);
    }
    if (folder)
        rl_remove_tree(folder);
    return status;
}

/* Compares, prints and writes the measurements. */
static enum rl_status conclude(const struct run *run, compare_finish *finish, struct rl_err *err)
{
    struct compare_sides sides = list_sides(run);
    RL_SCRATCH document = RL_BUF_INIT;
    rl_buf_addf(&document, "%s/compare.pdf", run->folder);
    sides.document = document.data;
    const enum rl_status status = finish(run->call, &sides, err);
    release_sides(&sides);
    return status;
}

/* Ends this process by the signal that asked for it, which is no failure. */
static enum rl_status end_by_signal(const struct cli_call *call, const struct rl_err *err)
{
    cli_say(call, "%s", err->text);
    call->outcome->signal = call->outcome->stop;
    return RL_OK;
}

enum rl_status compare_run(const struct cli_call *call, compare_finish *finish, struct rl_err *err)
{
    struct run run = {.call = call, .own_folder = RL_BUF_INIT};
    enum rl_status status = prepare(&run, err);
    RL_THEN(status, make_folder(&run, err));
    if (status == RL_OK) {
        enum ending ending = GOES_ON;
        run.start_ns = rl_monotonic_ns();
        status = warm_up(&run, err);
        for (size_t turn = 0; ending == GOES_ON && status == RL_OK; turn += 2) {
            const int64_t start_ns = rl_monotonic_ns();
            for (size_t i = 0; i < 2 && status == RL_OK; i++)
                status = measure_one(&run, rl_turn_is_new(run.seed, turn + i), err);
            assert(status != RL_OK || run.done[0] == run.done[1]);
            run.pair_s = rl_seconds_since(start_ns);
            RL_THEN(status, decide(&run, &ending, err));
        }
        if (status != RL_OK && run.done[0] + run.done[1]) {
            /* The sessions before the one that failed are as good as any. */
            cli_say(run.call, "stopped; captures of %zu baseline sessions and %zu candidate sessions are in '%s'", run.done[0],
                    run.done[1], run.folder);
            if (run.done[0] && run.done[1])
                cli_say(run.call, "'rooflight compare base-*.rlcap -- new-*.rlcap' compares them in that folder");
        }
    }
    RL_THEN(status, conclude(&run, finish, err));
    for (size_t side = 0; side < 2; side++)
        free(run.programs[side].words);
    rl_buf_release(&run.own_folder);
    return status != RL_OK && call->outcome->stop ? end_by_signal(call, err) : status;
}

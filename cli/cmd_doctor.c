#include <dirent.h>
#include <sys/utsname.h>

#include "command.h"
#include "parts.h"
#include "view_media.h"

struct doctor_options {
    struct cli_common common;
    bool json;
};

static const struct cli_option options[] = {
    {0, "json", CLI_FLAG, offsetof(struct doctor_options, json), .help = "print the checks as JSON"},
    {0},
};

struct check {
    const char *name, *result, *found, *advice; /* advice "": nothing to do */
};
struct checks {
    const char *tool_version;
    struct rl_arena arena;
    struct check *list;
    size_t count, cap;
};

/* Names of states in the second column. */
static const char *const results[] = {
    [RL_OK] = "ok",
    [RL_FAILED] = "failed",
    [RL_USAGE] = "failed",
    [RL_REGRESSION] = "failed",
    [RL_OPEN] = "failed",
    [RL_IO] = "failed",
    [RL_FORMAT] = "damaged",
    [RL_VERSION] = "too old",
    [RL_UNSUPPORTED] = "unsupported",
    [RL_PERMISSION] = "refused",
    [RL_BUSY] = "busy",
    [RL_ABSENT] = "missing",
    [RL_TIMEOUT] = "timed out",
};

static void add_check(struct checks *checks, const char *name, const char *result, const char *found, const char *advice)
{
    assert(result && advice);
    RL_APPEND(checks->list, checks->count, checks->cap,
              (struct check){.name = rl_arena_strdup(&checks->arena, name),
                             .result = result,
                             .found = rl_arena_strdup(&checks->arena, found),
                             .advice = rl_arena_strdup(&checks->arena, advice)});
}

static void check_collector(struct checks *checks)
{
    enum { MOST_CHECKS = 64 };
    if (!cli_collector) {
        add_check(checks, "collector", "missing", "not in this build: it was made without the CUDA toolkit",
                  "to measure here, install the CUDA toolkit (11.8 or newer, with CUPTI) and build again");
        return;
    }
    RL_FREED struct rl_probe_check *found = rl_calloc(MOST_CHECKS, sizeof *found);
    size_t count = cli_collector->probe(-1, found, MOST_CHECKS);
    for (size_t i = 0; i < count; i++)
        add_check(checks, found[i].name, results[found[i].status], found[i].detail, found[i].advice);
}

static void check_reports(struct checks *checks)
{
    if (!cli_reports) {
        add_check(checks, "reports", "missing", "not in this build: it was made with RL_REPORTS=OFF",
                  "copy captures to a machine with the full program");
        return;
    }
    struct rl_report_check found[RL_REPORT_CHECKS];
    struct rl_report_options defaults = {.tool_version = CLI_VERSION};
    cli_reports->probe(&defaults, found);
    for (size_t i = 0; i < RL_REPORT_CHECKS; i++)
        add_check(checks, found[i].name, found[i].ok ? "ok" : "missing", found[i].detail, found[i].advice);
}

static int is_capture(const struct dirent *entry)
{
    static const char ending[] = ".rlcap";
    size_t len = strlen(entry->d_name);
    return len > strlen(ending) && strcmp(entry->d_name + len - strlen(ending), ending) == 0;
}

/* "h200.rlcap, ..." of the captures in `folder`; returns their number, 0 also when there is no such folder. */
static size_t list_captures(const char *folder, struct rl_buf *names)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_capture, alphasort);
    for (int i = 0; i < count; i++) {
        rl_buf_addf(names, "%s%s", i ? ", " : "", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return count > 0 ? (size_t)count : 0;
}

/* Installed with the program, else in the source tree. */
static void check_samples(struct checks *checks)
{
    RL_FREED char *here = rl_executable_dir();
    RL_FREED char *installed = rl_path_join(here, "../share/rooflight/samples");
    const char *const folders[] = {installed, RL_SOURCE_SAMPLES};
    RL_SCRATCH names = RL_BUF_INIT;
    const char *folder = NULL;
    for (size_t i = 0; i < RL_COUNT(folders) && !folder; i++)
        folder = list_captures(folders[i], &names) ? folders[i] : NULL;
    if (folder) {
        RL_SCRATCH found = RL_BUF_INIT;
        rl_buf_addf(&found, "%s in %s", names.data, folder);
        add_check(checks, "samples", "ok", found.data, "");
    } else {
        add_check(checks, "samples", "missing", "no sample captures next to the program", "");
    }
}

static size_t longest_word(const char *text)
{
    size_t longest = 0;
    for (size_t len = 0; *text; text += len + (text[len] == ' ')) {
        len = strcspn(text, " ");
        const size_t width = rl_utf8_width(text, len);
        longest = width > longest ? width : longest;
    }
    return longest;
}

enum { RESULT_WIDTH = 11, BELOW = 4 };

/* Name, result and what was found side by side; what was found goes below them on a terminal where it does not fit, and the result
 * with it where that does not fit either. */
static void write_check(const struct check *check, const char *found, size_t name_width, size_t width, struct rl_buf *out)
{
    const size_t indent = name_width + 2 + RESULT_WIDTH + 2;
    if (width == 0 || indent + longest_word(found) <= width) {
        rl_buf_addf(out, "%-*s  %-*s  ", (int)name_width, check->name, RESULT_WIDTH, check->result);
        cli_wrap_whole(out, found, indent, indent, width);
    } else if (name_width + 2 + RESULT_WIDTH <= width) {
        rl_buf_addf(out, "%-*s  %s\n%*s", (int)name_width, check->name, check->result, BELOW, "");
        cli_wrap_whole(out, found, BELOW, BELOW, width);
    } else {
        RL_SCRATCH text = RL_BUF_INIT;
        rl_buf_addf(&text, "%s: %s", check->result, found);
        rl_buf_addf(out, "%s\n%*s", check->name, BELOW, "");
        cli_wrap_whole(out, text.data, BELOW, BELOW, width);
    }
    rl_buf_addch(out, '\n');
}

/* clang-format off */
static const struct view_field check_fields[] = {
    {.id = "name", VIEW_AT(struct check, name)},
    {.id = "status", VIEW_AT(struct check, result)},
    {.id = "detail", VIEW_AT(struct check, found)},
    {.id = "advice", VIEW_AT(struct check, advice), .none_if_zero = true},
};
static const struct view_record check_record = {.id = "check", .title = "", VIEW_FIELDS(check_fields)};
static const struct view_field doctor_fields[] = {
    {.id = "tool_version", VIEW_AT(struct checks, tool_version)},
    {.id = "checks", VIEW_AT_ROWS(struct checks, list, count, &check_record)},
};
/* clang-format on */
static const struct view_record doctor_record = {.id = "doctor", .title = "", VIEW_FIELDS(doctor_fields)};

/* One line a check, wrapped on a terminal. */
static void write_text(const struct checks *checks, const struct cli_call *call)
{
    size_t name_width = 0;
    for (size_t i = 0; i < checks->count; i++) {
        size_t width = rl_utf8_width(checks->list[i].name, strlen(checks->list[i].name));
        name_width = width > name_width ? width : name_width;
    }
    for (size_t i = 0; i < checks->count; i++) {
        const struct check *check = &checks->list[i];
        RL_SCRATCH text = RL_BUF_INIT, safe = RL_BUF_INIT;
        rl_buf_addf(&text, "%s%s%s", check->found, *check->advice ? "; " : "", check->advice);
        rl_utf8_printable(&safe, text.data, text.len);
        write_check(check, safe.data, name_width, call->terminal.interactive ? call->terminal.width : 0, call->out);
    }
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    (void)err; /* what does not work is a finding here, not a failure */
    const struct doctor_options *chosen = call->options;
    struct checks checks = {.tool_version = CLI_VERSION, .arena = RL_ARENA_INIT};
    struct utsname machine;
    RL_SCRATCH found = RL_BUF_INIT;
    rl_buf_addf(&found, "rooflight %s", CLI_VERSION);
    if (uname(&machine) == 0)
        rl_buf_addf(&found, " on %s %s", machine.sysname, machine.machine);
    add_check(&checks, "program", "ok", found.data, "");
    check_collector(&checks);
    check_reports(&checks);
    check_samples(&checks);
    if (chosen->json)
        cli_view_document(&(struct view){.record = &doctor_record, .row = &checks, .arena = &checks.arena},
                          &(struct cli_view_document){0}, call->out);
    else
        write_text(&checks, call);
    free(checks.list);
    rl_arena_release(&checks.arena);
    return RL_OK;
}

const struct cli_command_body cmd_doctor = {
    .operands = "",
    .about =
        "Checks the driver, the GPUs, CUPTI, counter permission, the tools that reports need, and the sample captures. Prints a "
        "line for each check: name, result, finding, remedy. Launches no kernel. The exit status is 0 even when "
        "something is missing.",
    .options = options,
    .options_size = sizeof(struct doctor_options),
    .run = run,
};

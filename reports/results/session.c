/* session.c - who measured what and how: session, log. */

#include "show_parts.h"

/* ---- session ---- */

static const struct view_field word_fields[] = {{.id = "word", VIEW_ITSELF, .help = "an argument of the command"}};
static const struct view_record word_record = {
    .id = "word", .help = "an argument of the command", VIEW_FIELDS(word_fields), .plain = true};

/* clang-format off */
static const struct view_field session_fields[] = {
    {.id = "started", VIEW_AT(struct rl_capture, session.started), .help = "when it began, UTC; empty: unknown"},
    {.id = "tool_version", VIEW_AT(struct rl_capture, session.tool_version), .help = "version of rooflight that wrote the capture"},
    {.id = "source", VIEW_AT(struct rl_capture, session.source),
     .help = "'collect', 'ncu', 'nvprof', 'nsys', 'benchmark' or 'published': measured, imported, read"},
    {.id = "host", VIEW_AT(struct rl_capture, session.host), .help = "name of the machine"},
    {.id = "os", VIEW_AT(struct rl_capture, session.os), .help = "its operating system"},
    {.id = "driver", VIEW_AT(struct rl_capture, session.driver), .help = "version of the driver"},
    {.id = "cuda_driver", VIEW_AT(struct rl_capture, session.cuda_driver), .help = "CUDA version of the driver"},
    {.id = "cuda_runtime", VIEW_AT(struct rl_capture, session.cuda_runtime), .help = "version of the CUDA runtime"},
    {.id = "cupti", VIEW_AT(struct rl_capture, session.cupti), .help = "version of CUPTI"},
    {.id = "counters", VIEW_AT(struct rl_capture, session.counters), .help = "'collected', or why there are none"},
    {.id = "capture_sha256", VIEW_AT_ARRAY(struct rl_capture, sha256.hex), .help = "SHA-256 of the capture's file"},
    {.id = "command", VIEW_AT_ROWS(struct rl_capture, session.command, session.command_count, &word_record),
     .help = "the command, argument by argument"},
};
/* clang-format on */
const struct view_record view_record_session = {
    .id = "session", .help = "who measured, with what, and when", VIEW_FIELDS(session_fields)};

/* ---- log ---- */

VIEW_CELL(at_cell, struct rl_log_entry, (double)row->at_ns / 1e9);

static const char *const levels[] = {[RL_LOG_NOTE] = "note", [RL_LOG_WARNING] = "warning", [RL_LOG_ERROR] = "error"};
VIEW_CELL(level_cell, struct rl_log_entry, levels[row->level]);

enum { LOG_COLUMNS = 68 };
static const struct view_field log_fields[] = {
    {.id = "at_s", .head = "at", VIEW_GET(NUMBER, at_cell), .unit = RL_UNIT_SECOND, .help = "when, since the start of the session"},
    {.id = "level", VIEW_GET(TEXT, level_cell), .help = "'note', 'warning' or 'error'"},
    {.id = "text", VIEW_AT(struct rl_log_entry, text), .columns = LOG_COLUMNS, .wraps = true, .help = "what happened"},
    {.id = "whole_text",
     VIEW_AT(struct rl_log_entry, text),
     .for_people = true,
     .shown = VIEW_ON_REQUEST,
     .help = "the same, never shortened"},
};
const struct view_record view_record_log = {.id = "log_entry", .help = "a line of the log", VIEW_FIELDS(log_fields)};

static struct view_cell versions_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_session *session = &((const struct rl_capture *)row)->session;
    const struct {
        const char *name, *version;
    } parts[] = {
        {"", session->driver}, {"CUDA ", session->cuda_driver}, {"runtime ", session->cuda_runtime}, {"CUPTI ", session->cupti}};
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < RL_COUNT(parts); i++)
        if (parts[i].version)
            rl_buf_addf(&text, "%s%s%s", text.len ? ", " : "", parts[i].name, parts[i].version);
    rl_buf_adds(&text, text.len ? "" : "unknown");
    return view_cell_kept(view, &text);
}

static struct view_cell command_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_session *session = &((const struct rl_capture *)row)->session;
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < session->command_count; i++)
        rl_buf_addf(&text, "%s%s", i ? " " : "", session->command[i]);
    return view_cell_kept(view, &text);
}

VIEW_CELL(path_cell, void, view_subject_of(view)->name);

static const struct view_field told_fields[] = {
    {.id = "started", VIEW_AT(struct rl_capture, session.started), .help = "when it began"},
    {.id = "tool_version", VIEW_AT(struct rl_capture, session.tool_version), .help = "version of rooflight"},
    {.id = "source", VIEW_AT(struct rl_capture, session.source), .help = "where it comes from"},
    {.id = "host", VIEW_AT(struct rl_capture, session.host), .help = "name of the machine"},
    {.id = "counters", VIEW_AT(struct rl_capture, session.counters), .help = "'collected', or why there are none"},
    {.id = "versions", VIEW_GET(TEXT, versions_cell), .help = "versions of driver, CUDA and CUPTI"},
    {.id = "command", VIEW_GET(TEXT, command_cell), .help = "the command"},
    {.id = "path", VIEW_GET(TEXT, path_cell), .help = "where it was read from"},
    {.id = "complete", VIEW_AT(struct rl_capture, session.complete), .help = "whether the measurement ran to its end"},
};

VIEW_WHEN(is_measured, struct rl_capture, strcmp(row->session.source, "collect") == 0);

#define SOURCE "{started} by rooflight {tool_version} ({source})[ on {host}]"
static const struct view_block told_blocks[] = {
    {.kind = VIEW_BLOCK_FACT, .label = "driver", .text = "{versions}"},
    {.kind = VIEW_BLOCK_FACT, .label = "measured", .text = SOURCE, .when = is_measured},
    {.kind = VIEW_BLOCK_FACT, .label = "imported", .text = SOURCE, .unless = is_measured},
    {.kind = VIEW_BLOCK_FACT, .label = "command", .text = "{command}", .with = "command"},
    {.kind = VIEW_BLOCK_FACT, .label = "capture", .text = "{path}, complete", .with = "complete"},
    {.kind = VIEW_BLOCK_FACT,
     .label = "capture",
     .text = "{path}, INCOMPLETE: the measurement did not run to its end; only what was finished is here",
     .with = "!complete"},
    {.kind = VIEW_BLOCK_FACT, .label = "counters", .text = "{counters}"},
};
#undef SOURCE
const struct view_record view_record_told_session = {
    .id = "told_session", .help = "who measured, for people", VIEW_FIELDS(told_fields), VIEW_BLOCKS(told_blocks)};

#include "command.h"

#include <strings.h>

const struct cli_format cli_capture_formats[] = {{.ending = ".rlcap", .bytes = "a capture"}, {0}};
const struct cli_format cli_document_formats[] = {{.ending = ".pdf", .bytes = "a PDF"}, {.ending = ".html", .select = "html"}, {0}};

/* ".pdf" of "a/b.pdf". NULL where the name has none: what looks like no format (digits, a long or a mixed word, as of mktemp). */
static const char *ending_of(const char *path)
{
    enum { LONGEST = 8 };
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    if (!dot || dot == base)
        return NULL;
    const size_t len = strlen(dot + 1);
    const bool word = len == strspn(dot + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") || len == strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz");
    return len > 0 && len <= LONGEST && word ? dot : NULL;
}

/* The row for a file of this name; NULL: there is none. */
static const struct cli_format *format_of(const struct cli_format *formats, const char *path)
{
    const char *ending = ending_of(path);
    for (const struct cli_format *format = formats; ending && format->ending; format++)
        if (strcasecmp(format->ending, ending) == 0)
            return format;
    return ending ? NULL : formats;
}

bool cli_is_first_format(const struct cli_format *formats, const char *path)
{
    return rl_is_stream(path) || format_of(formats, path) == formats;
}

bool cli_name_ends_with(const char *text, const char *ending)
{
    const size_t len = strlen(text), end = strlen(ending);
    return len > end && strcasecmp(text + len - end, ending) == 0;
}

bool cli_is_html(const char *path)
{
    return cli_name_ends_with(path, ".html");
}

static enum rl_status refuse_ending(const struct cli_option *row, const char *path, struct rl_err *err)
{
    assert(row->formats && ending_of(path));
    RL_SCRATCH known = RL_BUF_INIT;
    for (const struct cli_format *format = row->formats; format->ending; format++)
        rl_buf_addf(&known, "%s%s", format == row->formats ? "" : format[1].ending ? ", " : " or ", format->ending);
    rl_err_set(err, RL_USAGE, "option '--%s': '%s' ends in %s, but what is written is %s", row->name, path, ending_of(path),
               known.data);
    return RL_USAGE;
}

/* The row of a long name, which is there. */
static const struct cli_option *find_row(const struct cli_option *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0)
        rows++;
    assert(rows->name && rows->kind == CLI_SELECT);
    return rows;
}

/* Whether a format was chosen by an option other than `but`; its name. */
static const char *chosen_otherwise(const struct cli_option *rows, const struct cli_option *but, int value)
{
    assert(but->kind == CLI_SELECT);
    for (; rows->name; rows++)
        if (rows->kind == CLI_SELECT && rows->offset == but->offset && value == (int)rows->low && value != (int)but->low)
            return rows->name;
    return NULL;
}

/* As if the option that the ending stands for had been given. */
static enum rl_status select_format(const struct cli_option *rows, const struct cli_option *row, const struct cli_format *format,
                                    const char *path, struct cli_common *options, struct rl_err *err)
{
    assert(format && row->formats);
    if (!format->select || !ending_of(path))
        return RL_OK;
    const struct cli_option *select = find_row(rows, format->select);
    int *member = (int *)((char *)options + select->offset);
    const char *other = chosen_otherwise(rows, select, *member);
    if (other)
        return rl_err_set(err, RL_USAGE, "option '--%s': '%s' ends in %s, but --%s is given: leave one of them out", row->name,
                          path, ending_of(path), other);
    *member = (int)select->low;
    return RL_OK;
}

/* Standard output takes one result; a terminal takes none that it cannot show. */
static enum rl_status check_stdout(const struct cli_call *call, const struct cli_option *row, bool *taken, struct rl_err *err)
{
    assert(row->kind == CLI_OUTPUT || row->kind == CLI_GROWING);
    if (row->kind == CLI_GROWING)
        return rl_err_set(err, RL_USAGE,
                          "option '--%s': a capture is written while it is being measured, which needs a file ('./-' is one)",
                          row->name);
    if (*taken)
        return rl_err_set(err, RL_USAGE, "option '--%s': '-' is standard output, which another option already uses", row->name);
    *taken = true;
    if (row->formats && row->formats->bytes && call->terminal.interactive)
        return rl_err_set(err, RL_USAGE, "option '--%s': %s is not for a terminal: name a file, or pipe it into a program",
                          row->name, row->formats->bytes);
    return RL_OK;
}

enum rl_status cli_choose_formats(const struct cli_call *call, struct cli_common *options, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    const struct cli_option *rows = call->body->options;
    bool taken = false;
    for (const struct cli_option *row = rows; row->name && status == RL_OK; row++) {
        if (row->kind != CLI_OUTPUT && row->kind != CLI_GROWING)
            continue;
        const char *path = *(const char *const *)((const char *)options + row->offset);
        const struct cli_format *format = path && row->formats ? format_of(row->formats, path) : NULL;
        if (path && rl_is_stream(path))
            status = check_stdout(call, row, &taken, err);
        else if (path && row->formats)
            status = format ? select_format(rows, row, format, path, options, err) : refuse_ending(row, path, err);
    }
    return status;
}

enum rl_status cli_write_output(const struct cli_call *call, const char *path, const struct rl_buf *bytes, const char *more,
                                struct rl_err *err)
{
    assert(path && call->out);
    if (rl_is_stream(path)) {
        rl_buf_add(call->out, bytes->data, bytes->len);
        return RL_OK;
    }
    enum rl_status status = rl_write_file_atomic(path, bytes->data, bytes->len, err);
    if (status == RL_OK && more)
        cli_say(call, "wrote %s (%s)", path, more);
    else if (status == RL_OK)
        cli_say(call, "wrote %s", path);
    return status;
}

enum rl_status cli_redirect_result(const struct cli_call *call, const char *path, struct rl_err *err)
{
    assert(call->out);
    if (!path || rl_is_stream(path))
        return RL_OK;
    enum rl_status status = cli_write_output(call, path, call->out, NULL, err);
    rl_buf_reset(call->out);
    return status;
}

bool cli_stdout_is_taken(const struct cli_call *call)
{
    bool taken = false;
    for (const struct cli_option *row = call->body->options; row->name; row++) {
        const char *path = row->kind == CLI_OUTPUT ? *(const char *const *)((const char *)call->options + row->offset) : NULL;
        taken |= path && rl_is_stream(path);
    }
    return taken;
}

struct cli_terminal cli_terminal_for(const struct cli_call *call, const char *path)
{
    return !path || rl_is_stream(path) ? call->terminal : (struct cli_terminal){.width = cli_terminal_of(-1).width};
}

#include "reader.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/utf8.h"
#include "import/import.h"

enum { MAX_LOGGED_MESSAGES = 20 };

/* ---- what the tools say around their tables ---- */

static void keep_said(struct rl_reader *reader, struct rl_text line)
{
    if (!reader->said.text[0])
        rl_err_set(&reader->said, RL_FAILED, "%.*s", (int)(line.len < 400 ? line.len : 400), line.at);
}

static void log_message(struct rl_reader *reader, enum rl_log_level level, struct rl_text line)
{
    struct rl_buf text = RL_BUF_INIT;

    if (reader->logged++ >= MAX_LOGGED_MESSAGES)
        return;
    rl_utf8_printable(&text, line.at, line.len < 1000 ? line.len : 1000);
    rl_capture_log(reader->capture, 0, level, "import: '%s' says: %s", reader->label, text.data);
    rl_buf_release(&text);
}

/* Lines that change how the ones behind them are read. */
static void note_section(struct rl_reader *reader, struct rl_text line)
{
    static const struct {
        const char *words;
        bool calls;
    } sections[] = {
        {" Profiling result:", false}, {" Metric result:", false},         {" Event result:", false},
        {" API calls:", true},         {"Unified Memory profiling", true},
    };

    for (size_t i = 0; i < RL_COUNT(sections); i++) {
        if (rl_text_find(line, sections[i].words) < line.len) {
            rl_table_end(reader);
            reader->calls = sections[i].calls;
        }
    }
}

static bool mentions(struct rl_text line, const char *words)
{
    return rl_text_find(line, words) < line.len;
}

/* Lines of Nsight Compute ("==PROF== ...") and nvprof ("==1234== ...", "======== ..."). */
static bool is_message(struct rl_text line)
{
    size_t word = 2;

    if (!rl_text_begins(line, "=="))
        return false;
    while (word < line.len && ((line.at[word] >= '0' && line.at[word] <= '9') || (line.at[word] >= 'A' && line.at[word] <= 'Z')))
        word++;
    return (word > 2 && rl_text_begins(rl_text_from(line, word), "== ")) || rl_text_begins(line, "======== ");
}

static void take_message(struct rl_reader *reader, struct rl_text line)
{
    reader->messages++;
    note_section(reader, line);
    if (rl_text_begins(line, "==ERROR==") || mentions(line, "== Error")) {
        keep_said(reader, line);
        log_message(reader, RL_LOG_WARNING, line);
    } else if (rl_text_begins(line, "==WARNING==") || mentions(line, "== Warning")) {
        log_message(reader, RL_LOG_NOTE, line);
    }
}

/* The tool's banner: "Version 2025.3.1.0 (build 36398880) (public-release)". */
static void note_version(struct rl_reader *reader, struct rl_text line)
{
    const struct rl_text number = rl_text_from(line, strlen("Version "));
    const size_t len = rl_text_find(number, " ");

    if (!rl_text_begins(line, "Version 20") || !mentions(line, "(build ") || reader->version.len)
        return;
    for (size_t i = 0; i < len; i++)
        if (number.at[i] != '.' && (number.at[i] < '0' || number.at[i] > '9'))
            return;
    rl_buf_add(&reader->version, number.at, len);
}

/* What is neither a row nor a message but says something of the tables. */
static void take_other(struct rl_reader *reader, struct rl_text line)
{
    const struct rl_text text = rl_text_trim(line);

    if (mentions(text, "No events/metrics were profiled") || mentions(text, "No kernels were profiled")) {
        reader->nothing_profiled = true;
        keep_said(reader, text);
    }
    note_version(reader, text);
    if (rl_text_begins(text, "Section: ") || mentions(text, "), Context 1, Stream"))
        reader->printed_sections = true;
}

/* ---- rows ---- */

/* Two lines above the rows of printed metrics: `Device "Tesla V100 (0)"`, `Kernel: name`. */
static bool take_heading(struct rl_reader *reader, struct rl_text line)
{
    const struct rl_text text = rl_text_trim(line);
    const bool device = rl_text_begins(text, "Device \""), kernel = rl_text_begins(text, "Kernel: ");
    struct rl_buf *heading = device ? &reader->device : &reader->kernel;
    struct rl_text name = rl_text_from(text, 8); /* both are as long */

    if (!device && !kernel)
        return false;
    if (device && name.len && name.at[name.len - 1] == '"')
        name.len--;
    rl_buf_reset(heading);
    rl_buf_add(heading, name.at, name.len);
    if (device)
        rl_buf_reset(&reader->kernel);
    return true;
}

static bool take_row(struct rl_reader *reader)
{
    if (rl_table_takes_units(reader))
        return true;
    return !reader->table.kind->row || reader->table.kind->row(reader);
}

/* A summary gives the kind of activity in the first of its rows only ("GPU activities:", "API calls:"). */
static struct rl_text split_type(struct rl_reader *reader, struct rl_text text)
{
    const size_t colon = rl_text_find(text, ":  ");

    if (!reader->table.typed || colon == text.len || (text.at[0] >= '0' && text.at[0] <= '9'))
        return text;
    rl_buf_reset(&reader->type);
    rl_buf_add(&reader->type, text.at, colon);
    return rl_text_trim(rl_text_from(text, colon + 1));
}

static bool take_printed(struct rl_reader *reader, struct rl_text line)
{
    const bool open = reader->table.kind && reader->table.kind->form == RL_FORM_PRINTED;
    const struct rl_text text = rl_text_trim(line);

    if (open && text.len == 0)
        rl_table_end(reader);
    if (text.len == 0 || take_heading(reader, line))
        return true;
    if (!mentions(text, "  "))
        return false;
    rl_record_read_printed(reader->record, text, RL_IMPORT_MAX_COLUMNS);
    if (rl_table_begin(reader, RL_FORM_PRINTED))
        return true;
    if (!open)
        return false;
    rl_record_read_printed(reader->record, split_type(reader, text), reader->table.column_count);
    return take_row(reader);
}

/* Rows without a comma are no rows, so most of what programs print is not parsed. */
static bool take_csv(struct rl_reader *reader, struct rl_text line)
{
    const bool open = reader->table.kind && reader->table.kind->form == RL_FORM_CSV;

    if (!memchr(line.at, ',', line.len))
        return false;
    rl_record_read_csv(reader->record, line);
    if (rl_record_count(reader->record) == 0)
        rl_notes_add(&reader->model->notes, RL_NOTE_too_many_columns, rl_text_of(reader->label));
    return rl_table_begin(reader, RL_FORM_CSV) || (open && take_row(reader));
}

/* A head may stand behind something that was printed without a line break. */
static struct rl_text from_head(struct rl_text line)
{
    const size_t at = line.len && line.at[0] != '"' ? rl_text_find(line, "\"ID\",\"Process ID\",") : line.len;

    return at < line.len ? rl_text_from(line, at) : line;
}

static void take_line(struct rl_reader *reader, struct rl_text line)
{
    line = from_head(line);
    if (is_message(line))
        take_message(reader, line);
    else if (!take_csv(reader, line) && !take_printed(reader, line))
        take_other(reader, line);
}

/* ---- records over several lines ---- */

static bool odd_quotes(struct rl_text line)
{
    size_t count = 0;

    for (const char *at = line.at, *end = line.at + line.len; (at = memchr(at, '"', (size_t)(end - at))); at++)
        count++;
    return count % 2;
}

/* Whether a line looks like a row or a message, so that it cannot go on one that was cut. */
static bool begins_anew(struct rl_text line)
{
    size_t digits = 1;

    if (is_message(line) || (rl_text_begins(line, "\"") && !odd_quotes(line)))
        return true;
    while (digits < line.len && line.at[digits] >= '0' && line.at[digits] <= '9')
        digits++;
    return digits > 1 && line.at[0] == '"' && rl_text_begins(rl_text_from(line, digits), "\",\"");
}

static bool may_go_on(const struct rl_reader *reader, struct rl_text line)
{
    return reader->table.kind && reader->table.kind->form == RL_FORM_CSV && line.len && line.at[0] == '"' && odd_quotes(line);
}

static void drop_pending(struct rl_reader *reader)
{
    rl_row_damaged(reader);
    rl_buf_reset(&reader->pending);
}

/* Adds a line to the record that is not complete; takes the record when it is. */
static void go_on(struct rl_reader *reader, struct rl_text line)
{
    struct rl_buf *pending = &reader->pending;

    rl_buf_addch(pending, '\n');
    rl_buf_add(pending, line.at, line.len);
    if (pending->len > RL_IMPORT_MAX_LINE) {
        drop_pending(reader);
    } else if (odd_quotes(line)) {
        take_line(reader, (struct rl_text){pending->data, pending->len});
        rl_buf_reset(pending);
    }
}

static void take_any(struct rl_reader *reader, struct rl_text line)
{
    if (reader->pending.len && begins_anew(line))
        drop_pending(reader);
    if (reader->pending.len)
        go_on(reader, line);
    else if (may_go_on(reader, line))
        rl_buf_add(&reader->pending, line.at, line.len);
    else
        take_line(reader, line);
}

/* ---- the file ---- */

/* Formats that somebody may hand over for the tables that can be made of them. */
static const char *other_format(struct rl_text head)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *words;
    } formats[] = {
        {"\xFF\xFE", 2, "it is UTF-16, as PowerShell writes it: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"},
        {"\xFE\xFF", 2, "it is UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"},
        {"SQLite format 3", 15,
         "it is an SQLite file (a capture, or a profile of nvprof -o or nsys): export tables with nvprof --csv -i"},
        {"NVR?", 4, "it is a report of Nsight Compute: export it with ncu --import FILE --csv --page raw"},
        {"\x1F\x8B", 2, "it is compressed: unpack it first"},
        {"PK\x03\x04", 4, "it is a ZIP archive: unpack it first"},
    };

    for (size_t i = 0; i < RL_COUNT(formats); i++)
        if (head.len >= formats[i].len && memcmp(head.at, formats[i].bytes, formats[i].len) == 0)
            return formats[i].words;
    return NULL;
}

static enum rl_status nothing_found(const struct rl_reader *reader, struct rl_err *err)
{
    const char *path = reader->label;

    if (reader->nothing_profiled)
        return rl_err_set(err, RL_FORMAT, "'%s': nothing was profiled; the profiler says: %s", path, reader->said.text);
    if (reader->said.text[0])
        return rl_err_set(err, RL_FORMAT, "'%s': no measurement in it; the profiler says: %s", path, reader->said.text);
    if (reader->saw_table)
        return rl_err_set(err, RL_FORMAT, "'%s': its tables have no row for a kernel", path);
    if (reader->printed_sections)
        return rl_err_set(err, RL_FORMAT, "'%s': Nsight Compute's text output cannot be read: print it with --csv", path);
    if (reader->messages)
        return rl_err_set(err, RL_FORMAT,
                          "'%s': only messages of the profiler, no table: no kernel was profiled, or it wrote elsewhere", path);
    return rl_err_set(err, RL_FORMAT,
                      "'%s': no table of Nsight Compute or nvprof in it (ncu --csv --page raw, ncu --csv, nvprof --csv, nvprof)",
                      path);
}

enum rl_status rl_read_lines(struct rl_reader *reader, struct rl_lines *lines, struct rl_err *err)
{
    const char *other = other_format(rl_lines_head(lines));
    const size_t launches = reader->model->launch_count;
    enum rl_status status;
    struct rl_text line;

    if (other)
        return rl_err_set(err, RL_FORMAT, "'%s': %s", reader->label, other);
    while (rl_lines_next(lines, &line)) {
        if (rl_lines_was_truncated(lines))
            rl_notes_add(&reader->model->notes, RL_NOTE_too_long, rl_text_of(reader->label));
        else
            take_any(reader, line);
    }
    if (reader->pending.len)
        drop_pending(reader);
    rl_table_end(reader);
    status = rl_lines_status(lines, reader->label, err);
    if (status == RL_OK && reader->model->launch_count == launches)
        status = nothing_found(reader, err);
    return status;
}

#include "reader.h"

#include "import/import.h"
#include "ncu_source.h"

enum { MAX_LOGGED_MESSAGES = 20 };

/* ---- what the tools say around their tables ---- */

static void keep_said(struct rl_reader *reader, struct rl_text line)
{
    if (!reader->said.text[0])
        rl_err_set(&reader->said, RL_FAILED, "%.*s", (int)(line.len < 400 ? line.len : 400), line.at);
}

static void log_message(struct rl_reader *reader, enum rl_log_level level, struct rl_text line)
{
    RL_SCRATCH text = RL_BUF_INIT;

    if (reader->scanning || reader->logged++ >= MAX_LOGGED_MESSAGES)
        return;
    rl_utf8_printable(&text, line.at, line.len < 1000 ? line.len : 1000);
    rl_capture_log(reader->capture, 0, level, "import: '%s' says: %s", reader->label, text.data);
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

/* Takes a line that is neither a row nor a message but is about the tables. */
static void take_other(struct rl_reader *reader, struct rl_text line)
{
    const struct rl_text text = rl_text_trim(line);

    if (mentions(text, "No events/metrics were profiled") || mentions(text, "No kernels were profiled") ||
        mentions(text, "does not contain CUDA kernel data")) { /* the last is of nsys */
        reader->nothing_profiled = true;
        keep_said(reader, text);
    }
    note_version(reader, text);
    /* nsys says which report it has made, or which one its tables are of: "Generating '/tmp/nsys-report-e6c8.qdstrm'",
     * "Processing [report1.sqlite] with ...". */
    static const struct {
        const char *before, *end;
    } lines[] = {{"Saving temporary \"", "\""}, {"Generating '", "'"}, {"Processing [", "]"}};

    for (size_t i = 0; i < RL_COUNT(lines); i++) {
        const struct rl_text path = rl_text_from(text, strlen(lines[i].before));
        size_t from = rl_text_find(path, lines[i].end), end = from;
        if (!rl_text_begins(text, lines[i].before) || from == path.len || mentions((struct rl_text){path.at, from}, "%"))
            continue; /* how far it is */
        while (from > 0 && path.at[from - 1] != '/' && path.at[from - 1] != '\\')
            from--;
        for (size_t at = from; at < end; at++)
            end = path.at[at] == '.' ? at : end;
        rl_table_end(reader);
        reader->run = rl_model_report(reader->model, (struct rl_text){path.at + from, end - from});
    }
    rl_ncu_page_line(reader, line);
    if (rl_text_begins(text, "Section: ") || mentions(text, "), Context 1, Stream"))
        reader->instead = "it is Nsight Compute's text output: print it with ncu --csv --page raw, or export its report with ncu "
                          "--import FILE --csv --page raw";
    if (mentions(text, "Self CUDA") && mentions(text, "# of Calls"))
        reader->instead = "it is a summary that PyTorch's profiler printed, without launches: write its trace with "
                          "prof.export_chrome_trace('trace.json')";
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
    if (reader->scanning && reader->table.kind->row) {
        rl_row_scan(reader);
        rl_table_scan_order(reader);
    }
    const bool taken = reader->scanning || !reader->table.kind->row || reader->table.kind->row(reader);
    reader->table.rows += taken && !reader->scanning && reader->table.kind->row;
    return taken;
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
    if (text.len == 0 || take_heading(reader, line) || (open && rl_table_takes_rule(reader, line)))
        return true;
    if (!mentions(text, "  "))
        return false;
    rl_record_read_printed(reader->record, text, RL_IMPORT_MAX_COLUMNS);
    if (rl_table_begin(reader, RL_FORM_PRINTED, 0))
        return true;
    if (!open)
        return false;
    if (reader->table.rule.len)
        rl_record_read_ruled(reader->record, line, reader->table.rule);
    else
        rl_record_read_printed(reader->record, split_type(reader, text), reader->table.column_count);
    return take_row(reader);
}

/* Between the cells of CSV: comma, or what spreadsheets of other languages write, or Markdown. */
static const char separators[] = ",;\t|";

/* Rows without a separator are no rows, so most of what programs print is not parsed. A head says which one its table has. */
static bool take_csv(struct rl_reader *reader, struct rl_text line)
{
    const bool open = reader->table.kind && reader->table.kind->form == RL_FORM_CSV;

    for (const char *separator = separators; *separator; separator++) {
        if (!memchr(line.at, *separator, line.len))
            continue;
        rl_record_read_csv(reader->record, line, *separator);
        if (rl_record_count(reader->record) == 0 && !reader->scanning)
            rl_notes_add(&reader->model->notes, RL_NOTE_too_many_columns, rl_text_of(reader->label));
        if (rl_table_begin(reader, RL_FORM_CSV, *separator))
            return true;
        if (!open || *separator != reader->table.separator)
            continue;
        if (reader->table.at[RL_COLUMN_kernel] == reader->table.column_count - 1)
            rl_record_join_rest(reader->record, reader->table.column_count);
        if (reader->shuffled && !reader->scanning && reader->table.kind->row == rl_row_ncu_rows ? rl_table_hold(reader, line)
                                                                                                : take_row(reader))
            return true;
    }
    return false;
}

static void take_line(struct rl_reader *reader, struct rl_text line)
{
    /* A head may stand behind something that was printed without a line break. */
    const size_t at = line.len && line.at[0] != '"' ? rl_text_find(line, "\"ID\",\"Process ID\",") : line.len;
    line = at < line.len ? rl_text_from(line, at) : line;
    if (is_message(line)) {
        reader->messages++;
        /* Lines that change how the ones behind them are read. */
        static const struct {
            const char *words;
            bool calls;
        } sections[] = {
            {" Profiling result:", false}, {" Metric result:", false},         {" Event result:", false},
            {" API calls:", true},         {"Unified Memory profiling", true},
        };

        for (size_t i = 0; i < RL_COUNT(sections); i++) {
            if (rl_text_find(line, sections[i].words) < line.len) {
                const struct rl_text process = rl_text_from(line, 2); /* "==252== Profiling result:"; "======== ": not reported */
                size_t digits = 0;
                while (digits < process.len && process.at[digits] >= '0' && process.at[digits] <= '9')
                    digits++;
                rl_table_end(reader);
                reader->calls = sections[i].calls;
                reader->run = rl_model_run(reader->model, (struct rl_text){process.at, digits}, rl_text_of(""));
            }
        }
        if (rl_text_begins(line, "==ERROR==") || mentions(line, "== Error")) {
            keep_said(reader, line);
            log_message(reader, RL_LOG_WARNING, line);
        } else if (rl_text_begins(line, "==WARNING==") || mentions(line, "== Warning")) {
            log_message(reader, RL_LOG_NOTE, line);
        }
    } else if (!take_csv(reader, line) && !take_printed(reader, line))
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
    return digits + 2 < line.len && digits > 1 && line.at[0] == '"' && line.at[digits] == '"' &&
           strchr(separators, line.at[digits + 1]) && line.at[digits + 2] == '"';
}

static void drop_pending(struct rl_reader *reader)
{
    rl_row_damaged(reader);
    rl_buf_reset(&reader->pending);
}

static void take_any(struct rl_reader *reader, struct rl_text line)
{
    if (reader->pending.len && begins_anew(line))
        drop_pending(reader);
    if (reader->pending.len) {
        /* Adds a line to the record that is not complete; takes the record when it is. */
        struct rl_buf *pending = &reader->pending;
        rl_buf_addch(pending, '\n');
        rl_buf_add(pending, line.at, line.len);
        if (pending->len > RL_IMPORT_MAX_LINE) {
            drop_pending(reader);
        } else if (odd_quotes(line)) {
            take_line(reader, (struct rl_text){pending->data, pending->len});
            rl_buf_reset(pending);
        }
    } else if (reader->table.kind && reader->table.kind->form == RL_FORM_CSV && line.len && line.at[0] == '"' && odd_quotes(line))
        rl_buf_add(&reader->pending, line.at, line.len);
    else
        take_line(reader, line);
}

/* ---- the file ---- */

const char *rl_other_format(struct rl_text start)
{
    static const struct {
        const char *begins, *has, *words; /* `has`: somewhere near the start; NULL: nothing else decides */
    } formats[] = {
        {"NVIDIA Tegra Profiler Report", NULL,
         "it is a report of Nsight Systems (.nsys-rep, .qdrep): export it with nsys export --type sqlite FILE"},
        {"", "NVIDIA Nsight Systems Stream ",
         "it is a recording of Nsight Systems that was not finished (.qdstrm): make a report of it with QdstrmImporter "
         "--input-file "
         "FILE, which comes with Nsight Systems, and export that with nsys export --type sqlite"},
        {"SQLite format 3", "StringIds", NULL}, /* Nsight Systems */
        {"SQLite format 3", "StringTable",
         "it is a profile of nvprof or the Visual Profiler (.nvprof, .nvvp): export it with nvprof --csv --print-gpu-trace "
         "--log-file NAME.csv --import-profile FILE"},
        {"SQLite format 3", "RLCP", "it is a capture already"},
        {"SQLite format 3", "rocpd_",
         "it is a profile of rocprofv3 for AMD's GPUs, of which nothing is read: only Nsight Compute, Nsight Systems and nvprof"},
        {"PERFILE2", NULL,
         "it is a profile of Linux perf, which sees the CPU alone: profile the program with ncu --csv --page raw, or rooflight "
         "collect"},
        {"", "KernelName\",\"gpu-id",
         "it is output of rocprof for AMD's GPUs, of which nothing is read: only Nsight Compute, Nsight Systems and nvprof"},
        {"\"Name\",\"Calls\",\"TotalDurationNs\"", NULL,
         "it is output of rocprof for AMD's GPUs, of which nothing is read: only Nsight Compute, Nsight Systems and nvprof"},
        {"\"Kind\",\"Agent_Id", NULL,
         "it is output of rocprofv3 for AMD's GPUs, of which nothing is read: only Nsight Compute, Nsight Systems and nvprof"},
        {"\x1F\x8B", NULL, "it is compressed: unpack it first (gzip -dc FILE | rooflight import - -o NAME.rlcap)"},
        {"PK\x03\x04", NULL, "it is a ZIP archive: unpack it first"},
        {"version https://git-lfs", NULL, "it is a pointer of Git LFS in place of the file: fetch that with git lfs pull"},
    };

    const size_t at = RL_FIRST(i, RL_COUNT(formats),
                               rl_text_begins(start, formats[i].begins) && (!formats[i].has || mentions(start, formats[i].has)));
    return at < RL_COUNT(formats) ? formats[at].words : NULL;
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
    if (reader->instead)
        return rl_err_set(err, RL_FORMAT, "'%s': %s", path, reader->instead);
    if (reader->messages)
        return rl_err_set(err, RL_FORMAT,
                          "'%s': only messages of the profiler, no table: no kernel was profiled, or it wrote elsewhere", path);
    return rl_err_set(err, RL_FORMAT,
                      "'%s': neither a capture nor a known file: Nsight Compute (.ncu-rep, ncu --csv), Nsight Systems (nsys export "
                      "--type sqlite, nsys stats), traces of PyTorch, nvprof, nvbench, Google Benchmark, llama-bench; CSV of other "
                      "benchmarks: --csv-time COLUMN",
                      path);
}

static void take_all(struct rl_reader *reader, struct rl_lines *lines)
{
    struct rl_text line;

    while (rl_lines_next(lines, &line)) {
        if (!rl_lines_was_truncated(lines))
            take_any(reader, line);
        else if (!reader->scanning)
            rl_notes_add(&reader->model->notes, RL_NOTE_too_long, rl_text_of(reader->label));
    }
    if (reader->pending.len)
        drop_pending(reader);
    rl_table_end(reader);
}

/* Unambiguous cells decide for the others. Where there is none, cells in a unit with a prefix do: profilers choose the prefix so
 * that the number is below 1000. Whole numbers with a comma are what they print in English. */
static enum rl_status decide_notation(struct rl_reader *reader, struct rl_err *err)
{
    const size_t *evidence = reader->evidence, *scaled = reader->scaled;
    const bool point = evidence[RL_EVIDENCE_EITHER_POINT] > 0;
    const char *cell = reader->doubtful[!point];
    char digits[sizeof reader->doubtful[0]] = "";

    reader->notation = evidence[RL_EVIDENCE_FOURS]                                 ? RL_FOURS
                       : evidence[RL_EVIDENCE_COMMA] > evidence[RL_EVIDENCE_POINT] ? RL_COMMA
                                                                                   : RL_POINT;
    if (evidence[RL_EVIDENCE_COMMA] + evidence[RL_EVIDENCE_POINT] + evidence[RL_EVIDENCE_FOURS] > 0 ||
        (point && !evidence[RL_EVIDENCE_EITHER_COMMA] && scaled[RL_EVIDENCE_EITHER_POINT] > 0) ||
        (!point && scaled[RL_EVIDENCE_EITHER_COMMA] == 0))
        return RL_OK;
    for (size_t i = 0, n = 0; cell[i]; i++)
        if (cell[i] != '.' && cell[i] != ',')
            digits[n++] = cell[i];
    return rl_err_set(
        err, RL_FORMAT,
        "'%s': nothing in it tells whether '%s' is %s or %.*s.%s: export it again with LC_ALL=C, or with more metrics",
        reader->label, cell, digits, (int)strcspn(cell, ".,"), cell, cell + strcspn(cell, ".,") + 1);
}

enum rl_status rl_read_lines(struct rl_reader *reader, struct rl_lines *lines, struct rl_err *err)
{
    const struct rl_text head = rl_lines_head(lines);
    const char *other = rl_other_format(head);
    const size_t launches = reader->model->launch_count;

    if (rl_ncu_rep_begins(rl_lines_head(lines)))
        return rl_ncu_rep_read(reader, lines, err);
    if (other)
        return rl_err_set(err, RL_FORMAT, "'%s': %s", reader->label, other);
    if (rl_text_begins(head, "SQLite format 3"))
        return rl_err_set(err, RL_FORMAT,
                          "'%s': it is an SQLite file of no profiler that is known: export one of Nsight Systems with nsys export "
                          "--type sqlite, tables of a profile of nvprof with nvprof --csv --print-gpu-trace --log-file NAME.csv "
                          "--import-profile FILE",
                          reader->label);
    reader->lines = lines;
    reader->scanning = true;
    take_all(reader, lines);
    struct rl_buf *const buffers[] = {&reader->device, &reader->kernel, &reader->type, &reader->page.kernel, &reader->page.section};

    for (size_t i = 0; i < RL_COUNT(buffers); i++)
        rl_buf_reset(buffers[i]);
    reader->calls = reader->scanning = false;
    reader->messages = 0;
    reader->run = reader->page.run = 0;
    reader->page.columns = 0;
    enum rl_status status = decide_notation(reader, err);
    RL_THEN(status, rl_lines_status(lines, reader->label, err));
    if (status != RL_OK)
        return status;
    rl_lines_rewind(lines);
    take_all(reader, lines);
    status = rl_lines_status(lines, reader->label, err);
    if (status == RL_OK && reader->model->launch_count == launches)
        status = nothing_found(reader, err);
    return status;
}

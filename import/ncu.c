/* ncu.c - rows of Nsight Compute's CSV. */
#include "reader.h"

/* 90 of "9.0"; 0: there is none. */
static int capability_of(struct rl_text text)
{
    const size_t point = rl_text_find(text, ".");
    unsigned long long major, minor;

    if (point == text.len || !rl_whole_read((struct rl_text){text.at, point}, RL_POINT, &major) ||
        !rl_whole_read(rl_text_from(text, point + 1), RL_POINT, &minor) || major > 99 || minor > 9)
        return 0;
    return (int)(10 * major + minor);
}

static size_t card_of(struct rl_reader *reader)
{
    const struct rl_text device = rl_row_cell(reader, RL_COLUMN_device), host = rl_row_cell(reader, RL_COLUMN_host);
    const int capability = capability_of(rl_row_cell(reader, RL_COLUMN_capability));
    unsigned long long ordinal;

    if (device.len == 0)
        return RL_NONE;
    if (rl_whole_read(device, RL_POINT, &ordinal) && ordinal < 1024)
        return rl_model_card(reader->model, (int)ordinal, rl_text_of(""), host, capability);
    return rl_model_card(reader->model, -1, device, host, capability);
}

static void begin(struct rl_reader *reader, struct rl_text kernel, enum rl_timing timing)
{
    struct rl_launch *launch = rl_model_begin(reader->model, kernel, timing);
    unsigned long long number;

    launch->card = card_of(reader);
    launch->run = rl_model_run(reader->model, rl_row_cell(reader, RL_COLUMN_process), rl_row_cell(reader, RL_COLUMN_host));
    if (rl_whole_read(rl_row_cell(reader, RL_COLUMN_id), RL_POINT, &number) && number < 1ull << 44)
        launch->number = number;
    rl_row_shape(reader, launch);
}

/* ---- the raw page: a row for each launch ---- */

bool rl_row_ncu_wide(struct rl_reader *reader)
{
    const struct rl_text kernel = rl_row_cell(reader, RL_COLUMN_kernel);
    unsigned long long id;

    if (!rl_whole_read(rl_row_cell(reader, RL_COLUMN_id), RL_POINT, &id))
        return false;
    if (kernel.len == 0 || rl_record_count(reader->record) != reader->table.column_count)
        return rl_row_damaged(reader);
    begin(reader, kernel, RL_TIMING_NCU);
    rl_row_metrics(reader);
    rl_model_end(reader->model);
    return true;
}

/* ---- the other pages: a row for each metric of a launch ---- */

/* Rows of one launch say the same in these columns. */
static void identity_of(const struct rl_reader *reader, struct rl_buf *out)
{
    static const enum rl_column columns[] = {RL_COLUMN_id,     RL_COLUMN_process, RL_COLUMN_host, RL_COLUMN_kernel,
                                             RL_COLUMN_device, RL_COLUMN_grid,    RL_COLUMN_block};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const struct rl_text piece = rl_row_cell(reader, columns[i]);
        rl_buf_addch(out, '\x1f');
        rl_buf_add(out, piece.at, piece.len);
    }
}

static bool same_launch(struct rl_reader *reader)
{
    struct rl_buf *identity = &reader->identity;
    const size_t before = identity->len;

    identity_of(reader, identity);
    bool same = before && identity->len == 2 * before && memcmp(identity->data, identity->data + before, before) == 0;
    if (same) {
        rl_buf_truncate(identity, before);
    } else {
        rl_buf_reset(identity);
        identity_of(reader, identity);
    }
    return same && reader->model->open;
}

/* A summary's rows say how many launches their averages are of. */
static bool take_launches(struct rl_reader *reader, struct rl_launch *launch)
{
    unsigned long long launches;

    if (reader->table.at[RL_COLUMN_launches] == RL_NONE)
        return true;
    if (!rl_whole_read(rl_row_cell(reader, RL_COLUMN_launches), reader->notation, &launches) || launches == 0)
        return false;
    launch->launches = launches;
    launch->repeated = true;
    return true;
}

/* A metric's row, or advice: a row with a rule's name where the metric would be. */
bool rl_row_ncu_rows(struct rl_reader *reader)
{
    const struct rl_text kernel = rl_row_cell(reader, RL_COLUMN_kernel), name = rl_row_cell(reader, RL_COLUMN_metric);
    const bool summary = reader->table.at[RL_COLUMN_id] == RL_NONE;
    unsigned long long id;

    if (!rl_whole_read(rl_row_cell(reader, summary ? RL_COLUMN_launches : RL_COLUMN_id), summary ? reader->notation : RL_POINT,
                       &id))
        return false;
    if (kernel.len == 0 || rl_record_count(reader->record) <= reader->table.at[RL_COLUMN_value])
        return rl_row_damaged(reader);
    if (name.len == 0) {
        rl_notes_add(&reader->model->notes, RL_NOTE_rules, rl_text_of(""));
        return true;
    }
    if (!same_launch(reader))
        begin(reader, kernel, summary ? RL_TIMING_NCU_SUMMARY : RL_TIMING_NCU);
    if (!take_launches(reader, &reader->model->launch))
        return rl_row_damaged(reader);
    rl_row_value(reader, RL_COLUMN_value, RL_MERGE_MEAN);
    rl_row_value(reader, RL_COLUMN_least, RL_MERGE_LEAST);
    rl_row_value(reader, RL_COLUMN_greatest, RL_MERGE_GREATEST);
    return true;
}

/* ---- the details page and the summary as text ---- */

static struct rl_text between(struct rl_text line, size_t from, size_t end)
{
    const struct rl_text rest = rl_text_from(line, from);

    return rl_text_trim((struct rl_text){rest.at, end - from < rest.len ? end - from : rest.len});
}

static void set(struct rl_buf *buf, struct rl_text text)
{
    rl_buf_reset(buf);
    rl_buf_add(buf, text.at, text.len);
}

/* "[77] app@127.0.0.1" */
static bool page_process(struct rl_reader *reader, struct rl_text text)
{
    const size_t end = rl_text_find(text, "] "), host = rl_text_find(text, "@");
    unsigned long long process;

    if (!rl_text_begins(text, "[") || host == text.len || !rl_whole_read(between(text, 1, end), RL_POINT, &process))
        return false;
    reader->page.run = rl_model_run(reader->model, between(text, 1, end), rl_text_from(text, host + 1));
    return true;
}

/* "relax(int) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0"; before 2022 "relax(int), 2020-Mar-11 10:00:00,
 * Context 1, Stream 7"; of a summary "relax(int) (64, 1, 1)x(256, 1, 1), Device 0, CC 8.0, Invocations 14". */
static bool page_launch(struct rl_reader *reader, struct rl_text text)
{
    static const char invocations[] = ", Invocations ";
    struct rl_page *page = &reader->page;
    const size_t context = rl_text_find(text, ", Context "), device = rl_text_find(text, ", Device "),
                 cc = rl_text_find(text, ", CC "), summary = rl_text_find(text, invocations);
    struct rl_text kernel = between(text, 0, context < text.len ? context : device);
    unsigned long long ordinal, launches = 0;
    size_t at = kernel.len;

    if (summary < text.len && !rl_whole_read(rl_text_from(text, summary + strlen(invocations)), reader->notation, &launches))
        return false;
    if ((context == text.len || rl_text_find(text, ", Stream ") == text.len) && (device == text.len || !launches))
        return false;
    while (at > 0 && !rl_text_begins(rl_text_from(kernel, at), ")x("))
        at--;
    size_t grid = at;
    while (grid > 0 && kernel.at[grid] != '(')
        grid--;
    page->shaped = grid > 0 && rl_extent_read(between(kernel, grid, at + 1), page->grid) &&
                   rl_extent_read(rl_text_from(kernel, at + 2), page->block);
    for (at = kernel.len; !page->shaped && at > 0 && !rl_text_begins(rl_text_from(kernel, at), ", 20");)
        at--; /* the date */
    if (page->shaped || at > 0)
        kernel = between(kernel, 0, page->shaped ? grid : at);
    set(&page->kernel, kernel);
    const size_t end = rl_text_find(rl_text_from(text, cc + 1), ",");
    page->card = rl_whole_read(between(text, device + strlen(", Device "), cc), RL_POINT, &ordinal) && ordinal < 1024
                     ? rl_model_card(reader->model, (int)ordinal, rl_text_of(""), rl_text_of(""),
                                     capability_of(between(text, cc + strlen(", CC "), cc + 1 + end)))
                     : RL_NONE;
    page->launches = launches;
    page->begun = false;
    page->columns = 0;
    return kernel.len > 0;
}

/* "    ------------ ----------- ------------": below it, the rows have these columns. */
static bool page_columns(struct rl_page *page, struct rl_text line)
{
    size_t from[RL_PAGE_SUMMARY], end[RL_PAGE_SUMMARY], count = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != '-' && line.at[i] != ' ')
            return false;
        if (line.at[i] == '-' && (i == 0 || line.at[i - 1] == ' ')) {
            if (count == RL_PAGE_SUMMARY)
                return false;
            from[count++] = i;
        }
        if (line.at[i] == '-')
            end[count - 1] = i + 1;
    }
    if (count != (page->launches ? RL_PAGE_SUMMARY : RL_PAGE_VALUES + 1))
        return false;
    memcpy(page->from, from, count * sizeof *from);
    memcpy(page->end, end, count * sizeof *end);
    page->columns = count;
    return true;
}

static void page_begin(struct rl_reader *reader)
{
    struct rl_page *page = &reader->page;

    rl_model_source(reader->model, RL_TOOL_NCU,
                    page->launches ? "Nsight Compute (summary as text)" : "Nsight Compute (details page as text)", reader->label);
    reader->model->view = UINT32_MAX - reader->file;
    struct rl_launch *launch = rl_model_begin(reader->model, (struct rl_text){page->kernel.data, page->kernel.len},
                                              page->launches ? RL_TIMING_NCU_SUMMARY : RL_TIMING_NCU);
    launch->card = page->card;
    launch->run = page->run;
    launch->launches = page->launches ? page->launches : 1;
    launch->repeated = page->launches > 0;
    launch->shaped = page->shaped;
    if (page->shaped) {
        memcpy(launch->grid, page->grid, sizeof page->grid);
        memcpy(launch->block, page->block, sizeof page->block);
    }
    page->begun = true;
}

static void page_value(struct rl_reader *reader, struct rl_text line, size_t column, enum rl_merge merge)
{
    const struct rl_page *page = &reader->page;
    const struct rl_text section = {page->section.data, page->section.len};
    const bool last = column + 1 == page->columns;
    const struct rl_text text =
        last ? rl_text_trim(rl_text_from(line, page->from[column])) : between(line, page->from[column], page->end[column]);
    const struct rl_printed printed = {
        .tool = RL_TOOL_NCU,
        .prefixes = RL_DECIMAL,
        .merge = merge,
        .section = rl_text_is(section, "Command line profiler metrics") ? rl_text_of("") : section,
        .name = between(line, page->from[RL_PAGE_NAME], page->end[RL_PAGE_NAME]),
        .unit = between(line, page->from[RL_PAGE_UNIT], page->end[RL_PAGE_UNIT]),
    };

    if (reader->scanning) {
        rl_row_scan_cell(reader, text, printed.unit);
        return;
    }
    const struct rl_cell cell = rl_cell_read(text, reader->notation);
    if (cell.kind != RL_CELL_EMPTY && reader->model->open)
        rl_model_add_value(reader->model, rl_targets_of(&reader->model->targets, &printed), &cell, text);
}

static void page_row(struct rl_reader *reader, struct rl_text line)
{
    struct rl_page *page = &reader->page;
    const struct rl_text name = between(line, page->from[RL_PAGE_NAME], page->end[RL_PAGE_NAME]);

    if (line.len <= page->from[page->columns - 1] || between(line, 0, page->from[RL_PAGE_NAME]).len || !name.len ||
        rl_text_is(name, "Metric Name"))
        return;
    for (size_t i = 0; i + 1 < page->columns; i++)
        if (line.at[page->end[i]] != ' ')
            return;
    if (!reader->scanning && !page->begun)
        page_begin(reader);
    page_value(reader, line, page->columns - 1, RL_MERGE_MEAN);
    if (page->columns == RL_PAGE_SUMMARY) {
        page_value(reader, line, RL_PAGE_VALUES, RL_MERGE_LEAST);
        page_value(reader, line, RL_PAGE_VALUES + 1, RL_MERGE_GREATEST);
    }
}

void rl_ncu_page_line(struct rl_reader *reader, struct rl_text line)
{
    const struct rl_text text = rl_text_trim(line);

    if (page_process(reader, text) || page_launch(reader, text) || page_columns(&reader->page, line))
        return;
    if (rl_text_begins(text, "Section: "))
        set(&reader->page.section, rl_text_from(text, strlen("Section: ")));
    else if (reader->page.kernel.len && reader->page.columns)
        page_row(reader, line);
}

/* ncu.c - rows of Nsight Compute's CSV. */
#include "reader.h"

#include <limits.h>

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

static void add_piece(struct rl_buf *out, struct rl_text piece)
{
    rl_buf_addch(out, '\x1f');
    rl_buf_add(out, piece.at, piece.len);
}

/* Rows of one launch say the same in these columns. */
static void identity_of(const struct rl_reader *reader, struct rl_buf *out)
{
    static const enum rl_column columns[] = {RL_COLUMN_id,     RL_COLUMN_process, RL_COLUMN_host, RL_COLUMN_kernel,
                                             RL_COLUMN_device, RL_COLUMN_grid,    RL_COLUMN_block};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        add_piece(out, rl_row_cell(reader, columns[i]));
}

static bool same_launch(struct rl_reader *reader)
{
    struct rl_buf *identity = &reader->identity;
    const size_t before = identity->len;
    bool same;

    identity_of(reader, identity);
    same = before && identity->len == 2 * before && memcmp(identity->data, identity->data + before, before) == 0;
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

static void take_value(struct rl_reader *reader, enum rl_column column, enum rl_merge merge)
{
    const struct rl_text text = rl_row_cell(reader, column);
    const struct rl_cell cell = rl_cell_read(text, reader->notation);
    struct rl_printed printed = {.tool = RL_TOOL_NCU,
                                 .prefixes = RL_DECIMAL,
                                 .merge = merge,
                                 .section = rl_row_cell(reader, RL_COLUMN_section),
                                 .name = rl_row_cell(reader, RL_COLUMN_metric),
                                 .unit = rl_row_cell(reader, RL_COLUMN_unit)};

    if (rl_text_is(printed.section, "Command line profiler metrics"))
        printed.section = rl_text_of("");
    if (cell.kind != RL_CELL_EMPTY)
        rl_model_add_value(reader->model, rl_targets_of(&reader->model->targets, &printed), &cell, text);
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
    take_value(reader, RL_COLUMN_value, RL_MERGE_MEAN);
    take_value(reader, RL_COLUMN_least, RL_MERGE_LEAST);
    take_value(reader, RL_COLUMN_greatest, RL_MERGE_GREATEST);
    return true;
}

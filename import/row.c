/* row.c - cells of the row in hand. */
#include "reader.h"

struct rl_text rl_row_cell(const struct rl_reader *reader, enum rl_column column)
{
    const size_t index = reader->table.at[column];

    return index == RL_NONE ? rl_text_of("") : rl_record_cell(reader->record, index);
}

bool rl_row_number(const struct rl_reader *reader, enum rl_column column, double *number)
{
    const struct rl_cell cell = rl_cell_read(rl_row_cell(reader, column), reader->notation);

    if (cell.kind != RL_CELL_NUMBER)
        return false;
    struct rl_printed_unit unit =
        cell.unit.len ? rl_unit_read(cell.unit, reader->table.prefixes) : reader->table.read_units[reader->table.at[column]];
    *number = cell.number * unit.factor;
    return unit.dimension != RL_DIMENSION_UNKNOWN && isfinite(*number);
}

static size_t target_of(struct rl_reader *reader, struct rl_text name, struct rl_text unit, enum rl_merge merge)
{
    const struct rl_text section = rl_row_cell(reader, RL_COLUMN_section);
    const struct rl_printed printed = {
        .tool = reader->table.kind->tool,
        .prefixes = reader->table.prefixes,
        .merge = merge,
        .section = rl_text_is(section, "Command line profiler metrics") ? rl_text_of("") : section,
        .name = name,
        .unit = unit,
    };

    return rl_targets_of(&reader->model->targets, &printed);
}

void rl_row_value(struct rl_reader *reader, enum rl_column column, enum rl_merge merge)
{
    const struct rl_text text = rl_row_cell(reader, column);
    const struct rl_cell cell = rl_cell_read(text, reader->notation);
    const struct rl_text unit =
        reader->table.at[RL_COLUMN_unit] == RL_NONE ? cell.unit : rl_row_cell(reader, RL_COLUMN_unit); /* of nvprof: "5.2GB/s" */

    if (cell.kind != RL_CELL_EMPTY)
        rl_model_add_value(reader->model, target_of(reader, rl_row_cell(reader, RL_COLUMN_metric), unit, merge), &cell, text);
}

void rl_row_metrics(struct rl_reader *reader)
{
    for (size_t i = 0; i < reader->table.metric_count; i++) {
        struct rl_metric_column *column = &reader->table.metrics[i];
        const struct rl_text text = rl_record_cell(reader->record, column->index);
        const struct rl_cell cell = rl_cell_read(text, reader->notation);
        size_t target = column->target;
        if (cell.kind == RL_CELL_EMPTY)
            continue;
        if (cell.unit.len)
            target = target_of(reader, column->name, cell.unit, RL_MERGE_MEAN);
        else if (target == RL_NONE)
            target = column->target = target_of(reader, column->name, reader->table.units[column->index], RL_MERGE_MEAN);
        rl_model_add_value(reader->model, target, &cell, text);
    }
}

void rl_row_scan_cell(struct rl_reader *reader, struct rl_text text, struct rl_text unit)
{
    const enum rl_evidence evidence = rl_notation_of(text);
    if (evidence == RL_EVIDENCE_NONE)
        return; /* most cells */
    const struct rl_cell cell = rl_cell_read(text, RL_POINT);
    const double factor = rl_unit_read(cell.unit.len ? cell.unit : unit, RL_DECIMAL).factor;

    reader->evidence[evidence]++;
    reader->scaled[evidence] += factor != 1 && factor != 1e-9; /* nanoseconds have no decimals either */
    if (evidence >= RL_EVIDENCE_EITHER_POINT) {
        char *first = reader->doubtful[evidence - RL_EVIDENCE_EITHER_POINT];
        text = rl_text_trim(text);
        size_t len = 0; /* of the number alone */
        while (len < text.len && len + 1 < sizeof reader->doubtful[0] && strchr("+-0123456789.,", text.at[len]))
            len++;
        if (!*first)
            memcpy(first, text.at, len);
    }
}

void rl_row_scan(struct rl_reader *reader)
{
    static const enum rl_column columns[] = {RL_COLUMN_value, RL_COLUMN_least,    RL_COLUMN_greatest, RL_COLUMN_launches,
                                             RL_COLUMN_time,  RL_COLUMN_duration, RL_COLUMN_share};
    const struct rl_table *table = &reader->table;

    if ((table->kind->form == RL_FORM_PRINTED && table->kind->tool != RL_TOOL_NSYS) || table->kind->tool == RL_TOOL_PUBLISHED) {
        reader->evidence[RL_EVIDENCE_POINT]++; /* no spreadsheet has touched it, and nvprof knows one language */
        return;
    }
    for (size_t i = 0; i < RL_COUNT(columns); i++)
        if (table->at[columns[i]] != RL_NONE)
            rl_row_scan_cell(reader, rl_row_cell(reader, columns[i]),
                             table->at[RL_COLUMN_unit] == RL_NONE ? table->units[table->at[columns[i]]]
                                                                  : rl_row_cell(reader, RL_COLUMN_unit));
    for (size_t i = 0; i < table->metric_count; i++)
        rl_row_scan_cell(reader, rl_record_cell(reader->record, table->metrics[i].index), table->units[table->metrics[i].index]);
}

static bool extent_from_columns(const struct rl_reader *reader, enum rl_column first, uint32_t extent[3])
{
    for (int i = 0; i < 3; i++) {
        unsigned long long number;
        if (!rl_whole_read(rl_row_cell(reader, (enum rl_column)((int)first + i)), reader->notation, &number) || number > UINT32_MAX)
            return false;
        extent[i] = (uint32_t)number;
    }
    return true;
}

void rl_row_shape(const struct rl_reader *reader, struct rl_launch *launch)
{
    uint32_t grid[3], block[3];

    if (!rl_extent_read(rl_row_cell(reader, RL_COLUMN_grid), grid) && !extent_from_columns(reader, RL_COLUMN_grid_x, grid))
        return;
    if (!rl_extent_read(rl_row_cell(reader, RL_COLUMN_block), block) && !extent_from_columns(reader, RL_COLUMN_block_x, block))
        return;
    launch->shaped = true;
    memcpy(launch->grid, grid, sizeof grid);
    memcpy(launch->block, block, sizeof block);
}

bool rl_row_damaged(struct rl_reader *reader)
{
    if (!reader->scanning)
        rl_notes_add(&reader->model->notes, RL_NOTE_damaged, rl_text_of(reader->label));
    return true;
}

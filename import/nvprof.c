/* nvprof.c - rows of the tables of nvprof and nsys stats, CSV and printed. */
#include "reader.h"

/* "Tesla P100-SXM2-16GB (0)"; older versions print the name alone, and cut it where the column ends. */
static size_t card_of(struct rl_reader *reader, struct rl_text device)
{
    size_t bracket = device.len;
    unsigned long long ordinal;

    device = rl_text_trim(device);
    if (device.len == 0 || rl_text_is(device, "-"))
        return RL_NONE;
    if (rl_whole_read(device, RL_POINT, &ordinal) && ordinal < 1024)
        return rl_model_card(reader->model, (int)ordinal, rl_text_of(""), rl_text_of(""), 0);
    if (device.at[device.len - 1] == ')')
        for (bracket = device.len - 1; bracket > 0 && device.at[bracket] != '('; bracket--)
            ;
    if (bracket == 0 || bracket >= device.len ||
        !rl_whole_read((struct rl_text){device.at + bracket + 1, device.len - bracket - 2}, RL_POINT, &ordinal) || ordinal >= 1024)
        return rl_model_card(reader->model, -1, device, rl_text_of(""), 0);
    return rl_model_card(reader->model, (int)ordinal, rl_text_trim((struct rl_text){device.at, bracket}), rl_text_of(""), 0);
}

/* The run of the row, where it says its process. */
static uint32_t run_of(const struct rl_reader *reader)
{
    const struct rl_text process = rl_row_cell(reader, RL_COLUMN_process);

    return process.len ? rl_model_run(reader->model, process, rl_text_of("")) : reader->run;
}

/* Copies and page faults have names in brackets. */
static bool is_kernel(struct rl_text name)
{
    return !rl_text_begins(name, "[CUDA mem") && !rl_text_begins(name, "[Unified Memory");
}

/* Traces add the launch's number: "saxpy(int, float*) [115]". */
static struct rl_text without_number(struct rl_text name)
{
    size_t digits = 0;

    if (name.len < 4 || name.at[name.len - 1] != ']')
        return name;
    while (digits + 2 < name.len && name.at[name.len - 2 - digits] >= '0' && name.at[name.len - 2 - digits] <= '9')
        digits++;
    if (digits == 0 || name.len < digits + 4 || name.at[name.len - 2 - digits] != '[' || name.at[name.len - 3 - digits] != ' ')
        return name;
    return (struct rl_text){name.at, name.len - digits - 3};
}

/* ---- metrics and events: a row for each metric of all launches of a kernel ---- */

bool rl_row_nvprof_metric(struct rl_reader *reader)
{
    const bool printed = reader->table.kind->form == RL_FORM_PRINTED;
    const struct rl_text device =
        printed ? (struct rl_text){reader->device.data, reader->device.len} : rl_row_cell(reader, RL_COLUMN_device);
    const struct rl_text kernel =
        printed ? (struct rl_text){reader->kernel.data, reader->kernel.len} : rl_row_cell(reader, RL_COLUMN_kernel);
    unsigned long long launches;

    if (!rl_whole_read(rl_row_cell(reader, RL_COLUMN_launches), reader->notation, &launches) ||
        rl_record_count(reader->record) != reader->table.column_count)
        return false;
    if (kernel.len == 0) {
        rl_notes_add(&reader->model->notes, RL_NOTE_no_kernel, rl_row_cell(reader, RL_COLUMN_metric));
        return true;
    }
    if (launches == 0 || rl_row_cell(reader, RL_COLUMN_metric).len == 0)
        return rl_row_damaged(reader);
    struct rl_launch *launch = rl_model_begin(reader->model, kernel, RL_TIMING_NONE);
    launch->card = card_of(reader, device);
    launch->run = reader->run;
    launch->launches = launches;
    launch->repeated = true;
    rl_row_value(reader, RL_COLUMN_value, RL_MERGE_MEAN);
    if (launches > 1) {
        rl_row_value(reader, RL_COLUMN_least, RL_MERGE_LEAST);
        rl_row_value(reader, RL_COLUMN_greatest, RL_MERGE_GREATEST);
    }
    rl_model_end(reader->model);
    return true;
}

/* ---- summary: a row for each kernel ---- */

/* The shortest and the longest launch: kept, because the samples behind the average are not there. */
static void take_extreme(struct rl_reader *reader, enum rl_column column, enum rl_merge merge)
{
    const struct rl_printed printed = {
        .tool = RL_TOOL_NVPROF, .merge = merge, .section = rl_text_of(""), .name = rl_text_of("duration"), .unit = rl_text_of("s")};
    struct rl_cell cell = {.kind = RL_CELL_NUMBER, .unit = rl_text_of("s")};

    if (rl_row_number(reader, column, &cell.number))
        rl_model_add_value(reader->model, rl_targets_of(&reader->model->targets, &printed), &cell, rl_text_of(""));
}

static bool is_call(const struct rl_reader *reader)
{
    const bool printed = reader->table.kind->form == RL_FORM_PRINTED;
    const struct rl_text type =
        printed ? (struct rl_text){reader->type.data, reader->type.len} : rl_row_cell(reader, RL_COLUMN_type);

    return reader->calls || (type.len && !rl_text_is(type, "GPU activities"));
}

bool rl_row_nvprof_summary(struct rl_reader *reader)
{
    const struct rl_text kernel = rl_row_cell(reader, RL_COLUMN_kernel);
    double average, total = NAN;
    unsigned long long launches;

    if (!rl_whole_read(rl_row_cell(reader, RL_COLUMN_launches), reader->notation, &launches) ||
        !rl_row_number(reader, RL_COLUMN_value, &average) ||
        (reader->table.at[RL_COLUMN_time] != RL_NONE && !rl_row_number(reader, RL_COLUMN_time, &total)))
        return false;
    if (kernel.len == 0 || launches == 0)
        return rl_row_damaged(reader);
    if (is_call(reader) || !is_kernel(kernel)) {
        rl_notes_add(&reader->model->notes, is_call(reader) ? RL_NOTE_calls : RL_NOTE_copies, rl_text_of(""));
        return true;
    }
    struct rl_launch *launch = rl_model_begin(
        reader->model, kernel, reader->table.kind->tool == RL_TOOL_NSYS ? RL_TIMING_NSYS_SUMMARY : RL_TIMING_NVPROF_SUMMARY);
    launch->card = card_of(reader, rl_row_cell(reader, RL_COLUMN_device));
    launch->run = run_of(reader);
    launch->launches = launches;
    launch->duration_s = average;
    launch->total_s = total;
    rl_row_shape(reader, launch);
    if (launches > 1) {
        take_extreme(reader, RL_COLUMN_least, RL_MERGE_LEAST);
        take_extreme(reader, RL_COLUMN_greatest, RL_MERGE_GREATEST);
    }
    rl_model_end(reader->model);
    return true;
}

/* ---- traces: a row for each launch ---- */

static void take_field(const struct rl_reader *reader, struct rl_launch *launch, enum rl_column column, enum rl_launch_field field)
{
    double number;

    if (rl_row_number(reader, column, &number))
        launch->fields[field] = round(number); /* sizes were scaled for printing */
}

bool rl_row_nvprof_trace(struct rl_reader *reader)
{
    const struct rl_text kernel = without_number(rl_row_cell(reader, RL_COLUMN_kernel));
    const bool timed = reader->table.at[RL_COLUMN_duration] != RL_NONE;
    double duration = NAN;

    if (kernel.len && !is_kernel(kernel)) {
        rl_notes_add(&reader->model->notes, RL_NOTE_copies, rl_text_of(""));
        return true;
    }
    if (kernel.len == 0 || rl_record_count(reader->record) != reader->table.column_count)
        return false;
    if (timed && !rl_row_number(reader, RL_COLUMN_duration, &duration))
        return false;
    struct rl_launch *launch =
        rl_model_begin(reader->model, kernel, reader->table.kind->tool == RL_TOOL_NSYS ? RL_TIMING_NSYS_TRACE : RL_TIMING_TRACE);
    launch->card = card_of(reader, rl_row_cell(reader, RL_COLUMN_device));
    launch->run = run_of(reader);
    launch->duration_s = duration;
    (void)rl_row_number(reader, RL_COLUMN_start, &launch->start);
    rl_row_shape(reader, launch);
    take_field(reader, launch, RL_COLUMN_registers, RL_LAUNCH_registers);
    take_field(reader, launch, RL_COLUMN_static_shared, RL_LAUNCH_static_shared);
    take_field(reader, launch, RL_COLUMN_dynamic_shared, RL_LAUNCH_dynamic_shared);
    rl_row_metrics(reader);
    rl_model_end(reader->model);
    return true;
}

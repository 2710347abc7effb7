/* compare_cards_kernels.c - what each GPU does with a kernel. */

#include "compare_parts.h"

/* ---- a kernel on a GPU ---- */

static const struct rl_column *column_of(const struct view_on_card *row)
{
    return &row->columns->columns[row->column];
}

static const struct rl_cell *cell_of(const struct view_on_card *row)
{
    return &column_of(row)->cells[row->item];
}

void view_card_name(const struct rl_column *column, struct rl_buf *out)
{
    rl_utf8_abbreviate(out, column->card, VIEW_CARD_COLUMNS);
    if (column->kind != RL_COLUMN_MEASURED && !column->alike)
        rl_buf_addf(out, ", %s", rl_column_kind_name(column->kind));
}

static struct view_cell head_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_on_card *of = row;
    const struct rl_column *column = column_of(of);
    const struct view_compare *compare = view_compare_of(view);
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!view_compare_is_numbered(compare))
        view_card_name(column, &text);
    else
        rl_buf_addf(&text, "%s%s%s", compare->parts[of->column].role,
                    column->kind != RL_COLUMN_MEASURED && !column->alike ? ", " : "",
                    column->kind != RL_COLUMN_MEASURED && !column->alike ? rl_column_kind_name(column->kind) : "");
    return view_cell_kept(view, &text);
}

/* A text about a kernel there; absent without it, or without any figure. */
static struct view_cell said_there(const struct view_on_card *row, const char *text, const char *absent)
{
    const char *why_not = cell_of(row)->why_not;
    return text && !why_not ? view_cell_text(text) : view_cell_absent(why_not ? why_not : absent);
}

VIEW_CELL(card_cell, struct view_on_card, column_of(row)->card);
VIEW_CELL(kind_cell, struct view_on_card, rl_column_kind_name(column_of(row)->kind));
VIEW_CELL(kernel_cell, struct view_on_card, row->columns->base->items[row->item].label);
VIEW_CELL(roof_cell, struct view_on_card,
          said_there(row, *cell_of(row)->roof ? cell_of(row)->roof : NULL, "the time at a roof is unknown"));
VIEW_CELL(bound_cell, struct view_on_card, said_there(row, rl_bound_name(cell_of(row)->bound), ""));
VIEW_CELL(bound_there_cell, struct view_on_card,
          said_there(row,
                     cell_of(row)->bound == RL_BOUND_UNKNOWN
                         ? "what limits it there is unknown"
                         : rl_arena_printf(view->arena, "it is limited by %s there",
                                           rl_limiter_label(rl_limiter_of(cell_of(row)->limiter, cell_of(row)->bound))),
                     ""));

static struct view_cell limiter_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf limiter = RL_BUF_IN(view->arena);
    if (cell_of(row)->occupancy)
        rl_occupancy_limiter_text(cell_of(row)->occupancy, &limiter);
    return said_there(row, view_keep(view, &limiter), "nothing limits it, or its limit is unknown");
}

/* Counted figures of a launch, for readers of profiles that have no times in common. */
static const enum rl_metric counted[][3] = {
    {RL_METRIC_dram_bytes_per_second, RL_METRIC_intensity_dram, RL_METRIC_COUNT},
    {RL_METRIC_dram_bytes, RL_METRIC_flop_total, RL_METRIC_achieved_occupancy},
};

/* Those of a row of `counted` that are there, as "1.07 TB/s, 2.00 FLOP/B"; the first as a number. */
static struct rl_value add_counted(const struct rl_cell *cell, enum view_card_figure figure, struct rl_buf *out)
{
    const enum rl_metric *metrics = counted[figure - VIEW_CARD_RATE];
    struct rl_value first = rl_value_missing(RL_NOT_COLLECTED, "nothing was counted");
    for (size_t i = 0; i < RL_COUNT(counted[0]) && metrics[i] < RL_METRIC_COUNT && cell->metric; i++) {
        const struct rl_value value = cell->metric[metrics[i]];
        if (!rl_present(value))
            continue;
        rl_buf_addf(out, "%s%s%s", out->len ? ", " : "", metrics[i] == RL_METRIC_achieved_occupancy ? "occupancy " : "",
                    RL_UNIT_TEXT(rl_metrics[metrics[i]].unit, value.v, 3));
        first = rl_present(first) ? first : value;
    }
    return first;
}

struct rl_value view_card_value(const struct view_on_card *row, enum view_card_figure figure)
{
    const struct rl_cell *cell = cell_of(row);
    const struct rl_value values[] = {[VIEW_CARD_TIME] = cell->time_s,
                                      [VIEW_CARD_ROOF_SHARE] = cell->roof_share,
                                      [VIEW_CARD_PREDICTED] = cell->predicted,
                                      [VIEW_CARD_USE] = rl_cell_speedup_achieved(cell),
                                      [VIEW_CARD_OCCUPANCY] = rl_cell_occupancy(cell),
                                      [VIEW_CARD_ACHIEVED] = cell->achieved};
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_value value = figure < VIEW_CARD_RATE ? values[figure] : add_counted(cell, figure, &text);
    rl_buf_release(&text);
    return cell->why_not ? rl_value_missing(RL_NOT_COLLECTED, cell->why_not) : value;
}

VIEW_CELL(value_cell, void, view_card_value(row, (enum view_card_figure)field->key));

static struct view_cell ratio_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_on_card *of = row;
    struct rl_ratio *ratio = rl_arena_alloc(view->arena, sizeof *ratio);
    *ratio = cell_of(of)->speedup;
    if (of->column == 0)
        return view_cell_absent("it is the baseline");
    if (!rl_cell_has_speedup(cell_of(of)) || !ratio->present)
        return view_cell_absent(cell_of(of)->why_not ? cell_of(of)->why_not : "no times on both sides");
    return view_cell_record(ratio);
}

VIEW_CELL(wasted_cell, struct view_on_card, rl_cell_is_underused(column_of(row), row->item));

/* ---- for people ---- */

/* "1.90× 1.88–1.92" */
static struct view_cell ratio_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_cell cell = ratio_cell(view, field, row);
    const struct rl_ratio *ratio = cell.record;
    if (cell.state != RL_PRESENT)
        return cell;
    struct rl_buf text = RL_BUF_IN(view->arena);
    view_speedup_interval_add(&text, ratio->estimate, ratio->has_interval ? ratio->low : NAN, ratio->high);
    return view_cell_kept(view, &text);
}

/* "52.4 % DRAM" */
static struct view_cell share_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_value share = view_card_value(row, VIEW_CARD_ROOF_SHARE);
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!rl_present(share))
        return view_cell_number(share);
    view_share_add(&text, share.v);
    rl_buf_addf(&text, " %s", cell_of(row)->roof);
    return view_cell_kept(view, &text);
}

static struct view_cell counted_text(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    const struct rl_value first = add_counted(cell_of(row), (enum view_card_figure)field->key, &text);
    return rl_present(first) ? view_cell_text(view_keep(view, &text)) : view_cell_number(first);
}

/* "1.23×, 121 %" */
static struct view_cell reached_of_predicted(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_value predicted = view_card_value(row, VIEW_CARD_PREDICTED), use = view_card_value(row, VIEW_CARD_USE);
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!rl_present(predicted))
        return view_cell_absent(rl_value_reason(predicted));
    view_speedup_add(&text, predicted.v);
    if (rl_present(use))
        rl_buf_addf(&text, ", %s%s", RL_UNIT_TEXT(RL_UNIT_FRACTION, use.v, 3),
                    rl_cell_is_underused(column_of(row), ((const struct view_on_card *)row)->item) ? " !" : "");
    return view_cell_kept(view, &text);
}

/* clang-format off */
static const struct view_field on_card_fields[] = {
    {.id = "head", VIEW_GET(TEXT, head_cell), .identifies = true, .for_people = true, .help = "name of the GPU, or its number"},
    {.id = "card", .head = "GPU", VIEW_GET(TEXT, card_cell), .columns = VIEW_CARD_COLUMNS, .help = "name of the GPU"},
    {.id = "kind", VIEW_GET(TEXT, kind_cell), .help = "measured, imported or published"},
    {.id = "kernel", VIEW_GET(TEXT, kernel_cell), .columns = VIEW_NAME_COLUMNS, .for_people = true,
     .help = "the kernel"},
    {.id = "time_s", .head = "", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = value_cell, .key = VIEW_CARD_TIME,
     .help = "median time"},
    {.id = "speedup", VIEW_GET_RECORD(&view_record_ratio, ratio_cell), .key = VIEW_CARD_SPEEDUP, .help = RL_SPEEDUP_READS},
    {.id = "roof_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = value_cell,
     .key = VIEW_CARD_ROOF_SHARE, .help = "share of this GPU's roof"},
    {.id = "roof", VIEW_GET(TEXT, roof_cell), .help = "which roof is above it"},
    {.id = "bound", VIEW_GET(TEXT, bound_cell), .help = "what it is bound by"},
    {.id = "bound_there", VIEW_GET(TEXT, bound_there_cell), .for_people = true, .help = "the same as a clause"},
    {.id = "predicted_speedup", .type = VIEW_TYPE_NUMBER, .digits = 3, .get = value_cell, .key = VIEW_CARD_PREDICTED,
     .help = "time at the baseline's roof over time at this GPU's, both with the launch's own work"},
    {.id = "reached", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = value_cell, .key = VIEW_CARD_USE,
     .help = "the speedup over the predicted one"},
    {.id = "wasted", VIEW_GET(BOOLEAN, wasted_cell),
     .help = "whether the whole interval stays under 80 % of the predicted speedup"},
    {.id = "occupancy", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = value_cell,
     .key = VIEW_CARD_OCCUPANCY, .help = "static occupancy"},
    {.id = "achieved_occupancy", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = value_cell,
     .key = VIEW_CARD_ACHIEVED, .help = "achieved occupancy"},
    {.id = "limited_by", VIEW_GET(TEXT, limiter_cell), .help = "what limits static occupancy"},
    {.id = "speedup_text", .head = "speedup", VIEW_GET(TEXT, ratio_text), .excused = view_needs_no_note,
     .key = VIEW_CARD_SPEEDUP, .numeral = true, .for_people = true, .help = "the speedup with its interval"},
    {.id = "speedup_only", .head = "", VIEW_GET(TEXT, ratio_text), .excused = view_needs_no_note,
     .key = VIEW_CARD_SPEEDUP, .numeral = true, .for_people = true, .help = "the same"},
    {.id = "share_only", .head = "", VIEW_GET(TEXT, share_text), .numeral = true, .excused = view_needs_no_note,
     .for_people = true, .help = "share of the roof, and which it is"},
    {.id = "rate_only", .head = "", VIEW_GET(TEXT, counted_text), .key = VIEW_CARD_RATE, .numeral = true,
     .excused = view_needs_no_note, .for_people = true, .help = "throughput of DRAM, intensity"},
    {.id = "work_only", .head = "", VIEW_GET(TEXT, counted_text), .key = VIEW_CARD_WORK, .numeral = true,
     .excused = view_needs_no_note, .for_people = true, .help = "traffic of DRAM, operations, occupancy"},
    {.id = "reached_of_predicted", .head = "", VIEW_GET(TEXT, reached_of_predicted), .numeral = true,
     .excused = view_needs_no_note, .for_people = true, .help = "the predicted speedup, and how much of it is reached"},
    {.id = "predicted_text", .head = "predicted, reached", VIEW_GET(TEXT, reached_of_predicted), .numeral = true,
     .excused = view_needs_no_note, .for_people = true, .help = "the same, next to other figures"},
};
/* clang-format on */
const struct view_record view_record_on_card = {.id = "on_card", .help = "a kernel on a GPU", VIEW_FIELDS(on_card_fields)};

/* ---- a kernel ---- */

VIEW_CELL(kernel_id, struct view_card_kernel,
          row->item->kernel == RL_NONE ? view_cell_absent("a run as a whole is no kernel")
                                       : view_cell_text(view_kernel_id(view, &row->capture->kernels[row->item->kernel])));

/* All GPUs, or all but the base. */
static struct view_cell cards_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_card_kernel *kernel = row;
    const size_t skipped = (size_t)field->key;
    return view_cell_rows(VIEW_ROWS(kernel->cards + skipped, kernel->count - skipped));
}

static const struct view_field kernel_fields[] = {
    {.id = "id",
     .head = "id",
     VIEW_GET(TEXT, kernel_id),
     .shown = VIEW_ON_REQUEST,
     .help = "short name of the launch configuration in the baseline"},
    {.id = "name",
     .head = "kernel",
     VIEW_IN(struct view_card_kernel, item, label),
     .columns = VIEW_NAME_COLUMNS,
     .identifies = true,
     .help = "what it is called in tables"},
    {.id = "cards", VIEW_GET_LIST(&view_record_on_card, cards_cell), .help = "what it is on each GPU, the baseline first"},
    {.id = "others",
     VIEW_GET_LIST(&view_record_on_card, cards_cell),
     .key = 1,
     .for_people = true,
     .help = "what it is on each GPU but the baseline"},
};
const struct view_record view_record_card_kernel = {.id = "kernel", .help = "a kernel on several GPUs", VIEW_FIELDS(kernel_fields)};

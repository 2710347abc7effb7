/* ceilings.c - the ceilings of cards: theoretical, measured, sustained. */
#include <assert.h>

#include "show_parts.h"

static const struct rl_ceiling *ceiling_of(const void *row)
{
    return ((const struct view_ceiling *)row)->ceiling;
}

static struct view_cell gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_integer(view_subject_of(view)->capture->gpus[((const struct view_ceiling *)row)->gpu].index);
}

enum text_key { TEXT_ID, TEXT_LABEL, TEXT_UNIT, TEXT_REFUSED };

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ceiling_info *info = &rl_ceilings[((const struct view_ceiling *)row)->id];
    const char *const texts[] = {[TEXT_ID] = info->id,
                                 [TEXT_LABEL] = info->label,
                                 [TEXT_UNIT] = rl_unit_json(info->unit),
                                 [TEXT_REFUSED] = ceiling_of(row)->refused};
    assert((size_t)field->key < RL_COUNT(texts));
    return view_cell_text(texts[field->key]);
}

enum figure_key { THEORETICAL, LEAST, GREATEST, LIMIT, SHARE, TOLD, MEASURED, SUSTAINED };

static struct rl_value median_of(const struct rl_stats *stats)
{
    return stats->n ? rl_value_of(stats->median) : rl_value_missing(RL_NOT_COLLECTED, "");
}

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ceiling *ceiling = ceiling_of(row);
    const struct rl_value values[] = {[THEORETICAL] = ceiling->theoretical,
                                      [LEAST] = ceiling->theoretical_low,
                                      [GREATEST] = ceiling->theoretical_high,
                                      [LIMIT] = ceiling->limit,
                                      [SHARE] = ceiling->share,
                                      [TOLD] = rl_ceiling_theory(ceiling),
                                      [MEASURED] = median_of(&ceiling->measured),
                                      [SUSTAINED] = median_of(&ceiling->sustained)};
    assert((size_t)field->key < RL_COUNT(values));
    struct view_cell cell = view_cell_number(values[field->key]);
    cell.unit = rl_ceilings[((const struct view_ceiling *)row)->id].unit;
    return cell;
}

/* "of theory" needs no note of its own: the measured figure beside it is not there. */
static struct view_cell share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_value share = ceiling_of(row)->share;
    return rl_present(share) ? view_cell_number(share) : view_cell_absent("");
}

/* What needs no note of its own where it is missing. */
enum aside_key { CLOCK, DATA_SHEET, DATA_SHEET_SHARE };

static struct view_cell aside_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ceiling *ceiling = ceiling_of(row);
    const struct rl_value values[] = {
        [CLOCK] = ceiling->clock, [DATA_SHEET] = ceiling->data_sheet, [DATA_SHEET_SHARE] = ceiling->data_sheet_share};
    assert((size_t)field->key < RL_COUNT(values));
    if (!rl_present(values[field->key]))
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(values[field->key]);
    if (field->key == DATA_SHEET)
        cell.unit = rl_ceilings[((const struct view_ceiling *)row)->id].unit;
    return cell;
}

static struct view_cell stats_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_stats(field->key ? &ceiling_of(row)->sustained : &ceiling_of(row)->measured);
}

#define TEXT(which)   .type = VIEW_TYPE_TEXT, .get = text_cell, .key = (which)
#define FIGURE(which) .type = VIEW_TYPE_NUMBER, .get = figure_cell, .key = (which)

/* clang-format off */
static const struct view_field ceiling_fields[] = {
    {.id = "gpu", .type = VIEW_TYPE_INTEGER, .get = gpu_cell, .help = "index of the GPU"},
    {.id = "id", TEXT(TEXT_ID), .help = "which ceiling"},
    {.id = "label", .head = "ceiling", TEXT(TEXT_LABEL), .identifies = true, .help = "its name"},
    {.id = "unit", TEXT(TEXT_UNIT), .help = "unit of its figures"},
    {.id = "theory", .head = "theoretical", FIGURE(TOLD), .unit_of_row = true, .for_people = true,
     .help = "what the card could do, at the clock of the measurement where there is one"},
    {.id = "sm_clock_hz", .head = "clock", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_HERTZ, .get = aside_cell, .key = CLOCK,
     .shown = VIEW_SHOWN_WHEN_ANY, .help = "the SM clock at which that is, where it goes with the clock"},
    {.id = "theoretical", FIGURE(THEORETICAL), .unit_of_row = true, .help = "what the card could do at the observed clock"},
    {.id = "theoretical_low", FIGURE(LEAST), .unit_of_row = true, .help = "the same at the lowest clock of a launch"},
    {.id = "theoretical_high", FIGURE(GREATEST), .unit_of_row = true, .help = "the same at the highest clock of a launch"},
    {.id = "measured", .type = VIEW_TYPE_RECORD, .record = &view_record_samples, .get = stats_cell, .key = 0,
     .help = "what micro-benchmarks reached"},
    {.id = "sustained", .type = VIEW_TYPE_RECORD, .record = &view_record_samples, .get = stats_cell, .key = 1,
     .help = "what they reached after a long load"},
    {.id = "measured_median", .head = "measured", FIGURE(MEASURED), .unit_of_row = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .for_people = true, .help = "what micro-benchmarks reached"},
    {.id = "limit", FIGURE(LIMIT), .unit_of_row = true, .help = "what the card could do at the clock of the measurement"},
    {.id = "share_of_limit", FIGURE(SHARE), .unit = RL_UNIT_FRACTION, .help = "median of what was measured over that"},
    {.id = "share", .head = "of theory", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = share_cell,
     .shown = VIEW_SHOWN_WHEN_ANY, .for_people = true, .help = "median of what was measured over the theoretical figure"},
    {.id = "data_sheet", .head = "data sheet", .type = VIEW_TYPE_NUMBER, .get = aside_cell, .key = DATA_SHEET, .unit_of_row = true,
     .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "the peak that the card's maker prints, or that follows from the clock behind what he prints"},
    {.id = "share_of_data_sheet", .head = "of it", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3,
     .get = aside_cell, .key = DATA_SHEET_SHARE, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "median of what was measured over that"},
    {.id = "sustained_median", .head = "sustained", FIGURE(SUSTAINED), .unit_of_row = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .for_people = true, .help = "what they reached after a long load"},
    {.id = "refused", TEXT(TEXT_REFUSED), .help = "why a measured figure is not used"},
};
/* clang-format on */
const struct view_record view_record_ceiling = {
    .id = "ceiling", .title = "", .help = "a ceiling of a card", VIEW_FIELDS(ceiling_fields)};

struct view_rows view_ceilings(const struct view *view, size_t gpu)
{
    const struct view_subject *subject = view_subject_of(view);
    const size_t first = gpu == RL_NONE ? 0 : gpu, end = gpu == RL_NONE ? subject->capture->gpu_count : gpu + 1;
    struct view_ceiling *rows = rl_arena_alloc(view->arena, (end - first) * RL_CEILING_COUNT * sizeof *rows);
    size_t count = 0;
    for (size_t g = first; g < end; g++)
        for (int id = 0; id < RL_CEILING_COUNT; id++) {
            const struct rl_ceiling *ceiling = &subject->analysis->gpus[g].ceiling[id];
            if (rl_ceiling_listed(ceiling, (enum rl_ceiling_id)id))
                rows[count++] = (struct view_ceiling){g, (enum rl_ceiling_id)id, ceiling};
        }
    return (struct view_rows){rows, sizeof *rows, count, NULL};
}

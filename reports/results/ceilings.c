/* ceilings.c - the ceilings of GPUs: theoretical, measured, sustained. */
#include "show_parts.h"

#define CLEARLY_LOWER 0.97 /* of the highest clock: as "steady clock" of findings.def has it */

VIEW_CELL(unit_cell, struct view_ceiling, rl_unit_json(row->unit));

/* Half of the 95 % CI over the median: of what was measured, or sustained. */
static struct view_cell half_width_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ceiling *ceiling = ((const struct view_ceiling *)row)->ceiling;
    const struct rl_stats *stats = field->key ? &ceiling->sustained : &ceiling->measured;
    if (!stats->n || !stats->has_interval || !(stats->median > 0))
        return view_cell_absent("");
    return view_cell_signed(rl_value_of((stats->high - stats->low) / 2 / stats->median), "±");
}

/* The run whose figure a row has: the burst's, or the one after long load; NULL: there is none. */
static const struct rl_ceiling_run *run_of(const struct view *view, const struct view_ceiling *of, bool sustained)
{
    const size_t run = sustained ? of->ceiling->sustained_run : of->ceiling->run;
    return run == RL_NONE ? NULL : &view_subject_of(view)->capture->ceilings[run];
}

static const char *lowered_by(const struct view *view, const struct rl_ceiling_run *run)
{
    struct rl_buf reasons = RL_BUF_IN(view->arena);
    rl_throttle_reasons_text(run->throttle_reasons, &reasons);
    return reasons.len ? reasons.data : "none";
}

/* The SM clock of a run. A note says why it is lower than it could be. */
static struct view_cell clock_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_ceiling *of = row;
    const struct rl_ceiling_run *run = run_of(view, of, field->key);
    if (!run)
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(run->sm_clock_hz);
    if (field->key)
        return cell;
    if (rl_clock_throttled(run->throttle_reasons))
        cell.reason = rl_arena_printf(view->arena, "the driver lowered the clock: %s", lowered_by(view, run));
    else if (rl_present(run->sm_clock_hz) && run->sm_clock_hz.v < CLEARLY_LOWER * of->highest_clock)
        cell.reason = "lower than elsewhere in this table; the driver gave no reason at the one moment when it was asked";
    return cell;
}

enum run_key { LOWERED_BY, CONFIGURATION, LAUNCHES };

static struct view_cell run_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ceiling_run *run = run_of(view, row, field->key == LOWERED_BY);
    if (!run)
        return view_cell_absent("");
    return field->key == LAUNCHES     ? view_cell_whole(run->sample_count)
           : field->key == LOWERED_BY ? view_cell_text(lowered_by(view, run))
                                      : view_cell_text(run->configuration);
}

/* The best figure that was published for such a GPU; its source is a note. */
static struct view_cell published_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_ceiling *of = row;
    if (!of->ceiling->published)
        return view_cell_absent("");
    struct view_cell cell = view_cell_in(rl_value_of(of->ceiling->published->value), of->unit);
    cell.reason = of->ceiling->published->source;
    return cell;
}

#define OF(member)  VIEW_IN(struct view_ceiling, ceiling, member)
#define ROW(member) VIEW_AT(struct view_ceiling, member)
#define RATE        .unit_of_row = true, .unit_at = offsetof(struct view_ceiling, unit)
#define PAGE        .for_people = true, .shown = VIEW_ON_REQUEST
#define SHARE       .unit = RL_UNIT_FRACTION, .digits = 3

/* clang-format off */
static const struct view_field ceiling_fields[] = {
    {.id = "gpu", VIEW_GPU(struct view_ceiling, gpu), .help = "index of the GPU"},
    {.id = "id", VIEW_IN(struct view_ceiling, info, id), .help = "which roof"},
    {.id = "label", .head = "roof", VIEW_IN(struct view_ceiling, info, label), .identifies = true, .help = "its name"},
    {.id = "unit", VIEW_GET(TEXT, unit_cell), .help = "unit of its figures"},
    {.id = "theory", .head = "theoretical", ROW(theory), RATE, .for_people = true,
     .help = "what the GPU could do, at the clock of the measurement where there is one"},
    {.id = "sm_clock_hz", .head = "clock", OF(clock), .unit = RL_UNIT_HERTZ, .quiet = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "the SM clock at which that is, where it goes with the clock"},
    {.id = "theoretical", OF(theoretical), RATE, .help = "what the GPU could do at the observed clock"},
    {.id = "theoretical_low", OF(theoretical_low), RATE, .help = "the same at the lowest clock of a launch"},
    {.id = "theoretical_high", OF(theoretical_high), RATE, .help = "the same at the highest clock of a launch"},
    {.id = "measured", OF(measured), .record = &view_record_samples, .help = "what micro-benchmarks reached"},
    {.id = "sustained", OF(sustained), .record = &view_record_samples, .help = "what they reached after a long load"},
    {.id = "measured_median", .head = "measured", ROW(measured), RATE, .shown = VIEW_SHOWN_WHEN_ANY, .quiet = true,
     .for_people = true, .help = "what micro-benchmarks reached"},
    {.id = "limit", OF(limit), RATE, .help = "what the GPU could do at the clock of the measurement"},
    {.id = "share_of_limit", OF(share), .unit = RL_UNIT_FRACTION, .help = "median of what was measured over that"},
    {.id = "share", .head = "of peak", OF(share), .unit = RL_UNIT_FRACTION, .quiet = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .for_people = true, .help = "median of what was measured over the theoretical figure"},
    {.id = "data_sheet", .head = "data sheet", OF(data_sheet), RATE, .quiet = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "the peak that the GPU's maker prints, or that follows from the clock behind what he prints"},
    {.id = "share_of_data_sheet", .head = "of sheet", OF(data_sheet_share), SHARE, .quiet = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "median of what was measured over that"},
    {.id = "sustained_median", .head = "sustained", ROW(sustained), RATE, .shown = VIEW_SHOWN_WHEN_ANY, .quiet = true,
     .for_people = true, .help = "what they reached after a long load"},
    {.id = "refused", OF(refused), .help = "why a measured figure is not used"},
    {.id = "reached", .head = "measured", ROW(measured), RATE, .look = VIEW_LOOK_STRONG, PAGE,
     .help = "what micro-benchmarks reached, or why there is no figure"},
    {.id = "half_width", .head = "95\u00a0% CI", VIEW_GET(NUMBER, half_width_cell), .key = 0,
     .unit = RL_UNIT_FRACTION, .digits = 2, PAGE, .help = "half of the interval of that"},
    {.id = "of_theory", .head = "of peak", ROW(share), SHARE, .quiet = true, .bar = true, PAGE,
     .help = "median of what was measured over the theoretical figure"},
    {.id = "run_clock_hz", .head = "SM clock", VIEW_GET(NUMBER, clock_cell), .key = 0, .unit = RL_UNIT_HERTZ, PAGE,
     .help = "the SM clock while it was measured"},
    {.id = "of_data_sheet", .head = "of sheet", ROW(data_sheet_share), SHARE, .quiet = true, PAGE,
     .help = "median of what was measured over the peak of the data sheet"},
    {.id = "published", .head = "best published", VIEW_GET(NUMBER, published_cell), .unit_of_row = true, .digits = 3,
     PAGE, .help = "the best figure that others published for such a GPU"},
    {.id = "of_published", .head = "of sheet", ROW(published_share), SHARE, .quiet = true, PAGE,
     .help = "median of what was measured over that"},
    {.id = "under_load", .head = "under long load", ROW(sustained), RATE, .quiet = true, PAGE,
     .help = "what micro-benchmarks reach after a long load"},
    {.id = "load_half_width", .head = "95\u00a0% CI", VIEW_GET(NUMBER, half_width_cell), .key = 1,
     .unit = RL_UNIT_FRACTION, .digits = 2, PAGE, .help = "half of the interval of that"},
    {.id = "of_burst", .head = "of burst", OF(sustained_share), SHARE, .quiet = true, PAGE,
     .help = "that over what was measured first"},
    {.id = "load_clock_hz", .head = "under load", VIEW_GET(NUMBER, clock_cell), .key = 1, .unit = RL_UNIT_HERTZ,
     PAGE, .help = "the SM clock after a long load"},
    {.id = "lowered_by", .head = "lowered by", VIEW_GET(TEXT, run_cell), .key = LOWERED_BY, PAGE,
     .help = "why the driver lowered that clock"},
    {.id = "definition", VIEW_IN(struct view_ceiling, info, definition), .wraps = true, .columns = 45, PAGE,
     .help = "what it is, and how it was measured"},
    {.id = "configuration", .head = "setting that reached it", VIEW_GET(TEXT, run_cell), .key = CONFIGURATION,
     .wraps = true, .columns = 30, PAGE, .help = "the fastest of those that were tried"},
    {.id = "launches", VIEW_GET(WHOLE, run_cell), .key = LAUNCHES, PAGE, .help = "how often it was launched"},
};
/* clang-format on */
const struct view_record view_record_ceiling = {.id = "ceiling", .help = "a roof of a GPU", VIEW_FIELDS(ceiling_fields)};

/* A value of a ceiling whose measured figure counts; missing otherwise. */
static struct rl_value if_used(const struct rl_ceiling *ceiling, struct rl_value value)
{
    return ceiling->measured.n ? value : rl_value_missing(RL_NOT_COLLECTED, "");
}

struct view_rows view_ceilings(const struct view *view, size_t gpu)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_capture *capture = subject->capture;
    const size_t first = gpu == RL_NONE ? 0 : gpu, end = gpu == RL_NONE ? capture->gpu_count : gpu + 1;
    struct view_ceiling *rows = rl_arena_alloc(view->arena, (end - first) * RL_CEILING_COUNT * sizeof *rows);
    size_t count = 0;
    for (size_t g = first; g < end; g++) {
        const struct rl_ceiling *ceilings = subject->analysis->gpus[g].ceiling;
        double highest = 0; /* clock of a run */
        for (int id = 0; id < RL_CEILING_COUNT; id++)
            if (ceilings[id].run != RL_NONE && rl_present(capture->ceilings[ceilings[id].run].sm_clock_hz))
                highest = fmax(highest, capture->ceilings[ceilings[id].run].sm_clock_hz.v);
        for (int id = 0; id < RL_CEILING_COUNT; id++) {
            const struct rl_ceiling *ceiling = &ceilings[id];
            const struct rl_value none =
                ceiling->refused ? rl_value_missing(RL_DISAGREES, "rejected: above what the GPU can do (explained below)")
                                 : rl_value_missing(RL_NOT_COLLECTED, "not measured in this session");
            if (!rl_ceiling_listed(ceiling, (enum rl_ceiling_id)id))
                continue;
            rows[count++] = (struct view_ceiling){
                .gpu = g,
                .id = (enum rl_ceiling_id)id,
                .info = &rl_ceilings[id],
                .ceiling = ceiling,
                .unit = rl_ceilings[id].unit,
                .theory = rl_ceiling_theory(ceiling),
                .measured = ceiling->measured.n ? rl_value_of(ceiling->measured.median) : none,
                .sustained = ceiling->sustained.n ? rl_value_of(ceiling->sustained.median) : rl_value_missing(RL_NOT_COLLECTED, ""),
                .share = if_used(ceiling, ceiling->share),
                .data_sheet_share = if_used(ceiling, ceiling->data_sheet_share),
                .published_share = if_used(ceiling, ceiling->published_share),
                .highest_clock = highest,
            };
        }
    }
    return VIEW_ROWS(rows, count);
}

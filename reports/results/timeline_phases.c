/* timeline_phases.c - parts of what a GPU did over time: what overlapped, phases (see show_parts.h). */

#include "show_parts.h"

/* ---- what overlapped ---- */

struct overlap {
    const struct rl_overlap_row *is;
    const struct rl_overlap_time *time;
    const char *share_text;
};

/* clang-format off */
static const struct view_field overlap_fields[] = {
    {.id = "id", VIEW_IN(struct overlap, is, id), .shown = VIEW_ON_REQUEST,
     .help = "'copies_under_compute', 'collectives_under_compute' or 'compute_under_copies'"},
    {.id = "label", .head = "overlap", VIEW_IN(struct overlap, is, label), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "meaning", VIEW_IN(struct overlap, is, help), .shown = VIEW_ON_REQUEST, .help = "what it is"},
    {.id = "whole_s", .head = "time", VIEW_IN(struct overlap, time, whole_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "time of the memcpys, collectives or kernels that compute"},
    {.id = "low_s", VIEW_IN(struct overlap, time, low_s), .unit = RL_UNIT_SECOND, .digits = 3, .shown = VIEW_ON_REQUEST,
     .help = "overlap, lower bound"},
    {.id = "high_s", VIEW_IN(struct overlap, time, high_s), .unit = RL_UNIT_SECOND, .digits = 3, .shown = VIEW_ON_REQUEST,
     .help = "upper bound: the same, unless collectives overlapped memcpys"},
    {.id = "low", VIEW_IN(struct overlap, time, low), .unit = RL_UNIT_FRACTION, .digits = 3, .shown = VIEW_ON_REQUEST,
     .help = "share of the time, lower bound"},
    {.id = "high", VIEW_IN(struct overlap, time, high), .unit = RL_UNIT_FRACTION, .digits = 3, .shown = VIEW_ON_REQUEST,
     .help = "at most"},
    {.id = "share_text", .head = "share", VIEW_AT(struct overlap, share_text), .for_people = true, .numeral = true,
     .help = "the share, or its bounds"},
};
/* clang-format on */
const struct view_record view_record_overlap = {.id = "overlap", .help = "what overlapped", VIEW_FIELDS(overlap_fields)};

/* The share is "34.2 %", or "20.0 % to 26.7 %" where the bins leave room. */
struct view_cell view_overlaps_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct overlap *overlaps = rl_arena_alloc(view->arena, RL_OVERLAP_COUNT * sizeof *overlaps);
    size_t count = 0;
    for (size_t i = 0; i < RL_OVERLAP_COUNT; i++) {
        const struct rl_overlap_time *time = &((const struct rl_over_time *)row)->overlap[i];
        struct rl_buf share = RL_BUF_IN(view->arena);
        if (time->whole_s <= 0)
            continue;
        rl_value_format(&share, RL_UNIT_FRACTION, time->low, 3);
        if (time->high.v > time->low.v * (1 + 1e-6) + 1e-9) {
            rl_buf_adds(&share, " to ");
            rl_value_format(&share, RL_UNIT_FRACTION, time->high, 3);
        }
        overlaps[count++] = (struct overlap){&rl_overlaps[i], time, share.data};
    }
    return view_cell_rows(VIEW_ROWS(overlaps, count));
}

/* ---- phases ---- */

struct phase {
    const struct rl_phase *of;
    const char *kind, *label, *range_path, *cause, *cause_text;
    struct rl_value no_kernel;
};

/* Counts of what is outside of all ranges mean nothing. */
static struct view_cell phase_count_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_phase *phase = ((const struct phase *)row)->of;
    if (phase->kind == RL_PHASE_OUTSIDE)
        return view_cell_absent("");
    return field->key == 0   ? view_cell_whole(phase->instances)
           : field->key == 1 ? view_cell_whole(phase->launches)
                             : view_cell_number(rl_value_of(phase->host_s));
}

/* clang-format off */
static const struct view_field phase_fields[] = {
    {.id = "kind", VIEW_AT(struct phase, kind), .shown = VIEW_ON_REQUEST,
     .help = "'prefill' or 'decode' by the names of ranges; 'range': an outermost NVTX range; 'outside': everything else"},
    {.id = "label", .head = "phase", VIEW_AT(struct phase, label), .for_people = true, .identifies = true, .columns = 32,
     .help = "the same for people"},
    {.id = "range_path", VIEW_AT(struct phase, range_path), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "its range, or the first of them"},
    {.id = "instances", .head = "times", VIEW_GET(WHOLE, phase_count_cell), .key = 0, .optional = true,
     .help = "how often it was entered"},
    {.id = "launches", VIEW_GET(WHOLE, phase_count_cell), .key = 1, .optional = true, .help = "timed kernels launched in it"},
    {.id = "gpu_s", .head = "kernels", VIEW_IN(struct phase, of, gpu_s), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "phase",
     .help = "their durations, added up"},
    {.id = "no_kernel_s", .head = "no kernel", VIEW_IN(struct phase, of, no_kernel_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .scale = "phase", .help = "time before its launches in which no kernel ran"},
    {.id = "no_kernel", .head = "share", VIEW_AT(struct phase, no_kernel), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the latter in both together"},
    {.id = "cause", VIEW_AT(struct phase, cause), .shown = VIEW_ON_REQUEST, .optional = true, .help = "its main cause"},
    {.id = "cause_text", .head = "most because of", VIEW_AT(struct phase, cause_text), .for_people = true,
     .help = "the same for people"},
    {.id = "host_s", .head = "host time", VIEW_GET(NUMBER, phase_count_cell), .key = 2, .unit = RL_UNIT_SECOND,
     .digits = 3, .optional = true, .help = "time between entering and leaving by the host's clock"},
};
/* clang-format on */
const struct view_record view_record_phase = {
    .id = "phase", .help = "a phase of the program, by NVTX ranges", VIEW_FIELDS(phase_fields)};

struct view_cell view_phases_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = row;
    struct phase *phases = rl_arena_alloc(view->arena, (over->phase_count + 1) * sizeof *phases);
    for (size_t i = 0; i < over->phase_count; i++) {
        const struct rl_phase *of = &over->phases[i];
        const struct rl_value whole = rl_present(of->gpu_s) ? rl_value_of(of->gpu_s.v + of->no_kernel_s) : of->gpu_s;
        const bool caused = of->cause != RL_LANE_COUNT;
        phases[i] = (struct phase){.of = of,
                                   .kind = rl_phase_kind_name(of->kind),
                                   .range_path = view_range_path(view, of->range),
                                   .cause = caused ? rl_lanes[of->cause].id : NULL,
                                   .cause_text = caused ? rl_gap_cause_of(of->cause)->label : NULL,
                                   .no_kernel = rl_value_div(rl_value_of(of->no_kernel_s), whole, "no time")};
        phases[i].label = of->kind == RL_PHASE_OUTSIDE ? "everything else"
                          : of->kind == RL_PHASE_RANGE ? phases[i].range_path
                                                       : phases[i].kind;
    }
    return view_cell_rows(VIEW_ROWS(phases, over->phase_count));
}

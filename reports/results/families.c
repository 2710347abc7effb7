#include "show_parts.h"

/* ---- spreads ---- */

#define SPREAD(name, of, what)                                                                                                     \
    static const struct view_field name##_fields[] = {                                                                             \
        {.id = "least", VIEW_AT(struct rl_spread, least), .unit = (of), .digits = 3, .help = "the minimum"},                       \
        {.id = "low", VIEW_AT(struct rl_spread, low), .unit = (of), .digits = 3, .help = "the lower quartile"},                    \
        {.id = "median", VIEW_AT(struct rl_spread, median), .unit = (of), .digits = 3, .help = "the median"},                      \
        {.id = "high", VIEW_AT(struct rl_spread, high), .unit = (of), .digits = 3, .help = "the upper quartile"},                  \
        {.id = "greatest", VIEW_AT(struct rl_spread, greatest), .unit = (of), .digits = 3, .help = "the maximum"},                 \
        {.id = "n", VIEW_AT(struct rl_spread, n), .help = "number of configurations that have it"},                                \
    };                                                                                                                             \
    const struct view_record view_record_##name = {.id = #name, .help = (what), VIEW_FIELDS(name##_fields)}
SPREAD(spread, RL_UNIT_COUNT, "a figure over configurations, each counting once");
SPREAD(time_spread, RL_UNIT_SECOND, "a time over configurations, each counting once");
#undef SPREAD

static struct view_cell spread_cell(const struct rl_spread *spread)
{
    return view_cell_record(spread->n ? spread : NULL);
}

/* ---- in what shapes differ ---- */

static struct view_cell agree_cell(const struct view *view, const struct view_field *field, const void *row)
{
    assert(field->key >= 0 && field->key < RL_TRAIT_COUNT);
    const struct rl_spread *spread = &((const struct rl_family_figures *)row)->trait[field->key];
    return spread->n > 1 ? view_cell_boolean(rl_spread_agrees(spread)) : view_cell_absent("");
}

VIEW_CELL(trait_cell, struct rl_family_figures, spread_cell(&row->trait[field->key]));

#define TRAIT(id_, label_, unit_) {.id = #id_, VIEW_GET(BOOLEAN, agree_cell), .key = RL_TRAIT_##id_, .help = label_},
static const struct view_field agree_fields[] = {
#include "analysis/traits.def"
};
#undef TRAIT
#define TRAIT(id_, label_, unit_)                                                                                                  \
    {.id = #id_, VIEW_GET_RECORD(&view_record_spread, trait_cell), .key = RL_TRAIT_##id_, .unit = RL_UNIT_##unit_, .help = label_},
static const struct view_field trait_fields[] = {
#include "analysis/traits.def"
};
#undef TRAIT

static const struct view_record agree_record = {
    .id = "shapes_agree", .help = "whether the counted configurations agree within 10 %", VIEW_FIELDS(agree_fields)};
static const struct view_record traits_record = {
    .id = "spreads", .help = "figures over the counted configurations", VIEW_FIELDS(trait_fields)};

/* "intensity 3.1 FLOP/B in all", "occupancy 40 % to 60 %". */
static void add_spread(struct rl_buf *out, enum rl_unit unit, const struct rl_spread *spread)
{
    rl_unit_format(out, unit, rl_spread_agrees(spread) ? spread->median : spread->least, 3);
    rl_buf_adds(out, rl_spread_agrees(spread) ? " in all" : " to ");
    if (!rl_spread_agrees(spread))
        rl_unit_format(out, unit, spread->greatest, 3);
}

static struct view_cell traits_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_family_figures *figures = ((const struct rl_family *)row)->figures;
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (int i = 0; i < RL_TRAIT_COUNT; i++) {
        if (figures->trait[i].n < 2)
            continue;
        rl_buf_addf(&text, "%s%s ", text.len ? "; " : "", trait_fields[i].help);
        add_spread(&text, trait_fields[i].unit, &figures->trait[i]);
    }
    return view_cell_kept(view, &text);
}

static struct view_cell per_block_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_spread *spread = &((const struct rl_family *)row)->figures->per_block_s;
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (spread->n)
        add_spread(&text, RL_UNIT_SECOND, spread);
    return view_cell_kept(view, &text);
}

/* ---- a family ---- */

static const struct rl_family_figures *figures_of(const void *row)
{
    assert(((const struct rl_family *)row)->figures); /* of families only */
    return ((const struct rl_family *)row)->figures;
}

VIEW_CELL(gpu_cell, struct rl_family,
          view_subject_of(view)->capture->gpus[view_subject_of(view)->capture->kernels[row->kernel].gpu].index);

VIEW_CELL(name_cell, struct rl_family, view_subject_of(view)->capture->kernels[row->kernel].name);
VIEW_CELL_IF(limiter_cell, struct rl_family, row->figures,
             rl_limiter_id(rl_limiter_of(row->figures->limiter, row->figures->bound)));
VIEW_CELL(time_state_cell, struct rl_family, rl_time_state_name(row->time.state));
VIEW_CELL(gpu_s_cell, void, rl_family_gpu_s(row));
VIEW_CELL(share_cell, void, rl_family_share(row));
VIEW_CELL(blocks_cell, void, spread_cell(field->key ? &figures_of(row)->per_block_s : &figures_of(row)->blocks));

static struct view_cell metrics_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct view_metrics *metrics = rl_arena_alloc(view->arena, sizeof *metrics);
    *metrics = (struct view_metrics){.metric = figures_of(row)->metric};
    return view_cell_record(metrics);
}

static const struct view_field member_fields[] = {
    {.id = "kernel", VIEW_AT(struct rl_program_class, kernel), .help = "place of a configuration in the list of kernels, from 0"},
};
static const struct view_record member_record = {
    .id = "member", .help = "a configuration of the kernel", VIEW_FIELDS(member_fields), .plain = true};

VIEW_CELL(limiter_id_cell, struct rl_family_limiter, rl_limiter_id(row->limiter));
VIEW_CELL(limiter_tied_cell, struct rl_family_limiter, view_tied(view, row->tied));

static const struct view_field limiter_fields[] = {
    {.id = "limiter", VIEW_GET(TEXT, limiter_id_cell), .help = "their limiter"},
    {.id = "tied", VIEW_GET(TEXT, limiter_tied_cell), .optional = true, .help = VIEW_TIED_HELP},
    {.id = "shapes", VIEW_AT(struct rl_family_limiter, shapes), .help = "number of configurations, of those with a time"},
    {.id = "between",
     VIEW_AT(struct rl_family_limiter, between),
     .help = "number of them without counters, whose neighbours in number of blocks have this limiter"},
    {.id = "gpu_s", VIEW_AT(struct rl_family_limiter, gpu_s), .unit = RL_UNIT_SECOND, .digits = 3, .help = "their GPU time"},
};
const struct view_record view_record_family_limiter = {
    .id = "family_limiter", .help = "configurations of a kernel with the same limiter", VIEW_FIELDS(limiter_fields)};

#define FIGURE(member)     VIEW_IN(struct rl_family, figures, member)
#define NUMBER(of, member) FIGURE(member), .unit = RL_UNIT_##of, .digits = 3

/* clang-format off */
static const struct view_field family_fields[] = {
    {.id = "id", VIEW_AT_ARRAY(struct rl_family, id), .identifies = true,
     .help = "short name of the kernel, the same in every capture"},
    {.id = "gpu", VIEW_GET(INTEGER, gpu_cell), .help = "index of its GPU"},
    {.id = "name", VIEW_GET(TEXT, name_cell), .help = "name of the kernel in full"},
    {.id = "short_name", VIEW_AT(struct rl_family, label), .help = "shortest name that distinguishes it from others"},
    {.id = "shapes", VIEW_AT(struct rl_family, shapes), .help = "number of launch configurations"},
    {.id = "kernels", VIEW_AT_ROWS(struct rl_family, classes, shapes, &member_record),
     .help = "places of its configurations in the list of kernels, from 0"},
    {.id = "launches", VIEW_AT(struct rl_family, time.launches), .help = "number of launches"},
    {.id = "timed", VIEW_AT(struct rl_family, time.timed), .help = "launches with a time"},
    {.id = "gpu_s", VIEW_GET(NUMBER, gpu_s_cell), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "GPU time of all launches; those without a time count as the mean of their configuration where enough have one"},
    {.id = "gpu_s_is", VIEW_GET(TEXT, time_state_cell),
     .help = "what it rests on: 'whole', 'estimated', 'at least' or 'none'"},
    {.id = "gpu_error_s", VIEW_NS(struct rl_family, time.error_ns), .digits = 3,
     .help = "half of the 95 % CI of an estimate, if the timed launches are a random sample"},
    {.id = "share", VIEW_GET(NUMBER, share_cell), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the GPU time of all configurations"},
    {.id = "timed_shapes", FIGURE(timed_shapes), .help = "configurations of which some launch was timed"},
    {.id = "fewest_blocks", FIGURE(least), .help = "kernel whose grid has the fewest blocks"},
    {.id = "median_blocks", FIGURE(middle), .help = "kernel whose grid has the median number of blocks"},
    {.id = "most_blocks", FIGURE(greatest), .help = "kernel whose grid has the most blocks"},
    {.id = "blocks", VIEW_GET_RECORD(&view_record_spread, blocks_cell), .key = 0, .help = "blocks of a grid"},
    {.id = "time_per_block_s", VIEW_GET_RECORD(&view_record_time_spread, blocks_cell), .key = 1,
     .help = "mean time of a launch over the blocks of its grid, over the configurations"},
    {.id = "median_s", NUMBER(SECOND, median_s), .help = "median duration of all launches; a sample stands for its configuration"},
    {.id = "min_s", NUMBER(SECOND, min_s), .help = "shortest launch"},
    {.id = "max_s", NUMBER(SECOND, max_s), .help = "longest launch"},
    {.id = "counted_shapes", FIGURE(counted_shapes), .help = "configurations that were counted and timed and whose passes agree"},
    {.id = "disagreeing_shapes", FIGURE(disagreeing_shapes),
     .help = "configurations that were counted and left out because passes disagree"},
    {.id = "counted_launches", FIGURE(counted), .help = "launches of the former"},
    {.id = "shapes_agree", VIEW_AT_POINTER(struct rl_family, figures, &agree_record),
     .help = "whether the counted configurations agree within 10 %"},
    {.id = "spread", VIEW_AT_POINTER(struct rl_family, figures, &traits_record), .help = "figures over the counted configurations"},
    {.id = "per_block", VIEW_GET(TEXT, per_block_cell), .for_people = true, .help = "time per block in words"},
    {.id = "traits", VIEW_GET(TEXT, traits_cell), .for_people = true, .help = "the same in words"},
    {.id = "time_of_a_counted_launch_s", NUMBER(SECOND, time_s), .help = "duration of a mean counted launch"},
    {.id = "roof_share", NUMBER(FRACTION, roof_share),
     .help = "time at the roofs over time, both summed over the counted launches"},
    {.id = "limiter", VIEW_GET(TEXT, limiter_cell), .help = "the limiter of most of its time"},
    {.id = "limiters", VIEW_IN_ROWS(struct rl_family, figures, limiters, limiter_count, &view_record_family_limiter),
     .help = VIEW_LIMITERS_HELP},
    {.id = "limited_by", FIGURE(limited_by), .for_people = true, .help = "the same in words"},
    {.id = "above_roof", FIGURE(above_roof), .help = "of the first configuration that lies above a roof"},
    {.id = "metrics", VIEW_GET_RECORD(&view_record_metrics, metrics_cell), .help = "metrics of a mean counted launch"},
};
/* clang-format on */
const struct view_record view_record_family = {
    .id = "family", .help = "a kernel launched in many configurations", VIEW_FIELDS(family_fields)};

/* projection.c - what the launches of a capture could do on a GPU that is not at hand. */
#include "compare_parts.h"

/* ---- a kernel ---- */

static const struct rl_kernel_result *result_of(const struct view_projected *row)
{
    return &row->projection->analysis->kernels[row->projected->kernel];
}

VIEW_CELL(id_cell, struct view_projected,
          view_kernel_id(view, &row->projection->analysis->capture->kernels[row->projected->kernel]));

VIEW_CELL(name_cell, void, result_of(row)->label);

VIEW_CELL(here_cell, struct view_projected,
          result_of(row)->duration.n ? rl_value_of(result_of(row)->duration.median)
                                     : rl_value_missing(RL_NOT_COLLECTED, "not timed"));
VIEW_CELL(occupancy_here_cell, void, result_of(row)->occupancy.fraction);
/* Its interval has what is at least, where the bound does not. */
VIEW_CELL(bound_cell, struct view_projected,
          view_cell_signed(row->projected->bound_s,
                           rl_present(row->projected->bound_low_s) && row->projected->bound_low_s.v >= row->projected->bound_s.v
                               ? RL_SIGN_AT_LEAST " "
                               : NULL));

/* "3.23–5.01 ms"; empty where other assumptions make no difference. */
static struct view_cell interval_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_projected *projected = ((const struct view_projected *)row)->projected;
    const struct rl_value low = field->key ? projected->estimate_low_s : projected->bound_low_s,
                          high = field->key ? projected->estimate_high_s : projected->bound_high_s;
    struct rl_buf from = RL_BUF_IN(view->arena), to = RL_BUF_IN(view->arena);
    if (!rl_present(low) || !rl_present(high))
        return view_cell_absent("");
    const struct rl_scale scale = rl_unit_scale(RL_UNIT_SECOND, high.v);
    rl_number_format(&from, low.v * scale.factor, 3);
    rl_number_format(&to, high.v * scale.factor, 3);
    if (strcmp(from.data, to.data) == 0)
        rl_buf_reset(&from);
    else
        rl_buf_addf(&from, RL_EN_DASH "%s %s", to.data, scale.symbol);
    return view_cell_text(view_keep(view, &from));
}

enum { CEILING_ID, CEILING_LABEL };

static struct view_cell set_by_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_projected *projected = ((const struct view_projected *)row)->projected;
    if (!rl_present(projected->bound_s))
        return view_cell_absent("there is no bound");
    const struct rl_ceiling_info *ceiling = &rl_ceilings[projected->binding];
    return view_cell_text(field->key == CEILING_ID ? ceiling->id : ceiling->label);
}

VIEW_SAID(limiter_cell, struct view_projected, "", rl_occupancy_limiter_text(&row->projected->occupancy, &text));

/* clang-format off */
static const struct view_field kernel_fields[] = {
    {.id = "id", VIEW_GET(TEXT, id_cell), .help = "short name of the launch configuration"},
    {.id = "name", .head = "kernel", VIEW_GET(TEXT, name_cell), .columns = VIEW_NAME_COLUMNS, .identifies = true,
     .help = "what it is called in tables"},
    {.id = "measured_here_s", .head = "measured", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3,
     .get = here_cell, .scale = "time", .help = "its median time on the GPU that was measured"},
    {.id = "bound_s", .head = "bound", VIEW_GET(NUMBER, bound_cell), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "time",
     .help = "the shortest time that the other GPU's roofs allow for the same traffic"},
    {.id = "bound_low_s", VIEW_IN(struct view_projected, projected, bound_low_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "the same at the roofs of the data sheet, and without traffic that a larger L2 may keep: it takes no less"},
    {.id = "bound_high_s", VIEW_IN(struct view_projected, projected, bound_high_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "the same if L2 there keeps nothing of what it kept here"},
    {.id = "interval", .head = "interval", VIEW_GET(TEXT, interval_cell), .key = 0, .numeral = true,
     .for_people = true, .help = "the bound under other assumptions"},
    {.id = "set_by", VIEW_GET(TEXT, set_by_cell), .key = CEILING_ID, .help = "id of the roof that sets the bound"},
    {.id = "roof", .head = "set by", VIEW_GET(TEXT, set_by_cell), .key = CEILING_LABEL, .for_people = true,
     .help = "the roof that sets the bound"},
    {.id = "share_here", .head = "share here", VIEW_IN(struct view_projected, projected, share_here), .unit = RL_UNIT_FRACTION,
     .digits = 3, .help = "share of the bound here that the measured time reaches"},
    {.id = "estimate_s", .head = "estimate", VIEW_IN(struct view_projected, projected, estimate_s), .unit = RL_UNIT_SECOND,
     .digits = 3, .sign = RL_SIGN_ESTIMATE " ", .scale = "time",
     .help = "its time there if the rest grows with the resource that limits it there"},
    {.id = "estimate_low_s", VIEW_IN(struct view_projected, projected, estimate_low_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "the lower end of what held 90 % of the times measured on both GPUs of a chip"},
    {.id = "estimate_high_s", VIEW_IN(struct view_projected, projected, estimate_high_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "the upper end"},
    {.id = "estimate_interval", .head = "90 % interval", VIEW_GET(TEXT, interval_cell), .key = 1,
     .numeral = true, .for_people = true, .help = "the same as a range"},
    {.id = "speedup_at_most", VIEW_IN(struct view_projected, projected, most_speedup), .digits = 3,
     .help = "time measured here over 'bound_low_s'"},
    {.id = "speedup_estimate", VIEW_IN(struct view_projected, projected, estimate_speedup), .digits = 3,
     .help = "time measured here over the estimate"},
    {.id = "occupancy_here", .head = "occupancy here", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3,
     .get = occupancy_here_cell, .help = "static occupancy on the GPU that was measured"},
    {.id = "occupancy", .head = "there", VIEW_IN(struct view_projected, projected, occupancy.fraction), .unit = RL_UNIT_FRACTION,
     .digits = 3, .help = "static occupancy on the other GPU"},
    {.id = "limited_by", .head = "limited there by", VIEW_GET(TEXT, limiter_cell), .help = "what limits it there"},
};
/* clang-format on */
static const struct view_record kernel_record = {
    .id = "projected", .help = "a kernel on an unavailable GPU", VIEW_FIELDS(kernel_fields)};

/* ---- a ceiling ---- */

struct ceiling {
    const struct rl_ceiling_info *info;
    const struct rl_card_ceiling *of;
    const char *origin;
};

enum { TAKEN, DATA_SHEET };

VIEW_CELL(unit_cell, struct ceiling, rl_unit_json(row->info->unit));
VIEW_CELL(roof_cell, struct ceiling, view_cell_in(field->key == TAKEN ? row->of->figure : row->of->theoretical, row->info->unit));

/* clang-format off */
static const struct view_field ceiling_fields[] = {
    {.id = "id", VIEW_IN(struct ceiling, info, id), .help = "id of the roof"},
    {.id = "figure", VIEW_IN(struct ceiling, of, figure), .help = "the most that the GPU can do"},
    {.id = "unit", VIEW_GET(TEXT, unit_cell), .help = "unit of the figure"},
    {.id = "origin", .head = "from", VIEW_AT(struct ceiling, origin), .wraps = true, .columns = 34, .look = VIEW_LOOK_QUIET,
     .help = "whether it is published or theoretical, and the source"},
    {.id = "roof", VIEW_IN(struct ceiling, info, label), .for_people = true, .identifies = true, .help = "name of the roof"},
    {.id = "taken", .type = VIEW_TYPE_NUMBER, .unit_of_row = true, .get = roof_cell, .key = TAKEN, .for_people = true,
     .look = VIEW_LOOK_STRONG, .help = "the figure in its unit"},
    {.id = "data_sheet", .head = "data sheet", .type = VIEW_TYPE_NUMBER, .unit_of_row = true, .get = roof_cell, .key = DATA_SHEET,
     .for_people = true, .excused = view_needs_no_note, .help = "what the data sheet says"},
};
/* clang-format on */
static const struct view_record ceiling_record = {.id = "card_ceiling", .help = "a roof of a GPU", VIEW_FIELDS(ceiling_fields)};

/* All roofs, or those of the counted work. */
static struct view_cell ceilings_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_projection *projection = ((const struct view_projection *)row)->projection;
    struct ceiling *ceilings = rl_arena_alloc(view->arena, RL_CEILING_COUNT * sizeof *ceilings);
    size_t count = 0;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        struct rl_buf origin = RL_BUF_IN(view->arena);
        const struct rl_card_ceiling *ceiling = &projection->ceiling[i];
        const bool wanted = field->key ? rl_projection_uses(projection, (enum rl_ceiling_id)i) : rl_ceilings[i].role == RL_ROOF;
        if (!wanted || !rl_present(ceiling->figure))
            continue;
        rl_projection_origin_text(projection, (enum rl_ceiling_id)i, &origin);
        ceilings[count++] = (struct ceiling){&rl_ceilings[i], ceiling, view_keep(view, &origin)};
    }
    return view_cell_rows(VIEW_ROWS(ceilings, count));
}

/* ---- a GPU ---- */

enum { CARD, KIND };

VIEW_CELL(card_text, struct view_projection, field->key == KIND ? "projected" : row->projection->card->id);

static bool is_full(struct rl_value occupancy)
{
    return rl_present(occupancy) && occupancy.v >= 1;
}

VIEW_WHEN(is_limited, void,
          !is_full(result_of(row)->occupancy.fraction) ||
              !is_full(((const struct view_projected *)row)->projected->occupancy.fraction));

/* Kernels that are full on both GPUs need no row. */
VIEW_CELL(limited_cell, struct view_projection, view_rows_where(view, VIEW_ROWS(row->kernels, row->count), is_limited));

VIEW_CELL(full_cell, struct view_projection, RL_SUM(uint64_t, i, row->count, !is_limited(view, &row->kernels[i])));

/* clang-format off */
static const struct view_field projection_fields[] = {
    {.id = "card", .head = "GPU", VIEW_GET(TEXT, card_text), .key = CARD, .help = "name of the GPU in the list of GPUs"},
    {.id = "kind", VIEW_GET(TEXT, card_text), .key = KIND, .help = "projected: modelled, not measured"},
    {.id = "assumptions", VIEW_IN_ROWS(struct view_projection, projection, assumptions, assumption_count, &view_record_note),
     .help = "what is assumed"},
    {.id = "ceilings", VIEW_GET_LIST(&ceiling_record, ceilings_cell), .help = "roofs of the GPU"},
    {.id = "used", VIEW_GET_LIST(&ceiling_record, ceilings_cell), .key = 1, .for_people = true,
     .help = "those that work of the launches is compared with"},
    {.id = "kernels", VIEW_AT_ROWS(struct view_projection, kernels, count, &kernel_record), .help = "every kernel of the baseline"},
    {.id = "limited", VIEW_GET_LIST(&kernel_record, limited_cell), .for_people = true,
     .help = "kernels without full occupancy on either GPU"},
    {.id = "full", VIEW_GET(WHOLE, full_cell), .for_people = true, .help = "number of kernels with full occupancy on both GPUs"},
};
static const struct view_block projection_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "kernels", .most = 40,
     .columns = "name,measured_here_s,bound_s,interval,roof,estimate_s,estimate_interval",
     .rest = "{left kernel|kernels} not listed"},
    {.kind = VIEW_BLOCK_TABLE, .field = "limited", .columns = "name,occupancy_here,occupancy,limited_by", .most = 40,
     .rest = "{left kernel|kernels} not listed"},
    {.kind = VIEW_BLOCK_NOTE, .with = "full", .text = "static occupancy is 100 % here and there for {full kernel|kernels}"},
    {.kind = VIEW_BLOCK_NOTES, .field = "assumptions", .text = "{text}"},
};
const struct view_record view_record_projection = {
    .id = "projection", .title = "Projected to {card}: modelled, not measured",
    .help = "the launches of a capture, modelled for an unavailable GPU", VIEW_FIELDS(projection_fields),
    VIEW_BLOCKS(projection_blocks)};
/* clang-format on */

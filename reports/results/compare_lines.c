/* compare_lines.c - lines of which more, or fewer, of the samples are than before (analysis/compare.h). */
#include "compare_parts.h"

enum side { BASE, NEW };
static struct view_cell number_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_line_change *change = &((const struct view_line *)row)->change;
    const uint32_t number = field->key == BASE ? change->base : change->new;
    return number ? view_cell_whole(number) : view_cell_absent("");
}

/* "step.cu:31", "step.cu:31 → 33". */
static struct view_cell at_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_line_change *change = &((const struct view_line *)row)->change;
    const char *slash = change->path ? strrchr(change->path, '/') : NULL;
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_buf_addf(&text, "%s:%" PRIu32,
                slash          ? slash + 1
                : change->path ? change->path
                               : "line",
                change->base ? change->base : change->new);
    if (change->base && change->new && change->base != change->new)
        rl_buf_addf(&text, " → %" PRIu32, change->new);
    return view_cell_kept(view, &text);
}

/* "+12.3", in the scale. */
static void add_signed(struct rl_buf *text, const struct rl_scale *scale, double value)
{
    rl_buf_adds(text, value < 0 ? RL_MINUS : "+");
    rl_number_format(text, fabs(value) * scale->factor, 3);
}

enum figure { SHARE, TIME };
/* "+15.4 (+10.1 to +20.5) %" */
static struct view_cell change_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_line_change *change = &((const struct view_line *)row)->change;
    const struct rl_line_figure *figure = field->key == TIME ? &change->time_s : &change->share;
    const enum rl_unit unit = field->key == TIME ? RL_UNIT_SECOND : RL_UNIT_FRACTION;
    const struct rl_scale scale = rl_unit_scale(unit, figure->value.v);
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!rl_present(figure->value))
        return view_cell_absent(rl_value_reason(figure->value));
    add_signed(&text, &scale, figure->value.v);
    rl_buf_adds(&text, " (");
    add_signed(&text, &scale, figure->low.v);
    rl_buf_adds(&text, " to ");
    add_signed(&text, &scale, figure->high.v);
    rl_buf_addf(&text, ")" RL_NO_BREAK_SPACE "%s", scale.symbol);
    return view_cell_kept(view, &text);
}

/* clang-format off */
#define FIGURE(member, unit_) VIEW_AT(struct view_line, change.member), .unit = RL_UNIT_##unit_
static const struct view_field fields[] = {
    {.id = "kernel", VIEW_AT(struct view_line, kernel), .columns = VIEW_NAME_COLUMNS,
     .help = "its name in the baseline; the samples cover all configurations of that name"},
    {.id = "at", .head = "line", VIEW_GET(TEXT, at_cell), .for_people = true, .look = VIEW_LOOK_CODE, .columns = 40,
     .help = "name of the file and number of the line"},
    {.id = "path", VIEW_AT(struct view_line, change.path), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "file, as the compiler was given it"},
    {.id = "base_line", VIEW_GET(WHOLE, number_cell), .key = BASE, .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "number of the line in the baseline; absent: it has no samples there"},
    {.id = "new_line", VIEW_GET(WHOLE, number_cell), .key = NEW, .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "the same in the other capture"},
    {.id = "base_share", .head = "baseline", FIGURE(base_share.value, FRACTION), .digits = 3,
     .help = "of the kernel's samples in the baseline, those of the line"},
    {.id = "new_share", .head = "candidate", FIGURE(new_share.value, FRACTION), .digits = 3,
     .help = "the same in the other capture"},
    {.id = "share_change", FIGURE(share.value, FRACTION), .shown = VIEW_ON_REQUEST, .help = "the second less the first"},
    {.id = "share_change_low", FIGURE(share.low, FRACTION), .shown = VIEW_ON_REQUEST, .help = "lower end of its 95 % CI"},
    {.id = "share_change_high", FIGURE(share.high, FRACTION), .shown = VIEW_ON_REQUEST, .help = "upper end of it"},
    {.id = "share_text", .head = "of the samples", VIEW_GET(TEXT, change_cell), .key = SHARE, .for_people = true,
     .help = "how the share changed, with its 95 % CI"},
    {.id = "base_s", FIGURE(base_s.value, SECOND), .shown = VIEW_ON_REQUEST,
     .help = "the share of the baseline's median time of a launch: about how long it is at the line"},
    {.id = "new_s", FIGURE(new_s.value, SECOND), .shown = VIEW_ON_REQUEST, .help = "the same in the other capture"},
    {.id = "time_change_s", FIGURE(time_s.value, SECOND), .shown = VIEW_ON_REQUEST, .help = "the second less the first"},
    {.id = "time_change_low_s", FIGURE(time_s.low, SECOND), .shown = VIEW_ON_REQUEST, .help = "lower end of its 95 % CI"},
    {.id = "time_change_high_s", FIGURE(time_s.high, SECOND), .shown = VIEW_ON_REQUEST, .help = "upper end of it"},
    {.id = "time_text", .head = "time there", VIEW_GET(TEXT, change_cell), .key = TIME, .for_people = true,
     .help = "how the time at the line changed, with its 95 % CI"},
    {.id = "text", VIEW_AT(struct view_line, change.text), .columns = 28, .wraps = true, .look = VIEW_LOOK_CODE,
     .shown = VIEW_ON_REQUEST, .optional = true, .help = "what the line says"},
};
/* clang-format on */
const struct view_record view_record_line_change = {
    .id = "line_change", .help = "a source line whose share of the samples changed", VIEW_FIELDS(fields)};

void view_part_find_lines(struct view_part *part, struct rl_arena *arena)
{
    struct rl_line_change *changes;

    part->line_count = rl_line_changes_of(part->comparison, arena, &changes);
    part->lines = rl_arena_alloc(arena, (part->line_count + 1) * sizeof *part->lines);
    for (size_t i = 0; i < part->line_count; i++)
        part->lines[i] =
            (struct view_line){part->comparison->base.items[part->comparison->pairs[changes[i].pair].base].label, changes[i]};
}

struct view_cell view_lines_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;

    if (!part->line_count)
        return view_cell_absent("");
    return view_cell_rows(VIEW_ROWS(part->lines, part->line_count));
}

/* compare_lines.c - lines of which more, or fewer, of the samples are than before (analysis/line_changes.h). */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare_parts.h"
#include "core/mem.h"
#include "core/signs.h"

static const struct rl_line_change *change_of(const void *row)
{
    return ((const struct view_line *)row)->change;
}

enum text { KERNEL, PATH, TEXT };
static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_comparison *comparison = ((const struct view_line *)row)->part->comparison;
    const struct rl_line_change *change = change_of(row);
    const char *const texts[] = {[KERNEL] = comparison->base.items[comparison->pairs[change->pair].base].label,
                                 [PATH] = change->path,
                                 [TEXT] = change->text};
    (void)view;
    return texts[field->key] ? view_cell_text(texts[field->key]) : view_cell_absent("");
}

enum side { BASE, NEW };
static struct view_cell number_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const uint32_t number = field->key == BASE ? change_of(row)->base : change_of(row)->new;
    (void)view;
    return number ? view_cell_whole(number) : view_cell_absent("");
}

/* "step.cu:31", "step.cu:31 → 33". */
static struct view_cell at_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_line_change *change = change_of(row);
    const char *slash = change->path ? strrchr(change->path, '/') : NULL;
    struct rl_buf text = RL_BUF_INIT;
    (void)field;
    rl_buf_addf(&text, "%s:%" PRIu32,
                slash          ? slash + 1
                : change->path ? change->path
                               : "line",
                change->base ? change->base : change->new);
    if (change->base && change->new && change->base != change->new)
        rl_buf_addf(&text, " → %" PRIu32, change->new);
    return view_cell_text(view_keep(view, &text));
}

/* Members of struct rl_line_change, and of a figure. */
enum figure { BASE_SHARE, NEW_SHARE, SHARE, BASE_TIME, NEW_TIME, TIME };
enum part { VALUE, LOW, HIGH, PARTS };
static const struct rl_line_figure *figure_of(const void *row, enum figure figure)
{
    const struct rl_line_change *change = change_of(row);
    const struct rl_line_figure *const figures[] = {&change->base_share, &change->new_share, &change->share,
                                                    &change->base_s,     &change->new_s,     &change->time_s};
    return figures[figure];
}

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_line_figure *figure = figure_of(row, (enum figure)(field->key / PARTS));
    const struct rl_value *const parts[] = {[VALUE] = &figure->value, [LOW] = &figure->low, [HIGH] = &figure->high};
    (void)view;
    return view_cell_number(*parts[field->key % PARTS]);
}

/* "+12.3", in the scale. */
static void add_signed(struct rl_buf *text, const struct rl_scale *scale, double value)
{
    rl_buf_adds(text, value < 0 ? RL_MINUS : "+");
    rl_number_format(text, fabs(value) * scale->factor, 3);
}

/* "+15.4 (+10.1 to +20.5) %" */
static struct view_cell change_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_line_figure *figure = figure_of(row, (enum figure)field->key);
    const enum rl_unit unit = field->key == TIME ? RL_UNIT_SECOND : RL_UNIT_FRACTION;
    const struct rl_scale scale = rl_unit_scale(unit, figure->value.v);
    struct rl_buf text = RL_BUF_INIT;
    if (!rl_present(figure->value))
        return view_cell_absent(rl_value_reason(figure->value));
    add_signed(&text, &scale, figure->value.v);
    rl_buf_adds(&text, " (");
    add_signed(&text, &scale, figure->low.v);
    rl_buf_adds(&text, " to ");
    add_signed(&text, &scale, figure->high.v);
    rl_buf_addf(&text, ")" RL_NO_BREAK_SPACE "%s", scale.symbol);
    return view_cell_text(view_keep(view, &text));
}

/* clang-format off */
#define FIGURE(which, part, unit_)                                                                                                 \
    .type = VIEW_TYPE_NUMBER, .get = figure_cell, .key = (which) * PARTS + (part), .unit = RL_UNIT_##unit_
static const struct view_field fields[] = {
    {.id = "kernel", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = KERNEL, .columns = VIEW_NAME_COLUMNS,
     .help = "its name in the base; the samples cover all classes of that name"},
    {.id = "at", .head = "line", .type = VIEW_TYPE_TEXT, .get = at_cell, .for_people = true, .look = VIEW_LOOK_CODE, .columns = 40,
     .help = "name of the file and number of the line"},
    {.id = "path", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = PATH, .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "file, as the compiler was given it"},
    {.id = "base_line", .type = VIEW_TYPE_WHOLE, .get = number_cell, .key = BASE, .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "number of the line in the base; absent: it has no samples there"},
    {.id = "new_line", .type = VIEW_TYPE_WHOLE, .get = number_cell, .key = NEW, .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "the same in the other capture"},
    {.id = "base_share", .head = "base", FIGURE(BASE_SHARE, VALUE, FRACTION), .digits = 3,
     .help = "of the kernel's samples in the base, those of the line"},
    {.id = "new_share", .head = "new", FIGURE(NEW_SHARE, VALUE, FRACTION), .digits = 3, .help = "the same in the other capture"},
    {.id = "share_change", FIGURE(SHARE, VALUE, FRACTION), .shown = VIEW_ON_REQUEST, .help = "the second less the first"},
    {.id = "share_change_low", FIGURE(SHARE, LOW, FRACTION), .shown = VIEW_ON_REQUEST, .help = "lower end of its 95 % interval"},
    {.id = "share_change_high", FIGURE(SHARE, HIGH, FRACTION), .shown = VIEW_ON_REQUEST, .help = "upper end of it"},
    {.id = "share_text", .head = "of the samples", .type = VIEW_TYPE_TEXT, .get = change_cell, .key = SHARE, .for_people = true,
     .help = "how the share changed, with its 95 % interval"},
    {.id = "base_s", FIGURE(BASE_TIME, VALUE, SECOND), .shown = VIEW_ON_REQUEST,
     .help = "the share of the base's median time of a launch: about how long it is at the line"},
    {.id = "new_s", FIGURE(NEW_TIME, VALUE, SECOND), .shown = VIEW_ON_REQUEST, .help = "the same in the other capture"},
    {.id = "time_change_s", FIGURE(TIME, VALUE, SECOND), .shown = VIEW_ON_REQUEST, .help = "the second less the first"},
    {.id = "time_change_low_s", FIGURE(TIME, LOW, SECOND), .shown = VIEW_ON_REQUEST, .help = "lower end of its 95 % interval"},
    {.id = "time_change_high_s", FIGURE(TIME, HIGH, SECOND), .shown = VIEW_ON_REQUEST, .help = "upper end of it"},
    {.id = "time_text", .head = "time there", .type = VIEW_TYPE_TEXT, .get = change_cell, .key = TIME, .for_people = true,
     .help = "how the time at the line changed, with its 95 % interval"},
    {.id = "text", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = TEXT, .columns = 40, .look = VIEW_LOOK_CODE,
     .shown = VIEW_ON_REQUEST, .optional = true, .help = "what the line says"},
};
/* clang-format on */
const struct view_record view_record_line_change = {
    .id = "line_change", .title = "", .help = "a source line whose share of the samples changed", VIEW_FIELDS(fields)};

void view_part_find_lines(struct view_part *part, struct rl_arena *arena)
{
    struct rl_line_change *changes;

    part->line_count = rl_line_changes_of(part->comparison, arena, &changes);
    part->lines = rl_arena_alloc(arena, (part->line_count + 1) * sizeof *part->lines);
    for (size_t i = 0; i < part->line_count; i++)
        part->lines[i] = (struct view_line){part, &changes[i]};
}

struct view_cell view_lines_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;

    (void)view;
    (void)field;
    if (!part->line_count)
        return view_cell_absent("");
    return view_cell_rows((struct view_rows){.first = part->lines, .stride = sizeof *part->lines, .count = part->line_count});
}

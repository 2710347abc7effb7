/* compare_lines.c - lines of which more or fewer of the samples are than before, in the document of a comparison. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/line_changes.h"
#include "compare_doc.h"
#include "core/mem.h"
#include "core/signs.h"

enum { MOST_ROWS = 12, FEW_ROWS = 3, TEXT_COLUMNS = 48 };

/* "step.cu:31", "step.cu:31 → 33". */
static const char *place_of(struct rl_document *doc, const struct rl_line_change *change)
{
    const char *slash = change->path ? strrchr(change->path, '/') : NULL, *name = slash ? slash + 1 : change->path;
    const uint32_t first = change->base ? change->base : change->new;

    name = name ? rl_words_short(doc, name, 30) : "line";
    return change->base && change->new && change->base != change->new
               ? rl_words(doc, "%s:%" PRIu32 " → %" PRIu32, name, first, change->new)
               : rl_words(doc, "%s:%" PRIu32, name, first);
}

static const char *number(struct rl_document *doc, double value)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_adds(&text, value < 0 ? RL_MINUS : "+");
    rl_number_format(&text, fabs(value), 3);
    const char *kept = rl_arena_strdup(doc->arena, text.data);
    rl_buf_release(&text);
    return kept;
}

/* "+15.4 (+8.32 to +22.1) %", a dash where it is not known. */
static const char *change_text(struct rl_document *doc, enum rl_unit unit, const struct rl_line_figure *figure)
{
    if (!rl_present(figure->value))
        return RL_EN_DASH;
    const struct rl_scale scale = rl_unit_scale(unit, figure->value.v);
    return rl_words(doc, "%s (%s to %s)" RL_NO_BREAK_SPACE "%s", number(doc, figure->value.v * scale.factor),
                    number(doc, figure->low.v * scale.factor), number(doc, figure->high.v * scale.factor), scale.symbol);
}

static void add_line(struct rl_document *doc, struct rl_grid *grid, const struct rl_comparison *comparison,
                     const struct rl_line_change *change)
{
    const struct rl_item *item = &comparison->base.items[comparison->pairs[change->pair].base];
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_compare_words_label(doc, item));
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, place_of(doc, change));
    rl_grid_cell(grid, RL_STYLE_CELL, change_text(doc, RL_UNIT_FRACTION, &change->share));
    rl_grid_cell(grid, RL_STYLE_CELL, change_text(doc, RL_UNIT_SECOND, &change->time_s));
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, change->text ? rl_words_short(doc, change->text, TEXT_COLUMNS) : "");
}

/* The table of the first `shown` of them. */
static void begin_lines(struct rl_document *doc, struct rl_grid *grid, const struct rl_comparison *comparison,
                        const struct rl_line_change *changes, size_t shown, size_t count)
{
    static const struct rl_grid_column columns[] = {
        {.head = "kernel", .align = RL_GRID_LEFT, .at_most = 130},
        {.head = "line", .align = RL_GRID_LEFT, .whole = true},
        {.head = "of its samples", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "time there", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "text", .align = RL_GRID_LEFT, .at_most = 130},
    };
    assert(shown <= count);
    rl_grid_begin(grid, doc->layout, "Lines whose samples changed", columns, RL_COUNT(columns));
    for (size_t i = 0; i < shown; i++)
        add_line(doc, grid, comparison, &changes[i]);
    grid->foot =
        rl_words(doc,
                 "Change in a line's share of the kernel's samples, new minus base, and in the time that share stands for, with 95 "
                 "%% intervals. Only lines that changed by more than samples scatter%s.",
                 count > shown ? rl_words(doc, "; %zu more: --json has them all", count - shown) : "");
}

static double lines_height(struct rl_document *doc, const struct rl_comparison *comparison, const struct rl_line_change *changes,
                           size_t shown, size_t count)
{
    struct rl_grid grid;
    begin_lines(doc, &grid, comparison, changes, shown, count);
    const double height = rl_grid_height(&grid);
    rl_grid_release(&grid);
    return height;
}

double rl_compare_lines_room(struct rl_document *doc, const struct rl_comparison *comparison)
{
    struct rl_line_change *changes;
    const size_t count = rl_line_changes_of(comparison, doc->arena, &changes);
    return count ? lines_height(doc, comparison, changes, count < FEW_ROWS ? count : FEW_ROWS, count) : 0;
}

void rl_compare_lay_lines(struct rl_document *doc, const struct rl_comparison *comparison, double reserve)
{
    struct rl_line_change *changes;
    struct rl_grid grid;
    const size_t count = rl_line_changes_of(comparison, doc->arena, &changes);
    size_t shown = count < MOST_ROWS ? count : MOST_ROWS;
    if (!count)
        return;
    while (shown > 1 && lines_height(doc, comparison, changes, shown, count) > rl_layout_room(doc->layout) - reserve)
        shown--;
    begin_lines(doc, &grid, comparison, changes, shown, count);
    rl_grid_end(&grid);
}

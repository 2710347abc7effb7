/* experiment_cards.c - what occupancy the variants' kernels would have on other cards (see experiment.h). */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "analysis/cards.h"
#include "analysis/plan.h"
#include "core/mem.h"
#include "experiment.h"

static const struct {
    const char *name, *card;
} cards[] = {
#define OTHER_CARD(name, card) {name, card},
#include "other_cards.def"
#undef OTHER_CARD
};

static const struct rl_sm_limits *limits_of(size_t card)
{
    const struct rl_card_info *info = rl_card_find(cards[card].card);
    const struct rl_chip *chip = info ? rl_chip_find(info->chip) : NULL;
    assert(chip); /* rows are ours, and tests draw the table */
    return rl_sm_limits_of(chip->cc);
}

enum { MOST_ROWS = 8 }; /* of an experiment with more variants only those that the claims compare are shown */
#define CARD_WIDTH 36.0 /* "50.0 % rs" */

static bool speaks_of_occupancy(const struct rl_claim *claim)
{
    return strcmp(claim->quantity, "registers_per_thread") == 0 ||
           strcmp(claim->quantity, rl_metrics[RL_METRIC_theoretical_occupancy].id) == 0;
}

static bool is_named(const struct rl_view *view, const char *variant)
{
    for (size_t i = 0; i < view->experiment->claim_count; i++) {
        const struct rl_claim *claim = &view->experiment->claims[i];
        if (speaks_of_occupancy(claim) &&
            (strcmp(claim->subject, variant) == 0 || (claim->baseline && strcmp(claim->baseline, variant) == 0)))
            return true;
    }
    return false;
}

/* The launch of the i-th variant, when it belongs into the table. */
static const struct rl_kernel *kernel_shown(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    const struct rl_kernel_result *result = view->entries[i].kernel;
    const struct rl_kernel *kernel = result ? &report->capture->kernels[result->kernel] : NULL;
    bool wanted = view->count <= MOST_ROWS || is_named(view, rl_view_variant(report, view, i)->name);
    return wanted && kernel && rl_present(kernel->registers_per_thread) ? kernel : NULL;
}

static int clipped(double value)
{
    return isfinite(value) ? (int)fmin(fmax(value, 0), INT_MAX) : 0;
}

static struct rl_block_shape shape_of(const struct rl_kernel *kernel)
{
    struct rl_value shared = kernel->static_shared_bytes;
    return (struct rl_block_shape){
        .threads = clipped((double)kernel->block[0] * kernel->block[1] * kernel->block[2]),
        .registers_per_thread = clipped(kernel->registers_per_thread.v),
        .static_shared_bytes = rl_present(shared) ? clipped(shared.v) : 0,
        .dynamic_shared_bytes = clipped((double)kernel->dynamic_shared_bytes),
    };
}

static const char *limiter_of(struct rl_report *report, const struct rl_occupancy *occupancy)
{
    struct rl_buf limiter = RL_BUF_INIT;
    rl_occupancy_limiter_text(occupancy, &limiter);
    const char *text = rl_words(report->doc, "%s", limiter.len ? limiter.data : "");
    rl_buf_release(&limiter);
    return text;
}

/* What limits the launch on every card where something does; NULL: not the same everywhere. */
static const char *common_limiter(struct rl_report *report, const struct rl_block_shape *shape)
{
    const char *common = "";
    for (size_t c = 0; c < RL_COUNT(cards); c++) {
        struct rl_occupancy occupancy = rl_occupancy_of(limits_of(c), shape);
        const char *limiter = rl_present(occupancy.fraction) ? limiter_of(report, &occupancy) : "";
        if (limiter[0] && common[0] && strcmp(limiter, common) != 0)
            return NULL;
        common = limiter[0] ? limiter : common;
    }
    return common;
}

/* What limits, as a letter each where there is no room for words. */
static const struct {
    unsigned limiter;
    char letter;
} letters[] = {{RL_LIMIT_REGISTERS, 'r'}, {RL_LIMIT_SHARED, 's'}, {RL_LIMIT_WARPS, 'w'}, {RL_LIMIT_BLOCKS, 'b'}};
static const char letters_text[] = "r: by registers, s: by shared memory, w: by warp slots, b: by block slots.";

static const char *letters_of(struct rl_report *report, unsigned limiters)
{
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < RL_COUNT(letters); i++)
        if (limiters & letters[i].limiter)
            rl_buf_add(&text, &letters[i].letter, 1);
    const char *copy = rl_words(report->doc, "%s", text.len ? text.data : "");
    rl_buf_release(&text);
    return copy;
}

/* "37.5 %", with its limiters unless the row names them; an en dash with a note when the block does not fit. */
static const char *occupancy_text(struct rl_report *report, const struct rl_block_shape *shape, size_t card, bool limiter)
{
    struct rl_occupancy occupancy = rl_occupancy_of(limits_of(card), shape);
    const char *value = rl_words_value(report->doc, RL_UNIT_FRACTION, occupancy.fraction, 3);
    if (!rl_present(occupancy.fraction))
        return rl_words(report->doc, "%s%s", value, rl_layout_note(report->doc->layout, rl_value_reason(occupancy.fraction)));
    return limiter ? rl_words(report->doc, "%s\u00a0%s", value, letters_of(report, occupancy.limiters)) : value;
}

/* True when nothing limits the launch on any of the cards: such rows would all be alike. */
static bool full_everywhere(const struct rl_kernel *kernel)
{
    const struct rl_block_shape shape = shape_of(kernel);
    for (size_t c = 0; c < RL_COUNT(cards); c++) {
        const struct rl_occupancy occupancy = rl_occupancy_of(limits_of(c), &shape);
        if (!rl_present(occupancy.fraction) || occupancy.fraction.v < 1)
            return false;
    }
    return true;
}

static void add_row(struct rl_report *report, struct rl_grid *grid, const char *name, const struct rl_kernel *kernel)
{
    struct rl_block_shape shape = shape_of(kernel);
    double shared = (double)(shape.static_shared_bytes + shape.dynamic_shared_bytes);
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, name);
    rl_grid_value(grid, RL_STYLE_CELL, kernel->registers_per_thread, 1, 0);
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(shape.threads), 1, 0);
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(shared), 1.0 / 1024, 3);
    const char *common = common_limiter(report, &shape);
    rl_grid_cell(grid, RL_STYLE_CELL, common ? common : "by letter");
    for (size_t c = 0; c < RL_COUNT(cards); c++)
        rl_grid_cell(grid, RL_STYLE_NOTE_INK, occupancy_text(report, &shape, c, !common));
}

static void lay_table(struct rl_report *report, const struct rl_view *view)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "variant", .align = RL_GRID_LEFT, .at_least = 84},
        {.head = "registers", .align = RL_GRID_RIGHT, .at_least = 34},
        {.head = "threads", .align = RL_GRID_RIGHT, .at_least = 34},
        {.head = "shared", .unit = "KiB", .align = RL_GRID_DECIMAL, .at_least = 34},
        {.head = "limited by", .align = RL_GRID_WRAP, .at_least = 56},
    };
    rl_grid_begin(&grid, report->doc->layout, NULL, columns, RL_COUNT(columns));
    for (size_t c = 0; c < RL_COUNT(cards); c++) {
        const struct rl_grid_column column = {
            .head = cards[c].name, .align = RL_GRID_WRAP, .at_least = CARD_WIDTH, .at_most = CARD_WIDTH};
        rl_grid_add_columns(&grid, &column, 1);
    }
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_kernel *kernel = kernel_shown(report, view, i);
        if (!kernel || full_everywhere(kernel))
            continue;
        const struct rl_block_shape shape = shape_of(kernel);
        add_row(report, &grid, rl_view_variant(report, view, i)->name, kernel);
        grid.foot = common_limiter(report, &shape) ? grid.foot : letters_text;
    }
    rl_grid_end(&grid);
}

/* "100 % on all of them: lean, volatile16." */
static void name_full_ones(struct rl_report *report, const struct rl_view *view)
{
    struct rl_para para = RL_PARA_INIT;
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_kernel *kernel = kernel_shown(report, view, i);
        if (!kernel || !full_everywhere(kernel))
            continue;
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, para.count == 0 ? "100 % on all of them: " : ", ");
        rl_para_add(report->doc->layout, &para, RL_STYLE_CODE,
                    rl_words_short(report->doc, rl_view_variant(report, view, i)->name, 40));
    }
    if (para.count > 0) {
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, ".");
        rl_layout_para(report->doc->layout, &para);
    }
    rl_para_release(&para);
}

#define HEADING_NEED 110.0 /* heading, text and the first rows */

void rl_view_draw_cards(struct rl_report *report, const struct rl_view *view)
{
    const struct rl_gpu *gpu = &report->capture->gpus[view->key.gpu];
    size_t rows = 0, full = 0;
    bool speaks = false;
    for (size_t i = 0; i < view->experiment->claim_count; i++)
        speaks |= speaks_of_occupancy(&view->experiment->claims[i]);
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_kernel *kernel = kernel_shown(report, view, i);
        rows += kernel != NULL;
        full += kernel && full_everywhere(kernel);
    }
    if (!speaks || rows == full) /* where nothing is limited on any card, there is nothing to tell */
        return;
    rl_layout_need(report->doc->layout, HEADING_NEED);
    rl_layout_subsection(report->doc->layout, "The same kernels on other cards");
    rl_layout_textf(
        report->doc->layout, RL_STYLE_NOTE,
        "Occupancy that each card's limits allow, and what sets it; calculated, not measured. Registers (per thread) and shared "
        "memory (per block) are those compiled here%s: a compiler for another card may choose differently.",
        gpu->cc_major > 0 ? rl_words(report->doc, " for compute capability %d.%d", gpu->cc_major, gpu->cc_minor) : "");
    name_full_ones(report, view);
    rl_layout_skip(report->doc->layout, 3);
    lay_table(report, view);
}

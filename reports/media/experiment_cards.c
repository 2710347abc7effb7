/* experiment_cards.c - what occupancy the variants' kernels would have on other cards (see experiment.h). */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "analysis/cards.h"
#include "analysis/plan.h"
#include "core/mem.h"
#include "experiment.h"
#include "view_table.h"

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

/* A variant with its occupancy on each card. */
struct on_card {
    const char *card, *letters;
    struct rl_value occupancy;
};
struct cards_row {
    const char *variant, *limiter;
    struct rl_value registers;
    double threads, shared_bytes;
    struct on_card cards[RL_COUNT(cards)];
};

static struct view_cell cards_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct cards_row *of = row;
    return view_cell_rows((struct view_rows){of->cards, sizeof *of->cards, RL_COUNT(of->cards), NULL});
}

/* clang-format off */
static const struct view_field on_card_fields[] = {
    {.id = "card", VIEW_AT(struct on_card, card)},
    {.id = "occupancy", .head = "", VIEW_AT(struct on_card, occupancy), .unit = RL_UNIT_FRACTION, .digits = 3},
};
static const struct view_record on_card_record = {
    .id = "on_card", .title = "", .help = "occupancy on a card", VIEW_FIELDS(on_card_fields)};
static const struct view_field cards_fields[] = {
    {.id = "variant", VIEW_AT(struct cards_row, variant), .look = VIEW_LOOK_CODE, .columns = 40},
    {.id = "registers", VIEW_AT(struct cards_row, registers), .unit = RL_UNIT_COUNT},
    {.id = "threads", VIEW_AT(struct cards_row, threads), .unit = RL_UNIT_COUNT},
    {.id = "shared", VIEW_AT(struct cards_row, shared_bytes), .unit = RL_UNIT_SIZE, .magnitude = 1024, .digits = 3},
    {.id = "limiter", .head = "limited by", VIEW_AT(struct cards_row, limiter), .columns = 13, .wraps = true},
    {.id = "cards", .type = VIEW_TYPE_LIST, .record = &on_card_record, .get = cards_cell},
};
/* clang-format on */

/* What limits it, where that is not the same everywhere, as letters behind the figure. */
static void dress_card(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    if (field != &on_card_fields[1])
        return;
    const struct on_card *card = row;
    cell->style = RL_STYLE_NOTE_INK;
    if (rl_present(card->occupancy) && *card->letters)
        cell->text = rl_words(report->doc, "%s\u00a0%s", cell->text, card->letters);
}

static void lay_table(struct rl_report *report, const struct rl_view *view)
{
    struct cards_row *rows = rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof *rows);
    size_t count = 0;
    bool by_letter = false;
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_kernel *kernel = kernel_shown(report, view, i);
        if (!kernel || full_everywhere(kernel))
            continue;
        const struct rl_block_shape shape = shape_of(kernel);
        const char *common = common_limiter(report, &shape);
        struct cards_row *row = &rows[count++];
        *row = (struct cards_row){.variant = rl_view_variant(report, view, i)->name,
                                  .limiter = common ? common : "by letter",
                                  .registers = kernel->registers_per_thread,
                                  .threads = shape.threads,
                                  .shared_bytes = (double)(shape.static_shared_bytes + shape.dynamic_shared_bytes)};
        for (size_t c = 0; c < RL_COUNT(cards); c++) {
            const struct rl_occupancy occupancy = rl_occupancy_of(limits_of(c), &shape);
            row->cards[c] =
                (struct on_card){cards[c].name, common ? "" : letters_of(report, occupancy.limiters), occupancy.fraction};
        }
        by_letter |= !common;
    }
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(cards_fields, rows, count),
                                          .columns = "variant,registers,threads,shared,limiter,cards.occupancy",
                                          .foot = by_letter ? letters_text : NULL, .dress = dress_card, .to = report});
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
    /* "100 % on all of them: lean, volatile16." */
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
    rl_layout_skip(report->doc->layout, 3);
    lay_table(report, view);
}

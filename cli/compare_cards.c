/* compare_cards.c - several cards for people: one table for each question, a column for each card, the base first. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "compare.h"
#include "core/mem.h"
#include "core/units.h"

/* Rows of a table without --verbose. */
enum { MOST_ROWS = 200 };

/* ---- columns ---- */

/* "A100" or "A100, published": what is not measured is never without its word. */
static void add_card(struct rl_buf *out, const struct rl_column *column)
{
    compare_add_name(out, column->card);
    if (column->kind != RL_COLUMN_MEASURED)
        rl_buf_addf(out, ", %s", rl_column_kind_name(column->kind));
}

/* Heads of many cards are numbers: no terminal would be wide enough for names. */
static bool are_numbered(const struct rl_columns *columns, const struct cli_doc *doc)
{
    enum { MOST_NAMED = 3 };
    return doc->style == CLI_DOC_TERMINAL && columns->count > MOST_NAMED;
}

static void add_head(struct rl_buf *out, const struct rl_columns *columns, size_t column, bool numbered)
{
    if (!numbered) {
        add_card(out, &columns->columns[column]);
        return;
    }
    rl_buf_addf(out, "card %zu", column + 1);
    if (columns->columns[column].kind != RL_COLUMN_MEASURED)
        rl_buf_addf(out, ", %s", rl_column_kind_name(columns->columns[column].kind));
}

static bool is_on_any_other(const struct rl_columns *columns, size_t item)
{
    for (size_t i = 1; i < columns->count; i++)
        if (rl_present(columns->columns[i].cells[item].time_s) || columns->columns[i].cells[item].metric)
            return true;
    return false;
}

/* ---- cells ---- */

static void add_value(struct rl_buf *out, enum rl_unit unit, struct rl_value value, int digits)
{
    rl_value_format(out, unit, value, digits);
}

static bool cell_time(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const struct rl_value time = cell->why_not ? rl_value_missing(RL_NOT_COLLECTED, NULL) : cell->time_s;
    add_value(out, RL_UNIT_SECOND, time, 4);
    return rl_present(time);
}

/* "1.90× 1.88–1.92". */
static bool add_ratio(const struct rl_ratio *ratio, struct rl_buf *out)
{
    if (!ratio->present)
        rl_buf_adds(out, "–");
    else
        rl_buf_addf(out, "%.2f×", ratio->estimate);
    if (ratio->present && ratio->has_interval)
        rl_buf_addf(out, " %.2f–%.2f", ratio->low, ratio->high);
    return ratio->present;
}

static bool cell_speedup(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const struct rl_ratio none = {.present = false};
    return add_ratio(rl_cell_has_speedup(cell) ? &cell->speedup : &none, out);
}

/* Of a million launches: one costs too little to read. */
static bool cell_cost(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_value cost = rl_cell_cost(&columns->columns[column], item);
    if (rl_present(cost))
        rl_number_format(out, 1e6 * cost.v, 3);
    else
        rl_buf_adds(out, "–");
    return rl_present(cost);
}

static bool cell_worth(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_ratio worth = rl_cell_worth(columns, column, item);
    return add_ratio(&worth, out);
}

/* "52.4 % DRAM". */
static bool cell_share(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    if (cell->why_not) {
        rl_buf_adds(out, "–");
        return false;
    }
    if (rl_present(cell->roof_share) && cell->roof_share.v < 1e-4)
        rl_buf_adds(out, "<0.01 %"); /* that it is next to nothing is what matters */
    else
        add_value(out, RL_UNIT_FRACTION, cell->roof_share, 3);
    rl_buf_addf(out, "%s%s", *cell->roof ? " " : "", cell->roof);
    return rl_present(cell->roof_share);
}

static bool cell_predicted(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const bool known = rl_present(cell->predicted) && !cell->why_not;
    if (known)
        rl_buf_addf(out, "%.2f×", cell->predicted.v);
    else
        rl_buf_adds(out, "–");
    return known;
}

static bool cell_use(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_column *of = &columns->columns[column];
    const struct rl_value use = rl_cell_use(&of->cells[item]);
    add_value(out, RL_UNIT_FRACTION, use, 3);
    rl_buf_adds(out, rl_cell_is_wasted(of, item) ? " !" : "");
    return rl_present(use);
}

/* "71.1 of 100 %, by registers". */
static bool cell_occupancy(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const struct rl_value allowed = rl_cell_occupancy(cell);
    struct rl_buf limiter = RL_BUF_INIT;
    if (cell->why_not || !rl_present(allowed)) {
        rl_buf_adds(out, "–");
        return false;
    }
    if (rl_present(cell->achieved)) {
        rl_number_format(out, 100 * cell->achieved.v, 3);
        rl_buf_adds(out, " of ");
    }
    add_value(out, RL_UNIT_FRACTION, allowed, 3);
    if (cell->occupancy)
        rl_occupancy_limiter_text(cell->occupancy, &limiter);
    rl_buf_addf(out, "%s%s", limiter.len ? ", " : "", limiter.data);
    rl_buf_release(&limiter);
    return true;
}

/* ---- tables ---- */

/* One figure of every card; `of_base` when the base has it too. */
struct figure {
    const char *head; /* behind the card's name; "": the name alone */
    bool of_base;
    enum rl_align align;
    /* Appends the cell, a dash where there is no figure; whether there is one. */
    bool (*add)(const struct rl_columns *columns, size_t column, size_t item, struct rl_buf *out);
};
struct question {
    size_t least, most; /* for so many cards, the base included */
    const char *text;
    const char *note; /* below the table; NULL: none */
    struct figure figures[2];
    bool priced; /* asked only where prices are given */
    bool (*differs)(const struct rl_columns *columns,
                    size_t item); /* rows where it does not are only counted; NULL: all are shown */
};
#define MONEY                                                                                                                      \
    "cost: of a million launches, by the price of an hour as given with --price; worth: how many times the work of the base the "  \
    "same money buys"
#define WASTED "!: under 80 % of it by the whole interval, so the card is wasted on the kernel as it is"
#define PREDICTED                                                                                                                  \
    "predicted: the time at the base's roof over the time at this card's roof, both with the launch's own work; reached: the "     \
    "speed-up over the predicted one; " WASTED
/* Two cards have both figures of a question side by side; more have a table for each, or no terminal would be wide enough. */
static const struct question questions[] = {
    {1, 2, "How fast is each card?", NULL, {{"", true, RL_RIGHT, cell_time}, {"speed-up", false, RL_RIGHT, cell_speedup}}},
    {3, SIZE_MAX, "How fast is each card?", NULL, {{"", true, RL_RIGHT, cell_time}}},
    {3, SIZE_MAX, "How many times as fast as the base?", NULL, {{"", false, RL_RIGHT, cell_speedup}}},
    {1, SIZE_MAX, "How much of its own roof does each card reach, and which roof is it?", NULL, {{"", true, RL_RIGHT, cell_share}}},
    {1,
     2,
     "Is it the speed-up that the roofs predict?",
     PREDICTED,
     {{"predicted", false, RL_RIGHT, cell_predicted}, {"reached", false, RL_RIGHT, cell_use}}},
    {3, SIZE_MAX, "What speed-up do the roofs predict?", NULL, {{"", false, RL_RIGHT, cell_predicted}}},
    {3, SIZE_MAX, "How much of that is reached?", PREDICTED, {{"", false, RL_RIGHT, cell_use}}},
    {1, 2, "What does it cost?", MONEY, {{"cost", true, RL_RIGHT, cell_cost}, {"worth", false, RL_RIGHT, cell_worth}}, true},
    {3, SIZE_MAX, "What do a million launches cost?", NULL, {{"", true, RL_RIGHT, cell_cost}}, true},
    {3, SIZE_MAX, "How many times the work of the base does the same money buy?", NULL, {{"", false, RL_RIGHT, cell_worth}}, true},
    {1,
     SIZE_MAX,
     "How many warps does each card hold, and what limits them?",
     NULL,
     {{"", true, RL_LEFT, cell_occupancy}},
     .differs = rl_columns_differ_in_occupancy},
};

/* Whose figures a row has. */
enum { NOBODYS = 0, THE_BASES = 1, ANOTHERS = 2 };

/* Adds the heads or the cells of a table in order: card by card, figure by figure. Returns whose figures the row has. Without a
 * table it only tells that. */
enum walked { HEADS, NUMBERED_HEADS, CELLS };
static unsigned walk(const struct rl_columns *columns, const struct question *question, size_t item, struct rl_table *table,
                     enum walked walked)
{
    unsigned whose = NOBODYS;
    for (size_t c = 0; c < columns->count; c++)
        for (size_t f = 0; f < RL_COUNT(question->figures) && question->figures[f].add; f++) {
            const struct figure *figure = &question->figures[f];
            struct rl_buf text = RL_BUF_INIT;
            if (c == 0 && !figure->of_base)
                continue;
            if (walked != CELLS) {
                if (!*figure->head || f == 0)
                    add_head(&text, columns, c, walked == NUMBERED_HEADS);
                rl_buf_addf(&text, "%s%s", text.len && *figure->head ? " " : "", figure->head);
                rl_table_column(table, text.data, figure->align);
            } else {
                const bool known = figure->add(columns, c, item, &text);
                if (table)
                    rl_table_cell(table, text.data);
                if (known)
                    whose |= c > 0 ? ANOTHERS : THE_BASES;
            }
            rl_buf_release(&text);
        }
    return whose;
}

/* What a table leaves out, and whether a card other than the base has anything in it. */
struct rows {
    size_t too_many, without, alike;
    bool any;
};

/* Adds the row of a kernel that another card has, too, unless the row says nothing or the table is long enough. */
static void add_row(const struct compare *compare, const struct question *question, size_t item, struct rl_table *table,
                    struct rows *rows)
{
    const struct rl_columns *columns = compare->columns;
    const unsigned whose = walk(columns, question, item, NULL, CELLS);
    rows->any |= (whose & ANOTHERS) != 0;
    if (whose == NOBODYS) {
        rows->without++;
    } else if (question->differs && !question->differs(columns, item) && !compare->verbose) {
        rows->alike++;
    } else if (table->row_count >= MOST_ROWS && !compare->verbose) {
        rows->too_many++;
    } else {
        struct rl_buf label = RL_BUF_INIT;
        compare_add_name(&label, columns->base->items[item].label);
        rl_table_row(table);
        rl_table_cell(table, label.data);
        walk(columns, question, item, table, CELLS);
        rl_buf_release(&label);
    }
}

static void print_left_out(const struct rows *rows, size_t shown, struct cli_doc *doc)
{
    struct rl_buf note = RL_BUF_INIT;
    if (rows->alike) {
        compare_add_plural(&note, rows->alike, shown ? "other kernel" : "kernel");
        rl_buf_addf(&note, ": the same on every card within %g points (--verbose lists all)", 100 * RL_SAME_OCCUPANCY);
        cli_doc_note(doc, note.data);
    }
    rl_buf_reset(&note);
    if (rows->too_many) {
        rl_buf_addf(&note, "%zu more kernels (--verbose lists all)", rows->too_many);
        cli_doc_note(doc, note.data);
    }
    rl_buf_reset(&note);
    if (rows->without) {
        compare_add_plural(&note, rows->without, "kernel");
        rl_buf_adds(&note, " without such figures");
        cli_doc_note(doc, note.data);
    }
    rl_buf_release(&note);
}

static void print_question(const struct compare *compare, const struct question *question, struct cli_doc *doc)
{
    const struct rl_columns *columns = compare->columns;
    struct rl_table table;
    struct rows rows = {0};
    size_t common = 0;
    rl_table_init(&table);
    rl_table_column(&table, "kernel", RL_LEFT);
    walk(columns, question, 0, &table, are_numbered(columns, doc) ? NUMBERED_HEADS : HEADS);
    for (size_t i = 0; i < columns->base->count; i++)
        if (is_on_any_other(columns, i)) {
            common++;
            add_row(compare, question, i, &table, &rows);
        }
    if (common)
        cli_doc_heading(doc, question->text);
    if (rows.any && table.row_count)
        cli_doc_table(doc, &table);
    if (rows.any && table.row_count && question->note)
        cli_doc_note(doc, question->note);
    if (rows.any)
        print_left_out(&rows, table.row_count, doc);
    else if (common)
        cli_doc_note(doc, "no card beside the base has figures for that");
    rl_table_release(&table);
}

/* ---- what must be said ---- */

static void print_wasted(const struct compare *compare, const struct rl_columns *columns, struct cli_doc *doc)
{
    struct compare_list list = {.compare = compare, .doc = doc, .heading = "Wasted on"};
    for (size_t c = 1; c < columns->count; c++)
        for (size_t i = 0; i < columns->base->count; i++) {
            const struct rl_column *column = &columns->columns[c];
            const struct rl_cell *cell = &column->cells[i];
            struct rl_buf text = RL_BUF_INIT;
            if (rl_cell_is_wasted(column, i)) {
                compare_add_name(&text, column->card);
                rl_buf_addf(&text, " is %.2f times as fast where its roofs allow %.2f times; ", cell->speedup.estimate,
                            cell->predicted.v);
                rl_buf_addf(&text, "it is %s there", rl_bound_name(cell->bound));
                compare_list_line(&list, columns->base->items[i].label, text.data);
            }
            rl_buf_release(&text);
        }
    compare_list_end(&list);
}

static void print_lacks(const struct rl_columns *columns, struct cli_doc *doc)
{
    bool first = true;
    for (size_t c = 1; c < columns->count; c++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_column_lacks(columns, &columns->columns[c], &text);
        if (text.len && first)
            cli_doc_heading(doc, "Metrics that a card lacks");
        if (text.len)
            cli_doc_item(doc, columns->columns[c].card, COMPARE_LABEL, text.data);
        first = first && !text.len;
        rl_buf_release(&text);
    }
}

static void print_head(const struct compare *compare, struct cli_doc *doc)
{
    struct rl_buf title = RL_BUF_INIT;
    for (size_t i = 0; i < compare->count; i++) {
        rl_buf_adds(&title, i ? " and " : "");
        add_card(&title, &compare->columns->columns[i]);
    }
    cli_doc_title(doc, compare->count <= 3 ? title.data : "Cards");
    for (size_t i = 0; i < compare->count; i++) {
        struct rl_buf label = RL_BUF_INIT;
        if (are_numbered(compare->columns, doc))
            rl_buf_addf(&label, "card %zu", i + 1);
        else
            rl_buf_adds(&label, i ? "other" : "base");
        compare_print_part(label.data, &compare->parts[i], doc);
        rl_buf_release(&label);
    }
    compare_print_gate(compare, doc);
    for (size_t i = 1, said = 0; i < compare->count; said += compare->parts[i++].against_base->note_count)
        compare_print_notes(compare->parts[i].against_base, said == 0, doc);
    rl_buf_release(&title);
}

static void print_method(const struct compare *compare, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_verdict_rules *rules = &compare->parts[1].against_base->rules;
    rl_buf_adds(&text, "Speed-up: ratio of medians, base over card, with intervals that hold together with 95 % over ");
    compare_add_plural(&text, rules->comparisons, "kernel");
    rl_buf_adds(&text,
                ". They are of these cards; another card of the same model can differ by 3 %. Roofs are each card's own, measured "
                "where they were measured, else theoretical at the observed clock.");
    cli_doc_gap(doc);
    cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

void compare_cards_text(const struct compare *compare, struct cli_doc *doc)
{
    const struct rl_columns *columns = compare->columns;
    print_head(compare, doc);
    for (size_t i = 0; i < RL_COUNT(questions); i++)
        if (columns->count >= questions[i].least && columns->count <= questions[i].most &&
            (!questions[i].priced || columns->columns[0].price > 0))
            print_question(compare, &questions[i], doc);
    print_wasted(compare, columns, doc);
    print_lacks(columns, doc);
    for (size_t i = 1; i < compare->count; i++) {
        if (compare->count > 2)
            cli_doc_heading(doc, compare->parts[i].name);
        compare_print_matching(compare, compare->parts[i].against_base, doc);
    }
    print_method(compare, doc);
}

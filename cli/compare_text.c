/* compare_text.c - two captures for people: what must be known first, the verdicts, why, and what was matched how. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"

/* How much is printed without --verbose. */
enum { MOST_SAME = 30, MOST_ROWS = 200, MOST_UNDECIDED = 10, MOST_CAUSES = 3 };

/* ---- words ---- */

static const struct rl_item *base_of(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    return &comparison->base.items[pair->base];
}

static const struct rl_item *new_of(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    return &comparison->new.items[pair->new];
}

/* ---- head ---- */

/* Not those of unequal work, which do not compare like with like: how many of each verdict there are among them stands apart. */
static void print_counts(const struct rl_comparison *comparison, struct cli_doc *doc)
{
    static const enum rl_verdict order[] = {RL_SLOWER, RL_FASTER, RL_SAME, RL_UNDECIDED};
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < RL_COUNT(order); i++)
        rl_buf_addf(&text, "%s%zu %s", i ? ", " : "", comparison->verdicts[order[i]], rl_verdict_name(order[i]));
    const char *before = "; of unequal work ";
    for (size_t i = 0; i < RL_COUNT(order); i++)
        if (comparison->unequal[order[i]]) {
            rl_buf_addf(&text, "%s%zu %s", before, comparison->unequal[order[i]], rl_verdict_name(order[i]));
            before = ", ";
        }
    if (comparison->excluded_count)
        rl_buf_addf(&text, "; %zu not compared", comparison->excluded_count);
    if (comparison->added_count || comparison->removed_count)
        rl_buf_addf(&text, "; %zu added, %zu removed", comparison->added_count, comparison->removed_count);
    cli_doc_item(doc, "verdicts", COMPARE_LABEL, text.data);
    rl_buf_release(&text);
}

/* ---- the table ---- */

static void add_time(struct rl_table *table, const struct rl_median *median)
{
    struct rl_buf text = RL_BUF_INIT;
    if (median->n)
        rl_unit_format(&text, RL_UNIT_SECOND, median->median, 4);
    rl_table_cell(table, text.len ? text.data : "–");
    rl_buf_release(&text);
}

static void add_row(struct rl_table *table, const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    struct rl_buf label = RL_BUF_INIT, change = RL_BUF_INIT, interval = RL_BUF_INIT;
    compare_add_name(&label, base_of(comparison, pair)->label);
    rl_buf_adds(&label, pair->work == RL_WORK_UNEQUAL ? " *" : "");
    if (pair->change.time.present)
        rl_ratio_change_text(pair->change.time.estimate, &change);
    rl_ratio_interval_text(&pair->change.time, &interval);
    rl_table_row(table);
    rl_table_cell(table, label.data);
    add_time(table, &pair->change.base);
    add_time(table, &pair->change.new);
    rl_table_cell(table, change.len ? change.data : "–");
    rl_table_cell(table, interval.data);
    rl_table_cell(table, pair->broke ? "WRONG" : pair->not_compared ? "–" : rl_verdict_name(pair->change.verdict));
    rl_buf_release(&label);
    rl_buf_release(&change);
    rl_buf_release(&interval);
}

/* How many rows of a verdict are printed. */
static size_t most_rows(const struct compare *compare, const struct cli_doc *doc, enum rl_verdict verdict)
{
    const bool markdown = doc->style == CLI_DOC_MARKDOWN; /* who reads a review wants to know what changed */
    if (compare->verbose)
        return (size_t)-1;
    if (verdict == RL_UNDECIDED && markdown)
        return MOST_UNDECIDED;
    return verdict != RL_SAME ? MOST_ROWS : markdown ? 0 : MOST_SAME;
}

static void print_left_out(const size_t left_out[4], struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    for (enum rl_verdict verdict = RL_UNDECIDED; verdict <= RL_SAME; verdict++)
        if (left_out[verdict])
            rl_buf_addf(&text, "%s%zu that are %s", text.len ? ", " : "not listed: ", left_out[verdict], rl_verdict_name(verdict));
    if (text.len) {
        rl_buf_adds(&text, doc->style == CLI_DOC_MARKDOWN ? "" : " (--verbose lists all)");
        cli_doc_note(doc, text.data);
    }
    rl_buf_release(&text);
}

static void print_pairs(const struct compare *compare, const struct rl_comparison *comparison, const size_t *order,
                        struct cli_doc *doc)
{
    static const struct {
        const char *head;
        enum rl_align align;
    } columns[] = {{"kernel", RL_LEFT}, {"base", RL_RIGHT},     {"new", RL_RIGHT},
                   {"time", RL_RIGHT},  {"interval", RL_RIGHT}, {"verdict", RL_LEFT}};
    struct rl_table table;
    size_t listed[4] = {0}, left_out[4] = {0};
    const struct rl_pair *last = NULL;
    rl_table_init(&table);
    for (size_t i = 0; i < RL_COUNT(columns); i++)
        rl_table_column(&table, columns[i].head, columns[i].align);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[order[i]];
        const enum rl_verdict verdict = pair->change.verdict;
        if (listed[verdict] < most_rows(compare, doc, verdict)) {
            const bool other_work = last && (last->work == RL_WORK_UNEQUAL) != (pair->work == RL_WORK_UNEQUAL);
            if (table.row_count && (!listed[verdict] || other_work || (last && last->not_compared && !pair->not_compared)))
                rl_table_rule(&table);
            last = pair;
            add_row(&table, comparison, pair);
            listed[verdict]++;
        } else {
            left_out[verdict]++;
        }
    }
    if (table.row_count)
        cli_doc_table(doc, &table);
    print_left_out(left_out, doc);
    rl_table_release(&table);
}

/* ---- lists below the table ---- */

static void add_moved(struct rl_buf *out, const struct rl_moved *moved)
{
    const struct rl_metric_info *metric = &rl_metrics[moved->metric];
    rl_buf_addf(out, "%s%s ", out->len ? "; " : "", metric->label);
    rl_unit_format(out, metric->unit, moved->base.v, 3);
    rl_buf_adds(out, " → ");
    rl_unit_format(out, metric->unit, moved->new.v, 3);
}

static void why_text(const struct rl_comparison *comparison, const struct rl_pair *pair, struct rl_buf *out)
{
    const struct rl_item *base = base_of(comparison, pair), *new = new_of(comparison, pair);
    const bool alone = rl_pair_moved_alone(pair);
    size_t said = 0;
    for (size_t i = 0; i < pair->moved_count && said < MOST_CAUSES; i++)
        if (pair->moved[i].explains || alone) {
            add_moved(out, &pair->moved[i]);
            said++;
        }
    if (!said)
        rl_buf_adds(out, "no counter that both captures have moved in a way that explains it");
    if (base->bound != new->bound && base->bound != RL_BOUND_UNKNOWN &&new->bound != RL_BOUND_UNKNOWN)
        rl_buf_addf(out, "; %s → %s", rl_bound_name(base->bound), rl_bound_name(new->bound));
}

static bool changed(const struct rl_pair *pair)
{
    return pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER;
}

static void print_why(const struct compare *compare, const struct rl_comparison *comparison, const size_t *order,
                      bool (*wanted)(const struct rl_pair *pair), const char *heading, struct cli_doc *doc)
{
    struct compare_list list = {.compare = compare, .doc = doc, .heading = heading};
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[order[i]];
        struct rl_buf text = RL_BUF_INIT;
        if (wanted(pair)) {
            why_text(comparison, pair, &text);
            compare_list_line(&list, base_of(comparison, pair)->label, text.data);
        }
        rl_buf_release(&text);
    }
    compare_list_end(&list);
}

/* Kernels that lack a verdict for the same reason, on one line. */
struct doubt {
    char *text;
    struct rl_buf labels;
    size_t count;
};

static struct doubt *doubt_of(struct doubt **doubts, size_t *count, size_t *cap, const char *text)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*doubts)[i].text, text) == 0)
            return &(*doubts)[i];
    RL_GROW(*doubts, *count + 1, *cap);
    (*doubts)[*count] = (struct doubt){.text = rl_strdup(text), .labels = RL_BUF_INIT};
    return &(*doubts)[(*count)++];
}

static void add_doubt(struct doubt *doubt, const char *label)
{
    enum { MOST_LABELS = 4 };
    if (doubt->count++ < MOST_LABELS) {
        rl_buf_adds(&doubt->labels, doubt->labels.len ? ", " : "");
        compare_add_name(&doubt->labels, label);
    }
}

static void list_doubt(struct compare_list *list, const struct doubt *doubt)
{
    struct rl_buf label = RL_BUF_INIT, text = RL_BUF_INIT;
    if (doubt->count == 1)
        rl_buf_adds(&label, doubt->labels.data);
    else
        compare_add_plural(&label, doubt->count, "kernel");
    rl_buf_adds(&text, doubt->text);
    if (doubt->count > 1)
        rl_buf_addf(&text, " (%s%s)", doubt->labels.data, doubt->count > 4 ? ", ..." : "");
    compare_list_line(list, label.data, text.data);
    rl_buf_release(&label);
    rl_buf_release(&text);
}

static void print_doubts(const struct compare *compare, const struct rl_comparison *comparison, const size_t *order,
                         struct cli_doc *doc)
{
    struct compare_list list = {.compare = compare, .doc = doc, .heading = "Not decided"};
    struct doubt *doubts = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < comparison->pair_count && count < (size_t)MOST_ROWS; i++) {
        const struct rl_pair *pair = &comparison->pairs[order[i]];
        struct rl_buf text = RL_BUF_INIT;
        rl_pair_doubt_text(pair, &text);
        if (text.len)
            add_doubt(doubt_of(&doubts, &count, &cap, text.data), base_of(comparison, pair)->label);
        rl_buf_release(&text);
    }
    for (size_t i = 0; i < count; i++) {
        list_doubt(&list, &doubts[i]);
        free(doubts[i].text);
        rl_buf_release(&doubts[i].labels);
    }
    free(doubts);
    compare_list_end(&list);
}

static void print_work(const struct compare *compare, const struct rl_comparison *comparison, struct cli_doc *doc)
{
    struct compare_list list = {.compare = compare, .doc = doc, .heading = "* Unequal work"};
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (comparison->pairs[i].work_text)
            compare_list_line(&list, base_of(comparison, &comparison->pairs[i])->label, comparison->pairs[i].work_text);
    compare_list_end(&list);
}

/* ---- method ---- */

static void print_method(const struct rl_comparison *comparison, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_verdict_rules *rules = &comparison->rules;
    rl_buf_adds(&text,
                "Ratio of medians with intervals that hold together with 95 % (order statistics, stretched where samples depend on "
                "one another; Bonferroni over ");
    compare_add_plural(&text, rules->comparisons, "kernel");
    rl_buf_adds(&text, "), the clock's step and ");
    rl_unit_format(&text, RL_UNIT_FRACTION, rules->session_effect, 2);
    rl_buf_adds(&text, " between sessions included. Smallest effect that matters: ");
    rl_unit_format(&text, RL_UNIT_FRACTION, rules->smallest_effect, 2);
    rl_buf_adds(&text, ".");
    cli_doc_gap(doc);
    cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

static void print_comparison(const struct compare *compare, const struct rl_comparison *comparison, struct cli_doc *doc)
{
    size_t *order = rl_calloc(comparison->pair_count, sizeof *order);
    rl_comparison_rank(comparison, order);
    print_counts(comparison, doc);
    compare_print_gate(compare, doc);
    compare_print_notes(comparison, true, doc);
    cli_doc_gap(doc);
    print_pairs(compare, comparison, order, doc);
    print_work(compare, comparison, doc);
    print_why(compare, comparison, order, changed, "What moved with it", doc);
    print_why(compare, comparison, order, rl_pair_moved_alone, "What moved where times cannot decide", doc);
    print_doubts(compare, comparison, order, doc);
    compare_print_matching(compare, comparison, doc);
    if (comparison->pair_count)
        print_method(comparison, doc);
    free(order);
}

void compare_changes_text(const struct compare *compare, struct cli_doc *doc)
{
    for (size_t i = 1; i < compare->count; i++) {
        cli_doc_gap(doc);
        cli_doc_title(doc, "Before and after");
        compare_print_part("base", &compare->parts[0], doc);
        compare_print_part("new", &compare->parts[i], doc);
        print_comparison(compare, compare->parts[i].against_base, doc);
    }
}

/* compare_lists.c - what both forms of a comparison print: lists that end somewhere, what was matched, the gate. */
#include <string.h>

#include "compare.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"

/* How much is printed without --verbose. */
enum { MOST_LINES = 20, LIST_LABEL = 32, MOST_NAME = 60 };

void compare_add_name(struct rl_buf *out, const char *name)
{
    rl_utf8_short(out, name, MOST_NAME);
}

void compare_add_plural(struct rl_buf *out, size_t count, const char *noun)
{
    rl_buf_addf(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

void compare_print_part(const char *label, const struct compare_part *part, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_session *session = &part->capture->session;
    rl_buf_addf(&text, "%s: %s", doc->style == CLI_DOC_MARKDOWN ? part->name : part->path, compare_card(part));
    if (strcmp(session->source, "published") == 0)
        rl_buf_adds(&text, ", published figures");
    if (*session->started)
        rl_buf_addf(&text, ", %s", session->started);
    rl_buf_adds(&text, ", ");
    compare_add_plural(&text, part->capture->kernel_count, "kernel");
    rl_buf_adds(&text, session->complete ? ", " : ", incomplete, ");
    rl_capture_signature_text(part->capture, &text);
    cli_doc_item(doc, label, COMPARE_LABEL, text.data);
    rl_buf_release(&text);
}

void compare_print_notes(const struct rl_comparison *comparison, bool first, struct cli_doc *doc)
{
    for (size_t i = 0; i < comparison->note_count; i++) {
        const bool labelled = doc->style == CLI_DOC_MARKDOWN || (first && i == 0);
        cli_doc_item(doc, labelled ? "mind" : "", COMPARE_LABEL, comparison->notes[i]);
    }
}

void compare_list_line(struct compare_list *list, const char *label, const char *text)
{
    struct rl_buf name = RL_BUF_INIT;
    if (list->count >= MOST_LINES && !list->compare->verbose) {
        list->left_out++;
        return;
    }
    if (list->count++ == 0)
        cli_doc_heading(list->doc, list->heading);
    compare_add_name(&name, label);
    cli_doc_item(list->doc, name.data, LIST_LABEL, text);
    rl_buf_release(&name);
}

void compare_list_end(struct compare_list *list)
{
    struct rl_buf text = RL_BUF_INIT;
    if (list->left_out) {
        rl_buf_addf(&text, "and %zu more%s", list->left_out, list->doc->style == CLI_DOC_MARKDOWN ? "" : " (--verbose lists all)");
        cli_doc_item(list->doc, "", 0, text.data);
    }
    rl_buf_release(&text);
}

/* Name and shape, shortened. */
static void add_item(struct rl_buf *out, const struct rl_item *item)
{
    enum { MOST_ITEM = 100 };
    struct rl_buf full = RL_BUF_INIT, safe = RL_BUF_INIT;
    rl_item_text(item, &full);
    rl_utf8_printable(&safe, full.data, full.len);
    rl_utf8_ellipsis(out, safe.data, safe.len, MOST_ITEM);
    rl_buf_release(&safe);
    rl_buf_release(&full);
}

/* Matches that are not by name and shape, one by one; how many there are of each kind. */
static void print_matches(const struct compare *compare, const struct rl_comparison *comparison, struct cli_doc *doc)
{
    struct compare_list list = {.compare = compare, .doc = doc, .heading = "Matched"};
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < RL_MATCH_COUNT; i++)
        if (comparison->matched[i])
            rl_buf_addf(&text, "%s%zu by %s", text.len ? ", " : "", comparison->matched[i], rl_matches[i].words);
    if (text.len)
        compare_list_line(&list, "all", text.data);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        if (pair->match == RL_MATCH_EXACT)
            continue;
        const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
        rl_buf_reset(&text);
        add_item(&text, base);
        rl_buf_adds(&text, " → ");
        add_item(&text, new);
        rl_buf_addf(&text, ", by %s", rl_matches[pair->match].words);
        compare_list_line(&list, base->label, text.data);
    }
    compare_list_end(&list);
    rl_buf_release(&text);
}

static void print_unmatched(const struct compare *compare, const struct rl_compare_side *side, const size_t *items, size_t count,
                            const char *heading, struct cli_doc *doc)
{
    struct compare_list list = {.compare = compare, .doc = doc, .heading = heading};
    for (size_t i = 0; i < count; i++) {
        const struct rl_item *item = &side->items[items[i]];
        struct rl_buf text = RL_BUF_INIT;
        if (item->variant == RL_NONE) /* labels of the suite say all */
            compare_add_name(&text, item->name);
        compare_list_line(&list, item->label, text.data);
        rl_buf_release(&text);
    }
    compare_list_end(&list);
}

void compare_print_gate(const struct compare *compare, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    if (compare->tolerance < 0)
        return;
    size_t unequal;
    const size_t found = compare_regressions(compare, &unequal);
    compare_add_plural(&text, found, "kernel");
    rl_buf_addf(&text, " slower by more than ");
    rl_unit_format(&text, RL_UNIT_FRACTION, compare->tolerance, 3);
    rl_buf_adds(&text, found ? ", by the whole interval, or wrong now: a regression" : ", by the whole interval: no regression");
    if (unequal)
        rl_buf_addf(&text, "; %zu of unequal work", unequal);
    cli_doc_item(doc, "gate", COMPARE_LABEL, text.data);
    rl_buf_release(&text);
}

void compare_print_matching(const struct compare *compare, const struct rl_comparison *comparison, struct cli_doc *doc)
{
    print_unmatched(compare, &comparison->base, comparison->removed, comparison->removed_count, "Removed: in the base only", doc);
    print_unmatched(compare, &comparison->new, comparison->added, comparison->added_count, "Added: in the new one only", doc);
    print_matches(compare, comparison, doc);
}

/* compare_words.c - figures and names as the document of a comparison prints them, and parts of pages that recur. */
#include "compare_doc.h"

/* ---- what a section is about ---- */

const struct view_compare *rl_compare_what(const struct rl_document *doc)
{
    return doc->subject;
}

size_t rl_compare_part(const struct rl_section *section)
{
    return section->instance + 1;
}

const struct rl_comparison *rl_compare_of(const struct rl_document *doc, const struct rl_section *section)
{
    return rl_compare_what(doc)->parts[rl_compare_part(section)].comparison;
}

struct view rl_compare_view(const struct rl_document *doc)
{
    const struct view_compare *compare = rl_compare_what(doc);
    return (struct view){.record = compare->options.columns ? &view_record_cards : &view_record_changes,
                         .row = compare,
                         .subject = compare,
                         .arena = doc->arena};
}

struct view_rows rl_compare_first_rows(const struct view *view, struct view_rows rows, size_t most)
{
    rows.count = most && most < rows.count ? most : rows.count;
    return rows;
}

const char *rl_compare_words_change(struct rl_document *doc, const struct rl_ratio *ratio)
{
    struct rl_buf text = RL_BUF_IN(doc->arena);
    if (ratio->present && isfinite(100 * ratio->estimate)) /* counters of others can be of any size */
        rl_ratio_change_text(ratio->estimate, &text);
    else
        rl_buf_adds(&text, RL_EN_DASH);
    return text.data;
}

const char *rl_compare_words_interval(struct rl_document *doc, const struct rl_ratio *ratio)
{
    struct rl_buf text = RL_BUF_IN(doc->arena);
    rl_ratio_interval_text(ratio, &text);
    return text.data;
}

const char *rl_compare_words_label(struct rl_document *doc, const struct rl_item *item)
{
    return rl_words_short(doc, item->label, 60);
}

enum rl_tone rl_compare_card_tone(size_t card)
{
    static const enum rl_tone tones[] = {RL_TONE_SQUARE, RL_TONE_UP, RL_TONE_DOWN, RL_TONE_GREY};
    return card == 0 ? RL_TONE_INK : tones[(card - 1) % RL_COUNT(tones)];
}

/* The same in words. */
static const char *card_mark(size_t card)
{
    static const char *const names[] = {"square", "triangle", "triangle on its tip", "diamond"};
    return card == 0 ? "circle" : names[(card - 1) % RL_COUNT(names)];
}

const char *rl_compare_words_lined_up(struct rl_document *doc, size_t card)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    assert(card < lineup->count);
    const char *name = rl_words_short(doc, lineup->cards[card].name, 44);
    return lineup->cards[card].kind == RL_LINEUP_MEASURED || rl_lineup_is_alike(lineup)
               ? name
               : rl_words(doc, "%s, %s", name, rl_lineup_kind_name(lineup->cards[card].kind));
}

const char *rl_compare_words_legend(struct rl_document *doc)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    const char *text = "";
    for (size_t c = 1; c < lineup->count; c++)
        text = rl_words(doc, "%s%s%s (%s%s)", text, *text ? ", " : "", rl_compare_words_lined_up(doc, c),
                        lineup->cards[c].kind == RL_LINEUP_MEASURED ? "" : "hollow ", card_mark(c));
    return text;
}

enum rl_mark rl_compare_mark(const struct rl_pair *pair)
{
    static const enum rl_mark marks[] = {
        [RL_UNDECIDED] = RL_MARK_OPEN, [RL_FASTER] = RL_MARK_GOOD, [RL_SLOWER] = RL_MARK_ATTENTION, [RL_SAME] = RL_MARK_QUIET};
    return pair->broke ? RL_MARK_ATTENTION : marks[pair->change.verdict];
}

const size_t *rl_compare_changed(struct rl_document *doc, const struct rl_comparison *comparison, size_t *count)
{
    size_t *order = rl_arena_alloc(doc->arena, (comparison->pair_count + 1) * sizeof *order);
    *count = rl_comparison_changed(comparison, order);
    return order;
}

const char *rl_compare_words_sentence(struct rl_document *doc, const struct rl_comparison *comparison,
                                      void (*add)(const struct rl_comparison *comparison, struct rl_buf *out))
{
    struct rl_buf text = RL_BUF_IN(doc->arena);
    add(comparison, &text);
    return text.data;
}

/* compare_review.c - a change as a pull request has room for: the verdict, a row for each case and kernel, what explains it, what
 * is open, and folded what it was measured on. Markdown and the first page of the document are made of these blocks. */
#include "compare_parts.h"
#include "results/results.h"
#include "results/sentence.h"

/* Together they make 60 lines of Markdown. */
enum {
    MOST_ROWS = 12,
    MOST_CASES = 10,
    MOST_CASES_ALONE = 18,
    MOST_OF_BOTH = 4,
    MOST_WHYS = 4,
    MOST_NOTES = 3,
    MOST_BREACHES = 3,
    MOST_COMMAND = 1000
};

/* Those that changed, the largest effect on the whole first; the others by their share of the time. */
static struct view_cell rows_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    const struct rl_comparison *comparison = part->comparison;
    size_t *at = rl_arena_alloc(view->arena, (comparison->pair_count + 1) * sizeof *at);
    rl_comparison_changed(comparison, at);
    return view_cell_rows((struct view_rows){.first = view_compare_of(view)->pairs + part->first,
                                             .stride = sizeof(struct view_pair),
                                             .count = comparison->pair_count,
                                             .at = at});
}

/* ---- why ---- */

struct remark {
    const char *label, *text;
};
static const struct view_field remark_fields[] = {
    {.id = "label", VIEW_AT(struct remark, label), .columns = VIEW_NAME_COLUMNS, .help = "its kernel, or its question"},
    {.id = "text", VIEW_AT(struct remark, text), .help = "a sentence about it"},
};
static const struct view_record remark_record = {.id = "remark", .help = "a sentence and its subject", VIEW_FIELDS(remark_fields)};

/* Counts that differ by a part in a thousand or more, and are no counter that moved. */
static void add_counted(const struct rl_pair *pair, struct rl_buf *out)
{
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < pair->tally_count; i++) {
        const struct rl_tally *tally = &pair->tallies[i];
        bool shown = tally->is_equal || fabs(tally->new - tally->base) < 1e-3 * tally->base;
        for (size_t m = 0; m < pair->moved_count; m++)
            shown |= rl_tallies[tally->id].metric == pair->moved[m].metric;
        if (!shown)
            rl_tally_difference_text(tally, &text);
    }
    if (text.len)
        rl_buf_addf(out, "; counted: %s", text.data);
    rl_buf_release(&text);
}

/* Findings of one side that the other was judged not to have: "; gone: uncoalesced loads". */
static void add_findings(const struct rl_kernel_result *of, const struct rl_kernel_result *other, const char *what,
                         struct rl_buf *out)
{
    size_t said = 0;
    for (size_t i = 0; i < of->finding_count; i++) {
        const struct rl_rule_info *rule = &rl_rules[of->findings[i].rule];
        if (other->judgement[of->findings[i].rule].verdict == RL_RULE_SILENT)
            rl_buf_addf(out, "%s%s", said++ ? ", " : what, rule->problem);
    }
}

/* The first of the source lines whose shares of the samples changed, which are sorted: "; line step.cu:31 (sum += a[i];): −11.3
 * (−13.3 to −9.09) % of the samples, −20.8 (−22.4 to −19.4) µs". */
static void add_lines(const struct view *view, const struct view_part *part, const struct rl_pair *pair, struct rl_buf *out)
{
    enum { MOST_LINES = 2, MOST_SOURCE = 160 };
    for (size_t i = 0, said = 0; i < part->line_count && said < MOST_LINES; i++) {
        const struct view_line *line = &part->lines[i];
        if (&part->comparison->pairs[line->change.pair] != pair)
            continue;
        view_sentence_format(view, &view_record_line_change, line, "; line {at}", out);
        if (line->change.text) {
            rl_buf_adds(out, " (");
            rl_utf8_abbreviate(out, line->change.text, MOST_SOURCE);
            rl_buf_adds(out, ")");
        }
        view_sentence_format(view, &view_record_line_change, line, ": {share_text} of the samples[, {time_text}]", out);
        said++;
    }
}

static const struct rl_kernel_result *result_of(const struct rl_compare_side *side, size_t item)
{
    const size_t kernel = side->items[item].kernel;
    return kernel == RL_NONE ? NULL : &side->analysis->kernels[kernel];
}

static const char *why_text(const struct view *view, const struct view_part *part, const struct rl_pair *pair)
{
    const struct rl_kernel_result *base = result_of(&part->comparison->base, pair->base),
                                  *new = result_of(&part->comparison->new, pair->new);
    struct rl_buf text = RL_BUF_IN(view->arena);
    /* The counters that moved: those that explain the change, then others. */
    enum { MOST_MOVED = 4 };
    const bool alone = rl_pair_moved_alone(pair);
    bool others = false;
    for (size_t i = 0, said = 0; i < pair->moved_count && said < MOST_MOVED; i++) {
        if (view_moved_is_work(pair, &pair->moved[i]))
            continue;
        said++;
        const bool explains = alone || pair->moved[i].explains;
        rl_buf_adds(&text, explains || others ? "; " : text.len ? "; also moved: " : "; moved: ");
        others |= !explains;
        view_moved_text(&pair->moved[i], &text);
    }
    if (pair->work_text)
        rl_buf_addf(&text, "; other work: %s", pair->work_text);
    add_counted(pair, &text);
    if (base && new) {
        add_findings(base, new, "; finding gone: ", &text);
        add_findings(new, base, "; finding new: ", &text);
    }
    add_lines(view, part, pair, &text);
    if (!pair->tally_count && base && new && base->bound == RL_BOUND_UNKNOWN &&new->bound == RL_BOUND_UNKNOWN)
        rl_buf_adds(&text, "; limiter unknown: no counters on both sides, which collect --replay kernel takes");
    if (!text.len)
        rl_buf_adds(&text, "; no counter that both captures have moved");
    const char *kept = rl_arena_strdup(view->arena, text.data + strlen("; "));
    return kept;
}

#define LEAST_OTHER_WORK 1e-3 /* of a count, where nothing else differs: atomic operations retry, loops end early */

/* A count that follows from code and input alone. */
static bool counts_other_work(const struct rl_pair *pair)
{
    for (size_t i = 0; i < pair->tally_count; i++) {
        const struct rl_tally *tally = &pair->tallies[i];
        if (!tally->is_equal && rl_tallies[tally->id].scatter == 0 &&
            fabs(tally->new - tally->base) >= LEAST_OTHER_WORK * tally->base)
            return true;
    }
    return false;
}

/* The pairs with something to explain: those that changed, the largest effect on the whole first, then those whose counts show what
 * times do not. `order` has room for all of the part; returns how many. */
static size_t explained_of(const struct view_part *part, size_t *order)
{
    const struct rl_comparison *comparison = part->comparison;
    size_t count = rl_comparison_changed(comparison, order);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[part->order[i]];
        const bool changed = pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER;
        if (!pair->not_compared && !changed && !pair->broke && (rl_pair_moved_alone(pair) || counts_other_work(pair)))
            order[count++] = part->order[i];
    }
    return count;
}

static struct view_cell why_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    size_t *order = rl_arena_alloc(view->arena, (part->comparison->pair_count + 1) * sizeof *order);
    const size_t count = explained_of(part, order);
    struct remark *whys = rl_arena_alloc(view->arena, (count + 1) * sizeof *whys);
    for (size_t i = 0; i < count; i++) {
        const struct rl_pair *pair = &part->comparison->pairs[order[i]];
        whys[i] = (struct remark){part->comparison->base.items[pair->base].label, why_text(view, part, pair)};
    }
    return view_cell_rows(VIEW_ROWS(whys, count));
}

/* ---- what is open, what must be known, and the gate ---- */

struct remarks {
    const struct view *view;
    struct remark *at;
    size_t count;
};

/* Takes the text, unless it is empty; what captures say of themselves may be of any length. */
static void add_remark(struct remarks *remarks, const char *label, struct rl_buf *text)
{
    enum { MOST_TEXT = 600 };
    struct rl_buf kept = RL_BUF_INIT;
    rl_utf8_abbreviate(&kept, text->len ? text->data : "", MOST_TEXT);
    rl_buf_release(text);
    if (kept.len)
        remarks->at[remarks->count++] = (struct remark){label, rl_arena_strdup(remarks->view->arena, kept.data)};
    rl_buf_release(&kept);
}

static void add_rest(struct remarks *remarks, const char *label, size_t all, size_t most)
{
    struct rl_buf text = RL_BUF_INIT;
    if (all > most)
        rl_buf_addf(&text, "and %zu more", all - most);
    add_remark(remarks, label, &text);
}

static void add_gate(struct remarks *remarks, const struct rl_gate *gate)
{
    struct rl_buf text = RL_BUF_INIT;
    if (gate)
        rl_gate_text(gate, &text);
    else
        rl_buf_adds(&text, "not set (--fail-on)");
    add_remark(remarks, "Gate", &text);
}

static void add_breaches(struct remarks *remarks, const struct rl_gate *gate)
{
    struct rl_buf text = RL_BUF_INIT;
    size_t all = 0;
    for (size_t i = 0; gate && i < gate->count; i++)
        for (size_t j = 0; j < gate->answers[i].count && gate->answers[i].state != RL_GATE_HOLDS; j++) {
            const struct rl_gate_breach *breach = &gate->answers[i].breaches[j];
            if (all++ >= MOST_BREACHES)
                continue;
            rl_utf8_abbreviate(&text, breach->label, VIEW_NAME_COLUMNS);
            rl_buf_addf(&text, ": %s", breach->text);
            add_remark(remarks, rl_gate_conditions[breach->condition].id, &text);
        }
    add_rest(remarks, "Gate", all, MOST_BREACHES);
}

/* How to decide the first case that is open. */
static void add_open_case(struct remarks *remarks, const struct rl_case_comparison *cases)
{
    struct rl_buf text = RL_BUF_INIT, doubt = RL_BUF_INIT;
    for (size_t i = 0; cases && i < cases->pair_count && !text.len; i++) {
        rl_change_doubt_text(&cases->pairs[i].change, &doubt);
        if (!doubt.len)
            continue;
        rl_buf_addf(&text, "%s: %s", view_case_label(cases->pairs[i].base, VIEW_NAME_COLUMNS), doubt.data);
    }
    rl_buf_release(&doubt);
    add_remark(remarks, "Open case", &text);
}

static struct view_cell checks_cell(const struct view *view, const struct view_field *field, const void *row)
{
    static const struct {
        const char *label;
        void (*add)(const struct rl_comparison *comparison, struct rl_buf *out);
    } sentences[] = {{"Undecided", rl_effect_undecided_text},
                     {"Results", rl_effect_results_text},
                     {"Work", rl_effect_unequal_text},
                     {"One side", rl_effect_unmatched_text},
                     {"Same", rl_effect_same_text}};
    enum { MOST = RL_COUNT(sentences) + 2 + MOST_NOTES + 1 + 1 + MOST_BREACHES + 1 };
    const struct view_part *part = row;
    const struct rl_comparison *comparison = part->comparison;
    struct remarks remarks = {view, rl_arena_alloc(view->arena, MOST * sizeof *remarks.at), 0};
    struct rl_buf text = RL_BUF_INIT;
    add_gate(&remarks, part->gate);
    rl_effect_kernels_text(comparison, &text);
    add_remark(&remarks, "Kernels", &text);
    add_open_case(&remarks, comparison->cases);
    for (size_t i = 0; i < RL_COUNT(sentences) && comparison->pair_count; i++) {
        sentences[i].add(comparison, &text);
        add_remark(&remarks, sentences[i].label, &text);
    }
    for (size_t i = comparison->effect_notes; i < comparison->note_count && i < comparison->effect_notes + MOST_NOTES; i++) {
        rl_buf_adds(&text, comparison->notes[i]);
        add_remark(&remarks, "Risk", &text);
    }
    add_rest(&remarks, "Risk", comparison->note_count - comparison->effect_notes, MOST_NOTES);
    add_breaches(&remarks, part->gate);
    assert(remarks.count <= MOST);
    return view_cell_rows(VIEW_ROWS(remarks.at, remarks.count));
}

/* ---- how to measure it again ---- */

/* An argument as a shell takes it. */
static void add_argument(const char *argument, struct rl_buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    rl_buf_adds(out, out->len ? " " : "");
    if (*argument && strspn(argument, plain) == strlen(argument)) {
        rl_buf_adds(out, argument);
        return;
    }
    rl_buf_addch(out, '\'');
    for (const char *at = argument; *at; at++)
        if (*at == '\'')
            rl_buf_adds(out, "'\\''");
        else
            rl_buf_addch(out, *at);
    rl_buf_addch(out, '\'');
}

/* A line longer than MOST_COMMAND is shortened in its middle. */
static const char *command_of(const struct view *view, struct rl_buf *line)
{
    struct rl_buf kept = RL_BUF_IN(view->arena);
    rl_utf8_abbreviate(&kept, line->data, MOST_COMMAND);
    rl_buf_release(line);
    return view_keep(view, &kept);
}

static const char *command_of_capture(const struct view *view, const struct rl_capture *capture)
{
    struct rl_buf line = RL_BUF_INIT;
    for (size_t i = 0; i < capture->session.command_count; i++)
        add_argument(capture->session.command[i], &line);
    return command_of(view, &line);
}

/* "rooflight compare base.rlcap new.rlcap", with "--" between several sessions of each side. */
static const char *command_of_comparison(const struct view *view, const struct view_part *part)
{
    const struct rl_compare_side *const sides[] = {&part->comparison->base, &part->comparison->new};
    struct rl_buf line = RL_BUF_INIT;
    rl_buf_adds(&line, "rooflight compare");
    for (size_t s = 0; s < 2; s++) {
        rl_buf_adds(&line, s && sides[0]->session_count + sides[1]->session_count > 2 ? " --" : "");
        for (size_t i = 0; i < sides[s]->session_count; i++)
            add_argument(sides[s]->sessions[i].name, &line);
    }
    return command_of(view, &line);
}

/* The commands that measured both sides, once where they are one, and the one that compares them. */
static struct view_cell commands_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    const char **commands = rl_arena_alloc(view->arena, 3 * sizeof *commands);
    size_t count = 0;
    commands[count] = command_of_capture(view, part->comparison->base.analysis->capture);
    count += commands[count] != NULL;
    commands[count] = command_of_capture(view, part->comparison->new.analysis->capture);
    count += commands[count] && (count == 0 || strcmp(commands[0], commands[count]) != 0);
    commands[count++] = command_of_comparison(view, part);
    return view_cell_rows(VIEW_ROWS(commands, count));
}

/* ---- the records ---- */

/* "; baseline only: ilp / unrolled4, scan and 2 more". */
static void add_alone(const struct rl_compare_side *side, const size_t *items, size_t count, const char *what, struct rl_buf *out)
{
    enum { MOST_NAMED = 4 };
    for (size_t i = 0; i < count && i < MOST_NAMED; i++) {
        rl_buf_adds(out, i ? ", " : what);
        rl_utf8_abbreviate(out, side->items[items[i]].label, VIEW_NAME_COLUMNS);
    }
    if (count > MOST_NAMED)
        rl_buf_addf(out, " and %zu more", count - MOST_NAMED);
}

/* "7 by name and shape, 1 by NVTX path and order; in the base only: ilp / unrolled4". */
static struct view_cell matching_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_comparison *comparison = ((const struct view_part *)row)->comparison;
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (comparison->rules.of_cases && !comparison->removed_count && !comparison->added_count) {
        rl_buf_addf(&text, "Cases: %zu by name and parameters", comparison->cases->pair_count);
        return view_cell_kept(view, &text);
    }
    rl_buf_adds(&text, "Kernels: ");
    const size_t none = text.len;
    for (size_t i = 0; i < RL_MATCH_COUNT; i++)
        if (comparison->matched[i])
            rl_buf_addf(&text, "%s%zu by %s", text.len > none ? ", " : "", comparison->matched[i], rl_matches[i].words);
    rl_buf_adds(&text, text.len > none ? "" : "none matched");
    if (comparison->cases)
        rl_buf_addf(&text, "; %zu cases by name and parameters, with CIs that hold together", comparison->cases->pair_count);
    add_alone(&comparison->base, comparison->removed, comparison->removed_count, "; baseline only: ", &text);
    add_alone(&comparison->new, comparison->added, comparison->added_count, "; candidate only: ", &text);
    return view_cell_kept(view, &text);
}

VIEW_WHEN(has_cases_and_kernels, struct view_part, view_has_case_pairs(view, row) && row->comparison->pair_count > 0);

/* Without kernels there is room for more. */
VIEW_WHEN(has_cases_alone, struct view_part, view_has_case_pairs(view, row) && row->comparison->pair_count == 0);

/* Few cases leave room for kernels. */
static bool has_both(const struct view *view, const void *row)
{
    const struct rl_comparison *comparison = ((const struct view_part *)row)->comparison;
    return comparison->pair_count > 0 && comparison->cases && comparison->cases->pair_count > 0 &&
           comparison->cases->pair_count <= MOST_OF_BOTH;
}

/* clang-format off */
static const struct view_field evidence_fields[] = {
    {.id = "sides", VIEW_GET_LIST(&view_record_side, view_sides_cell), .for_people = true, .help = "the baseline and this capture"},
    {.id = "rules", VIEW_IN_MEMBER(struct view_part, comparison, rules, &view_record_rules), .for_people = true,
     .help = "what verdicts go by"},
    {.id = "matching", VIEW_GET(TEXT, matching_cell), .for_people = true, .help = "how kernels were matched"},
    {.id = "commands", VIEW_GET_LIST(&view_record_note, commands_cell), .for_people = true,
     .help = "how to measure and compare again"},
};
static const struct view_block evidence_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "sides", .columns = "role,file,card,driver,clock_hz,started,tool,hash"},
    {.kind = VIEW_BLOCK_NOTE,
     .text = "{matching}. Time change: candidate / baseline − 1; speedup: baseline / candidate; CIs {rules.hold}. Smallest "
     "effect: {rules.smallest_effect}; SAME: within {rules.margin}. Method: docs/verdicts.md."},
    {.kind = VIEW_BLOCK_CODE, .field = "commands", .text = "{text}"},
};
static const struct view_record evidence_record = {.id = "evidence", .title = "Captures, method, commands",
    .help = "what a comparison was measured on, and how to measure it again", VIEW_FIELDS(evidence_fields),
    VIEW_BLOCKS(evidence_blocks)};

static const struct view_field review_fields[] = {
    {.id = "heading", VIEW_GET(TEXT, view_heading_cell), .for_people = true, .help = "its name, where there are several"},
    {.id = "effect", VIEW_AT_POINTER(struct view_part, comparison, &view_record_effect), .for_people = true,
     .help = "what the change does to all kernels together"},
    {.id = "rows", VIEW_GET_LIST(&view_record_pair, rows_cell), .for_people = true,
     .help = "its kernels, those that change the whole most first"},
    {.id = "cases", VIEW_GET_LIST(&view_record_case_pair, view_case_pairs_cell), .for_people = true,
     .help = "its cases, those that changed most first"},
    {.id = "why", VIEW_GET_LIST(&remark_record, why_cell), .for_people = true, .help = "what explains each change"},
    {.id = "checks", VIEW_GET_LIST(&remark_record, checks_cell), .for_people = true,
     .help = "what is open, what must be known, and what the gate says"},
    {.id = "evidence", VIEW_SELF(&evidence_record), .for_people = true, .help = "what it was measured on, and how"},
};
#define CASES .field = "cases", .columns = "shown,base_s,new_s,speedup,verdict,rate,roof,limiter", \
     .narrow = "shown,base_s,new_s,interval,rate,roof,limiter", .rest = "{left case|cases} more, which changed by less"
#define ROWS .field = "rows", .columns = "marked,base.median_s,new.median_s,speedup,outcome,rate,roof,limiter", \
     .narrow = "marked,base.median_s,new.median_s,interval,rate,roof,limiter", \
     .rest = "{left kernel|kernels} more, with less effect on the whole"
static const struct view_block review_blocks[] = {
    {.kind = VIEW_BLOCK_LEAD, .label = "{effect.headline}.", .text = "{effect.text}"},
    {.kind = VIEW_BLOCK_TABLE, CASES, .most = MOST_CASES_ALONE, .when = has_cases_alone},
    {.kind = VIEW_BLOCK_TABLE, CASES, .most = MOST_CASES, .when = has_cases_and_kernels},
    {.kind = VIEW_BLOCK_TABLE, ROWS, .most = MOST_ROWS, .unless = view_has_case_pairs},
    {.kind = VIEW_BLOCK_TABLE, ROWS, .most = MOST_OF_BOTH, .when = has_both},
    {.kind = VIEW_BLOCK_ITEMS, .field = "why", .label_field = "label", .text = "{text}", .most = MOST_WHYS, .title = "Why",
     .rest = "and {left} more"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "checks", .label_field = "label", .text = "{text}", .title = "Checks",
     .rest = "and {left} more"},
    {.kind = VIEW_BLOCK_EACH, .field = "evidence", .folded = true},
};
const struct view_record view_record_review = {
    .id = "review", .title = "{heading}", .help = "a change as a review has room for", VIEW_FIELDS(review_fields),
    VIEW_BLOCKS(review_blocks)};
/* clang-format on */

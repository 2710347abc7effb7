/* compare_part.c - a capture that is compared with the base, and the text about it. */
#include "compare_parts.h"
#include "results/results.h"

/* ---- the capture ---- */

enum { SHORT_CARD_COLUMNS = 24, MOST_CIRCUMSTANCE = 24 }; /* in a table with much else */
enum { MOST_OPEN = 5 };                                   /* cases without a verdict, each with its reason */

/* Figures from other programs are marked. */
static const char *words_of_kind(const struct rl_capture *capture)
{
    if (capture->benchmark_count)
        return "imported from a benchmark";
    static const char *const words[] = {[RL_COLUMN_MEASURED] = "",
                                        [RL_COLUMN_IMPORTED] = "imported from another profiler",
                                        [RL_COLUMN_PUBLISHED] = "published figures"};
    return words[rl_column_kind_of(capture)];
}

VIEW_CELL(published_cell, struct view_part, words_of_kind(row->capture));
VIEW_CELL(incomplete_cell, struct view_part, row->capture->session.complete ? "" : "incomplete");
VIEW_CELL(kind_cell, struct view_part, rl_column_kind_name(rl_column_kind_of(row->capture)));
VIEW_CELL(short_card_cell, struct view_part, row->capture->gpu_count ? rl_card_short(row->capture->gpus[0].name) : "unknown GPU");

/* Name or UUID of the first GPU. */
static struct view_cell gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = ((const struct view_part *)row)->capture;
    if (!capture->gpu_count)
        return view_cell_absent("no GPU is in the capture");
    const char *text = field->key ? capture->gpus[0].uuid : capture->gpus[0].name;
    return text ? view_cell_text(text) : view_cell_absent("not in the capture");
}

static struct view_cell cases_count(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = view_compare_of(view);
    const struct view_part *part = row;
    const bool is_base = part == compare->parts;
    const struct view_part *compared = is_base && compare->count > 1 ? &compare->parts[1] : part;
    const struct rl_case_comparison *cases = compared->comparison ? compared->comparison->cases : NULL;
    return view_cell_whole(!cases ? 0 : is_base ? cases->base->count : cases->new->count);
}

enum { NOTES, OTHER_NOTES };

/* All, or those that say something that the effect on the whole does not. */
static struct view_cell notes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_comparison *comparison = ((const struct view_part *)row)->comparison;
    if (!comparison)
        return view_cell_absent("");
    const size_t skipped = field->key == OTHER_NOTES ? comparison->effect_notes : 0;
    return view_cell_rows((struct view_rows){.first = skipped ? &comparison->notes[skipped] : comparison->notes,
                                             .stride = sizeof *comparison->notes,
                                             .count = comparison->note_count - skipped});
}

/* ---- in one line ---- */

/* "collect 0.1.0"; of other programs the name alone is known. */
VIEW_CELL(tool_cell, struct view_part,
          strcmp(row->capture->session.source, "collect") == 0
              ? rl_arena_printf(view->arena, "collect %s", row->capture->session.tool_version)
              : row->capture->session.source);

VIEW_CELL(driver_cell, struct view_part,
          row->capture->session.driver ? view_cell_text(row->capture->session.driver) : view_cell_absent("not in the capture"));

/* As much of it as tells captures apart. */
VIEW_CELL(hash_cell, struct view_part, rl_arena_printf(view->arena, "%.12s", row->capture->sha256.hex));

/* Sessions of its side of the one comparison there is; of several the base and each other capture have one. */
static struct view_cell sessions_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = view_compare_of(view);
    const struct rl_comparison *comparison = compare->count == 2 ? compare->parts[1].comparison : NULL;
    return view_cell_whole(comparison ? comparison->rules.sessions[row != compare->parts] : 1);
}

/* SM clock of the first GPU: the median over the launches that were counted, else the highest reading. */
static struct view_cell clock_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    struct rl_value clock = rl_value_missing(RL_NOT_COLLECTED, "no clock was read");
    if (part->capture->gpu_count == 0)
        return view_cell_number(clock);
    const struct rl_gpu *gpu = &part->capture->gpus[0];
    if (part->analysis->gpus[0].sm_clock.n)
        return view_cell_number(rl_value_of(part->analysis->gpus[0].sm_clock.median));
    for (size_t i = 0; i < gpu->moment_count; i++) {
        const struct rl_value reading = gpu->moments[i].reading[RL_READING_sm_clock_hz];
        if (rl_present(reading) && (!rl_present(clock) || reading.v > clock.v))
            clock = reading;
    }
    return view_cell_number(clock);
}

/* clang-format off */
static const struct view_field side_fields[] = {
    {.id = "role", VIEW_AT(struct view_part, role), .help = "what it is here"},
    {.id = "file", VIEW_AT(struct view_part, name), .columns = VIEW_NAME_COLUMNS, .help = "name of its file"},
    {.id = "card", .head = "GPU", VIEW_GET(TEXT, short_card_cell), .columns = SHORT_CARD_COLUMNS, .help = "its first GPU"},
    {.id = "published", VIEW_GET(TEXT, published_cell), .help = "whether others measured it"},
    {.id = "started", .head = "measured", VIEW_IN(struct view_part, capture, session.started), .columns = MOST_CIRCUMSTANCE,
     .help = "when it was measured"},
    {.id = "kernels", VIEW_IN(struct view_part, capture, kernel_count), .help = "number of launch configurations"},
    {.id = "cases", VIEW_GET(WHOLE, cases_count), .help = "number of cases"},
    {.id = "incomplete", VIEW_GET(TEXT, incomplete_cell), .help = "whether something is left out"},
    {.id = "tool", .head = "by", VIEW_GET(TEXT, tool_cell), .columns = MOST_CIRCUMSTANCE,
     .help = "what measured it, and its version"},
    {.id = "sessions", VIEW_GET(WHOLE, sessions_cell), .help = "number of sessions, the first of which this is"},
    {.id = "clock_hz", .head = "clock", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_HERTZ, .digits = 3, .get = clock_cell,
     .excused = view_needs_no_note, .help = "its SM clock, the median of launches that were counted, else the highest reading"},
    {.id = "driver", VIEW_GET(TEXT, driver_cell), .columns = MOST_CIRCUMSTANCE, .excused = view_needs_no_note,
     .help = "the driver"},
    {.id = "hash", .head = "SHA-256", VIEW_GET(TEXT, hash_cell), .look = VIEW_LOOK_CODE, .help = "of its file"},
};
/* clang-format on */
const struct view_record view_record_side = {.id = "side", .help = "a capture in one line", VIEW_FIELDS(side_fields)};

/* ---- verdicts ---- */

VIEW_CELL(verdict_count, size_t, row[field->key]);

/* clang-format off */
static const struct view_field verdicts_fields[] = {
    {.id = "slower", VIEW_GET(WHOLE, verdict_count), .key = RL_SLOWER, .help = "number of kernels that are SLOWER"},
    {.id = "faster", VIEW_GET(WHOLE, verdict_count), .key = RL_FASTER, .help = "number of kernels that are FASTER"},
    {.id = "same", VIEW_GET(WHOLE, verdict_count), .key = RL_SAME, .help = "number of kernels that are the SAME"},
    {.id = "undecided", VIEW_GET(WHOLE, verdict_count), .key = RL_UNDECIDED,
     .help = "number of kernels for which that cannot be decided"},
};
/* clang-format on */
static const struct view_record verdicts_record = {
    .id = "verdicts", .help = "how many kernels have each verdict", VIEW_FIELDS(verdicts_fields)};

enum { REGRESSIONS, OF_UNEQUAL_WORK };

static struct view_cell gate_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    const double tolerance = view_compare_of(view)->options.tolerance;
    if (tolerance < 0 || !part->comparison)
        return view_cell_absent("");
    size_t unequal;
    const size_t found = rl_comparison_regressions(part->comparison, tolerance, &unequal);
    return view_cell_whole(field->key == REGRESSIONS ? found : unequal);
}

/* ---- pairs ---- */

static bool any_pair(const struct rl_pair *pair)
{
    return true;
}

static bool is_unequal(const struct rl_pair *pair)
{
    return pair->work_text != NULL;
}

static bool changed(const struct rl_pair *pair)
{
    return pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER;
}

static bool is_renamed(const struct rl_pair *pair)
{
    return pair->match != RL_MATCH_EXACT;
}

/* Counts that differ, and counts of pairs without a verdict. */
static bool is_counted(const struct rl_pair *pair)
{
    return rl_pair_counts_differ(pair) || (pair->change.verdict == RL_UNDECIDED && rl_pair_counts_tell(pair));
}

enum { ALL, UNEQUAL, CHANGED, MOVED_ALONE, RENAMED, COUNTED };

/* The pairs of a kind, those that matter most first. */
static struct view_cell pairs_cell(const struct view *view, const struct view_field *field, const void *row)
{
    static bool (*const kinds[])(const struct rl_pair *pair) = {
        [ALL] = any_pair,       [UNEQUAL] = is_unequal, [CHANGED] = changed, [MOVED_ALONE] = rl_pair_moved_alone,
        [RENAMED] = is_renamed, [COUNTED] = is_counted};
    const struct view_part *part = row;
    const struct rl_comparison *comparison = part->comparison;
    if (!comparison)
        return view_cell_absent("");
    struct view_rows rows = {.first = view_compare_of(view)->pairs + part->first, .stride = sizeof(struct view_pair)};
    size_t *at = rl_arena_alloc(view->arena, (comparison->pair_count + 1) * sizeof *at);
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (kinds[field->key](&comparison->pairs[part->order[i]]))
            at[rows.count++] = part->order[i];
    rows.at = at;
    return view_cell_rows(rows);
}

/* So many of each verdict as a reader wants to see of it. */
static struct view_rows choose_pairs(const struct view *view, struct view_rows rows, size_t most)
{
    enum { MOST_SAME = 30 };
    const size_t room[] = {[RL_SLOWER] = most, [RL_FASTER] = most, [RL_UNDECIDED] = most, [RL_SAME] = MOST_SAME};
    size_t listed[RL_COUNT(room)] = {0}, *at = rl_arena_alloc(view->arena, (rows.count + 1) * sizeof *at), count = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const enum rl_verdict verdict = ((const struct view_pair *)view_rows_at(&rows, i))->pair->change.verdict;
        if (most == 0 || listed[verdict]++ < room[verdict])
            at[count++] = rows.at[i];
    }
    rows.at = at;
    rows.count = count;
    return rows;
}

/* Verdicts, unequal work and what has none stand apart. */
static int pair_group(const struct view *view, const void *row)
{
    const struct rl_pair *pair = ((const struct view_pair *)row)->pair;
    return 4 * (int)pair->change.verdict + 2 * (pair->work == RL_WORK_UNEQUAL) + (pair->not_compared != NULL);
}

/* ---- what was matched, and what was not ---- */

struct matched {
    const char *words;
    size_t count;
};
static const struct view_field matched_fields[] = {
    {.id = "match", VIEW_AT(struct matched, words), .help = "how"},
    {.id = "kernels", VIEW_AT(struct matched, count), .help = "number of kernels that were matched this way"},
};
static const struct view_record matched_record = {
    .id = "matched", .help = "how many kernels were matched in which way", VIEW_FIELDS(matched_fields)};

static struct view_cell matched_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_comparison *comparison = ((const struct view_part *)row)->comparison;
    struct matched *matched = rl_arena_alloc(view->arena, RL_MATCH_COUNT * sizeof *matched);
    size_t count = 0;
    if (!comparison)
        return view_cell_absent("");
    for (size_t i = 0; i < RL_MATCH_COUNT; i++)
        if (comparison->matched[i])
            matched[count++] = (struct matched){rl_matches[i].words, comparison->matched[i]};
    return view_cell_rows(VIEW_ROWS(matched, count));
}

enum { REMOVED, ADDED };

static struct view_cell unmatched_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_part *part = row;
    const struct rl_comparison *comparison = part->comparison;
    if (!comparison)
        return view_cell_absent("");
    const bool added = field->key == ADDED;
    const struct rl_compare_side *side = added ? &comparison->new : &comparison->base;
    const size_t *of = added ? comparison->added : comparison->removed;
    const size_t count = added ? comparison->added_count : comparison->removed_count;
    struct view_item *items = rl_arena_alloc(view->arena, (count + 1) * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct view_item){.capture = side->analysis->capture, .item = &side->items[of[i]]};
    return view_cell_rows(VIEW_ROWS(items, count));
}

struct view_cell view_sides_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = view_compare_of(view);
    size_t *at = rl_arena_alloc(view->arena, 2 * sizeof *at);
    at[0] = 0;
    at[1] = (size_t)((const struct view_part *)row - compare->parts);
    return view_cell_rows((struct view_rows){compare->parts, sizeof *compare->parts, 2, at});
}

/* With several captures its name stands above it. */
struct view_cell view_heading_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(view_compare_of(view)->count > 2 ? ((const struct view_part *)row)->name : "");
}

/* ---- the record ---- */

/* clang-format off */
#define PAIRS(name, kind, what) \
    {.id = (name), VIEW_GET_LIST(&view_record_pair, pairs_cell), .key = (kind), .for_people = true, \
     .help = (what)}
#define UNMATCHED(name, kind, what) \
    {.id = (name), VIEW_GET_LIST(&view_record_unmatched, unmatched_cell), .key = (kind), \
     .for_people = true, .help = (what)}
static const struct view_field part_fields[] = {
    {.id = "capture", VIEW_AT(struct view_part, path), .help = "its file"},
    {.id = "capture_sha256", .through = offsetof(struct view_part, capture) + 1, VIEW_AT_ARRAY(struct rl_capture, sha256.hex),
     .help = "hash of that file"},
    {.id = "card", .head = "GPU", VIEW_GET(TEXT, gpu_cell), .key = 0, .help = "name of its first GPU"},
    {.id = "uuid", VIEW_GET(TEXT, gpu_cell), .key = 1, .help = "UUID of that GPU"},
    {.id = "started", VIEW_IN(struct view_part, capture, session.started), .help = "when it was begun"},
    {.id = "complete", VIEW_IN(struct view_part, capture, session.complete), .help = "whether all was finished"},
    {.id = "kind", VIEW_GET(TEXT, kind_cell),
     .help = "measured; imported: by another profiler; or published: figures that others printed"},
    {.id = "rules", VIEW_IN_MEMBER(struct view_part, comparison, rules, &view_record_rules), .optional = true,
     .help = "what verdicts go by"},
    {.id = "verdicts", VIEW_IN_MEMBER(struct view_part, comparison, verdicts, &verdicts_record),
     .optional = true, .help = "how many kernels that do the same work have each verdict"},
    {.id = "unequal_work", VIEW_IN_MEMBER(struct view_part, comparison, unequal, &verdicts_record),
     .optional = true, .help = "how many kernels that do not do the same work have each verdict"},
    {.id = "effect", VIEW_AT_POINTER(struct view_part, comparison, &view_record_effect),
     .optional = true, .help = "what the change does to all kernels together, each by the time that it takes"},
    {.id = "not_compared", VIEW_IN(struct view_part, comparison, excluded_count), .optional = true,
     .help = "number of kernels that computed a wrong result or did not finish"},
    {.id = "regressions", VIEW_GET(WHOLE, gate_cell), .key = REGRESSIONS, .optional = true,
     .help = "number of kernels that the gate counts as regressions"},
    {.id = "regressions_of_unequal_work", VIEW_GET(WHOLE, gate_cell), .key = OF_UNEQUAL_WORK,
     .optional = true, .help = "how many of them do not do the same work"},
    {.id = "gate", VIEW_GET_RECORD(&view_record_gate, view_gate_cell), .optional = true, .help = "whether --fail-on lets it pass"},
    {.id = "lines", VIEW_GET_LIST(&view_record_line_change, view_lines_cell),
     .optional = true, .help = "source lines whose share of the samples changed, where both captures have samples of instructions"},
    {.id = "breaches", VIEW_GET_LIST(&view_record_breach, view_breaches_cell), .for_people = true,
     .help = "what breaks the gate's conditions"},
    {.id = "matched", VIEW_GET_LIST(&matched_record, matched_cell), .optional = true,
     .help = "how many kernels were matched in which way"},
    {.id = "notes", VIEW_GET_LIST(&view_record_note, notes_cell), .optional = true,
     .help = "limits of the figures"},
    {.id = "other_notes", VIEW_GET_LIST(&view_record_note, notes_cell), .key = OTHER_NOTES,
     .for_people = true, .help = "those that the effect on the whole does not mention"},
    {.id = "case_verdicts", VIEW_GET_RECORD(&verdicts_record, view_case_verdicts_cell), .optional = true,
     .help = "how many cases have each verdict"},
    {.id = "cases_ratio", VIEW_GET_RECORD(&view_record_ratio, view_cases_ratio_cell), .optional = true,
     .help = "geometric mean of the ratios of all cases"},
    {.id = "cases", VIEW_GET_LIST(&view_record_case_pair, view_case_pairs_cell), .optional = true,
     .help = "cases of both captures, matched by name and parameters, those that changed most first"},
    {.id = "cases_open", VIEW_GET_LIST(&view_record_case_pair, view_case_pairs_cell),
     .key = VIEW_CASES_OPEN, .for_people = true, .help = "cases without a verdict"},
    {.id = "cases_removed", VIEW_GET_LIST(&view_record_case_alone, view_cases_alone_cell),
     .key = VIEW_CASES_REMOVED, .optional = true, .help = "cases that only the baseline has"},
    {.id = "cases_added", VIEW_GET_LIST(&view_record_case_alone, view_cases_alone_cell),
     .key = VIEW_CASES_ADDED, .optional = true, .help = "cases that the baseline does not have"},
    {.id = "heading", VIEW_GET(TEXT, view_heading_cell), .for_people = true, .help = "its name, where there are several"},
    {.id = "sides", VIEW_GET_LIST(&view_record_side, view_sides_cell), .for_people = true, .help = "the baseline and this capture"},
    PAIRS("changes", ALL, "all pairs, those that matter most first"),
    PAIRS("unequal", UNEQUAL, "pairs that do not do the same work"),
    PAIRS("changed", CHANGED, "pairs that are faster or slower"),
    PAIRS("moved", MOVED_ALONE, "pairs for which the metrics are all that can be compared"),
    PAIRS("counted", COUNTED, "pairs that did not count the same, and those without a verdict that counted"),
    PAIRS("renamed", RENAMED, "pairs that were not matched by name and configuration"),
    {.id = "doubts", VIEW_GET_LIST(&view_record_doubt, view_doubts_cell), .for_people = true,
     .help = "kernels without a verdict, by the reason"},
    UNMATCHED("removed", REMOVED, "kernels that only the baseline has"),
    UNMATCHED("added", ADDED, "kernels that the baseline does not have"),
};
/* clang-format on */

static bool is_judged(const struct rl_comparison *comparison, bool by_sessions)
{
    return comparison->pair_count > 0 && rl_verdict_by_sessions(&comparison->rules) == by_sessions;
}

VIEW_WHEN(is_judged_by_sessions, struct view_part, is_judged(row->comparison, true));
VIEW_WHEN(is_judged_by_samples, struct view_part, is_judged(row->comparison, false));
VIEW_WHEN(has_both, struct view_part, row->comparison->pair_count > 0 && view_has_case_pairs(view, row));

/* Facts about kernels are left out for captures with cases and without a kernel in common. */
VIEW_WHEN(is_of_kernels, struct view_part, row->comparison->pair_count > 0 || !view_has_case_pairs(view, row));

#define AND_MORE "and {left} more"
#define RATIO    "Time change: time of the candidate over time of the baseline, minus 1."
/* clang-format off */
#define MATCHING                                                                                                                   \
    {.kind = VIEW_BLOCK_ITEMS, .field = "removed", .label_field = "label", .text = "{full_name}", \
     .most = VIEW_MOST_LINES,                                                                                                      \
     .title = "Removed: in the baseline only",                                                                                     \
     .rest = AND_MORE},                                                                                                            \
    {.kind = VIEW_BLOCK_ITEMS, .field = "added", .label_field = "label", .text = "{full_name}",                                    \
     .most = VIEW_MOST_LINES,                                                                                                      \
     .title = "Added: in the candidate only",                                                                                      \
     .rest = AND_MORE},                                                                                                            \
    {.kind = VIEW_BLOCK_ITEMS, .field = "matched", .label_field = "match", .text = "{kernels kernel|kernels}",                     \
     .title = "Matched"},                                                                                                          \
    {.kind = VIEW_BLOCK_ITEMS, .field = "renamed", .label_field = "name",                                                          \
     .text = "{base.spelt} → {new.spelt}, by {match_text}",                                                                        \
     .most = VIEW_MOST_LINES, .rest = AND_MORE}

#define EXPLAINED                                                                                                                  \
    {.kind = VIEW_BLOCK_ITEMS, .field = "unequal", .label_field = "name", .text = "{work}", .most = VIEW_MOST_LINES, \
     .title = "* Unequal work", .rest = AND_MORE}, \
    {.kind = VIEW_BLOCK_ITEMS, .field = "counted", .label_field = "name", .text = "{counts_text}", .most = VIEW_MOST_LINES, \
     .title = "Counted work of a launch", .rest = AND_MORE}, \
    {.kind = VIEW_BLOCK_ITEMS, .field = "changed", .label_field = "name", .text = "{causes}", .most = VIEW_MOST_LINES, \
     .title = "What moved with it", .rest = AND_MORE}, \
    {.kind = VIEW_BLOCK_ITEMS, .field = "moved", .label_field = "name", .text = "{causes}", .most = VIEW_MOST_LINES, \
     .title = "What moved where times cannot decide", .rest = AND_MORE}, \
    {.kind = VIEW_BLOCK_TABLE, .field = "lines", .columns = "kernel,at,share_text,time_text", .apart = true,                       \
     .narrow = "kernel,at,share_text,time_text,text", .most = VIEW_MOST_LINES, .title = "Lines whose samples changed",             \
     .rest = AND_MORE " lines"}

static const struct view_block part_blocks[] = {
    {.kind = VIEW_BLOCK_ITEMS, .field = "sides", .label_field = "role", .text = VIEW_SIDE_TEXT},
    {.kind = VIEW_BLOCK_FACT, .label = "verdict", .text = "{effect.headline}[. {effect.text}]"},
    {.kind = VIEW_BLOCK_FACT, .label = "kernels", .text = "{effect.kernels_text}", .when = has_both},
    {.kind = VIEW_BLOCK_FACT, .label = "results", .text = "{effect.results_text}", .when = is_of_kernels},
    {.kind = VIEW_BLOCK_FACT, .label = "verdicts", .when = is_of_kernels,
     .text = "{verdicts.slower} SLOWER, {verdicts.faster} FASTER, {verdicts.same} SAME, {verdicts.undecided} UNDECIDED"
             "[; {unequal_work.slower} SLOWER of unequal work][; {unequal_work.faster} FASTER of unequal work]"
             "[; {unequal_work.same} SAME of unequal work][; {unequal_work.undecided} UNDECIDED of unequal work]"
             "[; {not_compared} not compared][; {added} added][; {removed} removed]"},
    {.kind = VIEW_BLOCK_FACT, .label = "same", .with = "effect.same.kernels", .text = "{effect.same_text}"},
    {.kind = VIEW_BLOCK_FACT, .label = "undecided", .with = "effect.undecided.kernels", .text = "{effect.undecided_text}"},
    {.kind = VIEW_BLOCK_FACT, .label = "work", .with = "effect.unequal_work.kernels", .text = "{effect.unequal_text}"},
    {.kind = VIEW_BLOCK_FACT, .label = "one side", .with = "effect.unmatched_text", .text = "{effect.unmatched_text}"},
    {.kind = VIEW_BLOCK_FACT, .label = "gate", .with = "gate", .text = "{gate.text}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "other_notes", .label = "mind", .text = "{text}", .when = is_of_kernels},
    {.kind = VIEW_BLOCK_ITEMS, .field = "breaches", .label_field = "condition", .text = VIEW_BREACH_TEXT, .title = "Gate",
     .most = VIEW_MOST_BREACHES, .rest = AND_MORE},
    {.kind = VIEW_BLOCK_TABLE, .field = "changes", .columns = "marked,base.median_s,new.median_s,time_text,interval,outcome",
     .choose = choose_pairs, .most = 200, .group = pair_group,
     .rest = "{left kernel|kernels} with the smallest changes not listed"},
    {.kind = VIEW_BLOCK_TABLE, .field = "cases", .title = "Cases", .when = view_has_case_pairs, .most = 200,
     .rest = "{left case|cases} not listed, which changed by less"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "cases_open", .label_field = "label", .text = "{doubt}", .most = MOST_OPEN,
     .title = "Undecided",
     .rest = AND_MORE},
    {.kind = VIEW_BLOCK_ITEMS, .field = "cases_removed", .label = "removed", .text = "{label}", .most = VIEW_MOST_LINES,
     .rest = AND_MORE},
    {.kind = VIEW_BLOCK_ITEMS, .field = "cases_added", .label = "added", .text = "{label}", .most = VIEW_MOST_LINES,
     .rest = AND_MORE},
    EXPLAINED,
    {.kind = VIEW_BLOCK_ITEMS, .field = "doubts", .label_field = "label", .text = "{text}", .most = VIEW_MOST_LINES,
     .title = "Not decided", .rest = AND_MORE},
    MATCHING,
    {.kind = VIEW_BLOCK_NOTE, .apart = true, .when = is_judged_by_sessions,
     .text = RATIO " From the geometric means of the sessions' medians (baseline: "
             "{rules.sessions_of_base session|sessions}, candidate: "
             "{rules.sessions_of_new session|sessions}), with confidence intervals {rules.hold}[, over all looks at "
             "growing sides, of which this was number {rules.look}]: Student's t with the scatter between sessions, the kernel's "
             "own and that of kernels with a similar limiter and length, the clock's step included. Smallest effect that matters: "
             "{rules.smallest_effect}; SAME: less than {rules.margin}."},
    {.kind = VIEW_BLOCK_NOTE, .apart = true, .when = is_judged_by_samples,
     .text = RATIO " From the medians, with confidence intervals (CI) that hold together with {rules.confidence} (order "
             "statistics, stretched where samples depend on one another; Bonferroni over {rules.over}), the clock's step included. "
             "One session on each side: {rules.session_effect} is allowed for differences between sessions, which were not "
             "measured. Smallest effect that matters: {rules.smallest_effect}; SAME: less than {rules.margin}."},
};
const struct view_record view_record_part = {.id = "part",
                                             .title = "{heading}",
                                             .help = "a capture that takes part",
                                             VIEW_FIELDS(part_fields),
                                             VIEW_BLOCKS(part_blocks)};

static const struct view_block matching_blocks[] = {MATCHING}, explained_blocks[] = {EXPLAINED};
const struct view_record view_record_matching = {
    .id = "matching", .title = "{heading}", .help = "how the kernels of a capture were matched", VIEW_FIELDS(part_fields),
    VIEW_BLOCKS(matching_blocks)};
/* clang-format on */
const struct view_record view_record_explained = {.id = "explained",
                                                  .title = "{heading}",
                                                  .help = "what explains the changes of a capture",
                                                  VIEW_FIELDS(part_fields),
                                                  VIEW_BLOCKS(explained_blocks)};

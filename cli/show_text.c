/* show_text.c - a capture for people: who measured what, a table per experiment, then what follows from it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/links.h"
#include "analysis/program.h"
#include "analysis/ranks.h"
#include "command.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"
#include "results/gains.h"
#include "results/show.h"
#include "show.h"
#include "show_columns.h"
#include "view_text.h"

enum { LABEL = 10, MOST_NAME = 60 };

/* Names from a capture are shortened to MOST_NAME columns here; JSON and CSV have them whole. */
static void add_name(struct rl_buf *out, const char *name)
{
    rl_utf8_abbreviate(out, name, MOST_NAME);
}

/* ---- head ---- */

static void add_fact(struct rl_buf *out, const struct rl_gpu *gpu, enum rl_fact_id id, const char *what)
{
    if (!rl_present(gpu->fact[id]))
        return;
    rl_buf_adds(out, ", ");
    rl_unit_format(out, rl_facts[id].unit, gpu->fact[id].v, 3);
    rl_buf_addf(out, " %s", what);
}

static bool is_shown(const struct show *show, size_t gpu)
{
    assert(gpu < show->capture->gpu_count);
    return !show->hidden || !show->hidden[gpu];
}

/* Of ranks with cards that are alike the first is told of: whether it is this one, and for how many it stands. */
static bool stands_for(const struct show *show, size_t gpu, size_t *count)
{
    assert(gpu < show->capture->gpu_count);
    *count = show->alike ? show->alike[gpu] : 1;
    return *count > 0;
}

/* With `named` the card's name too, which a single card has in the title; `count`: how many are like it. */
static void print_gpu(const struct rl_gpu *gpu, bool named, size_t count, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT, label = RL_BUF_INIT;
    if (count > 1)
        rl_buf_addf(&label, "%zu GPUs", count);
    else
        rl_buf_addf(&label, "GPU %d", gpu->index);
    rl_buf_addf(&text, "%s%schip %s", named ? gpu->name : "", named ? ", " : "", gpu->chip ? gpu->chip : "unknown");
    if (gpu->cc_major)
        rl_buf_addf(&text, ", compute capability %d.%d", gpu->cc_major, gpu->cc_minor);
    add_fact(&text, gpu, RL_FACT_sm_count, "SMs");
    add_fact(&text, gpu, RL_FACT_memory_bytes, "memory");
    add_fact(&text, gpu, RL_FACT_l2_bytes, "L2");
    if (rl_present(gpu->fact[RL_FACT_clocks_locked]) && gpu->fact[RL_FACT_clocks_locked].v > 0) {
        rl_buf_adds(&text, "; clocks locked");
        add_fact(&text, gpu, RL_FACT_sm_clock_locked_hz, "SM");
        add_fact(&text, gpu, RL_FACT_memory_clock_locked_hz, "memory");
    }
    cli_doc_item(doc, label.data, LABEL, text.data);
    rl_buf_release(&text);
    rl_buf_release(&label);
}

static void print_title(const struct rl_capture *capture, struct cli_doc *doc)
{
    struct rl_buf title = RL_BUF_INIT;
    rl_buf_adds(&title, capture->gpu_count ? capture->gpus[0].name : "no card recorded");
    if (capture->gpu_count > 1)
        rl_buf_addf(&title, " and %zu more", capture->gpu_count - 1);
    cli_doc_title(doc, title.data);
    rl_buf_release(&title);
}

static void print_source(const struct show *show, struct cli_doc *doc)
{
    const struct view view = view_subject_view(show->subject, &view_record_told_session, show->capture);
    cli_view_text(&view, &(struct cli_view_options){.more = NULL}, doc);
}

static void print_head(const struct show *show, struct cli_doc *doc)
{
    print_title(show->capture, doc);
    const bool brief = rl_capture_has_only_links(show->capture) || show->hidden;
    for (size_t i = 0, alike; i < show->capture->gpu_count; i++) {
        if (brief && i > 0 && strcmp(show->capture->gpus[i].name, show->capture->gpus[i - 1].name) == 0)
            continue;
        if (brief || stands_for(show, i, &alike))
            print_gpu(&show->capture->gpus[i], show->capture->gpu_count > 1, brief ? 1 : alike, doc);
    }
    print_source(show, doc);
}

/* ---- tables ---- */

/* Whether a kernel was launched in runs that were timed as wholes, and never by itself: nothing was measured of it alone. */
static bool only_in_runs(const struct rl_kernel *kernel)
{
    return kernel->launches == 0 && kernel->duration_count == 0;
}

/* One row for a variant that is one kernel; otherwise a row for the whole run, and below it one for each of its kernels. */
static void add_variant_rows(const struct show *show, size_t variant, struct show_rows *rows)
{
    assert(variant < show->capture->variant_count);
    const char *name = show->capture->variants[variant].name;
    bool one = show_is_one_kernel(show, variant);
    struct rl_buf label = RL_BUF_INIT;
    add_name(&label, name);
    if (!one) {
        struct show_row row = show_row_of_variant(show, variant);
        show_rows_add(rows, &row, label.data, false);
    }
    const size_t *kernels, count = rl_group(&show->analysis->index.kernels_of_variant, variant, &kernels);
    for (size_t i = 0; i < count; i++) {
        struct show_row row = show_row_of_kernel(show, kernels[i]);
        if (!one && only_in_runs(row.kernel))
            continue;
        if (!one) {
            rl_buf_reset(&label);
            add_name(&label, row.result->short_name);
        }
        show_rows_add(rows, &row, label.data, !one);
    }
    rl_buf_release(&label);
}

/* The table of one experiment on one GPU, which begins at `from` of show->variants; returns where the next one does. */
static size_t print_experiment(const struct show *show, size_t from, struct cli_doc *doc)
{
    const struct rl_capture *capture = show->capture;
    assert(from < capture->variant_count);
    const struct rl_variant *first = &capture->variants[show->variants[from]];
    const struct rl_experiment *experiment = &capture->experiments[first->experiment];
    struct show_rows rows = {0};
    struct rl_buf heading = RL_BUF_INIT;
    size_t at = from;
    for (; at < capture->variant_count; at++) {
        const struct rl_variant *variant = &capture->variants[show->variants[at]];
        if (variant->experiment != first->experiment || variant->gpu != first->gpu)
            break;
        add_variant_rows(show, show->variants[at], &rows);
    }
    add_name(&heading, experiment->name);
    rl_buf_addf(&heading, ": %s", experiment->question);
    if (capture->gpu_count > 1)
        rl_buf_addf(&heading, " (GPU %d)", capture->gpus[first->gpu].index);
    cli_doc_heading(doc, heading.data);
    show_columns_print(&rows, "variant", show->subject, &view_columns_of_variants, doc);
    rl_buf_release(&heading);
    show_rows_release(&rows);
    return at;
}

/* Kernels that belong to no experiment, on one GPU, which begin at `from` of show->loose; returns where the next GPU's do. */
static size_t print_loose_kernels(const struct show *show, size_t from, struct cli_doc *doc)
{
    const struct rl_capture *capture = show->capture;
    assert(from < show->loose_count);
    size_t gpu = capture->kernels[show->loose[from]].gpu, at = from;
    struct show_rows rows = {0};
    struct rl_buf heading = RL_BUF_INIT;
    for (; at < show->loose_count && capture->kernels[show->loose[at]].gpu == gpu; at++) {
        struct show_row row = show_row_of_kernel(show, show->loose[at]);
        struct rl_buf label = RL_BUF_INIT;
        if (show_is_folded(show, show->loose[at]))
            continue;
        show_label(row.family, MOST_NAME, &label);
        show_rows_add(&rows, &row, label.data, false);
        rl_buf_release(&label);
    }
    rl_buf_addf(&heading, "Kernels on GPU %d", capture->gpus[gpu].index);
    const struct rl_index *index = &show->analysis->index;
    if (index->has_ranks && index->rank_of_gpu[gpu]) /* GPUs of several machines have the same numbers */
        rl_buf_addf(&heading, ", rank %s", index->rank_of_gpu[gpu]);
    if (is_shown(show, gpu)) {
        cli_doc_heading(doc, heading.data);
        show_columns_print(&rows, "kernel", show->subject, &view_columns_of_kernels, doc);
    }
    rl_buf_release(&heading);
    show_rows_release(&rows);
    return at;
}

static void print_tables(const struct show *show, struct cli_doc *doc)
{
    if (show->analysis->index.has_ranks)
        show_ranks(show, doc);
    if (rl_is_program(show->capture))
        show_program(show, doc);
    if (show->capture->link_count)
        show_links(show, doc);
    for (size_t at = 0; at < show->capture->variant_count;)
        at = print_experiment(show, at, doc);
    for (size_t at = 0; at < show->loose_count;)
        at = print_loose_kernels(show, at, doc);
    if (!show->capture->kernel_count && !show->capture->variant_count && !show->capture->link_count) {
        cli_doc_gap(doc);
        cli_doc_note(doc, "no kernels in this capture");
    }
}

/* ---- what follows ---- */

enum { MOST_CLAIMS = 20 }; /* unless all are asked for */

static bool is_open(const struct rl_claim_result *claim)
{
    return claim->outcome == RL_CLAIM_DID_NOT_HOLD || claim->outcome == RL_CLAIM_EXCEEDED || claim->outcome == RL_CLAIM_UNDECIDED;
}

static void print_claim(const struct show *show, const struct rl_claim_result *claim, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    add_name(&text, show->capture->experiments[claim->experiment].name);
    if (show->capture->gpu_count > 1)
        rl_buf_addf(&text, " (GPU %d)", show->capture->gpus[claim->gpu].index);
    rl_buf_addf(&text, ": %s", claim->text);
    cli_doc_item(doc, rl_claim_outcome_name(claim->outcome), strlen("could not be decided"), text.data);
    rl_buf_release(&text);
}

/* "43 held, 6 published for other cards and not judged here, 33 of 33 answers of the self check right: --claims all prints them" */
static void print_more_claims(const struct rl_analysis *analysis, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_claim_tally claims = rl_claims_tally(analysis, RL_NONE, false),
                                answers = rl_claims_tally(analysis, RL_NONE, true);
    const size_t held = claims.outcome[RL_CLAIM_HELD], references = claims.outcome[RL_CLAIM_REFERENCE];
    const size_t right = answers.outcome[RL_CLAIM_HELD], asked = rl_claims_total(&answers);
    rl_buf_addf(&text, "%zu held", held);
    if (references)
        rl_buf_addf(&text, ", %zu published for other cards and not judged here", references);
    if (asked)
        rl_buf_addf(&text, ", %zu of %zu answers of the self check correct", right, asked);
    rl_buf_adds(&text, ": --claims all prints them");
    if (held || references || asked)
        cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

static void print_claims(const struct show *show, struct cli_doc *doc)
{
    const struct rl_analysis *analysis = show->analysis;
    const bool all = show->claims == SHOW_CLAIMS_ALL || (show->claims == SHOW_CLAIMS_AUTO && analysis->claim_count <= MOST_CLAIMS);
    if (analysis->claim_count == 0 || show->claims == SHOW_CLAIMS_NONE)
        return;
    cli_doc_heading(doc, all ? "Claims" : "Claims that did not hold, came to more than claimed or could not be decided");
    for (size_t i = 0; i < analysis->claim_count; i++)
        if (all || is_open(&analysis->claims[i]))
            print_claim(show, &analysis->claims[i], doc);
    if (!all)
        print_more_claims(analysis, doc);
}

/* Columns of the longest id of a rule. */
static size_t rule_width(void)
{
    size_t width = 0;
    for (int i = 0; i < RL_RULE_COUNT; i++)
        width = strlen(rl_rules[i].id) > width ? strlen(rl_rules[i].id) : width;
    return width;
}

/* Those about GPUs that are not told of one by one are left out. Returns how many are left in `ranked`. */
static size_t drop_hidden(const struct show *show, struct rl_ranked_finding *ranked, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (ranked[i].kernel == RL_NONE || is_shown(show, show->capture->kernels[ranked[i].kernel].gpu))
            ranked[kept++] = ranked[i];
    }
    return kept;
}

static void print_finding(const struct show *show, const struct rl_ranked_finding *ranked, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    if (ranked->kernel != RL_NONE) {
        add_name(&text, show->analysis->kernels[ranked->kernel].label);
        if (ranked->shapes > 1)
            rl_buf_addf(&text, " and %zu more shapes", ranked->shapes - 1);
        rl_buf_adds(&text, ": ");
    }
    rl_buf_adds(&text, ranked->finding->text);
    cli_doc_item(doc, ranked->finding->id, rule_width(), text.data);
    rl_buf_release(&text);
}

/* "and 163 more (below_roof 55, spills 2): --findings all prints them" */
static void print_more_findings(const struct rl_ranked_finding *rest, size_t count, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    size_t of_rule[RL_RULE_COUNT] = {0};
    const char *separator = " (";
    for (size_t i = 0; i < count; i++)
        of_rule[rest[i].finding->rule]++;
    rl_buf_addf(&text, "and %zu more", count);
    for (int rule = 0; rule < RL_RULE_COUNT; rule++) {
        if (of_rule[rule])
            rl_buf_addf(&text, "%s%s %zu", separator, rl_rules[rule].id, of_rule[rule]);
        separator = of_rule[rule] ? ", " : separator;
    }
    rl_buf_adds(&text, "): --findings all prints them");
    cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

/* "Findings: the 10 of 173 that matter most" */
static void print_findings(const struct show *show, struct cli_doc *doc)
{
    struct rl_ranked_finding *ranked;
    size_t count = rl_findings_rank(show->analysis, show->families, &ranked);
    count = drop_hidden(show, ranked, count);
    size_t shown = count < show->findings ? count : show->findings;
    struct rl_buf heading = RL_BUF_INIT;
    rl_buf_adds(&heading, "Findings");
    if (shown < count)
        rl_buf_addf(&heading, ": the %zu of %zu that matter most", shown, count);
    if (shown)
        cli_doc_heading(doc, heading.data);
    for (size_t i = 0; i < shown; i++)
        print_finding(show, &ranked[i], doc);
    if (shown && shown < count)
        print_more_findings(&ranked[shown], count - shown, doc);
    rl_buf_release(&heading);
    free(ranked);
}

static void print_gains(const struct show *show, struct cli_doc *doc)
{
    const struct view view = view_subject_view(show->subject, &view_record_gains, show->subject);
    if (show->findings)
        cli_view_text(&view, &(struct cli_view_options){.more = NULL}, doc);
}

static void print_log(const struct show *show, struct cli_doc *doc)
{
    bool headed = false;
    for (size_t i = 0; i < show->capture->log_count; i++) {
        const struct rl_log_entry *entry = &show->capture->log[i];
        if (entry->level == RL_LOG_NOTE && !show->verbose)
            continue;
        if (!headed)
            cli_doc_heading(doc, show->verbose ? "Log of the session" : "Warnings of the session");
        headed = true;
        cli_doc_item(doc, "", 0, entry->text);
    }
}

/* What was measured on a card is its own, whatever is like it. */
static bool has_own_ceilings(const struct show *show, size_t gpu)
{
    assert(gpu < show->analysis->capture->gpu_count);
    for (int id = 0; id < RL_CEILING_COUNT; id++)
        if (show->analysis->gpus[gpu].ceiling[id].run != RL_NONE)
            return true;
    return false;
}

void show_text(const struct show *show, struct cli_doc *doc)
{
    print_head(show, doc);
    print_tables(show, doc);
    show_sets(show, doc);
    print_claims(show, doc);
    print_findings(show, doc);
    print_gains(show, doc);
    for (size_t gpu = 0, alike = 1; gpu < show->capture->gpu_count && !rl_capture_has_only_links(show->capture); gpu++)
        if (is_shown(show, gpu) && (has_own_ceilings(show, gpu) || stands_for(show, gpu, &alike)))
            show_ceilings(show, gpu, has_own_ceilings(show, gpu) ? 1 : alike, doc);
    print_log(show, doc);
}

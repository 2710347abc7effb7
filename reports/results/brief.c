#include "results/brief.h"

#include "show_parts.h"

/* ---- choosing ---- */

#define WORTH_SAVING 0.001 /* of the GPU time: a finding about less has no line in an overview */
#define WORTH_LINE   0.01  /* the same of a kernel */

static bool matches(const regex_t *only, const char *text)
{
    return text && regexec(only, text, 0, NULL, 0) == 0;
}

/* Kernels of the self check are about the instrument. */
static bool is_wanted(const struct view_subject *subject, const struct rl_family *family, const regex_t *only)
{
    const struct rl_kernel *kernel = &subject->capture->kernels[family->kernel];
    assert(family->classes && family->kernel < subject->capture->kernel_count);
    const char *id = family->figures ? family->id : family->classes->id;
    if (!only)
        return !rl_is_of_self_check(subject->capture, kernel->variant);
    return matches(only, kernel->name) || matches(only, subject->analysis->kernels[family->kernel].label) || matches(only, id);
}

static struct view_brief_kernel kernel_of(struct view_subject *subject, const struct rl_family *family, bool detailed)
{
    struct view_brief_kernel row = {.family = family, .detailed = detailed};
    if (!family->figures) {
        row.kernel = view_kernel_of_class(subject, family->kernel);
        row.kernel.class = family->classes;
        row.told = row.kernel.result;
        return row;
    }
    row.kernel = view_kernel_of_family(subject, family);
    row.told = family->figures->foremost == RL_NONE ? NULL : &subject->analysis->kernels[family->figures->foremost];
    return row;
}

enum { FEWEST = 3 }; /* kernels of an overview, however short */

/* Too little to act on: less than is worth saving, where others are there that have more. Families come by their time. */
static bool has_too_little(const struct view_brief *brief, const struct rl_family *family)
{
    return brief->chosen ? family->share < WORTH_SAVING && brief->told_share >= WORTH_SAVING
                         : family->share < WORTH_LINE && brief->kernel_count >= FEWEST;
}

static void choose_kernels(struct view_brief *brief, const regex_t *only)
{
    const struct rl_families *families = brief->subject->families;
    const size_t most = only                           ? 1
                        : brief->subject->cases->count ? VIEW_BRIEF_KERNELS / 2
                                                       : VIEW_BRIEF_KERNELS,
                 most_others = only ? VIEW_BRIEF_OTHERS : 0;
    brief->kernels = rl_arena_alloc(&brief->subject->arena, most * sizeof *brief->kernels);
    brief->others = rl_arena_alloc(&brief->subject->arena, VIEW_BRIEF_OTHERS * sizeof *brief->others);
    for (size_t i = 0; i < families->count; i++) {
        if (!is_wanted(brief->subject, &families->at[i], only))
            continue;
        brief->matching++;
        const bool is_other = brief->kernel_count == most;
        if ((is_other && brief->other_count == most_others) || has_too_little(brief, &families->at[i]))
            continue;
        if (is_other)
            brief->others[brief->other_count++] = kernel_of(brief->subject, &families->at[i], false);
        else
            brief->kernels[brief->kernel_count++] = kernel_of(brief->subject, &families->at[i], only != NULL);
        brief->told_share += families->at[i].share;
    }
}

static double gpu_seconds(const struct rl_families *families)
{
    return RL_SUM(double, i, families->count, families->at[i].gpu_s);
}

/* The first findings about a kernel, of all in their order, but for those that save too little of the GPU time, unless the kernel
 * has no more of it. The limiter's sentence has that it is near no roof. */
static void choose_findings_of(struct view_subject *subject, struct view_brief_kernel *kernel,
                               const struct rl_ranked_finding *ranked, size_t count)
{
    const struct rl_families *families = subject->families;
    struct rl_ranked_finding *findings = rl_arena_alloc(&subject->arena, VIEW_BRIEF_FINDINGS * sizeof *findings);
    const double least_s = kernel->family->share >= WORTH_SAVING ? WORTH_SAVING * gpu_seconds(families) : 0;
    assert(kernel->finding_count == 0);
    kernel->findings = findings;
    for (size_t i = 0; i < count && kernel->finding_count < VIEW_BRIEF_FINDINGS; i++)
        if (ranked[i].kernel != RL_NONE && ranked[i].finding->rule != RL_RULE_below_roof &&
            &families->at[families->of_kernel[ranked[i].kernel]] == kernel->family) {
            const struct rl_value saved = rl_most_saved_s(subject->analysis, families, &ranked[i]);
            if (!rl_present(saved) || saved.v >= least_s)
                findings[kernel->finding_count++] = ranked[i];
        }
    view_findings_once(findings, kernel->finding_count);
}

struct urgent {
    int urgency; /* results that are wrong come first, then what saves time, the most first, then the rest */
    double saving_s;
};

static struct urgent urgency_of(const struct view_brief *brief, const struct rl_ranked_finding *ranked, double least_s)
{
    const struct rl_value saved = rl_most_saved_s(brief->subject->analysis, brief->subject->families, ranked);
    const double saving_s = rl_present(saved) ? saved.v : 0;
    return (struct urgent){ranked->finding->rule == RL_RULE_wrong_result ? 0 : saving_s > least_s ? 1 : 2, saving_s};
}

/* Whether it is of a kernel, and of less than is worth a line: by what it saves, or by all the time of the kernel. */
static bool is_small(const struct view_brief *brief, const struct rl_ranked_finding *ranked, struct urgent urgent, double least_s)
{
    const struct rl_families *families = brief->subject->families;
    if (ranked->kernel == RL_NONE || urgent.urgency == 0)
        return false;
    return urgent.saving_s > 0 ? urgent.saving_s < least_s
                               : families->at[families->of_kernel[ranked->kernel]].gpu_s < (WORTH_LINE / WORTH_SAVING) * least_s;
}

/* Whether `a` comes before `b`, which stands before it in the list of all findings. */
static bool is_before(struct urgent a, struct urgent b)
{
    return a.urgency != b.urgency ? a.urgency < b.urgency : a.urgency == 1 && a.saving_s > b.saving_s;
}

/* The most urgent ones; those that are alike stay in their order. */
static void choose_urgent(struct view_brief *brief, const struct rl_ranked_finding *ranked, size_t count)
{
    const double least_s = WORTH_SAVING * gpu_seconds(brief->subject->families);
    struct urgent urgent[VIEW_BRIEF_FINDINGS];
    for (size_t i = 0; i < count; i++) {
        if (ranked[i].finding->rule == RL_RULE_counters_missing) /* the unknowns have it, and the option that helps */
            continue;
        if (rl_advises_on_suite(brief->subject->capture, &ranked[i]) ||
            rl_is_explained(brief->subject->families, ranked, count, ranked[i].finding))
            continue;
        const struct urgent own = urgency_of(brief, &ranked[i], least_s);
        if (is_small(brief, &ranked[i], own, least_s))
            continue;
        size_t at = brief->finding_count < VIEW_BRIEF_FINDINGS ? brief->finding_count : VIEW_BRIEF_FINDINGS;
        while (at > 0 && is_before(own, urgent[at - 1]))
            at--;
        if (at == VIEW_BRIEF_FINDINGS)
            continue;
        brief->finding_count += brief->finding_count < VIEW_BRIEF_FINDINGS;
        memmove(&brief->findings[at + 1], &brief->findings[at], (brief->finding_count - 1 - at) * sizeof *brief->findings);
        memmove(&urgent[at + 1], &urgent[at], (brief->finding_count - 1 - at) * sizeof *urgent);
        brief->findings[at] = ranked[i];
        urgent[at] = own;
    }
    view_findings_once(brief->findings, brief->finding_count);
    assert(brief->finding_count <= VIEW_BRIEF_FINDINGS);
}

const struct view_brief_kernel *view_brief_kernel_new(struct view_subject *subject, const struct rl_family *family,
                                                      const struct rl_ranked_finding *ranked, size_t count)
{
    struct view_brief_kernel *kernel = rl_arena_alloc(&subject->arena, sizeof *kernel);
    *kernel = kernel_of(subject, family, true);
    choose_findings_of(subject, kernel, ranked, count);
    return kernel;
}

const struct rl_kernel_result *view_brief_kernel_result(const struct view_brief_kernel *kernel)
{
    return kernel->told && rl_present(kernel->kernel.allowed) ? kernel->told : NULL;
}

struct view_brief *view_brief_new(struct view_subject *subject, const regex_t *only)
{
    struct view_brief *brief = rl_arena_alloc(&subject->arena, sizeof *brief);
    *brief = (struct view_brief){.subject = subject, .chosen = only != NULL};
    choose_kernels(brief, only);
    struct rl_ranked_finding *ranked = NULL;
    const size_t count = rl_findings_rank(brief->subject->analysis, brief->subject->families, &ranked);
    brief->findings = rl_arena_alloc(&brief->subject->arena, VIEW_BRIEF_FINDINGS * sizeof *brief->findings);
    if (!brief->chosen)
        choose_urgent(brief, ranked, count);
    for (size_t i = 0; brief->chosen && i < brief->kernel_count; i++)
        choose_findings_of(brief->subject, &brief->kernels[i], ranked, count);
    free(ranked);
    assert(brief->kernel_count <= brief->matching);
    return brief;
}

struct view_brief *view_brief_of_all(struct view_subject *subject)
{
    const struct rl_families *families = subject->families;
    struct view_brief *brief = rl_arena_alloc(&subject->arena, sizeof *brief);
    *brief = (struct view_brief){.subject = subject, .all = true, .matching = families->count};
    brief->kernels = rl_arena_alloc(&subject->arena, (families->count + 1) * sizeof *brief->kernels);
    for (size_t i = 0; i < families->count; i++)
        if (is_wanted(subject, &families->at[i], NULL))
            brief->kernels[brief->kernel_count++] = kernel_of(subject, &families->at[i], false);
    return brief;
}

size_t view_brief_count(const struct view_brief *brief)
{
    return brief->matching;
}

/* ---- what was measured ---- */

static const struct view_brief *brief_of(const void *row)
{
    return row;
}

static const struct rl_capture *capture_of(const void *row)
{
    return brief_of(row)->subject->capture;
}

/* "python3 train.py", "the kernel suite", "a profile". */
static struct view_cell what_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = capture_of(row);
    const char *command = capture->process_count ? capture->processes[0].command : NULL;
    const char *kind = rl_capture_has_only_links(capture) ? "links between GPUs"
                       : capture->experiment_count        ? "the kernel suite"
                       : rl_is_program(capture)           ? "a program"
                       : capture->benchmark_count         ? "a benchmark"
                                                          : "a profile";
    return view_cell_text(command && *command ? view_brief_text(view, command) : kind);
}

/* "NVIDIA H200", "2 GPUs, the first of them NVIDIA H200". */
static struct view_cell cards_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = capture_of(row);
    if (!capture->gpu_count)
        return view_cell_absent("no GPU recorded");
    if (capture->gpu_count == 1)
        return view_cell_text(view_brief_text(view, capture->gpus[0].name));
    return view_cell_text(view_brief_text(
        view, rl_arena_printf(view->arena, "%zu GPUs, the first of them %s", capture->gpu_count, capture->gpus[0].name)));
}

enum time_key { TIME_GPU, TIME_COVERED, TIME_TOLD };

static struct view_cell time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_families *families = brief_of(row)->subject->families;
    const double whole = gpu_seconds(families);
    if (whole <= 0)
        return view_cell_absent("no launch was timed");
    if (field->key == TIME_COVERED && !rl_is_program(capture_of(row)))
        return view_cell_absent(""); /* what the suite could not count it says of each kernel */
    if (field->key == TIME_GPU) {
        const struct rl_program *program = brief_of(row)->subject->program;
        return view_cell_signed(rl_value_of(whole), program ? rl_time_state_sign(program->coverage.time.state) : "");
    }
    return view_cell_number(
        rl_value_of(field->key == TIME_COVERED ? rl_families_covered_s(families) / whole : brief_of(row)->told_share));
}

static struct view_cell launches_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_families *families = brief_of(row)->subject->families;
    uint64_t launches = RL_SUM(uint64_t, i, families->count, families->at[i].time.launches);
    return view_cell_whole(field->key ? families->count : launches);
}

VIEW_CELL(left_cell, struct view_brief, row->matching - row->kernel_count - row->other_count);
VIEW_CELL_IF(others_cell, struct view_brief, row->other_count, VIEW_ROWS(row->others, row->other_count));
VIEW_CELL_IF(findings_cell, struct view_brief, !row->chosen, VIEW_ROWS(row->findings, row->finding_count));
VIEW_CELL_IF(unknown_cell, struct view_brief, !row->chosen, view_unknown_of_brief(view, row));
VIEW_CELL(gap_cell, struct view_brief, view_cell_record(row->chosen ? NULL : view_gap_of_brief(view)));

static struct view_cell cases_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_cases *cases = brief_of(row)->subject->cases;
    const size_t shown = cases->count < VIEW_BRIEF_CASES ? cases->count : VIEW_BRIEF_CASES;
    if (!cases->count || brief_of(row)->chosen)
        return view_cell_absent("");
    return field->type == VIEW_TYPE_WHOLE ? view_cell_whole(cases->count - shown) : view_cell_rows(VIEW_ROWS(cases->at, shown));
}

VIEW_WHEN(has_cases, struct view_brief, row->subject->cases->count && !row->chosen);
VIEW_WHEN(is_overview, struct view_brief, !row->chosen);
VIEW_WHEN(is_chosen, struct view_brief, row->chosen);
VIEW_WHEN(has_kernels, struct view_brief, row->matching > 0);
VIEW_WHEN(has_others, struct view_brief, row->other_count > 0);

/* clang-format off */
static const struct view_field brief_fields[] = {
    {.id = "what", VIEW_GET(TEXT, what_cell), .help = "what was measured: a program by its command, or the suite"},
    {.id = "cards", VIEW_GET(TEXT, cards_cell), .help = "on which GPUs"},
    {.id = "complete", VIEW_SUBJECT(capture, session.complete), .help = "whether the measurement ran to its end"},
    {.id = "gpu_s", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = time_cell, .key = TIME_GPU,
     .help = "GPU time of all kernels"},
    {.id = "launches", VIEW_GET(WHOLE, launches_cell), .key = 0, .help = "number of launches"},
    {.id = "kernel_count", VIEW_GET(WHOLE, launches_cell), .key = 1,
     .help = "number of kernels, with all configurations of each"},
    {.id = "covered", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = time_cell, .key = TIME_COVERED,
     .optional = true, .help = "share of the GPU time that is of kernels with counters"},
    {.id = "no_kernel", VIEW_GET_RECORD(&view_record_brief_gap, gap_cell), .optional = true,
     .help = "main cause of time without a kernel, over 3 % of the whole; absent: less than that, or unknown"},
    {.id = "kernels", VIEW_AT_ROWS(struct view_brief, kernels, kernel_count, &view_record_brief_kernel),
     .help = "the kernels with the most GPU time, or the one with the most of those that were asked for"},
    {.id = "others", VIEW_GET_LIST(&view_record_brief_other, others_cell), .optional = true,
     .help = "further kernels that were asked for, the most GPU time first"},
    {.id = "kernels_left", VIEW_GET(WHOLE, left_cell), .help = "number of further kernels that are not in the list"},
    {.id = "told", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = time_cell, .key = TIME_TOLD,
     .help = "share of the GPU time that is of the kernels in the lists"},
    {.id = "cases", VIEW_GET_LIST(&view_record_brief_case, cases_cell), .optional = true,
     .help = "the first cases: work with parameters, timed several times"},
    {.id = "cases_left", VIEW_GET(WHOLE, cases_cell), .optional = true, .help = "number of further cases"},
    {.id = "libraries_text", VIEW_GET(TEXT, view_libraries_text_cell), .optional = true,
     .help = "shares of GPU time in kernels of libraries, about whose code no finding advises"},
    {.id = "findings", VIEW_GET_LIST(&view_record_brief_finding, findings_cell), .optional = true,
     .help = "the findings that matter most; not where kernels were asked for"},
    {.id = "unknown", VIEW_GET_LIST(&view_record_unknown, unknown_cell), .optional = true,
     .help = "what is unknown of the kernels in the list; not where kernels were asked for"},
};
static const struct view_block brief_blocks[] = {
    {.kind = VIEW_BLOCK_FACT, .label = "GPU", .text = "{cards}"},
    {.kind = VIEW_BLOCK_FACT, .label = "time", .text = "[{gpu_s} of GPU time in ]{launches launch|launches} of "
     "{kernel_count kernel|kernels}[; counters cover {covered} of it]", .when = has_kernels},
    {.kind = VIEW_BLOCK_FACT, .label = "GPU idle", .with = "no_kernel",
     .text = "{no_kernel.idle} of {no_kernel.wall_s} wall time[ without {no_kernel.collection_s} of counter collection]; no kernel "
             "ran for {no_kernel.cause_share} {no_kernel.phrase}[, the largest part of it in {no_kernel.range_path}]"},
    {.kind = VIEW_BLOCK_TABLE, .field = "kernels", .when = is_overview,
     .columns = "id,gpu_text,label,share,time_s,limiter_text,nearest,nearest_share"},
    {.kind = VIEW_BLOCK_EACH, .field = "kernels", .when = is_chosen},
    {.kind = VIEW_BLOCK_TABLE, .field = "others", .title = "Other kernels that match",
     .columns = "id,gpu_text,label,share,time_s,limiter_text,nearest,nearest_share", .when = has_others},
    {.kind = VIEW_BLOCK_NOTE, .with = "kernels_left",
     .text = "{kernels_left more kernel|more kernels}[; those above have {told} of the GPU time]"},
    {.kind = VIEW_BLOCK_TABLE, .field = "cases", .when = has_cases, .title = "Cases"},
    {.kind = VIEW_BLOCK_NOTE, .with = "cases_left", .text = "{cases_left more case|more cases}: show --cases"},
    {.kind = VIEW_BLOCK_FACT, .label = "libraries", .with = "libraries_text", .when = is_overview,
     .text = "{libraries_text} of GPU time: no advice on their code"},
    {.kind = VIEW_BLOCK_NOTES, .field = "findings", .title = "What to do first", .when = is_overview,
     .text = "{problem}: [{kernel}: ]{words}[ Saves at most {saving_s}.]"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "unknown", .label = "unknown", .when = is_overview,
     .text = "{what} of {kernels kernel|kernels}[, {share} of GPU time]: {reason}[; {how}]"},
};
const struct view_record view_record_brief = {
    .id = "brief", .format = "rooflight-brief", .title = "{what}",
    .help = "a capture in few lines: what limits its kernels and what to do first", .data_digits = 6, VIEW_FIELDS(brief_fields),
    VIEW_BLOCKS(brief_blocks)};
/* clang-format on */

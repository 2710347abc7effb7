#include "show_parts.h"

enum { MOST_KERNELS = 10, MOST_RANGES = 40, MOST_SHAPES = 5 };

static struct view_cell uncounted_list(const struct view *view, const struct view_field *field, const void *row)
{
    size_t count;
    struct rl_uncounted_reason *reasons = rl_program_uncounted(row, &count), *kept = NULL;
    if (count) {
        kept = rl_arena_alloc(view->arena, count * sizeof *kept);
        memcpy(kept, reasons, count * sizeof *kept);
    }
    free(reasons);
    return view_cell_rows(VIEW_ROWS(kept, count));
}

VIEW_CELL(time_is_cell, struct rl_program, rl_time_state_name(row->coverage.time.state));

VIEW_CELL(gpu_s_cell, struct rl_program, view_cell_signed(rl_value_of(row->gpu_s), rl_time_state_sign(row->coverage.time.state)));

VIEW_CELL(timed_share_cell, struct rl_program,
          rl_value_div(rl_value_of((double)row->coverage.time.timed), rl_value_of((double)row->coverage.time.launches),
                       "no launches"));

VIEW_SAID(gaps_cell, struct rl_program, "", rl_coverage_gaps_text(&row->coverage, &text));

/* Some shapes of a family are counted for all. */
static struct view_cell sampled_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_families *rows = view_subject_of(view)->program_rows;
    const double whole_ns = ((const struct rl_program *)row)->coverage.time.ns;
    if (!rows->folded || whole_ns <= 0)
        return view_cell_absent("");
    return view_cell_number(rl_value_of(rl_families_covered_s(rows) * 1e9 / whole_ns));
}

enum evidence_key { EVIDENCE_SHARE, EVIDENCE_PLACE, EVIDENCE_SECONDS };

/* GPU time of classes that have estimates, and of kernels without a place under the roofs. */
static double not_placed_s(const struct view_subject *subject)
{
    double seconds = 0;
    for (size_t i = 0; i < subject->program_rows->count; i++) {
        const struct rl_family *family = &subject->program_rows->at[i];
        const struct rl_value alone = subject->analysis->kernels[family->kernel].roof_share;
        seconds += rl_present(family->figures ? family->figures->roof_share : alone) ? 0 : family->gpu_s;
    }
    return seconds;
}

static struct view_cell evidence_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const double seconds = field->key == EVIDENCE_PLACE ? not_placed_s(subject) : rl_families_sampled_s(subject->program_rows);
    if (field->key == EVIDENCE_SECONDS)
        return view_cell_number(rl_value_of(seconds));
    const double all_s = ((const struct rl_program *)row)->gpu_s;
    return view_cell_number(rl_value_div(rl_value_of(seconds), rl_value_of(all_s), "no launch was timed"));
}

VIEW_CELL(gpus_cell, struct rl_program, VIEW_ROWS(row->gpus, row->capture->gpu_count));

VIEW_CELL(no_kernel_cell, void, view_gap_causes(view));

VIEW_WHEN(is_cause_shown, struct view_gap_cause, view->all || !rl_present(row->share) || row->share.v >= 0.01);

/* The rows that are families, of those that the table shows. */
static struct view_rows choose_families(const struct view *view, struct view_rows rows, size_t most)
{
    struct view_rows shown = view_choose_kernels(view, rows, most ? MOST_KERNELS : 0);
    size_t *at = rl_arena_alloc(view->arena, shown.count * sizeof *at), count = 0;
    for (size_t i = 0; i < shown.count && !(most && count == most); i++)
        if (((const struct rl_family *)view_rows_at(&shown, i))->figures)
            at[count++] = shown.at[i];
    rows.at = at;
    rows.count = count;
    return rows;
}

static struct view_cell command_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    return view_cell_text(capture->process_count ? field->key ? capture->processes[0].phases : capture->processes[0].command
                                                 : NULL);
}

/* The kernels that the table leaves out. */
struct rest {
    uint64_t timed, timeless; /* classes */
    double share;
};

static struct rest rest_of(const struct view *view)
{
    const struct rl_families *rows = view_subject_of(view)->program_rows;
    const size_t timed = rl_families_leading(rows, 1);
    const struct view_rows all = {rows->at, sizeof *rows->at, rows->count, NULL},
                           listed = view_choose_kernels(view, all, view->all ? 0 : MOST_KERNELS);
    struct rest rest = {0, 0, 0};
    for (size_t i = 0, next = 0; i < rows->count; i++) {
        if (next < listed.count && listed.at[next] == i) {
            next++;
            continue;
        }
        *(i < timed ? &rest.timed : &rest.timeless) += rows->at[i].shapes;
        rest.share += rows->at[i].share;
    }
    return rest;
}

static struct view_cell rest_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rest rest = rest_of(view);
    if (field->type == VIEW_TYPE_NUMBER)
        return view_cell_number(rl_value_of(rest.share));
    return view_cell_whole(field->key ? rest.timeless : rest.timed);
}

/* Classes whose launches do different work. */
static struct view_cell divided_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    uint64_t count = RL_SUM(uint64_t, i, capture->kernel_count, capture->kernels[i].population.number == 1);
    return view_cell_whole(count);
}

/* clang-format off */
static const struct view_field program_fields[] = {
    {.id = "command", VIEW_GET(TEXT, command_cell), .key = 0, .for_people = true,
     .help = "program and arguments of the first process"},
    {.id = "phases", VIEW_GET(TEXT, command_cell), .key = 1, .for_people = true, .help = "how times and counters were kept apart"},
    {.id = "gpu_s", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3, .get = gpu_s_cell,
     .help = "GPU time of all launches; those without a time count as the mean of their configuration where enough have one"},
    {.id = "gpu_s_is", VIEW_GET(TEXT, time_is_cell), .help = "how that is known: 'whole', 'estimated', 'at least' or 'none'"},
    {.id = "gpu_error_s", VIEW_NS(struct rl_program, coverage.time.error_ns),
     .help = "half of the 95 % CI of an estimate, if the timed launches are a random sample"},
    {.id = "covered_s", VIEW_AT(struct rl_program, coverage.covered_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "GPU time of configurations with counters"},
    {.id = "coverage", VIEW_AT(struct rl_program, coverage.share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "its share of all GPU time"},
    {.id = "sampled", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = sampled_cell,
     .help = "the same with the other configurations of kernels that were counted"},
    {.id = "estimates_s", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3, .get = evidence_cell,
     .key = EVIDENCE_SECONDS, .help = "GPU time of configurations without counters that samples of the whole GPU estimate"},
    {.id = "estimates", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = evidence_cell,
     .key = EVIDENCE_SHARE, .help = "its share of all GPU time"},
    {.id = "not_placed", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = evidence_cell,
     .key = EVIDENCE_PLACE, .help = "share of the GPU time of kernels whose position under the roofs is unknown"},
    {.id = "launches", VIEW_AT(struct rl_program, launches), .help = "number of launches"},
    {.id = "timed_launches", VIEW_AT(struct rl_program, coverage.time.timed), .help = "launches with a time"},
    {.id = "timed_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = timed_share_cell,
     .for_people = true, .help = "their share of all launches"},
    {.id = "gaps", VIEW_GET(TEXT, gaps_cell), .for_people = true, .help = "what happens to the launches without a time"},
    {.id = "estimated_launches", VIEW_AT(struct rl_program, coverage.estimated),
     .help = "launches without a time that count as the mean of their configuration"},
    {.id = "bounded_launches", VIEW_AT(struct rl_program, coverage.bounded),
     .help = "launches without a time, left out because too few of their configuration have one"},
    {.id = "timeless_launches", VIEW_AT(struct rl_program, coverage.timeless),
     .help = "launches of configurations of which none has a time"},
    {.id = "timeless_classes", VIEW_AT(struct rl_program, coverage.timeless_classes), .help = "number of those configurations"},
    {.id = "counted_launches", VIEW_AT(struct rl_program, coverage.counted), .help = "launches whose counters were read"},
    {.id = "unselected_launches", VIEW_AT(struct rl_program, unselected), .help = "timed launches that the filters left out"},
    {.id = "unselected_s", VIEW_AT(struct rl_program, unselected_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "their durations, added up"},
    {.id = "untimed_launches", VIEW_AT(struct rl_program, untimed),
     .help = "launches while counters were taken: counted and not timed"},
    {.id = "lost_records", VIEW_AT(struct rl_program, lost), .help = "activity records that CUPTI could not store"},
    {.id = "divided_classes", VIEW_GET(WHOLE, divided_cell),
     .help = "number of configurations whose launches do different work: the lists have a row for each population"},
    {.id = "rest_classes", VIEW_GET(WHOLE, rest_cell), .key = 0, .for_people = true,
     .help = "configurations with a time that the table leaves out"},
    {.id = "rest_timeless", VIEW_GET(WHOLE, rest_cell), .key = 1, .for_people = true,
     .help = "configurations without a time that the table leaves out"},
    {.id = "rest_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = rest_cell, .for_people = true,
     .help = "their share of the GPU time"},
    {.id = "processes", VIEW_SUBJECT_ROWS(capture, processes, process_count, &view_record_process), .help = "its processes"},
    {.id = "gpus", VIEW_GET_LIST(&view_record_program_gpu, gpus_cell), .help = "the GPUs that it used"},
    {.id = "kernels", VIEW_SUBJECT_ROWS(program_rows, at, count, &view_record_program_kernel),
     .help = "its kernels, all configurations of one together where there are many, the largest share first"},
    {.id = "families", VIEW_SUBJECT_ROWS(program_rows, at, count, &view_record_family), .for_people = true,
     .help = "kernels of many configurations"},
    {.id = "limiters", VIEW_GET_LIST(&view_record_limiter, view_limiters_cell), .help = "GPU time by limiter, the largest first"},
    {.id = "libraries", VIEW_GET_LIST(&view_record_library, view_libraries_cell),
     .help = "GPU time in kernels of libraries, the largest first: no finding advises on their code"},
    {.id = "libraries_text", VIEW_GET(TEXT, view_libraries_text_cell), .for_people = true, .help = "the same in one text"},
    {.id = "actions", VIEW_GET_LIST(&view_record_action, view_actions_cell),
     .help = "what to do first: what could save the most seconds in the whole run"},
    {.id = "classes", VIEW_AT_ROWS(struct rl_program, classes, class_count, &view_record_program_class),
     .help = "its launch configurations, the largest share first"},
    {.id = "uncounted", VIEW_GET_LIST(&view_record_uncounted, uncounted_list), .help = "why configurations have no counters"},
    {.id = "no_kernel", VIEW_GET_LIST(&view_record_gap_cause, no_kernel_cell),
     .help = "why no kernel ran between two of them, on all GPUs; empty where the capture does not say when kernels ran"},
    {.id = "ranges", VIEW_AT_ROWS(struct rl_program, ranges, range_count, &view_record_range), .help = "NVTX ranges, depth first"},
    {.id = "transfers", VIEW_SUBJECT_ROWS(capture, transfers, transfer_count, &view_record_transfer),
     .help = "memcpys and memsets"},
};
/* clang-format on */

/* ---- blocks ---- */

VIEW_WHEN(has_ranks, void, view_subject_of(view)->ranks != NULL);

VIEW_WHEN(has_coverage, struct rl_program, rl_present(row->coverage.share) && row->coverage.counted);

/* Cases have another table. */
static bool has_other_ranges(const struct view *view, const void *row)
{
    const struct rl_program *program = row;
    const struct rl_capture *capture = view_subject_of(view)->capture;
    for (size_t i = 0; i < program->range_count; i++) {
        struct rl_case_name name;
        if (!rl_case_name_parse(view->arena, capture->ranges[program->ranges[i].range].name, &name))
            return true;
    }
    return false;
}

/* Whether a process used a GPU that lists show, or none. */
static bool is_shown(const struct view_subject *subject, const struct rl_process *process)
{
    for (size_t i = 0; i < process->gpu_count; i++)
        if (!view_subject_hides(subject, process->gpus[i].gpu))
            return true;
    return process->gpu_count == 0;
}

/* Where a GPU stands for others: ranges of its processes, those with launches. */
static bool is_range_shown(const struct view *view, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_program_range *range = row;
    const struct rl_process *process = &subject->capture->processes[subject->capture->ranges[range->range].process];
    return !subject->folded || (is_shown(subject, process) && range->launches);
}

VIEW_WHEN(has_gaps, struct rl_program, row->coverage.time.timed < row->coverage.time.launches);

VIEW_WHEN(has_losses, struct rl_program, row->unselected || row->lost);
VIEW_WHEN(has_families, void, view_subject_of(view)->program_rows->folded > 0);

VIEW_WHEN(has_rest, void, rest_of(view).timed || rest_of(view).timeless);

#define KERNEL_TABLE                                                                                                               \
    .kind = VIEW_BLOCK_TABLE, .field = "kernels", .most = MOST_KERNELS, .choose = view_choose_kernels,                             \
    .narrow = "id,label,launches,share,median_s,min_s,max_s,deviation_s,counted"

/* clang-format off */
static const struct view_block program_blocks[] = {
    {.kind = VIEW_BLOCK_FACT, .label = "command", .text = "{command}", .when = has_ranks},
    {.kind = VIEW_BLOCK_ITEMS, .field = "processes", .label = "process", .unless = has_ranks,
     .text = "{pid}[, rank {rank}]: {launches launch|launches}, {end_text}"},
    {.kind = VIEW_BLOCK_FACT, .label = "phases", .text = "{phases}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "gpus", .label_field = "label", .unless = has_ranks,
     .text = "timed kernels {kernel_s}, busy {busy_s} of {span_s} {span_is}, idle {idle}[ ({idle:reason})]"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "no_kernel", .label = "no kernel", .only = is_cause_shown,
     .text = "{time_s}[, {share}], {phrase}[, the largest part of it in {range_path}]"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "limiters", .label = "limited by", .unless = has_ranks,
     .text = "{limit_text}: {gpu_s}, {share}"},
    {.kind = VIEW_BLOCK_FACT, .label = "libraries", .with = "libraries_text",
     .text = "{libraries_text} of GPU time: no advice on their code"},
    {KERNEL_TABLE, .title = "GPU time by launch configuration", .unless = has_families},
    {KERNEL_TABLE, .title = "GPU time by kernel", .when = has_families},
    {.kind = VIEW_BLOCK_NOTE, .when = has_rest, .more = true,
     .text = "left out: [{rest_classes configuration|configurations} with {rest_share} of GPU time]"
             "[, {rest_timeless configuration|configurations} without a time]"},
    {.kind = VIEW_BLOCK_NOTES, .field = "families", .most = MOST_SHAPES, .choose = choose_families,
     .when = has_families, .text = VIEW_FAMILY_SENTENCE},
    {.kind = VIEW_BLOCK_NOTE, .when = has_coverage,
     .text = "counters cover {coverage} of GPU time, {covered_s} of {gpu_s}: {counted_launches} of {launches} launches[; with "
             "the other configurations of kernels that were counted {sampled}]"},
    {.kind = VIEW_BLOCK_NOTE, .with = "estimates_s",
     .text = "estimates (~) are from samples of the whole GPU, for {estimates} of GPU time that no counters cover; position under "
             "the roofs unknown for {not_placed}"},
    {.kind = VIEW_BLOCK_NOTE, .with = "divided_classes",
     .text = "launches of {divided_classes configuration|configurations} do different work: each population is a row, "
             "with its mean time in brackets"},
    {.kind = VIEW_BLOCK_NOTE, .when = has_gaps, .text = "timed: {timed_share} of launches, {timed_launches} of {launches}; {gaps}"},
    {.kind = VIEW_BLOCK_NOTE, .when = has_losses,
     .text = "[the filters left out {unselected_launches launch|launches}, {unselected_s}][; {lost_records activity record "
             "was|activity records were} lost]"},
    {.kind = VIEW_BLOCK_NOTES, .field = "uncounted", .most = VIEW_MOST_REASONS,
     .rest = "not counted for {left other reason|other reasons}",
     .text = "not counted, {classes configuration|configurations} ({first}[ and {others} more]): {reason}[; {how}]"},
    {.kind = VIEW_BLOCK_TABLE, .field = "ranges", .title = "NVTX ranges", .most = MOST_RANGES, .only = is_range_shown,
     .when = has_other_ranges, .rest = "{left more range|more ranges}"},
    {.kind = VIEW_BLOCK_TABLE, .field = "transfers", .title = "Memcpys and memsets", .only = view_transfer_is_shown},
};
/* clang-format on */

const struct view_record view_record_program = {.id = "program",
                                                .title = "The program",
                                                .help = "an observed program: where the GPU's time went",
                                                VIEW_FIELDS(program_fields),
                                                VIEW_BLOCKS(program_blocks)};

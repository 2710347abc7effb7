/* cover_program.c - the first page of an observed program: what it is, where its time went, and what limits it (see cover.h).
 * Everything is of one GPU, or of those that are alike, added up. */
#include "cover.h"
#include "view_table.h"

bool rl_cover_is_of_program(const struct rl_report *report, size_t gpu)
{
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, gpu);
    return rl_is_program(report->capture) && blocks->classes > 0 && blocks->total_ns > 0;
}

bool rl_cover_is_of_benchmark(const struct rl_report *report)
{
    return report->capture->benchmark_count && !report->capture->kernel_count;
}

bool rl_report_is_of_program(const struct rl_report *report)
{
    bool any = false;
    for (size_t gpu = 0; gpu < report->capture->gpu_count && rl_is_program(report->capture) && !rl_report_is_full(report); gpu++)
        any |= rl_cover_is_of_program(report, gpu);
    return any;
}

/* ---- the time budget ---- */

enum { MOST_PARTS = RL_LIMITER_COUNT + 8, MOST_GPUS = 8 };
#define BAR_HEIGHT  46.0
#define LEAST_NAMED 0.005 /* of the whole */

struct part {
    const char *what;
    enum rl_tone tone;
    double seconds, whole_s;
};
/* Wall time of GPUs from the first to the last activity of each, as parts that add up to it; without a timeline their time in
 * kernels. */
struct budget {
    struct part parts[MOST_PARTS];
    size_t count;
    double whole_s;
    bool is_wall;
};

static void add_part(struct budget *budget, const char *what, enum rl_tone tone, double seconds)
{
    if (seconds > 0)
        budget->parts[budget->count++] = (struct part){what, tone, seconds, 0};
}

/* Kernels by limiter, the most time first. */
static void add_kernels(struct rl_report *report, size_t gpu, double kernel_s, struct budget *budget)
{
    const struct rl_time_by_limiter time = rl_time_by_limiter_of(report->analysis, report->families, gpu);
    for (size_t i = 0; i < time.count; i++)
        add_part(budget,
                 time.of[i].limiter == RL_LIMITER_UNKNOWN
                     ? "kernels, limiter unknown"
                     : rl_words(report->doc, "kernels limited by %s", rl_limiter_label(time.of[i].limiter)),
                 rl_words_tone(time.of[i].limiter), kernel_s * time.of[i].gpu_s / time.total_s);
}

/* Times of the GPUs of the page, added up. */
struct job {
    size_t gpus;
    double span_s, busy_s, collection_s;
    double cause_s[RL_LANE_COUNT]; /* idle time by cause */
    double edge_s;                 /* idle before the first kernel or after the last */
    double causeless_s;            /* idle time of GPUs without a timeline */
    struct rl_run_time time;
    bool is_wall, has_idle;
};

static void add_gpu(const struct rl_report *report, size_t gpu, struct job *job)
{
    const struct rl_program_gpu *program = &report->analysis->gpus[gpu].program;
    const struct rl_over_time *over = rl_timeline_of_gpu(report, gpu);
    struct rl_run_time time = {0};
    job->gpus++;
    if (over && over->wall_s > 0) { /* kernels at once count once */
        const double kernel_s = over->lane_s[RL_LANE_KERNELS];
        time = (struct rl_run_time){kernel_s, over->wall_s - over->idle_s - kernel_s, over->idle_s};
    } else {
        job->is_wall &= rl_run_time_of(program, &time);
    }
    job->has_idle &= rl_present(program->idle);
    job->span_s += program->span_s;
    job->busy_s += program->busy_s;
    job->time.kernel_s += time.kernel_s;
    job->time.copy_s += time.copy_s;
    job->time.idle_s += time.idle_s;
    job->causeless_s += over ? 0 : time.idle_s;
    job->edge_s += over ? over->edge_s : 0;
    for (unsigned lane = RL_LANE_IDLE_WAIT; over && lane < RL_LANE_UNWATCHED; lane++)
        job->cause_s[lane] += over->lane_s[lane];
    job->collection_s += over ? over->collection_s : 0;
}

static struct job job_of(const struct rl_report *report, size_t gpu)
{
    struct job job = {.is_wall = true, .has_idle = true};
    for (size_t i = 0; i < report->capture->gpu_count; i++)
        if (rl_page_covers_gpu(report, gpu, i))
            add_gpu(report, i, &job);
    return job;
}

static struct budget budget_of(struct rl_report *report, size_t gpu)
{
    const struct job job = job_of(report, gpu);
    struct budget budget = {.is_wall = job.is_wall};
    const double total_s = rl_time_by_limiter_of(report->analysis, report->families, gpu).total_s;
    add_kernels(report, gpu, budget.is_wall ? job.time.kernel_s : total_s, &budget);
    if (budget.is_wall) {
        add_part(&budget, "memcpy, memset alone", RL_TONE_LINK, job.time.copy_s);
        for (unsigned lane = RL_LANE_IDLE_WAIT; lane < RL_LANE_UNWATCHED; lane++)
            add_part(&budget, rl_words(report->doc, "GPU idle: %s", rl_gap_cause_of((enum rl_lane)lane)->label), RL_TONE_IDLE,
                     job.cause_s[lane]);
        add_part(&budget, "GPU idle: before the first kernel, after the last", RL_TONE_IDLE, job.edge_s);
        add_part(&budget, "GPU idle", RL_TONE_IDLE, job.causeless_s);
    }
    for (size_t i = 0; i < budget.count; i++)
        budget.whole_s += budget.parts[i].seconds;
    for (size_t i = 0; i < budget.count; i++)
        budget.parts[i].whole_s = budget.whole_s;
    return budget;
}

void rl_cover_program_plan(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct budget budget = budget_of(report, gpu);
    struct rl_arena *arena = report->doc->arena;
    struct rl_chart_bar *bar = rl_arena_alloc(arena, sizeof *bar);
    double *seconds = rl_arena_alloc(arena, MOST_PARTS * sizeof *seconds);
    enum rl_tone *tones = rl_arena_alloc(arena, MOST_PARTS * sizeof *tones);
    for (size_t i = 0; i < budget.count; i++) {
        seconds[i] = budget.parts[i].seconds;
        tones[i] = budget.parts[i].tone;
    }
    *bar = (struct rl_chart_bar){.label = budget.is_wall ? "wall time" : "GPU time",
                                 .value = budget.whole_s,
                                 .low = NAN,
                                 .high = NAN,
                                 .note = rl_words_seconds(report->doc, budget.whole_s),
                                 .parts = seconds};
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
    chart->height = BAR_HEIGHT;
    chart->bars = (struct rl_chart_bars){.unit = RL_UNIT_SECOND,
                                         .bars = bar,
                                         .bar_count = 1,
                                         .values_aside = true,
                                         .label_share = 0.15,
                                         .part_count = budget.count,
                                         .part_tones = tones};
}

VIEW_CELL(part_cell, struct part, row->seconds / row->whole_s);

static const struct view_field part_fields[] = {
    {.id = "part", .head = "time budget", VIEW_AT(struct part, what)},
    {.id = "time", VIEW_AT(struct part, seconds), .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "share", VIEW_GET(NUMBER, part_cell), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true},
};

static void dress_part(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (field->bar && row)
        cell->share_tone = ((const struct part *)row)->tone;
}

/* ---- GPUs that are alike ---- */

struct gpu_row {
    const char *name;
    double span_s, own_s, collective_s;
    struct rl_value idle;
};

/* clang-format off */
static const struct view_field gpu_fields[] = {
    {.id = "gpu", .head = "GPU", VIEW_AT(struct gpu_row, name)},
    {.id = "wall_s", .head = "wall time", VIEW_AT(struct gpu_row, span_s), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "GPU"},
    {.id = "own_s", .head = "own kernels", VIEW_AT(struct gpu_row, own_s), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "GPU"},
    {.id = "collective_s", .head = "collectives", VIEW_AT(struct gpu_row, collective_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .scale = "GPU"},
    {.id = "idle", VIEW_AT(struct gpu_row, idle), .unit = RL_UNIT_FRACTION, .digits = 3},
};
/* clang-format on */

/* How far the GPUs differ; ranks have a separate page. */
static void draw_gpus(struct rl_report *report, size_t gpu, size_t count)
{
    const struct rl_capture *capture = report->capture;
    struct gpu_row *rows = rl_arena_alloc(report->doc->arena, count * sizeof *rows);
    size_t *row_of = rl_arena_alloc(report->doc->arena, capture->gpu_count * sizeof *row_of), n = 0;
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const struct rl_program_gpu *program = &report->analysis->gpus[i].program;
        row_of[i] = RL_NONE;
        if (!rl_page_covers_gpu(report, gpu, i))
            continue;
        row_of[i] = n;
        rows[n++] = (struct gpu_row){
            .name = rl_words(report->doc, "%d", capture->gpus[i].index), .span_s = program->span_s, .idle = program->idle};
    }
    for (size_t k = 0; k < capture->kernel_count; k++)
        if (row_of[capture->kernels[k].gpu] != RL_NONE) {
            struct gpu_row *row = &rows[row_of[capture->kernels[k].gpu]];
            *(rl_is_collective(&capture->kernels[k]) ? &row->collective_s : &row->own_s) += rl_kernel_gpu_ns(capture, k) * 1e-9;
        }
    rl_layout_skip(report->doc->layout, 4);
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(gpu_fields, rows, n), .most = MOST_GPUS, .tight = true});
}

/* ---- the head ---- */

static const char *command_of(const struct rl_report *report)
{
    const char *command = report->capture->processes[0].command;
    return command ? command : "";
}

/* "transformer.py" of "python3 gpu/transformer.py --steps 10": the last part of the first word that is neither an interpreter nor
 * an option; the interpreter where the capture leaves the rest out. */
const char *rl_cover_program_name(struct rl_report *report)
{
    enum { LONGEST = 48 };
    const char *first = NULL, *command = command_of(report);
    for (const char *word = command; *word;) {
        size_t length = strcspn(word, " ");
        const char *name = word;
        for (const char *p = word; p < word + length; p++)
            name = *p == '/' && p + 1 < word + length ? p + 1 : name;
        const size_t own = length - (size_t)(name - word);
        const char *shown = rl_words_short(report->doc, rl_words(report->doc, "%.*s", (int)own, name), LONGEST);
        first = first ? first : shown;
        if (rl_capture_is_untold(word))
            return first;
        if (own > 0 && *word != '-' && !rl_capture_is_interpreter(name, own))
            return shown;
        word += length + strspn(word + length, " ");
    }
    return first ? first : "program";
}

/* "H200", "2 × H200", "H200, GPU 0 of a session with 2". */
static const char *cards_text(struct rl_report *report, const struct job *job, size_t gpu)
{
    const struct rl_capture *capture = report->capture;
    const char *card = rl_words_card(capture, gpu);
    if (job->gpus > 1)
        card = rl_words(report->doc, "%zu\u00a0×\u00a0%s", job->gpus, card);
    else if (capture->gpu_count > 1)
        card = rl_words(report->doc, "%s, GPU %d", card, capture->gpus[gpu].index);
    return job->gpus < capture->gpu_count ? rl_words(report->doc, "%s of a session with %zu GPUs", card, capture->gpu_count) : card;
}

/* " · 362 ms wall time, 1.08 s of counter collection excluded". */
static const char *wall_text(struct rl_report *report, const struct job *job)
{
    const char *collection = job->collection_s > 0 ? rl_words(report->doc, ", %s of counter collection excluded",
                                                              rl_words_seconds(report->doc, job->collection_s))
                                                   : "";
    return job->span_s > 0 ? rl_words(report->doc, " · %s wall time%s%s", rl_words_seconds(report->doc, job->span_s),
                                      job->gpus > 1 ? " of all GPUs, added up" : "", collection)
                           : "";
}

/* ---- the answer ---- */

/* "92.5 % of the ~2.59 s in kernels is limited by parallelism, 7.53 % is limited by launch overhead." */
static const char *limits_text(struct rl_report *report, size_t gpu)
{
    enum { MOST = 3 };
    const struct rl_time_by_limiter time = rl_time_by_limiter_of(report->analysis, report->families, gpu);
    struct rl_class_time all = {0};
    for (size_t i = 0; i < report->families->count; i++)
        if (report->families->at[i].gpu == gpu)
            rl_class_time_add(&all, &report->families->at[i].time);
    const char *text = "";
    for (size_t i = 0; i < MOST && i < time.count && time.of[i].gpu_s >= RL_LEAST_SHARE * time.total_s; i++)
        text =
            rl_words(report->doc, "%s%s%s%s %s", text, i ? ", " : "", rl_cover_share_text(report, time.of[i].gpu_s, time.total_s),
                     i ? ""
                       : rl_words(report->doc, " of the %s%s in kernels", rl_time_state_sign(all.state),
                                  rl_words_seconds(report->doc, time.total_s)),
                     time.of[i].limiter == RL_LIMITER_UNKNOWN
                         ? "has an unknown limiter"
                         : rl_words(report->doc, "is limited by %s", rl_limiter_label(time.of[i].limiter)));
    return text;
}

/* The budget has the launches that were timed, and tables of kernels have all. */
static void note_untimed(struct rl_report *report, size_t gpu, const struct budget *budget)
{
    uint64_t launches = 0, timed = 0;
    for (size_t i = 0; i < report->families->count; i++)
        if (rl_page_covers_gpu(report, gpu, report->families->at[i].gpu)) {
            launches += report->families->at[i].time.launches;
            timed += report->families->at[i].time.timed;
        }
    if (budget->is_wall && timed && timed < launches)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "Kernels: the %s timed launches; below, all %s.",
                        rl_words_number(report->doc, timed), rl_words_number(report->doc, launches));
}

/* ", most of it while the host did other work before the next launch": of times in which no copy ran either. */
static const char *why_idle(struct rl_report *report, const struct job *job)
{
    static const double much = 0.02; /* of the time: less is not worth the words */
    enum rl_lane most = RL_LANE_IDLE_WAIT;
    double all_s = 0;
    for (unsigned lane = RL_LANE_IDLE_WAIT; lane < RL_LANE_UNWATCHED; lane++) {
        all_s += job->cause_s[lane];
        most = job->cause_s[lane] > job->cause_s[most] ? (enum rl_lane)lane : most;
    }
    if (job->cause_s[most] < much * job->span_s || job->cause_s[most] < (all_s + job->edge_s) / 2)
        return "";
    return rl_words(report->doc, ", most of it %s", rl_gap_cause_of(most)->phrase);
}

static const char *answer(struct rl_report *report, const struct job *job, size_t gpu)
{
    const struct rl_value idle_share = rl_value_of(job->span_s > 0 ? 1 - job->busy_s / job->span_s : 0);
    const char *idle = job->has_idle && job->span_s > 0
                           ? rl_words(report->doc, "The GPU%s idle for %s of %s%s. ", job->gpus > 1 ? "s were" : " was",
                                      rl_words_value(report->doc, RL_UNIT_FRACTION, idle_share, 3),
                                      rl_words_seconds(report->doc, job->span_s), why_idle(report, job))
                           : "";
    return rl_words(report->doc, "%s%s.", idle, limits_text(report, gpu));
}

void rl_cover_program_draw(struct rl_report *report, const struct rl_section *section, size_t gpu)
{
    struct rl_layout *layout = report->doc->layout;
    assert(gpu < report->capture->gpu_count);
    const struct job job = job_of(report, gpu);
    struct rl_para name = {.max_lines = 2}, line = {.max_lines = 2};
    rl_para_add(report->doc->layout, &name, RL_STYLE_DISPLAY, rl_cover_program_name(report));
    rl_layout_para(report->doc->layout, &name);
    rl_para_addf(report->doc->layout, &line, RL_STYLE_CODE, "%s", rl_words_short(report->doc, command_of(report), 200));
    rl_layout_para(report->doc->layout, &line);
    rl_layout_textf(report->doc->layout, RL_STYLE_QUIET, "%s · %s%s", cards_text(report, &job, gpu),
                    rl_words_date(report->doc, &report->capture->session), wall_text(report, &job));
    rl_layout_skip(layout, 8);
    rl_layout_text(layout, RL_STYLE_LEAD, answer(report, &job, gpu));
    rl_layout_skip(layout, 6);
    /* Parts too small to be seen are added up in the last row. */
    const struct budget budget = budget_of(report, gpu);
    struct part *rows = rl_arena_alloc(report->doc->arena, (budget.count + 1) * sizeof *rows),
                rest = {"other", RL_TONE_GREY, 0, budget.whole_s};
    size_t count = 0;
    for (size_t i = 0; i < budget.count; i++)
        if (budget.parts[i].seconds >= LEAST_NAMED * budget.whole_s)
            rows[count++] = budget.parts[i];
        else
            rest.seconds += budget.parts[i].seconds;
    if (rest.seconds > 0)
        rows[count++] = rest;
    rl_layout_drawing(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing,
                      "Wall time of the GPU: kernels by limiter, memcpys, idle.");
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(part_fields, rows, count), .dress = dress_part});
    note_untimed(report, gpu, &budget);
    if (job.gpus > 1 && !report->analysis->index.has_ranks)
        draw_gpus(report, gpu, job.gpus);
    rl_layout_skip(layout, 6);
    rl_cover_actions_draw(report, gpu);
    rl_cover_kernels_draw(report, gpu);
    rl_cover_health_draw(report, gpu);
}

/* page_evidence.c - the last page about a program: the run and its versions, coverage, what is abnormal, what is unknown and the
 * option that collects it, the method in a few lines. */
#include "cover.h"
#include "results/results.h"
#include "view_table.h"

static void draw_coverage(struct rl_report *report)
{
    const struct rl_families *families = report->families;
    double whole_s = 0, known_s = rl_families_covered_s(families);
    uint64_t launches = 0, timed = 0, counted = 0;
    for (size_t i = 0; i < families->count; i++) {
        whole_s += families->at[i].gpu_s;
        launches += families->at[i].time.launches;
        timed += families->at[i].time.timed;
        counted += families->at[i].counted;
    }
    rl_layout_subsection(report->doc->layout, "Coverage");
    rl_layout_textf(
        report->doc->layout, RL_STYLE_BODY,
        "Timed without counters: %s of %s. Counted: %s of kernels with %s of GPU time. Launches without a time count as the mean "
        "of their kernel (~).",
        rl_words_number(report->doc, timed), rl_words_count(report->doc, launches, "launch", "launches"),
        rl_words_count(report->doc, counted, "launch", "launches"),
        whole_s > 0 ? rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(known_s / whole_s), 3) : "none");
    if (rl_page_target(report, RL_PAGE_program) == RL_NO_TARGET && report->capture->process_count &&
        report->capture->processes[0].phases && report->capture->processes[0].phases[0])
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "Phases: %s.", report->capture->processes[0].phases);
}

struct added {
    uint64_t launches;
    double ns, low_ns, high_ns; /* in all */
};

static struct added added_by(const struct rl_capture *capture, enum rl_clock clock)
{
    struct added all = {0};
    for (size_t k = 0; k < capture->kernel_count; k++) {
        const struct rl_kernel_clock *of = &capture->kernels[k].clock;
        const struct rl_kernel_use *use = rl_kernel_use_of(capture, k);
        if (!use || of->clock != clock || !rl_present(of->cost_ns))
            continue;
        all.launches += use->timed;
        all.ns += (double)use->timed * of->cost_ns.v;
        all.low_ns += (double)use->timed * of->cost_low_ns.v;
        all.high_ns += (double)use->timed * of->cost_high_ns.v;
    }
    return all;
}

static const char *const method[] = {
    "Time: launches without counters, by CUPTI's activity records; median and 95 % CI from order statistics of at most 512 "
    "launches of each kernel.",
    "Counters: separate launches, whole and serialised; used for times only where no launch was timed.",
    "% of roof: time that the counted work takes at the roof of a resource, over the median time.",
    "Roofs: measured (m) where this session measured them, else theoretical (p) at the clock of the pass that counted.",
    "Limiter: the resource with the largest % of roof, from 60 % on; below it launch overhead, parallelism, latency or unknown. "
    "Parallelism and latency have no interval: they follow from the launch configuration and from counted stall reasons.",
    "Time saved: an upper bound for the whole run; savings of one kernel overlap.",
    "~ is an estimate with an interval, " RL_EN_DASH " a missing value with its reason, ± half of the 95 % CI.",
    "Definitions and sources: docs/limiters.md, docs/measuring.md. Everything else: rooflight report --full, rooflight show "
    "--full.",
};

#define METHOD_ROOM 190.0 /* its lines stand together */

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    rl_method_draw_run(report);
    draw_coverage(report);
    for (size_t gpu = 0, others = 0; gpu < report->capture->gpu_count; gpu++) {
        if (rl_page_hides_gpu(report, gpu) || gpu == rl_cover_gpu(report)) /* of which the first page has it */
            continue;
        if (others++ == 0)
            rl_layout_subsection(report->doc->layout, "State of the other GPUs");
        rl_cover_health_draw(report, gpu);
    }
    const struct view view = view_subject_view(report->subject, &view_record_brief, view_brief_of_all(report->subject));
    rl_layout_subsection(report->doc->layout, "Unknown");
    rl_view_items(report->doc->layout, &view, "unknown", 0);
    rl_layout_need(doc->layout, METHOD_ROOM);
    rl_layout_subsection(doc->layout, "Method");
    for (size_t i = 0; i < RL_COUNT(method); i++)
        rl_layout_text(doc->layout, RL_STYLE_BODY, method[i]);
    /* Time that recording added to the program's kernels, by the kind of record. */
    struct rl_para para = {0};
    const char *before = "Tracing overhead, subtracted from these times: ";
    for (int clock = RL_CLOCK_SERIAL; clock <= RL_CLOCK_BOTH; clock++) {
        const struct added all = added_by(report->capture, (enum rl_clock)clock);
        const double launches = (double)all.launches;
        if (!all.launches)
            continue;
        rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s%s per launch (%s to %s) for %s with %s", before,
                     rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(all.ns / launches * 1e-9), 3),
                     rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(all.low_ns / launches * 1e-9), 3),
                     rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(all.high_ns / launches * 1e-9), 3),
                     rl_words_number(report->doc, all.launches), rl_clock_name((enum rl_clock)clock));
        before = "; ";
    }
    if (para.count) {
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, ".");
        rl_layout_para(report->doc->layout, &para);
    }
}

static size_t how_many(const struct rl_document *doc)
{
    return rl_report_is_of_program(doc->subject);
}

const struct rl_page rl_page_evidence = {.count = how_many, .draw = draw, .joins = 250, .fills = 120};

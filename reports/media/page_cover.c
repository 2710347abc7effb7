/* page_cover.c - the first page: the card, the result in a sentence, key figures, the roofline, what matters, and the card's
 * health. */
#include <assert.h>
#include <string.h>

#include "analysis/program.h"
#include "cover.h"
#include "findings.h"
#include "roofline_entries.h"

#define CHART_HEIGHT 268.0
#define LETTER_LESS  46.0  /* the page is that much shorter */
#define SHORT_HEIGHT 180.0 /* leaves room for the card */

static size_t cover_gpu(const struct rl_report *report)
{
    return rl_page_gpu(report, RL_PAGE_roofline, 0);
}

enum { MOST_NAMES = 25 }; /* with more points than that, only the best variant of each experiment has a name */

static enum rl_naming naming(struct rl_report *report)
{
    return rl_points_count(report, cover_gpu(report)) > MOST_NAMES ? RL_NAME_BEST : RL_NAME_ALL;
}

static bool any_on_roofline(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    for (size_t i = 0; i < entries->count; i++)
        if (rl_entry_on_roofline(&entries->at[i]))
            return true;
    return false;
}

static bool is_of_program(const struct rl_report *report)
{
    return rl_cover_is_of_program(report, cover_gpu(report));
}

/* Whether it is about a card: its ceilings were measured, and not for the sake of a kernel or two. */
static bool is_of_card(struct rl_report *report)
{
    return !report->doc->is_short && rl_roofline_entries_of(report, cover_gpu(report))->suite &&
           rl_cover_card_answer(report, cover_gpu(report)) != NULL;
}

/* Where nothing does floating-point operations, the bars of DRAM throughputs take the roofline's place. */
static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    if (is_of_program(report)) {
        rl_cover_program_plan(report, section, cover_gpu(report));
        return;
    }
    if (is_of_card(report)) {
        rl_cover_card_plan(report, section, cover_gpu(report));
        return;
    }
    if (!any_on_roofline(report, cover_gpu(report)) && rl_points_bars(report, section, cover_gpu(report)))
        return;
    struct rl_chart *chart = rl_points_roofline(report, section, cover_gpu(report), false, naming(report));
    if (chart)
        chart->height = (report->doc->is_short ? SHORT_HEIGHT : CHART_HEIGHT) -
                        (report->doc->options->paper == RL_PAPER_LETTER ? LETTER_LESS : 0);
}

/* ---- what is to be said ---- */

struct summary {
    size_t entries, timed, wrong, above; /* above: a roof, and so in doubt */
    bool suite;
    struct rl_claim_tally claims;
    const struct rl_roofline_entry *only; /* the one entry that there is; NULL: there are several */
    const struct rl_roofline_entry *fastest_memory,
        *fastest_arithmetic;                 /* highest DRAM throughput, highest FLOP/s; NULL: unknown */
    const struct rl_roofline_entry *nearest; /* the greatest share of a roof that limits; NULL: none is limited by one */
    const struct rl_ceiling *dram;
    const struct rl_gpu_result *gpu;
};

/* Not of what lies above a roof: its counters or the roof are in doubt. */
static const struct rl_roofline_entry *greater(const struct rl_roofline_entry *a, const struct rl_roofline_entry *b,
                                               enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    if (!b->shows || b->above_roof || !rl_present(b->metric[metric]) || b->metric[metric].v <= 0)
        return a;
    return !a || b->metric[metric].v > a->metric[metric].v ? b : a;
}

static const struct rl_roofline_entry *nearer(const struct rl_roofline_entry *a, const struct rl_roofline_entry *b)
{
    if (!b->shows || b->above_roof || b->limiter == RL_RESOURCE_COUNT || !rl_present(b->roof_share))
        return a;
    return !a || b->roof_share.v > a->roof_share.v ? b : a;
}

static void summarise_entries(const struct rl_capture *capture, const struct rl_roofline_entries *entries, struct summary *s)
{
    s->suite = entries->suite;
    s->entries = entries->count;
    s->only = entries->count == 1 ? &entries->at[0] : NULL;
    for (size_t i = 0; i < entries->count; i++) {
        s->timed += rl_present(entries->at[i].time_s);
        s->wrong += entries->at[i].wrong;
        s->above += entries->at[i].shows && entries->at[i].above_roof;
        if (entries->at[i].run && rl_is_of_self_check(capture, entries->at[i].run->variant))
            continue;
        s->fastest_memory = greater(s->fastest_memory, &entries->at[i], RL_METRIC_dram_bytes_per_second);
        s->fastest_arithmetic = greater(s->fastest_arithmetic, &entries->at[i], RL_METRIC_flop_per_second);
        s->nearest = nearer(s->nearest, &entries->at[i]);
    }
}

static struct summary summarise(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    struct summary s = {.gpu = &report->analysis->gpus[gpu]};
    s.dram = &s.gpu->ceiling[RL_CEILING_dram];
    summarise_entries(report->capture, rl_roofline_entries_of(report, gpu), &s);
    s.claims = rl_claims_tally(report->analysis, gpu, RL_CLAIM_BASIS_FIGURE);
    return s;
}

static bool types_matter(const struct rl_roofline_entry *entry)
{
    return entry->kernel && entry->kernel->types_matter;
}

/* Of one kernel alone. */
static const char *answer_of(struct rl_report *report, const struct rl_roofline_entry *entry)
{
    const char *name = rl_words_short(report->doc, entry->label, 60), *where = "its position under the roofs is unknown";
    if (!rl_present(entry->time_s))
        return rl_words(report->doc, "%s: %s", name, rl_value_reason(entry->time_s));
    if (rl_present(entry->roof_share) && entry->bound == RL_BOUND_UNKNOWN && !entry->above_roof && !types_matter(entry)) {
        where = rl_words(report->doc, "%s of its nearest roof; what limits it is unknown",
                         rl_words_value(report->doc, RL_UNIT_FRACTION, entry->roof_share, 3));
    } else if (rl_present(entry->roof_share) && entry->bound == RL_BOUND_UNKNOWN && !entry->above_roof) {
        where = rl_words(report->doc,
                         "%s of the FP16 roof; its matrix operations were not counted by type, and the type decides what limits it",
                         rl_words_value(report->doc, RL_UNIT_FRACTION, entry->roof_share, 3));
    } else if (rl_present(entry->roof_share)) {
        struct rl_value roof_s = rl_value_of(entry->time_s.v * entry->roof_share.v);
        const char *best = entry->roof_share.v < 1 ? rl_words(report->doc, "; at its roof it would take %s",
                                                              rl_words_value(report->doc, RL_UNIT_SECOND, roof_s, 3))
                                                   : "";
        where = rl_words(report->doc, "%s of its roof, %s%s", rl_words_value(report->doc, RL_UNIT_FRACTION, entry->roof_share, 3),
                         entry->above_roof ? "so the roof or its counters are in doubt" : rl_bound_name(entry->bound), best);
    }
    return rl_words(report->doc, "%s takes %s: %s", name, rl_words_value(report->doc, RL_UNIT_SECOND, entry->time_s, 4), where);
}

static const char *fastest_memory_text(struct rl_report *report, const struct summary *s)
{
    const struct rl_value rate = s->fastest_memory->metric[RL_METRIC_dram_bytes_per_second], roof = rl_ceiling_figure(s->dram);
    const char *share = rl_present(roof) && roof.v > 0
                            ? rl_words(report->doc, ", %s of its roof",
                                       rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rate, roof, NULL), 3))
                            : "";

    return rl_words(report->doc, "Kernels reach up to %s at device memory%s (%s)",
                    rl_words_value(report->doc, RL_UNIT_BYTE_PER_SECOND, rate, 3), share,
                    rl_words_short(report->doc, s->fastest_memory->label, 60));
}

/* What the kernels come to, best first. */
static const char *best_text(struct rl_report *report, const struct summary *s)
{
    if (s->only)
        return answer_of(report, s->only);
    if (!s->suite && s->nearest && s->nearest->limiter != RL_RESOURCE_dram)
        return rl_words(
            report->doc, "Closest to its roof is %s, at %s of that of %s", rl_words_short(report->doc, s->nearest->label, 60),
            rl_words_value(report->doc, RL_UNIT_FRACTION, s->nearest->roof_share, 3), rl_resources[s->nearest->limiter].label);
    if (s->fastest_memory)
        return fastest_memory_text(report, s);
    const char *timed =
        rl_words_count(report->doc, s->timed, s->suite ? "variant was" : "kernel was", s->suite ? "variants were" : "kernels were");
    return s->above
               ? rl_words(report->doc, "%s timed; the counters put them above a roof, so roofs or counters are in doubt", timed)
               : rl_words(report->doc, "%s timed; %s their position under the roofs is unknown", timed,
                          rl_words_uncounted(report->doc, &report->capture->session));
}

static const char *wrong_text(struct rl_report *report, const struct summary *s)
{
    return rl_words(report->doc, "%s a wrong result",
                    rl_words_count(report->doc, s->wrong, "variant computed", "variants computed"));
}

/* The sentence that says the result. */
static const char *answer(struct rl_report *report, const struct summary *s)
{
    const char *first = best_text(report, s);
    const char *claims = "";
    const size_t judged = rl_claims_judged(&s->claims);
    if (judged > 0)
        claims = rl_words(report->doc, "; %zu of %zu published figures that can be judged here %s",
                          s->claims.outcome[RL_CLAIM_HELD], judged, s->claims.outcome[RL_CLAIM_HELD] == 1 ? "holds" : "hold");
    return rl_words(report->doc, "%s%s%s.", first, claims, s->wrong ? rl_words(report->doc, "; %s", wrong_text(report, s)) : "");
}

static const char *card_answer(struct rl_report *report, const struct summary *s, size_t gpu)
{
    const char *card = rl_cover_card_answer(report, gpu);
    return s->wrong ? rl_words(report->doc, "%s %s.", card, rl_words_sentence(report->doc, wrong_text(report, s))) : card;
}

/* ---- key figures ---- */

static size_t add_figure(struct rl_cover_figure *figures, size_t count, const char *label, const char *value, const char *below)
{
    assert(count < RL_COVER_FIGURES);
    figures[count] = (struct rl_cover_figure){label, value, below};
    return count + 1;
}

static const char *against(struct rl_report *report, struct rl_value value, const struct rl_ceiling *ceiling, enum rl_unit unit,
                           const char *name)
{
    struct rl_value roof = ceiling->theoretical;
    if (!rl_present(roof) || roof.v <= 0)
        return rl_words(report->doc, "%s unknown", name);
    return rl_words(report->doc, "%s of %s, %s", rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(value, roof, NULL), 3),
                    rl_words_value(report->doc, unit, roof, 3), name);
}

/* A rate of the one kernel, held against the roof that it has here. */
static size_t add_rate(struct rl_report *report, const struct summary *s, enum rl_metric metric, const char *label,
                       const struct rl_ceiling *ceiling, struct rl_cover_figure *figures, size_t count)
{
    assert(metric < RL_METRIC_COUNT);
    const struct rl_value rate = rl_entry_metric(report, s->only, metric), roof = rl_ceiling_figure(ceiling);
    const enum rl_unit unit = rl_metrics[metric].unit;
    if (!rl_present(rate) || rate.v <= 0)
        return count;
    return add_figure(figures, count, label, rl_words_value(report->doc, unit, rate, 3),
                      rl_present(roof) && roof.v > 0
                          ? rl_words(report->doc, "%s of %s",
                                     rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rate, roof, NULL), 3),
                                     rl_words_value(report->doc, unit, roof, 3))
                          : "roof unknown");
}

static size_t kernel_figures(struct rl_report *report, const struct summary *s, struct rl_cover_figure *figures)
{
    const struct rl_roofline_entry *entry = s->only;
    size_t count = 0;
    if (rl_present(entry->time_s))
        count = add_figure(figures, count, "median time", rl_words_value(report->doc, RL_UNIT_SECOND, entry->time_s, 4),
                           rl_words_count(report->doc, entry->duration->n, "launch timed", "launches timed"));
    if (rl_present(entry->time_s) && rl_present(entry->roof_share))
        count = add_figure(figures, count, "share of its roof", rl_words_value(report->doc, RL_UNIT_FRACTION, entry->roof_share, 3),
                           types_matter(entry)                ? "matrix types not counted: FP16's"
                           : entry->bound == RL_BOUND_UNKNOWN ? "what limits is unknown"
                                                              : rl_bound_name(entry->bound));
    count = add_rate(report, s, RL_METRIC_dram_bytes_per_second, "DRAM throughput", s->dram, figures, count);
    count = add_rate(report, s, RL_METRIC_l2_bytes_per_second, "L2 throughput", &s->gpu->ceiling[RL_CEILING_l2], figures, count);
    count = add_rate(report, s, RL_METRIC_flop_per_second, "arithmetic", &s->gpu->ceiling[rl_entry_arithmetic_roof(entry)], figures,
                     count);
    const struct rl_value occupancy = rl_entry_metric(report, entry, RL_METRIC_achieved_occupancy);
    if (rl_present(occupancy) && entry->kernel)
        count = add_figure(figures, count, "occupancy", rl_words_value(report->doc, RL_UNIT_FRACTION, occupancy, 3),
                           rl_words(report->doc, "%s possible",
                                    rl_words_value(report->doc, RL_UNIT_FRACTION, entry->kernel->occupancy.fraction, 3)));
    assert(count <= RL_COVER_FIGURES);
    return count;
}

/* A measured ceiling, held against theory. */
static size_t add_measured(struct rl_report *report, const struct rl_gpu_result *gpu, enum rl_ceiling_id id, const char *label,
                           struct rl_cover_figure *figures, size_t count)
{
    assert(id < RL_CEILING_COUNT);
    const struct rl_ceiling *ceiling = &gpu->ceiling[id];
    if (ceiling->measured.n == 0)
        return count;
    const char *share = rl_present(ceiling->share) ? rl_words(report->doc, "%s of theory",
                                                              rl_words_value(report->doc, RL_UNIT_FRACTION, ceiling->share, 3))
                                                   : "measured";
    return add_figure(figures, count, label,
                      rl_words_value(report->doc, rl_ceilings[id].unit, rl_value_of(ceiling->measured.median), 3), share);
}

static size_t ceiling_figures(struct rl_report *report, const struct summary *s, struct rl_cover_figure *figures, size_t count)
{
    count = add_measured(report, s->gpu, RL_CEILING_dram, "device memory", figures, count);
    count = add_measured(report, s->gpu, RL_CEILING_l2, "L2 cache", figures, count);
    count = add_measured(report, s->gpu, RL_CEILING_fp32, "FP32 arithmetic", figures, count);
    return add_measured(report, s->gpu, RL_CEILING_tensor_bf16, "BF16 matrix units", figures, count);
}

static size_t rate_figures(struct rl_report *report, const struct summary *s, struct rl_cover_figure *figures, size_t count)
{
    if (s->fastest_memory) {
        struct rl_value rate = rl_entry_metric(report, s->fastest_memory, RL_METRIC_dram_bytes_per_second);
        count = add_figure(figures, count, "best DRAM rate", rl_words_value(report->doc, RL_UNIT_BYTE_PER_SECOND, rate, 3),
                           against(report, rate, s->dram, RL_UNIT_BYTE_PER_SECOND, "pin rate"));
    }
    if (s->fastest_arithmetic) {
        const enum rl_ceiling_id roof = rl_entry_arithmetic_roof(s->fastest_arithmetic); /* of most of its operations */
        struct rl_value rate = rl_entry_metric(report, s->fastest_arithmetic, RL_METRIC_flop_per_second);
        count = add_figure(figures, count, "best arithmetic rate", rl_words_value(report->doc, RL_UNIT_FLOP_PER_SECOND, rate, 3),
                           against(report, rate, &s->gpu->ceiling[roof], RL_UNIT_FLOP_PER_SECOND, rl_ceilings[roof].label));
    }
    if (rl_present(s->gpu->ridge_dram))
        count = add_figure(figures, count, "ridge point", rl_words_value(report->doc, RL_UNIT_FLOP_PER_BYTE, s->gpu->ridge_dram, 3),
                           "where FP32 meets DRAM");
    return count;
}

static size_t add_clock(struct rl_report *report, const struct summary *s, struct rl_cover_figure *figures, size_t count)
{
    const struct rl_stats *clock = &s->gpu->sm_clock;
    if (clock->n == 0)
        return count;
    const struct rl_value spread = rl_value_of((clock->max - clock->min) / clock->median);
    if (clock->n == 1)
        return add_figure(figures, count, "SM clock", rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(clock->median), 4),
                          "of one kernel");
    return add_figure(figures, count, "SM clock", rl_words_value(report->doc, RL_UNIT_HERTZ, rl_value_of(clock->median), 4),
                      rl_words(report->doc, "spread %s over the passes", rl_words_value(report->doc, RL_UNIT_FRACTION, spread, 2)));
}

/* ", 3 gained more than claimed"; "" when none did. */
static const char *exceeded_text(struct rl_report *report, const struct rl_claim_tally *claims)
{
    const size_t exceeded = claims->outcome[RL_CLAIM_EXCEEDED];
    return exceeded ? rl_words(report->doc, ", %zu more than claimed", exceeded) : "";
}

static size_t session_figures(struct rl_report *report, const struct summary *s, struct rl_cover_figure *figures, size_t count)
{
    if (count < RL_COVER_FIGURES - 2)
        count = add_clock(report, s, figures, count);
    if (rl_claims_total(&s->claims) > 0)
        count = add_figure(figures, count, "published figures that held",
                           rl_words(report->doc, "%zu of %zu", s->claims.outcome[RL_CLAIM_HELD], rl_claims_judged(&s->claims)),
                           rl_words(report->doc, "%zu did not, %zu undecided%s", s->claims.outcome[RL_CLAIM_DID_NOT_HOLD],
                                    s->claims.outcome[RL_CLAIM_UNDECIDED], exceeded_text(report, &s->claims)));
    return add_figure(figures, count, s->suite ? "variants" : "kernels", rl_words(report->doc, "%zu", s->entries),
                      s->wrong ? rl_words(report->doc, "%zu WRONG", s->wrong)
                               : rl_words(report->doc, "%zu timed, none wrong", s->timed));
}

/* What the document is about, and then what it was measured in. */
static size_t figures_of(struct rl_report *report, const struct summary *s, struct rl_cover_figure *figures)
{
    size_t count = s->only ? kernel_figures(report, s, figures) : ceiling_figures(report, s, figures, 0);
    if (count == 0)
        count = rate_figures(report, s, figures, 0);
    return s->only && count > 0 ? count : session_figures(report, s, figures, count);
}

/* ---- the page ---- */

/* "rooflight collect --ceilings full: 17 experiments, 88 variants, 19 ceilings; counters collected". */
static void draw_run(struct rl_report *report, const struct summary *s, size_t gpu)
{
    const struct rl_session *session = &report->capture->session;
    struct rl_para para = RL_PARA_INIT;
    struct rl_buf command = RL_BUF_INIT;
    size_t experiments = 0, ceilings = 0;
    for (size_t i = 0; i < session->command_count; i++)
        rl_buf_addf(&command, "%s%s", i ? " " : "", session->command[i]);
    for (size_t i = 0, count = report->experiment_count; i < count; i++)
        experiments += rl_experiment_key_of(report, i).gpu == gpu;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        ceilings += s->gpu->ceiling[i].run != RL_NONE && rl_ceiling_listed(&s->gpu->ceiling[i], (enum rl_ceiling_id)i);
    if (command.len > 0)
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NAME_QUIET, "%s  ", rl_words_short(report->doc, command.data, 70));
    if (experiments > 0)
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, "%s with ",
                     rl_words_count(report->doc, experiments, "experiment", "experiments"));
    rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE, "%s%s",
                 rl_words_count(report->doc, s->entries, s->suite ? "variant" : "kernel", s->suite ? "variants" : "kernels"),
                 ceilings ? rl_words(report->doc, ", %s measured", rl_words_count(report->doc, ceilings, "ceiling", "ceilings"))
                          : "");
    para.max_lines = 2;
    rl_layout_para(report->doc->layout, &para);
    rl_para_release(&para);
    rl_buf_release(&command);
}

static void draw_head(struct rl_report *report, const struct summary *s, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_capture *capture = report->capture;
    const struct rl_gpu *card = &capture->gpus[gpu];
    struct rl_para name = RL_PARA_INIT, line = RL_PARA_INIT;
    rl_para_add(report->doc->layout, &name, RL_STYLE_DISPLAY, rl_words_card(report->capture, gpu));
    name.max_lines = 2;
    rl_layout_para(report->doc->layout, &name);
    rl_para_addf(report->doc->layout, &line, RL_STYLE_QUIET, "%s%s%s",
                 card->chip ? rl_words_short(report->doc, card->chip, 20) : "chip unknown",
                 card->cc_major > 0 ? rl_words(report->doc, ", compute capability %d.%d", card->cc_major, card->cc_minor) : "",
                 capture->session.driver
                     ? rl_words(report->doc, " · driver %s", rl_words_short(report->doc, capture->session.driver, 30))
                     : "");
    rl_para_addf(report->doc->layout, &line, RL_STYLE_QUIET, " · %s", rl_words_date(report->doc, &report->capture->session));
    if (capture->gpu_count > 1)
        rl_para_addf(report->doc->layout, &line, RL_STYLE_QUIET, " · GPU %d of a session with %zu", card->index,
                     capture->gpu_count);
    line.max_lines = 2;
    rl_layout_para(report->doc->layout, &line);
    draw_run(report, s, gpu);
    rl_layout_skip(report->doc->layout, 8);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, is_of_card(report) ? card_answer(report, s, gpu) : answer(report, s));
    rl_para_release(&name);
    rl_para_release(&line);
}

/* "Every kernel", or how many of them have a place on a roofline. */
static const char *who_is_drawn(struct rl_report *report, const struct summary *s, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    const char *who = s->suite ? "variant" : "kernel";
    size_t drawn = 0, mixed = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_value flop = entries->at[i].metric[RL_METRIC_flop_total];
        drawn += rl_entry_on_roofline(&entries->at[i]);
        mixed += rl_entry_is_mixed(&entries->at[i]) && rl_present(flop) && flop.v > 0;
    }
    return drawn == entries->count ? rl_words(report->doc, "Every %s", who)
                                   : rl_words(report->doc, "The %zu of %zu %ss with %s,", drawn, entries->count, who,
                                              mixed > 0 ? "a position on the roofline" : "counted floating-point operations");
}

/* Where the points are: "below" the roofs, unless roofs or counters are in doubt. */
static const char *under(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    for (size_t i = 0; i < entries->count; i++)
        if (entries->at[i].shows && entries->at[i].above_roof)
            return "compared with";
    return "below";
}

static const char *caption(struct rl_report *report, const struct summary *s, const struct rl_chart *chart, size_t gpu)
{
    if (chart->kind == RL_CHART_BARS)
        return rl_words(report->doc, "DRAM throughput %s the roof of this card: no kernel here does floating-point operations.",
                        under(report, gpu));
    if (s->only)
        return rl_words(report->doc, "%s %s the roofs of this card: left of the ridge memory limits, right of it arithmetic.",
                        rl_words_short(report->doc, s->only->label, 60), under(report, gpu));
    const char *names =
        naming(report) == RL_NAME_ALL ? ""
        : s->suite ? " The best variant of each experiment is named where there is room; small points are the other variants."
                   : " Those that take the most time have names.";
    return rl_words(report->doc, "%s %s the roofs of this card: left of the ridge memory limits, right of it arithmetic.%s",
                    who_is_drawn(report, s, gpu), under(report, gpu), names);
}

/* Longer documents have a page that says how it was got. */
static void draw_chart(struct rl_report *report, const struct rl_section *section, const struct summary *s, size_t gpu)
{
    const struct rl_chart *chart = &report->doc->charts[section->first_chart];
    rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing, caption(report, s, chart, gpu),
                     report->doc->is_short ? rl_points_method(report, gpu, chart) : NULL);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    struct rl_layout *layout = report->doc->layout;
    size_t gpu = cover_gpu(report);
    if (is_of_program(report)) {
        rl_cover_program_draw(report, section, gpu);
        return;
    }
    struct summary s = summarise(report, gpu);
    draw_head(report, &s, gpu);
    rl_layout_skip(layout, 8);
    if (is_of_card(report)) {
        rl_cover_card_draw(report, section, gpu);
        return;
    }
    struct rl_cover_figure figures[RL_COVER_FIGURES];
    rl_cover_figures_draw(report, figures, figures_of(report, &s, figures));
    rl_layout_skip(layout, 8);
    if (section->chart_count > 0)
        draw_chart(report, section, &s, gpu);
    rl_layout_skip(layout, 10);
    struct rl_box *box = rl_flow_begin(layout), *row = rl_box_row(box);
    rl_findings_add(report, rl_box_cell(row, 8), gpu, report->doc->is_short ? 0 : rl_cover_contents_height(report));
    rl_cover_health_add(report, rl_box_cell(row, 4), gpu);
    rl_flow_end(box);
    if (!report->doc->is_short)
        rl_cover_contents_draw(report);
}

const struct rl_page rl_page_cover = {.count = rl_page_when_measured, .plan = plan, .draw = draw, .own_heading = true};

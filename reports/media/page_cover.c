/* page_cover.c - the first page: the GPU, the result in a sentence, key figures, the roofline, what matters, and the GPU's
 * health. */

#include "cover.h"

size_t rl_cover_gpu(const struct rl_report *report)
{
    return rl_page_gpu(report, RL_PAGE_roofline, 0);
}

static bool is_of_program(const struct rl_report *report)
{
    return rl_cover_is_of_program(report, rl_cover_gpu(report));
}

/* Kernels have their charts in their blocks, and experiments on their pages. */
static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    if (is_of_program(report))
        rl_cover_program_plan(report, section, rl_cover_gpu(report));
    else if (rl_roofline_entries_of(report, rl_cover_gpu(report))->suite)
        rl_cover_card_plan(report, section, rl_cover_gpu(report));
}

/* ---- the summary ---- */

struct summary {
    size_t entries, timed, wrong, above; /* above: a roof, and so in doubt */
    bool suite;
    const struct rl_roofline_entry *only;           /* the one entry that there is; NULL: there are several */
    const struct rl_roofline_entry *fastest_memory; /* highest DRAM throughput; NULL: unknown */
    const struct rl_roofline_entry *nearest;        /* the largest share of a limiting roof; NULL: none is limited by one */
    const struct rl_gpu_result *gpu;
};

/* Not of what lies above a roof: its counters or the roof are in doubt. */
static const struct rl_roofline_entry *faster(const struct rl_roofline_entry *a, const struct rl_roofline_entry *b)
{
    const enum rl_metric rate = RL_METRIC_dram_bytes_per_second;
    if (!b->shows || b->above_roof || !rl_positive(b->metric[rate]))
        return a;
    return !a || b->metric[rate].v > a->metric[rate].v ? b : a;
}

static const struct rl_roofline_entry *nearer(const struct rl_roofline_entry *a, const struct rl_roofline_entry *b)
{
    if (!b->shows || b->above_roof || b->limiter == RL_RESOURCE_COUNT || !rl_present(b->roof_share))
        return a;
    return !a || b->roof_share.v > a->roof_share.v ? b : a;
}

static struct summary summarise(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    struct summary s = {.gpu = &report->analysis->gpus[gpu],
                        .suite = entries->suite,
                        .entries = entries->count,
                        .only = entries->count == 1 ? &entries->at[0] : NULL};
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        s.timed += rl_present(entry->time_s);
        s.wrong += entry->wrong;
        s.above += entry->shows && entry->above_roof;
        if (entry->run && rl_is_of_self_check(report->capture, entry->run->variant))
            continue;
        s.fastest_memory = faster(s.fastest_memory, entry);
        s.nearest = nearer(s.nearest, entry);
    }
    return s;
}

/* The result of one kernel alone. */
static const char *answer_of(struct rl_report *report, const struct rl_roofline_entry *entry)
{
    const char *name = rl_words_short(report->doc, entry->label, 60), *where = "its position under the roofs is unknown";
    if (!rl_present(entry->time_s))
        return rl_words(report->doc, "%s: %s", name, rl_value_reason(entry->time_s));
    if (rl_present(entry->roof_share) && entry->bound == RL_BOUND_UNKNOWN && !entry->above_roof &&
        !(entry->kernel && entry->kernel->types_matter)) {
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
                         entry->above_roof ? "so the roof or its counters are in doubt"
                                           : rl_words(report->doc, "limited by %s", rl_limiter_label(rl_entry_limiter(entry))),
                         best);
    }
    return rl_words(report->doc, "%s takes %s: %s", name, rl_words_value(report->doc, RL_UNIT_SECOND, entry->time_s, 4), where);
}

static const char *fastest_memory_text(struct rl_report *report, const struct summary *s)
{
    const struct rl_value rate = s->fastest_memory->metric[RL_METRIC_dram_bytes_per_second],
                          roof = rl_ceiling_figure(&s->gpu->ceiling[RL_CEILING_dram]);
    const char *share = rl_positive(roof)
                            ? rl_words(report->doc, ", %s of its roof",
                                       rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rate, roof, NULL), 3))
                            : "";

    return rl_words(report->doc, "Kernels reach up to %s at device memory%s (%s)",
                    rl_words_value(report->doc, RL_UNIT_BYTE_PER_SECOND, rate, 3), share,
                    rl_words_short(report->doc, s->fastest_memory->label, 60));
}

/* The result of all kernels, best first. */
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

/* The result in a sentence: of a suite that measured its ceilings, what the GPU can do. */
static const char *answer(struct rl_report *report, const struct summary *s, size_t gpu)
{
    const char *card = s->suite ? rl_cover_card_answer(report, gpu) : NULL;
    if (card)
        return s->wrong ? rl_words(report->doc, "%s %s.", card, rl_words_sentence(report->doc, wrong_text(report, s))) : card;
    return rl_words(report->doc, "%s%s.", best_text(report, s),
                    s->wrong ? rl_words(report->doc, "; %s", wrong_text(report, s)) : "");
}

/* ---- the page ---- */

static void draw_head(struct rl_report *report, const struct summary *s, size_t gpu)
{
    const struct rl_capture *capture = report->capture;
    const struct rl_gpu *card = &capture->gpus[gpu];
    struct rl_para name = {.max_lines = 2}, line = {.max_lines = 2};
    rl_para_add(report->doc->layout, &name, RL_STYLE_DISPLAY, rl_words_card(report->capture, gpu));
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
    rl_layout_para(report->doc->layout, &line);
    /* "rooflight collect --ceilings full: 17 experiments, 88 variants, 19 roofs; counters collected". */
    const struct rl_session *session = &report->capture->session;
    struct rl_para para = {.max_lines = 2};
    struct rl_buf command = RL_BUF_IN(report->doc->arena);
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
                 ceilings ? rl_words(report->doc, ", %s measured", rl_words_count(report->doc, ceilings, "roof", "roofs")) : "");
    rl_layout_para(report->doc->layout, &para);
    rl_layout_skip(report->doc->layout, 8);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, answer(report, s, gpu));
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    struct rl_layout *layout = report->doc->layout;
    const size_t gpu = rl_cover_gpu(report);
    if (is_of_program(report)) {
        rl_cover_program_draw(report, section, gpu);
        return;
    }
    const struct summary s = summarise(report, gpu);
    draw_head(report, &s, gpu);
    rl_layout_skip(layout, 8);
    if (s.suite) { /* variants are slow on purpose: claims speak for them, and findings are about the GPU */
        rl_cover_card_draw(report, section, gpu);
        return;
    }
    rl_cover_actions_draw(report, gpu);
    if (s.entries > 1)
        rl_cover_kernels_draw(report, gpu);
    rl_cover_health_draw(report, gpu);
}

const struct rl_page rl_page_cover = {.count = rl_page_when_measured, .plan = plan, .draw = draw, .own_heading = true};

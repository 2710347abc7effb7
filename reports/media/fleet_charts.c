/* fleet_charts.c - how figures scatter over the GPUs of a group, as rows of dots or densities. */
#include <assert.h>
#include <math.h>

#include "core/mem.h"
#include "fleet_doc.h"
#include "words.h"

enum { TIMES_PER_CHART = 43, MOST_TIMES = 430, CEILINGS_PER_CHART = 44, COMFORTABLE = 41 };
static const double tallest = 640; /* points: with a heading and what is said below, it fills a page */

const struct rl_fleet *rl_fleet_of(const struct rl_document *doc)
{
    return ((const struct rl_fleet_subject *)doc->subject)->fleet;
}

/* ---- rows ---- */

static struct rl_chart_swarm_row new_row(struct rl_document *doc, const char *label, const char *note, size_t most, double limit,
                                         double **values, bool **apart)
{
    *values = rl_arena_alloc(doc->arena, most * sizeof **values);
    *apart = rl_arena_alloc(doc->arena, most * sizeof **apart);
    return (struct rl_chart_swarm_row){
        .label = label, .note = note, .values = *values, .apart = *apart, .limit = isfinite(limit) ? rl_fleet_share(limit) : NAN};
}

static struct rl_chart_swarm_row part_row(struct rl_document *doc, const struct rl_fleet_group *group, enum rl_fleet_part part)
{
    const struct rl_fleet_part_spread *spread = &group->part[part];
    double *values;
    bool *apart;
    struct rl_chart_swarm_row row =
        new_row(doc, rl_fleet_parts[part].label, rl_words_count(doc, spread->measures, "figure", "figures"), group->record_count,
                spread->limit, &values, &apart);
    for (size_t i = 0; i < group->record_count; i++) {
        double deviation = rl_fleet_of(doc)->records[group->records[i]]->part_deviation[part];
        if (isnan(deviation))
            continue;
        apart[row.count] = fabs(deviation) > spread->limit;
        values[row.count++] = -rl_fleet_share(deviation);
    }
    return row;
}

static struct rl_chart_swarm_row figure_row(struct rl_document *doc, const struct rl_fleet_spread *spread)
{
    const struct rl_fleet *fleet = rl_fleet_of(doc);
    const struct rl_fleet_group *group = &fleet->groups[spread->group];
    const struct rl_fleet_key *key = &fleet->keys[spread->key];
    double *values;
    bool *apart;
    struct rl_chart_swarm_row row = new_row(doc, key->name, rl_words_value(doc, key->unit, rl_value_of(spread->median), 3),
                                            spread->count, spread->limit, &values, &apart);
    for (size_t i = 0; i < group->record_count; i++) {
        const struct rl_fleet_record *record = fleet->records[group->records[i]];
        const struct rl_fleet_measure *measure = rl_fleet_measure_of(record, spread->key);
        if (!measure)
            continue;
        double deviation = rl_fleet_deviation(fleet, record, measure);
        apart[row.count] = fabs(deviation) > spread->limit;
        values[row.count++] = -rl_fleet_share(deviation);
    }
    return row;
}

/* ---- charts ---- */

static struct rl_chart *add_chart(struct rl_document *doc, struct rl_section *section, struct rl_chart_swarm_row *rows,
                                  size_t count)
{
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_SWARM);
    chart->swarm = (struct rl_chart_swarm){.title = "Difference of the rate from the median", .rows = rows, .row_count = count};
    /* An axis that shows what scatters; what lies far off is marked at its end. */
    struct rl_chart_swarm *swarm = &chart->swarm;
    double low = -0.02, high = 0.02;
    for (size_t i = 0; i < swarm->row_count; i++)
        for (size_t k = 0; k < swarm->rows[i].count; k++) {
            low = fmin(low, swarm->rows[i].values[k] * 1.05);
            high = fmax(high, swarm->rows[i].values[k] * 1.05);
        }
    swarm->low = fmax(low, -0.08);
    swarm->high = fmin(high, 0.04);
    return chart;
}

void rl_fleet_plan_parts(struct rl_document *doc, struct rl_section *section, size_t group)
{
    const struct rl_fleet_group *of = &rl_fleet_of(doc)->groups[group];
    struct rl_chart_swarm_row *rows = rl_arena_alloc(doc->arena, RL_PART_COUNT * sizeof *rows);
    size_t count = 0;
    for (int part = 0; part < RL_PART_COUNT; part++)
        if (of->part[part].count > 0)
            rows[count++] = part_row(doc, of, (enum rl_fleet_part)part);
    if (count > 0)
        add_chart(doc, section, rows, count);
}

size_t rl_fleet_plan_figures(struct rl_document *doc, struct rl_section *section, size_t group, bool ceilings)
{
    const size_t most = ceilings ? CEILINGS_PER_CHART : TIMES_PER_CHART, limit = ceilings ? 2 * RL_CEILING_COUNT : MOST_TIMES;
    const size_t first_chart = doc->chart_count;
    for (size_t first = 0; first < limit; first += most) {
        struct rl_chart_swarm_row *rows = rl_arena_alloc(doc->arena, most * sizeof *rows);
        /* The spreads of a group that are ceilings, or times, `count` of them from the `first` on. */
        size_t seen = 0, taken = 0;
        for (size_t i = 0; i < rl_fleet_of(doc)->spread_count && taken < most; i++) {
            const struct rl_fleet_spread *spread = &rl_fleet_of(doc)->spreads[i];
            if (spread->group != group || rl_fleet_of(doc)->keys[spread->key].ceiling != ceilings || seen++ < first)
                continue;
            rows[taken++] = figure_row(doc, spread);
        }
        const size_t count = taken;
        if (count == 0)
            break;
        struct rl_chart *chart = add_chart(doc, section, rows, count);
        if (!ceilings) { /* two stand beside each other */
            chart->width = rl_layout_width(doc->layout, RL_ALL_COLUMNS / 2);
            chart->height = fmax(12.5 * (double)count + 30, 60);
        } else if (count > COMFORTABLE) {
            chart->height = tallest;
        }
    }
    /* Charts side by side have the same axis. */
    double low = 0, high = 0;
    for (size_t i = first_chart; i < doc->chart_count; i++) {
        low = fmin(low, doc->charts[i].swarm.low);
        high = fmax(high, doc->charts[i].swarm.high);
    }
    for (size_t i = first_chart; i < doc->chart_count; i++) {
        doc->charts[i].swarm.low = low;
        doc->charts[i].swarm.high = high;
    }
    return doc->chart_count - first_chart;
}

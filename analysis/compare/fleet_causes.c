/* fleet_causes.c - why a GPU may be slower than the others: fleet_causes.def applied to one. */
#include "fleet_internal.h"
#include "internal.h"

#define PART_dram  (1u << RL_PART_dram)
#define PART_l2    (1u << RL_PART_l2)
#define PART_sm    (1u << RL_PART_sm)
#define PART_link  (1u << RL_PART_link)
#define PART_peer  (1u << RL_PART_peer)
#define PART_other (1u << RL_PART_other)
#define PART_ALL   ((1u << RL_PART_COUNT) - 1)

const struct rl_cause_info rl_causes[RL_CAUSE_COUNT] = {
#define CAUSE(id_, ...) {.id = #id_, __VA_ARGS__},
#include "analysis/fleet_causes.def"
};

static bool applies(const struct rl_cause_info *cause, double here, double usual)
{
    static const double rounding = 1e-9;
    switch (cause->how) {
    case RL_CAUSE_LOWER:
        return here < usual * (1 - cause->amount - rounding);
    case RL_CAUSE_MORE:
        return here > usual + cause->amount + rounding;
    case RL_CAUSE_OTHER:
        return here != usual;
    }
    return false;
}

struct words {
    enum rl_unit unit;
    double here, usual;
    int end; /* a GPU */
};

static void fill(void *context, const char *name, size_t len, struct rl_buf *out)
{
    const struct words *words = context;
    bool here = len == strlen("here") && memcmp(name, "here", len) == 0;
    if (len == strlen("end") && memcmp(name, "end", len) == 0) {
        rl_buf_addf(out, "GPU %d", words->end);
        return;
    }
    rl_unit_format(out, words->unit, here ? words->here : words->usual, 4);
}

void rl_fleet_find_causes(struct rl_fleet *fleet, struct rl_fleet_suspect *suspect)
{
    const struct rl_fleet_record *record = fleet->records[suspect->record];
    const struct rl_fleet_group *group = &fleet->groups[record->group];
    /* Drivers that are held apart differ from each other, not the GPU from those with the same one. */
    const bool own_driver = group->driver_count > 1 && group->driver_records[record->driver_index] >= RL_FLEET_STRATUM;
    for (int id = 0; id < RL_CAUSE_COUNT && suspect->slower; id++) {
        const struct rl_cause_info *cause = &rl_causes[id];
        const struct rl_value here = record->evidence[cause->evidence], usual = group->usual[cause->evidence];
        if (!(cause->parts & suspect->parts) || !rl_present(here) || !rl_present(usual) ||
            suspect->cause_count == RL_COUNT(suspect->causes) || !applies(cause, here.v, usual.v) ||
            (cause->evidence == RL_EVIDENCE_driver && own_driver))
            continue;
        RL_SCRATCH text = RL_BUF_INIT;
        struct words words = {rl_evidences[cause->evidence].unit, here.v, usual.v, record->end};
        rl_expand_placeholders(&text, cause->words, fill, &words);
        suspect->causes[suspect->cause_count++] = (struct rl_fleet_cause){
            (enum rl_cause)id, cause->id, rl_arena_strndup(&fleet->arena, text.data, text.len), cause->advice};
    }
}

void rl_fleet_causes_text(const struct rl_fleet *fleet, const struct rl_fleet_suspect *suspect, struct rl_buf *out)
{
    const struct rl_fleet_record *record = fleet->records[suspect->record];
    const char *between = "";
    for (size_t i = 0; i < suspect->cause_count; i++, between = "; also ")
        rl_buf_addf(out, "%s%s", between, suspect->causes[i].text);
    if (suspect->cause_count > 0 || !suspect->slower || !suspect->parts)
        return;
    size_t known = RL_SUM(size_t, id, RL_FLEET_EVIDENCE_COUNT, rl_present(record->evidence[id]));
    rl_buf_adds(out, *record->links ? "no cause in the capture: it has as many lanes or links as the others"
                     : known > 2
                         ? "no cause in the capture: clocks, throttling, temperature, limits, ECC, link and driver are as usual"
                         : "the capture says nothing about clocks, temperature, limits or link");
}

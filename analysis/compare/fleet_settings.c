/* fleet_settings.c - what GPUs of a group have in common, and how many differ (see analysis/fleet.h). */
#include <assert.h>
#include <math.h>

#include "analysis/fleet.h"

/* The driver is what groups are told apart by; the others are concluded of a link. */
static bool is_setting(enum rl_fleet_evidence of)
{
    return of != RL_EVIDENCE_driver && of != RL_EVIDENCE_slow_end && of != RL_EVIDENCE_lone_link;
}

static bool look_at(const struct rl_fleet *fleet, const struct rl_fleet_group *group, struct rl_fleet_setting *setting)
{
    bool known = false;
    for (size_t i = 0; i < group->record_count; i++) {
        assert(group->records[i] < fleet->record_count);
        const struct rl_value value = fleet->records[group->records[i]]->evidence[setting->of];
        if (!rl_present(value))
            continue;
        known = true;
        setting->least = fmin(setting->least, value.v);
        setting->greatest = fmax(setting->greatest, value.v);
        setting->other += value.v != setting->usual.v;
    }
    return known;
}

size_t rl_fleet_settings(const struct rl_fleet *fleet, const struct rl_fleet_group *group, struct rl_fleet_setting *settings)
{
    size_t count = 0;
    for (enum rl_fleet_evidence of = 0; of < RL_FLEET_EVIDENCE_COUNT; of++) {
        settings[count] = (struct rl_fleet_setting){.of = of, .usual = group->usual[of], .least = INFINITY, .greatest = -INFINITY};
        count += is_setting(of) && look_at(fleet, group, &settings[count]);
    }
    return count;
}

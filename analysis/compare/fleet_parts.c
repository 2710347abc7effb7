/* fleet_parts.c - the parts of a card that a fleet is compared by. */
#include "fleet_internal.h"

const struct rl_fleet_part_info rl_fleet_parts[RL_PART_COUNT] = {
#define PART(id, label, plural) {#id, label, plural},
#include "analysis/fleet_parts.def"
#undef PART
};

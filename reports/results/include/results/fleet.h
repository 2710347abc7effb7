/* fleet.h - views of a fleet (analysis/fleet.h): outliers, their causes, and the distribution of figures. */
#pragma once

#include "analysis/fleet.h"
#include "results/view.h"

/* The subject of the views of a fleet. */
struct view_fleet {
    const struct rl_fleet *fleet;
    bool times; /* with every time, too */
};

/* A fleet: the row is a struct rl_fleet. */
extern const struct view_record view_record_fleet;
/* A table for other programs: a row for each GPU that is slower. */
extern const struct view_record view_record_fleet_ticket;

/* A view of the fleet, which is finished, as long as both arguments live. */
struct view view_fleet_view(const struct view_fleet *subject, struct rl_arena *arena);
/* The same of one of its groups: the row is a struct rl_fleet_group. */
struct view view_fleet_group(const struct view *view, size_t group);
/* Who a row of the lists 'slower' and 'faster' is about. */
const struct rl_fleet_suspect *view_fleet_suspect(const void *row);
/* The rows of view_record_fleet_ticket, the worst first, in the view's arena. */
struct view_rows view_fleet_tickets(const struct view *view);

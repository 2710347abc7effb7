/* flow_private.h - what flow.c and flow_lines.c know of each other. */
#ifndef RL_REPORTS_FLOW_PRIVATE_H
#define RL_REPORTS_FLOW_PRIVATE_H

#include "flow.h"

#define RL_FLOW_VALUE_HEIGHT 19.0

/* Lays a line of this height. */
void rl_flow_line(struct rl_layout *layout, const struct rl_line *line, double height);
/* Lays a number in large type, RL_FLOW_VALUE_HEIGHT high, with its unit, or "", in small. */
void rl_flow_value(struct rl_layout *layout, const char *number, const char *unit);

#endif

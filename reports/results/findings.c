/* findings.c - findings: as data, and ranked for people. */
#include "show_parts.h"

VIEW_CELL(problem_cell, struct rl_finding, rl_rules[row->rule].problem);

static const struct view_field finding_fields[] = {
    {.id = "id", VIEW_AT(struct rl_finding, id), .help = "which rule found it: 'list findings' has them"},
    {.id = "problem", VIEW_GET(TEXT, problem_cell), .help = "what is wrong, in a few words"},
    {.id = "gpu", VIEW_GPU(struct rl_finding, gpu), .help = "index of the GPU; absent: of the session"},
    {.id = "text", VIEW_AT(struct rl_finding, text), .help = "what was found, with its figures"},
    {.id = "action", VIEW_AT(struct rl_finding, action), .help = "what to do about it: the end of the text"},
    {.id = "gain",
     VIEW_AT(struct rl_finding, gain),
     .unit = RL_UNIT_NONE,
     .help = "estimate of the speedup that it points to, as a factor"},
};
const struct view_record view_record_finding = {.id = "finding", .help = "a finding", VIEW_FIELDS(finding_fields)};

/* sampled_stall.c - why the warps of a kernel stood most, by samples of its instructions (analysis/limits.h). */
#include "show_parts.h"

enum text { REASON, LABEL, PATH };

static const struct rl_source_line *line_of(const struct view *view, const struct rl_sampled_stall *stall)
{
    return stall->line == RL_NONE ? NULL : &view_subject_of(view)->capture->source_lines[stall->line];
}

VIEW_CELL(reason_cell, struct rl_sampled_stall,
          row->reason == RL_STALL_COUNT
              ? view_cell_absent("")
              : view_cell_text(field->key == REASON ? rl_stalls[row->reason].id : rl_stalls[row->reason].label));

VIEW_CELL_IF(path_cell, struct rl_sampled_stall, line_of(view, row),
             view_subject_of(view)->capture->source_files[line_of(view, row)->file].path);

VIEW_CELL_IF(line_cell, struct rl_sampled_stall, line_of(view, row), line_of(view, row)->number);

/* `key`: where the figure is. */
VIEW_CELL_IF(at_line_cell, struct rl_sampled_stall, row->line != RL_NONE,
             *(const double *)(const void *)((const char *)row + field->key));

#define SHARE(member) VIEW_AT(struct rl_sampled_stall, member), .unit = RL_UNIT_FRACTION
#define AT_LINE(member)                                                                                                            \
    .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = at_line_cell, .optional = true,                                     \
    .key = offsetof(struct rl_sampled_stall, member)
/* clang-format off */
static const struct view_field fields[] = {
    {.id = "samples", VIEW_AT(struct rl_sampled_stall, samples), .help = "samples of its warps, all of them"},
    {.id = "classes", VIEW_AT(struct rl_sampled_stall, classes),
     .help = "launch configurations of its name on its GPU, all of which these samples cover"},
    {.id = "reason", VIEW_GET(TEXT, reason_cell), .key = REASON, .optional = true,
     .help = "commonest reason why its warps could not issue, as CUPTI calls it; absent: all could"},
    {.id = "label", VIEW_GET(TEXT, reason_cell), .key = LABEL, .optional = true, .help = "the same for people"},
    {.id = "share", SHARE(share), .help = "of all samples, including those of warps that issued or could have"},
    {.id = "low", SHARE(low), .help = "lower end of its 95 % CI, which counts samples of the same moment as one"},
    {.id = "high", SHARE(high), .help = "upper end of it"},
    {.id = "path", VIEW_GET(TEXT, path_cell), .optional = true, .help = "file of its hottest line"},
    {.id = "line", VIEW_GET(WHOLE, line_cell), .optional = true,
     .help = "number of its hottest line; absent: its module has no line numbers"},
    {.id = "line_share", AT_LINE(line_share), .help = "of all samples, those of that line"},
    {.id = "line_low", AT_LINE(line_low), .help = "lower end of its 95 % CI"},
    {.id = "line_high", AT_LINE(line_high), .help = "upper end of it"},
};
/* clang-format on */
const struct view_record view_record_sampled_stall = {
    .id = "sampled_stall", .help = "why the warps of a kernel were stalled, by samples", VIEW_FIELDS(fields)};

struct view_cell view_sampled_stall_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;

    return view_cell_record(of->result && of->result->limits.sampled_stall.samples ? &of->result->limits.sampled_stall : NULL);
}

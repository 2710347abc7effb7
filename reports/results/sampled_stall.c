/* sampled_stall.c - why the warps of a kernel stood most, by samples of its instructions (analysis/limits.h). */
#include "show_parts.h"

static const struct rl_sampled_stall *stall_of(const void *row)
{
    return row;
}

enum text { REASON, LABEL, PATH };

static const struct rl_source_line *line_of(const struct view *view, const void *row)
{
    return stall_of(row)->line == RL_NONE ? NULL : &view_subject_of(view)->capture->source_lines[stall_of(row)->line];
}

VIEW_CELL(reason_cell, struct rl_sampled_stall,
          row->reason == RL_STALL_COUNT
              ? view_cell_absent("")
              : view_cell_text(field->key == REASON ? rl_stalls[row->reason].id : rl_stalls[row->reason].label));

static struct view_cell path_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_source_line *line = line_of(view, row);
    const char *path = line ? view_subject_of(view)->capture->source_files[line->file].path : NULL;

    return path ? view_cell_text(path) : view_cell_absent("");
}

static struct view_cell line_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_source_line *line = line_of(view, row);

    return line ? view_cell_whole(line->number) : view_cell_absent("");
}

enum figure { LINE_SHARE, LINE_LOW, LINE_HIGH };

static struct view_cell line_share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_sampled_stall *stall = stall_of(row);
    const double figures[] = {[LINE_SHARE] = stall->line_share, [LINE_LOW] = stall->line_low, [LINE_HIGH] = stall->line_high};

    return stall->line == RL_NONE ? view_cell_absent("") : view_cell_number(rl_value_of(figures[field->key]));
}

#define SHARE(member)  VIEW_AT(struct rl_sampled_stall, member), .unit = RL_UNIT_FRACTION
#define AT_LINE(which) .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = line_share_cell, .key = (which), .optional = true
/* clang-format off */
static const struct view_field fields[] = {
    {.id = "samples", VIEW_AT(struct rl_sampled_stall, samples), .help = "samples of its warps, all of them"},
    {.id = "classes", VIEW_AT(struct rl_sampled_stall, classes),
     .help = "kernel classes of its name on its GPU, all of which these samples cover"},
    {.id = "reason", VIEW_GET(TEXT, reason_cell), .key = REASON, .optional = true,
     .help = "commonest reason why its warps could not issue, as CUPTI calls it; absent: all could"},
    {.id = "label", VIEW_GET(TEXT, reason_cell), .key = LABEL, .optional = true, .help = "the same for people"},
    {.id = "share", SHARE(share), .help = "of all samples, including those of warps that issued or could have"},
    {.id = "low", SHARE(low), .help = "lower end of its 95 % CI, which counts samples of the same moment as one"},
    {.id = "high", SHARE(high), .help = "upper end of it"},
    {.id = "path", VIEW_GET(TEXT, path_cell), .optional = true, .help = "file of its hottest line"},
    {.id = "line", VIEW_GET(WHOLE, line_cell), .optional = true,
     .help = "number of its hottest line; absent: its module has no line numbers"},
    {.id = "line_share", AT_LINE(LINE_SHARE), .help = "of all samples, those of that line"},
    {.id = "line_low", AT_LINE(LINE_LOW), .help = "lower end of its 95 % CI"},
    {.id = "line_high", AT_LINE(LINE_HIGH), .help = "upper end of it"},
};
/* clang-format on */
const struct view_record view_record_sampled_stall = {
    .id = "sampled_stall", .help = "why the warps of a kernel were stalled, by samples", VIEW_FIELDS(fields)};

struct view_cell view_sampled_stall_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;

    return view_cell_record(of->result && of->result->limits.sampled_stall.samples ? &of->result->limits.sampled_stall : NULL);
}

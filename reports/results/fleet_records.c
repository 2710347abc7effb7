/* fleet_records.c - lists about GPUs and links: which stand apart, in what and why; which do not count. */
#include "fleet_parts.h"

enum { MOST_UUID = 48, MOST_PATH = 60 };

static const struct rl_fleet_record *record_of(const void *row)
{
    return ((const struct fleet_row *)row)->record;
}

const struct rl_fleet_suspect *view_fleet_suspect(const void *row)
{
    const struct rl_fleet_suspect *suspect = ((const struct fleet_row *)row)->suspect;
    assert(suspect);
    return suspect;
}

/* ---- where and when it was measured ---- */

enum place { PATH, HOST, RACK, UUID, CARD, DRIVER, STARTED, LINKS, PEER, PEER_UUID };

static struct view_cell place_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    if (!record)
        return field->key == PATH ? view_cell_text(((const struct fleet_row *)row)->unread->path) : view_cell_absent("");
    if (field->key >= LINKS && !*record->links)
        return view_cell_absent("");
    if (field->key == PEER)
        return view_cell_text(record->peer == RL_FLEET_HOST ? "host" : rl_arena_printf(view->arena, "%d", record->peer));
    const char *const texts[] = {
        [PATH] = record->path, [HOST] = record->host,          [RACK] = record->rack,       [UUID] = record->uuid,
        [CARD] = record->card, [DRIVER] = record->driver,      [STARTED] = record->started, [LINKS] = record->links,
        [PEER] = "",           [PEER_UUID] = record->peer_uuid};
    return *texts[field->key] ? view_cell_text(texts[field->key]) : view_cell_absent("not in the capture");
}

VIEW_CELL_IF(gpu_cell, void, record_of(row), view_cell_integer(record_of(row)->gpu));
VIEW_CELL_IF(complete_cell, void, record_of(row), view_cell_boolean(record_of(row)->complete));

/* clang-format off */
#define PLACE(name, of, text)                                                                                                      \
    {.id = (name), VIEW_GET(TEXT, place_cell), .key = (of), .optional = true, .help = (text)}
#define WHERE                                                                                                                      \
    PLACE("host", HOST, "name of the machine"), PLACE("rack", RACK, "rack, from the name of the machine"),                         \
    {.id = "gpu", VIEW_GET(INTEGER, gpu_cell), .optional = true,                                                    \
     .help = "ordinal in its session; of links that of the GPU with the lower one"}
#define OTHER_END                                                                                                                  \
    PLACE("links", LINKS, "how the links between two ends go; missing for a GPU"),                                                 \
    PLACE("peer", PEER, "the other end of links: ordinal of the GPU, or 'host'"),                                                  \
    PLACE("peer_uuid", PEER_UUID, "UUID of the GPU at the other end of links")
#define CARD_OF    PLACE("uuid", UUID, "its UUID"), PLACE("card", CARD, "name of the product")
#define DRIVER_OF  PLACE("driver", DRIVER, "version of the driver")
#define STARTED_AT PLACE("started", STARTED, "when it was measured")
#define FILE_OF    PLACE("path", PATH, "file")
#define RECORD                                                                                                                     \
    FILE_OF, WHERE, OTHER_END, CARD_OF, DRIVER_OF, STARTED_AT,                                                                     \
    {.id = "complete", VIEW_GET(BOOLEAN, complete_cell), .optional = true, .help = "whether all of it was measured"}
/* clang-format on */

/* ---- in what a GPU stands apart: its parts, its figures ---- */

struct part_row {
    const char *part;
    double slower_share;
    bool beyond;
};
struct figure_row {
    const char *name, *unit;
    double value, median, slower_share, limit_share, z;
};

/* clang-format off */
static const struct view_field part_fields[] = {
    {.id = "part", VIEW_AT(struct part_row, part), .help = "part of the GPU"},
    {.id = "slower_share", VIEW_AT(struct part_row, slower_share), .unit = RL_UNIT_FRACTION,
     .help = "how much lower the rate is than the median of its group, as a share of it"},
    {.id = "beyond_limit", VIEW_AT(struct part_row, beyond), .help = "whether chance does not explain it"},
};
static const struct view_record part_record = {
    .id = "part", .help = "a part of the GPU, by the median over its figures", VIEW_FIELDS(part_fields)};

static const struct view_field outlier_fields[] = {
    {.id = "name", VIEW_AT(struct figure_row, name), .help = "roof, or kernel and variant"},
    {.id = "unit", VIEW_AT(struct figure_row, unit), .help = "unit of 'value' and 'median'"},
    {.id = "value", VIEW_AT(struct figure_row, value), .help = "what was measured"},
    {.id = "median", VIEW_AT(struct figure_row, median), .help = "median of its group"},
    {.id = "slower_share", VIEW_AT(struct figure_row, slower_share), .unit = RL_UNIT_FRACTION,
     .help = "how much lower the rate is than the median, as a share of it"},
    {.id = "limit_share", VIEW_AT(struct figure_row, limit_share), .unit = RL_UNIT_FRACTION,
     .help = "the difference that chance explains"},
    {.id = "z", VIEW_AT(struct figure_row, z), .help = "the difference over its scale"},
};
static const struct view_record outlier_record = {
    .id = "outlier", .help = "a figure beyond its limit", VIEW_FIELDS(outlier_fields)};
/* clang-format on */

static struct view_cell parts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    const struct rl_fleet_group *group = &fleet_of(view)->groups[record->group];
    struct part_row *parts = rl_arena_alloc(view->arena, RL_PART_COUNT * sizeof *parts);
    size_t count = 0;
    for (int part = 0; part < RL_PART_COUNT; part++) {
        const double deviation = record->part_deviation[part];
        if (!isnan(deviation))
            parts[count++] =
                (struct part_row){rl_fleet_parts[part].id, rl_fleet_share(deviation), fabs(deviation) > group->part[part].limit};
    }
    return view_cell_rows(VIEW_ROWS(parts, count));
}

static struct view_cell outliers_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = fleet_of(view);
    const struct rl_fleet_record *record = record_of(row);
    struct figure_row *figures = rl_arena_alloc(view->arena, (record->measure_count + 1) * sizeof *figures);
    size_t count = 0;
    for (size_t i = 0; i < fleet->outlier_count; i++) {
        const struct rl_fleet_outlier *outlier = &fleet->outliers[i];
        if (outlier->record != view_fleet_suspect(row)->record || outlier->key == RL_NONE)
            continue;
        figures[count++] = (struct figure_row){.name = fleet->keys[outlier->key].name,
                                               .unit = rl_unit_json(fleet->keys[outlier->key].unit),
                                               .value = rl_fleet_measure_of(record, outlier->key)->value,
                                               .median = rl_fleet_spread_of(fleet, record->group, outlier->key)->median,
                                               .slower_share = rl_fleet_share(outlier->deviation),
                                               .limit_share = rl_fleet_share(outlier->limit),
                                               .z = outlier->z};
    }
    return view_cell_rows(VIEW_ROWS(figures, count));
}

/* ---- a GPU that stands apart ---- */

static const struct view_field cause_fields[] = {
    {.id = "id", VIEW_AT(struct rl_fleet_cause, id), .help = "of the cause"},
    {.id = "text", VIEW_AT(struct rl_fleet_cause, text), .help = "what its capture says"},
    {.id = "advice", VIEW_AT(struct rl_fleet_cause, advice), .help = "what to look at"},
};
static const struct view_record cause_record = {.id = "cause", .help = "a likely cause", VIEW_FIELDS(cause_fields)};

VIEW_CELL(causes_cell, void, VIEW_ROWS(view_fleet_suspect(row)->causes, view_fleet_suspect(row)->cause_count));

VIEW_SAID(who_cell, void, "", rl_fleet_record_text(record_of(row), &text));
VIEW_SAID(what_cell, void, "", rl_fleet_slowdown_text(fleet_of(view), view_fleet_suspect(row), &text));
VIEW_SAID(why_cell, void, "", rl_fleet_causes_text(fleet_of(view), view_fleet_suspect(row), &text));
/* The likeliest. */
VIEW_CELL_IF(cause_cell, void, view_fleet_suspect(row)->cause_count, view_fleet_suspect(row)->causes[0].id);
VIEW_CELL_IF(advice_cell, void, view_fleet_suspect(row)->cause_count, view_fleet_suspect(row)->causes[0].advice);

/* Of links those of both ends. */
static struct view_cell who_uuid_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_fleet_record_text(record, &text);
    rl_buf_addch(&text, ' ');
    rl_utf8_abbreviate(&text, *record->uuid ? record->uuid : "UUID unknown", MOST_UUID);
    rl_buf_adds(&text, *record->peer_uuid ? " " : "");
    rl_utf8_abbreviate(&text, record->peer_uuid, MOST_UUID);
    return view_cell_kept(view, &text);
}

VIEW_CELL_IF(worst_cell, void, view_fleet_suspect(row)->parts,
             view_fleet_suspect(row)->worst_key == RL_NONE ? rl_fleet_parts[view_fleet_suspect(row)->worst_part].label
                                                           : fleet_of(view)->keys[view_fleet_suspect(row)->worst_key].name);

VIEW_CELL_IF(worst_share_cell, void, view_fleet_suspect(row)->parts, rl_fleet_share(view_fleet_suspect(row)->worst));

/* clang-format off */
#define WRONG {.id = "wrong_results", VIEW_IN(struct fleet_row, suspect, wrong), .help = "number of variants with a wrong result"}
#define WHY_SLOW                                                                                                                   \
    {.id = "why", .head = "likely cause, from the capture", VIEW_GET(TEXT, why_cell), .wraps = true,                               \
     .help = "the likely cause, from the capture"
static const struct view_field suspect_fields[] = {
    RECORD,
    {.id = "text", .head = "what", VIEW_GET(TEXT, what_cell), .wraps = true, .help = "in what it stands apart, and by how much"},
    WRONG,
    {.id = "parts", VIEW_GET_LIST(&part_record, parts_cell), .help = "the parts of the GPU"},
    {.id = "figures", VIEW_GET_LIST(&outlier_record, outliers_cell), .help = "figures beyond their limit"},
    {.id = "causes", VIEW_GET_LIST(&cause_record, causes_cell), .help = "likely causes"},
    {.id = "who", .head = "GPU", VIEW_GET(TEXT, who_cell), .look = VIEW_LOOK_CODE, .for_people = true,
     .help = "which GPU, or which link"},
    {.id = "who_uuid", .head = "GPU", VIEW_GET(TEXT, who_uuid_cell), .look = VIEW_LOOK_CODE, .columns = 30, .wraps = true,
     .for_people = true, .help = "which GPU, or which link, and its UUID"},
    WHY_SLOW, .for_people = true},
    {.id = "advice", .head = "look at", VIEW_GET(TEXT, advice_cell), .wraps = true, .for_people = true, .help = "what to look at"},
};
const struct view_record fleet_suspect_record = {
    .id = "suspect", .help = "a GPU, or the links between two ends, that stands apart", VIEW_FIELDS(suspect_fields)};

static const struct view_field ticket_fields[] = {
    WHERE, CARD_OF,
    {.id = "worst", VIEW_GET(TEXT, worst_cell), .help = "the part, or the one figure, that is slowest"},
    {.id = "slower_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = worst_share_cell,
     .help = "how much lower its rate is than the median of its group, as a share of it"},
    {.id = "figures_beyond", VIEW_IN(struct fleet_row, suspect, outlier_count), .help = "number of figures beyond their limits"},
    WRONG,
    {.id = "cause", VIEW_GET(TEXT, cause_cell), .help = "the likeliest cause"},
    {.id = "what", VIEW_GET(TEXT, what_cell), .help = "in what it stands apart, and by how much"},
    WHY_SLOW},
    {.id = "advice", VIEW_GET(TEXT, advice_cell), .help = "what to look at"},
    STARTED_AT, FILE_OF, OTHER_END,
};
/* clang-format on */
const struct view_record view_record_fleet_ticket = {
    .id = "ticket", .help = "a GPU, or the links between two ends, slower than the others", VIEW_FIELDS(ticket_fields)};

/* ---- what is not compared ---- */

VIEW_CELL(use_cell, struct fleet_row, row->record ? rl_fleet_use_name(row->record->use) : row->unread->why);

static struct view_cell counts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    if (!record || record->of == RL_NONE)
        return view_cell_absent(record ? "none counts in its place" : "");
    return view_cell_text(fleet_of(view)->records[record->of]->path);
}

/* Unread files have their path. */
VIEW_CELL(file_cell, void, record_of(row) ? rl_arena_printf(view->arena, "%s: ", record_of(row)->path) : "");

/* How far an incomplete one came; why the others are not compared, and which counts in their place. */
static struct view_cell about_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!record || record->use != RL_USE_COMPARED)
        rl_buf_adds(&text, use_cell(view, field, row).text);
    else
        rl_buf_addf(&text, "incomplete: %zu figures from %zu variant%s", record->measure_count, record->planned,
                    record->planned == 1 ? "" : "s");
    if (record && record->use == RL_USE_COMPARED && record->failed)
        rl_buf_addf(&text, ", %zu failed", record->failed);
    if (record && record->of != RL_NONE) {
        rl_buf_adds(&text, "; ");
        rl_utf8_abbreviate(&text, fleet_of(view)->records[record->of]->path, MOST_PATH);
        rl_buf_adds(&text, " counts");
    }
    return view_cell_kept(view, &text);
}

/* clang-format off */
static const struct view_field left_out_fields[] = {
    RECORD,
    {.id = "why", VIEW_GET(TEXT, use_cell), .help = "why it is not compared"},
    {.id = "counts", VIEW_GET(TEXT, counts_cell), .optional = true, .help = "the file that counts in its place"},
    {.id = "capture", VIEW_GET(TEXT, place_cell), .key = PATH, .look = VIEW_LOOK_CODE,
     .columns = MOST_PATH, .for_people = true, .help = "file"},
    {.id = "about", .head = "", VIEW_GET(TEXT, about_cell), .wraps = true, .for_people = true,
     .help = "why it is not compared, or how far it came"},
    {.id = "file", VIEW_GET(TEXT, file_cell), .for_people = true, .help = "the file, unless 'why' says it"},
};
/* clang-format on */
const struct view_record fleet_left_out_record = {
    .id = "left_out", .help = "a GPU, or a file, that is not compared", VIEW_FIELDS(left_out_fields)};

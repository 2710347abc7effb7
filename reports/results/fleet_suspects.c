/* fleet_suspects.c - GPUs and links that stand apart: where they are, in what, why; and the tables for other programs. */
#include <assert.h>
#include <math.h>

#include "core/utf8.h"
#include "fleet_parts.h"

enum { MOST_UUID = 48, MOST_PATH = 60 };

/* ---- where ---- */

const struct rl_fleet *fleet_of(const struct view *view)
{
    const struct view_fleet *subject = view->subject;
    assert(subject->fleet);
    return subject->fleet;
}

struct view_rows fleet_rows(const struct fleet_row *rows, size_t count)
{
    assert(count == 0 || rows);
    return (struct view_rows){.first = rows, .stride = sizeof *rows, .count = count};
}

struct view_cell fleet_text(const struct view *view, struct rl_buf *text)
{
    const struct view_cell cell = view_cell_text(rl_arena_printf(view->arena, "%s", text->data));
    rl_buf_release(text);
    return cell;
}

struct view_cell fleet_difference(const struct view *view, double deviation)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_unit_format(&text, RL_UNIT_FRACTION, fabs(rl_fleet_share(deviation)), 2);
    rl_buf_adds(&text, deviation > 0 ? " slower" : " faster");
    return fleet_text(view, &text);
}

const struct rl_fleet_suspect *view_fleet_suspect(const void *row)
{
    const struct rl_fleet_suspect *suspect = ((const struct fleet_row *)row)->suspect;
    assert(suspect);
    return suspect;
}

static const struct rl_fleet_record *record_of(const void *row)
{
    return ((const struct fleet_row *)row)->record;
}

/* The text, or that it is not known. */
static struct view_cell known(const char *text)
{
    return *text ? view_cell_text(text) : view_cell_absent("the capture does not tell");
}

static struct view_cell link_cell(const struct view *view, const struct rl_fleet_record *record, int place)
{
    assert(place == FLEET_LINKS || place == FLEET_PEER || place == FLEET_PEER_UUID);
    const bool to_host = record->peer == RL_FLEET_HOST;
    if (!*record->links)
        return view_cell_absent("");
    if (place == FLEET_LINKS)
        return view_cell_text(record->links);
    if (place == FLEET_PEER_UUID)
        return known(record->peer_uuid);
    if (to_host)
        return view_cell_text("host");
    return view_cell_text(rl_arena_printf(view->arena, "%d", record->peer));
}

struct view_cell fleet_place_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    assert(field->key >= 0 && field->key < FLEET_PLACES);
    if (!record)
        return field->key == FLEET_PATH ? view_cell_text(((const struct fleet_row *)row)->unread->path) : view_cell_absent("");
    const char *const texts[FLEET_PLACES] = {
        [FLEET_PATH] = record->path, [FLEET_HOST] = record->host,     [FLEET_RACK] = record->rack,      [FLEET_UUID] = record->uuid,
        [FLEET_CARD] = record->card, [FLEET_DRIVER] = record->driver, [FLEET_STARTED] = record->started};
    const bool may_be_unknown = field->key == FLEET_HOST || field->key == FLEET_RACK || field->key == FLEET_UUID;
    if (!texts[field->key])
        return link_cell(view, record, field->key);
    return may_be_unknown ? known(texts[field->key]) : view_cell_text(texts[field->key]);
}

struct view_cell fleet_gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    return record ? view_cell_integer(record->gpu) : view_cell_absent("");
}

static struct view_cell complete_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    return record ? view_cell_boolean(record->complete) : view_cell_absent("");
}

/* clang-format off */
#define RECORD                                                                                                                     \
    FLEET_PLACE("path", FLEET_PATH, "file"), FLEET_WHERE, FLEET_OTHER_END, FLEET_CARD_OF,                                          \
    FLEET_PLACE("driver", FLEET_DRIVER, "version of the driver"), FLEET_PLACE("started", FLEET_STARTED, "when it was measured"),   \
    {.id = "complete", .type = VIEW_TYPE_BOOLEAN, .get = complete_cell, .optional = true, .help = "whether all of it was measured"}
/* clang-format on */

/* ---- in what: its parts, its figures ---- */

/* A part of a record. */
struct part_row {
    const struct rl_fleet_record *record;
    enum rl_fleet_part part;
};

static struct view_cell part_id_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_fleet_parts[((const struct part_row *)row)->part].id);
}

static struct view_cell part_share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct part_row *of = row;
    return view_cell_number(rl_value_of(rl_fleet_share(of->record->part_deviation[of->part])));
}

static struct view_cell part_beyond_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct part_row *of = row;
    assert(of->record->group < fleet_of(view)->group_count);
    const struct rl_fleet_group *group = &fleet_of(view)->groups[of->record->group];
    return view_cell_boolean(fabs(of->record->part_deviation[of->part]) > group->part[of->part].limit);
}

/* clang-format off */
static const struct view_field part_fields[] = {
    {.id = "part", .type = VIEW_TYPE_TEXT, .get = part_id_cell, .help = "part of the card"},
    {.id = "slower_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = part_share_cell,
     .help = "how much lower the rate is than the median of its group, as a share of it"},
    {.id = "beyond_limit", .type = VIEW_TYPE_BOOLEAN, .get = part_beyond_cell, .help = "whether chance does not explain it"},
};
/* clang-format on */
static const struct view_record part_record = {
    .id = "part", .title = "", .help = "a part of the card, by the median over its figures", VIEW_FIELDS(part_fields)};

static struct view_cell parts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct part_row *parts = rl_arena_alloc(view->arena, RL_PART_COUNT * sizeof *parts);
    size_t count = 0;
    for (int part = 0; part < RL_PART_COUNT; part++)
        if (!isnan(record_of(row)->part_deviation[part]))
            parts[count++] = (struct part_row){record_of(row), (enum rl_fleet_part)part};
    return view_cell_rows((struct view_rows){.first = parts, .stride = sizeof *parts, .count = count});
}

static const struct rl_fleet_key *key_of(const struct view *view, const void *row)
{
    const struct rl_fleet_outlier *outlier = row;
    assert(outlier->key < fleet_of(view)->key_count);
    return &fleet_of(view)->keys[outlier->key];
}

static struct view_cell outlier_name_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(key_of(view, row)->name);
}

static struct view_cell outlier_unit_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_unit_json(key_of(view, row)->unit));
}

static struct view_cell outlier_value_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_outlier *outlier = row;
    return view_cell_number(rl_value_of(rl_fleet_measure_of(fleet_of(view)->records[outlier->record], outlier->key)->value));
}

static struct view_cell outlier_median_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_outlier *outlier = row;
    const size_t group = fleet_of(view)->records[outlier->record]->group;
    return view_cell_number(rl_value_of(rl_fleet_spread_of(fleet_of(view), group, outlier->key)->median));
}

/* The share of a deviation, which is a member of the row at `key`. */
static struct view_cell share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_number(rl_value_of(rl_fleet_share(*(const double *)(const void *)((const char *)row + field->key))));
}

/* clang-format off */
static const struct view_field outlier_fields[] = {
    {.id = "name", .type = VIEW_TYPE_TEXT, .get = outlier_name_cell, .help = "ceiling, or kernel and variant"},
    {.id = "unit", .type = VIEW_TYPE_TEXT, .get = outlier_unit_cell, .help = "unit of 'value' and 'median'"},
    {.id = "value", .type = VIEW_TYPE_NUMBER, .get = outlier_value_cell, .help = "what was measured"},
    {.id = "median", .type = VIEW_TYPE_NUMBER, .get = outlier_median_cell, .help = "median of its group"},
    {.id = "slower_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = share_cell,
     .key = offsetof(struct rl_fleet_outlier, deviation), .help = "how much lower the rate is than the median, as a share of it"},
    {.id = "limit_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = share_cell,
     .key = offsetof(struct rl_fleet_outlier, limit), .help = "the difference that chance explains"},
    {.id = "z", VIEW_AT(struct rl_fleet_outlier, z), .help = "the difference over its scale"},
};
/* clang-format on */
static const struct view_record outlier_record = {
    .id = "outlier", .title = "", .help = "a figure beyond its limit", VIEW_FIELDS(outlier_fields)};

static struct view_cell outliers_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = fleet_of(view);
    const size_t record = view_fleet_suspect(row)->record;
    size_t *at = rl_arena_alloc(view->arena, (fleet->outlier_count + 1) * sizeof *at), count = 0;
    for (size_t i = 0; i < fleet->outlier_count; i++)
        if (fleet->outliers[i].record == record && fleet->outliers[i].key != RL_NONE)
            at[count++] = i;
    return view_cell_rows((struct view_rows){fleet->outliers, sizeof *fleet->outliers, count, at});
}

/* ---- why ---- */

static struct view_cell cause_id_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_causes[((const struct rl_fleet_cause *)row)->cause].id);
}

static struct view_cell cause_advice_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_causes[((const struct rl_fleet_cause *)row)->cause].advice);
}

/* clang-format off */
static const struct view_field cause_fields[] = {
    {.id = "id", .type = VIEW_TYPE_TEXT, .get = cause_id_cell, .help = "of the cause"},
    {.id = "text", VIEW_AT(struct rl_fleet_cause, text), .help = "what its capture says"},
    {.id = "advice", .type = VIEW_TYPE_TEXT, .get = cause_advice_cell, .help = "what to look at"},
};
/* clang-format on */
static const struct view_record cause_record = {.id = "cause", .title = "", .help = "a likely cause", VIEW_FIELDS(cause_fields)};

static struct view_cell causes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    return view_cell_rows(
        (struct view_rows){.first = suspect->causes, .stride = sizeof *suspect->causes, .count = suspect->cause_count});
}

/* ---- a GPU that stands apart ---- */

static struct view_cell who_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_record_text(record_of(row), &text);
    return fleet_text(view, &text);
}

/* With its UUID; of links those of both ends. */
static struct view_cell who_uuid_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_record_text(record, &text);
    rl_buf_addch(&text, ' ');
    rl_utf8_abbreviate(&text, *record->uuid ? record->uuid : "UUID unknown", MOST_UUID);
    if (*record->peer_uuid) {
        rl_buf_addch(&text, ' ');
        rl_utf8_abbreviate(&text, record->peer_uuid, MOST_UUID);
    }
    return fleet_text(view, &text);
}

static struct view_cell what_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_slowdown_text(fleet_of(view), view_fleet_suspect(row), &text);
    return fleet_text(view, &text);
}

static struct view_cell why_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_causes_text(fleet_of(view), view_fleet_suspect(row), &text);
    return fleet_text(view, &text);
}

/* Of the likeliest cause. */
static struct view_cell advice_of_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    return suspect->cause_count ? cause_advice_cell(view, field, suspect->causes) : view_cell_text("");
}

static struct view_cell wrong_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_whole(view_fleet_suspect(row)->wrong);
}

/* clang-format off */
#define WRONG {.id = "wrong_results", .type = VIEW_TYPE_WHOLE, .get = wrong_cell, .help = "number of variants with a wrong result"}
#define WHY                                                                                                                        \
    {.id = "why", .head = "likely cause, from the capture", .type = VIEW_TYPE_TEXT, .get = why_cell, .wraps = true,                \
     .help = "the likely cause, from the capture"
static const struct view_field suspect_fields[] = {
    RECORD,
    {.id = "text", .head = "what", .type = VIEW_TYPE_TEXT, .get = what_cell, .wraps = true,
     .help = "in what it stands apart, and by how much"},
    WRONG,
    {.id = "parts", .type = VIEW_TYPE_LIST, .get = parts_cell, .record = &part_record, .help = "the parts of the card"},
    {.id = "figures", .type = VIEW_TYPE_LIST, .get = outliers_cell, .record = &outlier_record,
     .help = "figures beyond their limit"},
    {.id = "causes", .type = VIEW_TYPE_LIST, .get = causes_cell, .record = &cause_record, .help = "likely causes"},
    {.id = "who", .head = "GPU", .type = VIEW_TYPE_TEXT, .get = who_cell, .look = VIEW_LOOK_CODE, .for_people = true,
     .help = "which GPU, or which link"},
    {.id = "who_uuid", .head = "GPU", .type = VIEW_TYPE_TEXT, .get = who_uuid_cell, .look = VIEW_LOOK_CODE, .columns = 30,
     .wraps = true, .for_people = true, .help = "which GPU, or which link, and its UUID"},
    WHY, .for_people = true},
    {.id = "advice", .head = "look at", .type = VIEW_TYPE_TEXT, .get = advice_of_cell, .wraps = true, .for_people = true,
     .help = "what to look at"},
};
/* clang-format on */
const struct view_record fleet_suspect_record = {
    .id = "suspect", .title = "", .help = "a GPU, or the links between two ends, that stands apart", VIEW_FIELDS(suspect_fields)};

/* ---- what is not compared ---- */

static struct view_cell use_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct fleet_row *of = row;
    return view_cell_text(of->record ? rl_fleet_use_name(of->record->use) : of->unread->why);
}

static struct view_cell counts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    assert(!record || record->of == RL_NONE || record->of < fleet_of(view)->record_count);
    if (!record || record->of == RL_NONE)
        return view_cell_absent(record ? "none counts in its place" : "");
    return view_cell_text(fleet_of(view)->records[record->of]->path);
}

/* What was not read is said with its path. */
static struct view_cell file_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    return view_cell_text(record ? rl_arena_printf(view->arena, "%s: ", record->path) : "");
}

/* Of an incomplete one how far it came; of the others why they are not compared, and what counts in their place. */
static struct view_cell about_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_record *record = record_of(row);
    struct rl_buf text = RL_BUF_INIT;
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
    return fleet_text(view, &text);
}

/* clang-format off */
static const struct view_field left_out_fields[] = {
    RECORD,
    {.id = "why", .type = VIEW_TYPE_TEXT, .get = use_cell, .help = "why it is not compared"},
    {.id = "counts", .type = VIEW_TYPE_TEXT, .get = counts_cell, .optional = true, .help = "the file that counts in its place"},
    {.id = "capture", .type = VIEW_TYPE_TEXT, .get = fleet_place_cell, .key = FLEET_PATH, .look = VIEW_LOOK_CODE,
     .columns = MOST_PATH, .for_people = true, .help = "file"},
    {.id = "about", .head = "", .type = VIEW_TYPE_TEXT, .get = about_cell, .wraps = true, .for_people = true,
     .help = "why it is not compared, or how far it came"},
    {.id = "file", .type = VIEW_TYPE_TEXT, .get = file_cell, .for_people = true, .help = "the file, unless 'why' says it"},
};
/* clang-format on */
const struct view_record fleet_left_out_record = {
    .id = "left_out", .title = "", .help = "a GPU, or a file, that is not compared", VIEW_FIELDS(left_out_fields)};

/* ---- a ticket ---- */

static struct view_cell worst_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    if (!suspect->parts)
        return view_cell_absent("");
    return view_cell_text(suspect->worst_key == RL_NONE ? rl_fleet_parts[suspect->worst_part].label
                                                        : fleet_of(view)->keys[suspect->worst_key].name);
}

static struct view_cell worst_share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    return suspect->parts ? view_cell_number(rl_value_of(rl_fleet_share(suspect->worst))) : view_cell_absent("");
}

static struct view_cell beyond_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_whole(view_fleet_suspect(row)->outlier_count);
}

/* Of the likeliest cause. */
static struct view_cell first_cause_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    return suspect->cause_count ? cause_id_cell(view, field, suspect->causes) : view_cell_absent("");
}

static struct view_cell first_advice_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    return suspect->cause_count ? cause_advice_cell(view, field, suspect->causes) : view_cell_absent("");
}

/* clang-format off */
static const struct view_field ticket_fields[] = {
    FLEET_WHERE, FLEET_CARD_OF,
    {.id = "worst", .type = VIEW_TYPE_TEXT, .get = worst_cell, .help = "the part, or the one figure, that is slowest"},
    {.id = "slower_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = worst_share_cell,
     .help = "how much lower its rate is than the median of its group, as a share of it"},
    {.id = "figures_beyond", .type = VIEW_TYPE_WHOLE, .get = beyond_cell, .help = "number of figures beyond their limits"},
    WRONG,
    {.id = "cause", .type = VIEW_TYPE_TEXT, .get = first_cause_cell, .help = "the likeliest cause"},
    {.id = "what", .type = VIEW_TYPE_TEXT, .get = what_cell, .help = "in what it stands apart, and by how much"},
    WHY},
    {.id = "advice", .type = VIEW_TYPE_TEXT, .get = first_advice_cell, .help = "what to look at"},
    FLEET_PLACE("started", FLEET_STARTED, "when it was measured"), FLEET_PLACE("path", FLEET_PATH, "file"), FLEET_OTHER_END,
};
/* clang-format on */
const struct view_record view_record_fleet_ticket = {.id = "ticket",
                                                     .title = "",
                                                     .help = "a GPU, or the links between two ends, slower than the others",
                                                     VIEW_FIELDS(ticket_fields)};

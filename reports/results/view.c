#include "results/view.h"

#define DASH  RL_EN_DASH
#define MINUS "\xE2\x88\x92"

enum { USUAL_DIGITS = 4 };

/* ---- cells ---- */

static struct view_cell present(void)
{
    return (struct view_cell){.state = RL_PRESENT, .reason = ""};
}

struct view_cell view_cell_absent(const char *reason)
{
    assert(reason);
    return (struct view_cell){.state = RL_UNDEFINED, .reason = reason};
}

struct view_cell view_cell_text(const char *text)
{
    struct view_cell cell = text ? present() : view_cell_absent("");
    cell.text = text;
    return cell;
}

const char *view_keep(const struct view *view, struct rl_buf *text)
{
    const char *kept = text->len ? rl_arena_strdup(view->arena, text->data) : NULL;
    rl_buf_release(text);
    return kept;
}

struct view_cell view_cell_kept(const struct view *view, struct rl_buf *text)
{
    return view_cell_text(view_keep(view, text));
}

struct view_cell view_cell_number(struct rl_value value)
{
    struct view_cell cell = {.state = value.state, .reason = rl_value_reason(value)};
    cell.number = rl_present(value) ? value.v : 0;
    return cell;
}

struct view_cell view_cell_whole(uint64_t value)
{
    struct view_cell cell = present();
    cell.whole = value;
    return cell;
}

struct view_cell view_cell_integer(int64_t value)
{
    struct view_cell cell = present();
    cell.integer = value;
    return cell;
}

struct view_cell view_cell_boolean(bool value)
{
    struct view_cell cell = present();
    cell.boolean = value;
    return cell;
}

struct view_cell view_cell_record(const void *row)
{
    struct view_cell cell = row ? present() : view_cell_absent("");
    cell.record = row;
    return cell;
}

struct view_cell view_cell_rows(struct view_rows rows)
{
    assert(rows.count == 0 || (rows.first && rows.stride));
    struct view_cell cell = present();
    cell.rows = rows;
    return cell;
}

/* ---- members of rows ---- */

static struct view_cell text_at(const struct view_field *field, const char *place)
{
    const char *text;
    memcpy(&text, place, sizeof text);
    return view_cell_text(text);
}

static struct view_cell chars_at(const struct view_field *field, const char *place)
{
    return view_cell_text(place);
}

static struct view_cell record_at(const struct view_field *field, const char *place)
{
    return view_cell_record(place);
}

/* Each reads a member of type `type` and makes a cell of it. */
#define READER(name, type, cell_of)                                                                                                \
    static struct view_cell name(const struct view_field *field, const char *place)                                                \
    {                                                                                                                              \
        type value;                                                                                                                \
        (void)field;                                                                                                               \
        memcpy(&value, place, sizeof value);                                                                                       \
        return cell_of;                                                                                                            \
    }
READER(value_at, struct rl_value, view_cell_number(value))
READER(double_at, double, view_cell_number(rl_value_of(value)))
READER(u64_at, uint64_t, view_cell_whole(value))
READER(u32_at, uint32_t, view_cell_whole(value))
READER(i64_at, int64_t, view_cell_integer(value))
READER(int_at, int, view_cell_integer(value))
READER(bool_at, bool, view_cell_boolean(value))
READER(ns_value_at, struct rl_value, view_cell_number(rl_value_mul(value, rl_value_of(1e-9))))
READER(ns_double_at, double, view_cell_number(rl_value_of(value * 1e-9)))
READER(ns_u64_at, uint64_t, view_cell_number(rl_value_of((double)value * 1e-9)))
#undef READER

static struct view_cell stats_at(const struct view_field *field, const char *place)
{
    return view_cell_stats((const struct rl_stats *)(const void *)place);
}

static struct view_cell (*const readers[VIEW_ACCESS_COUNT])(const struct view_field *field, const char *place) = {
    [VIEW_AT_TEXT] = text_at,
    [VIEW_AT_CHARS] = chars_at,
    [VIEW_AT_VALUE] = value_at,
    [VIEW_AT_DOUBLE] = double_at,
    [VIEW_AT_U64] = u64_at,
    [VIEW_AT_U32] = u32_at,
    [VIEW_AT_I64] = i64_at,
    [VIEW_AT_INT] = int_at,
    [VIEW_AT_BOOL] = bool_at,
    [VIEW_AT_RECORD] = record_at,
    [VIEW_AT_STATS] = stats_at,
    [VIEW_AT_NS_VALUE] = ns_value_at,
    [VIEW_AT_NS_DOUBLE] = ns_double_at,
    [VIEW_AT_NS_U64] = ns_u64_at,
};

struct view_cell view_value(const struct view *view, const struct view_field *field, const void *row)
{
    assert(row);
    assert((field->access == VIEW_BY_GET) == (field->get != NULL));
    if (field->get)
        return field->get(view, field, row);
    const char *place = field->of_subject ? view->subject : row;
    if (field->through) {
        memcpy(&place, place + field->through - 1, sizeof place);
        if (!place)
            return view_cell_absent("");
    }
    if (field->access == VIEW_AT_LIST) {
        struct view_rows rows = {.stride = field->stride};
        memcpy(&rows.first, place + field->at, sizeof rows.first);
        memcpy(&rows.count, place + field->count_at, sizeof rows.count);
        return view_cell_rows(rows);
    }
    assert(field->access < VIEW_ACCESS_COUNT && readers[field->access]);
    struct view_cell cell = readers[field->access](field, place + field->at);
    cell.sign = field->sign;
    if (field->unit_of_row)
        memcpy(&cell.unit, (const char *)row + field->unit_at, sizeof cell.unit);
    if (field->none_if_zero && !view_cell_says(field, &cell))
        return view_cell_absent("");
    if (field->quiet && cell.state != RL_PRESENT)
        cell.reason = "";
    return cell;
}

bool view_cell_says(const struct view_field *field, const struct view_cell *cell)
{
    if (cell->state != RL_PRESENT)
        return false;
    switch (field->type) {
    case VIEW_TYPE_TEXT:
        return *cell->text != 0;
    case VIEW_TYPE_NUMBER:
        return cell->number != 0;
    case VIEW_TYPE_WHOLE:
        return cell->whole != 0;
    case VIEW_TYPE_INTEGER:
        return cell->integer != 0;
    case VIEW_TYPE_BOOLEAN:
        return cell->boolean;
    case VIEW_TYPE_LIST:
        return cell->rows.count != 0;
    case VIEW_TYPE_RECORD:
        return true;
    }
    return false;
}

/* ---- finding ---- */

static const struct view_field *find(const struct view_record *record, const char *id, size_t length)
{
    return RL_FIND(i, record->fields, record->field_count,
                   strlen(record->fields[i].id) == length && memcmp(record->fields[i].id, id, length) == 0);
}

const struct view_field *view_record_field(const struct view_record *record, const char *id)
{
    return find(record, id, strlen(id));
}

const struct view_field *view_record_identity(const struct view_record *record)
{
    for (size_t i = 0; i < record->field_count; i++)
        if (record->fields[i].identifies)
            return &record->fields[i];
    return &record->fields[0];
}

static bool parse(const struct view_record *record, const char *text, size_t length, bool across, struct view_path *path)
{
    *path = (struct view_path){.count = 0};
    for (const char *at = text, *end = text + length; at <= end && record && path->count < VIEW_PATH_STEPS;) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        const struct view_field *field = find(record, at, (size_t)((dot ? dot : end) - at));
        if (!field)
            return false;
        path->step[path->count++] = field;
        if (!dot)
            return true;
        record = field->type == VIEW_TYPE_RECORD || (across && field->type == VIEW_TYPE_LIST) ? field->record : NULL;
        at = dot + 1;
    }
    return false;
}

bool view_path_parse(const struct view_record *record, const char *text, size_t length, struct view_path *path)
{
    return parse(record, text, length, false, path);
}

bool view_path_parse_across(const struct view_record *record, const char *text, size_t length, struct view_path *path)
{
    return parse(record, text, length, true, path);
}

const struct view_field *view_path_field(const struct view_path *path)
{
    assert(path->count > 0);
    return path->step[path->count - 1];
}

struct view_cell view_path_element(const struct view *view, const struct view_path *path, const void *row, size_t element)
{
    struct view_cell cell = view_cell_record(row);
    for (size_t i = 0; i < path->count && cell.state == RL_PRESENT; i++) {
        if (i > 0 && path->step[i - 1]->type == VIEW_TYPE_LIST)
            cell = element < cell.rows.count ? view_cell_record(view_rows_at(&cell.rows, element)) : view_cell_absent("");
        if (cell.state == RL_PRESENT)
            cell = view_value(view, path->step[i], cell.record);
    }
    return cell;
}

struct view_cell view_path_cell(const struct view *view, const struct view_path *path, const void *row)
{
    return view_path_element(view, path, row, 0);
}

void view_path_format(const struct view_path *path, struct rl_buf *out)
{
    for (size_t i = 0; i < path->count; i++)
        rl_buf_addf(out, "%s%s", i ? "." : "", path->step[i]->id);
}

void view_path_head(const struct view *view, const struct view_path *path, struct rl_buf *out)
{
    const size_t before = out->len;
    for (size_t i = 0; i < path->count; i++) {
        const struct view_field *field = path->step[i];
        const char *head = field->head_of ? field->head_of(view, field) : field->head;
        const char *name = head ? head : field->id;
        rl_buf_addf(out, "%s%s", out->len > before && *name ? " " : "", name);
    }
}

bool view_path_listed(const struct view *view, const struct view_path *path)
{
    return !RL_ANY(i, path->count, path->step[i]->listed && !path->step[i]->listed(view, path->step[i]));
}

static void walk(const struct view_record *record, struct view_path *path, void (*take)(void *to, const struct view_path *path),
                 void *to)
{
    assert(path->count < VIEW_PATH_STEPS);
    for (size_t i = 0; i < record->field_count; i++) {
        const struct view_field *field = &record->fields[i];
        if (field->for_people)
            continue;
        path->step[path->count++] = field;
        if (field->type == VIEW_TYPE_RECORD)
            walk(field->record, path, take, to);
        else if (field->type != VIEW_TYPE_LIST || field->record->plain)
            take(to, path);
        path->count--;
    }
}

void view_record_paths(const struct view_record *record, void (*take)(void *to, const struct view_path *path), void *to)
{
    struct view_path path = {.count = 0};
    walk(record, &path, take, to);
}

struct view_rows view_rows_where(const struct view *view, struct view_rows rows,
                                 bool (*holds)(const struct view *, const void *row))
{
    size_t *at = rl_arena_alloc(view->arena, (rows.count + 1) * sizeof *at), count = 0;
    for (size_t i = 0; i < rows.count; i++)
        if (holds(view, view_rows_at(&rows, i)))
            at[count++] = rows.at ? rows.at[i] : i;
    return (struct view_rows){rows.first, rows.stride, count, at};
}

const void *view_rows_at(const struct view_rows *rows, size_t index)
{
    assert(index < rows->count);
    return (const char *)rows->first + rows->stride * (rows->at ? rows->at[index] : index);
}

/* ---- for people ---- */

static void format_number(struct rl_buf *out, const struct view_field *field, const struct view_cell *cell)
{
    const bool negative = field->is_change && cell->number < 0;
    if (field->words) {
        rl_buf_adds(out, field->words[cell->number > 0]);
        return;
    }
    rl_buf_adds(out, cell->sign ? cell->sign : "");
    rl_buf_adds(out, negative ? MINUS : field->is_change && cell->number > 0 ? "+" : "");
    rl_unit_format(out, field->unit_of_row ? cell->unit : field->unit, negative ? -cell->number : cell->number,
                   field->digits ? field->digits : USUAL_DIGITS);
}

void view_cell_format(struct rl_buf *out, const struct view_field *field, const struct view_cell *cell)
{
    assert(cell->state != RL_PRESENT || field->type != VIEW_TYPE_RECORD);
    if (cell->state != RL_PRESENT)
        rl_buf_adds(out, DASH);
    else if (field->type == VIEW_TYPE_TEXT && field->columns && !field->wraps)
        rl_utf8_abbreviate(out, cell->text, field->columns);
    else if (field->type == VIEW_TYPE_TEXT)
        rl_buf_adds(out, cell->text);
    else if (field->type == VIEW_TYPE_NUMBER)
        format_number(out, field, cell);
    else if (field->type == VIEW_TYPE_WHOLE)
        rl_unit_format(out, RL_UNIT_COUNT, (double)cell->whole, 17);
    else if (field->type == VIEW_TYPE_INTEGER)
        rl_buf_addf(out, "%lld", (long long)cell->integer);
    else if (field->type == VIEW_TYPE_BOOLEAN)
        rl_buf_adds(out, cell->boolean ? "yes" : "no");
    else
        rl_unit_format(out, RL_UNIT_COUNT, (double)cell->rows.count, 17);
}

/* ---- statistics ---- */

VIEW_CELL(interval_end, struct rl_stats,
          !row->has_interval ? view_cell_absent("too few samples for an interval")
                             : view_cell_number(rl_value_of(field->key ? row->high : row->low)));

static struct view_cell median_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_stats *stats = row;
    struct view_cell cell = view_cell_number(rl_value_of(stats->median));
    cell.half_width = stats->has_interval ? (stats->high - stats->low) / 2 : 0;
    return cell;
}

struct view_cell view_cell_stats(const struct rl_stats *stats)
{
    return view_cell_record(stats->n ? stats : NULL);
}

/* clang-format off */
#define STATISTICS(name, of)                                                                                                       \
    static const struct view_field name##_fields[] = {                                                                             \
        {.id = "median", .head = "", .type = VIEW_TYPE_NUMBER, .unit = (of), .digits = USUAL_DIGITS,                            \
         .get = median_cell, .help = "median of all samples"},                                                                     \
        {.id = "low", .type = VIEW_TYPE_NUMBER, .unit = (of), .get = interval_end, .key = 0,                                       \
         .help = "lower end of the 95 % CI of the median, from order statistics"},                                           \
        {.id = "high", .type = VIEW_TYPE_NUMBER, .unit = (of), .get = interval_end, .key = 1,                                      \
         .help = "upper end of the 95 % CI of the median"},                                                                  \
        {.id = "min", VIEW_AT(struct rl_stats, min), .unit = (of), .help = "the smallest sample"},                                 \
        {.id = "max", VIEW_AT(struct rl_stats, max), .unit = (of), .help = "the largest sample"},                                  \
        {.id = "n", VIEW_AT(struct rl_stats, n), .help = "number of samples"},                                                     \
    };                                                                                                                             \
    const struct view_record view_record_##name = {                                                                                \
        .id = #name, .help = "statistics of repeated measurements", VIEW_FIELDS(name##_fields)}
/* clang-format on */
STATISTICS(times, RL_UNIT_SECOND);
STATISTICS(rates, RL_UNIT_BYTE_PER_SECOND);
STATISTICS(samples, RL_UNIT_NONE);
#undef STATISTICS

/* ---- lists of sentences ---- */

static const struct view_field note_fields[] = {{.id = "text", VIEW_ITSELF, .help = "limits of the figures"}};
const struct view_record view_record_note = {.id = "note", .help = "a sentence", VIEW_FIELDS(note_fields), .plain = true};

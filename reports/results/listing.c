/* listing.c - columns, heads and cells of a table. */
#include "results/listing.h"

#define MINUS "\xE2\x88\x92"
enum { USUAL_DIGITS = 4, ALONE_DIGITS = 3 };

bool view_listing_is_number(const struct view_listing *listing, size_t column)
{
    assert(column < listing->column_count);
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    return field->numeral || field->type == VIEW_TYPE_NUMBER || field->type == VIEW_TYPE_WHOLE || field->type == VIEW_TYPE_INTEGER;
}

/* ---- columns ---- */

/* Whether a value is more than nothing. */
static bool is_any(const struct view_field *field, const struct view_cell *cell)
{
    if (cell->state != RL_PRESENT)
        return false;
    switch (field->type) {
    case VIEW_TYPE_NUMBER:
        return cell->number != 0;
    case VIEW_TYPE_WHOLE:
        return cell->whole != 0;
    case VIEW_TYPE_TEXT:
        return *cell->text != 0;
    case VIEW_TYPE_BOOLEAN:
        return cell->boolean;
    default:
        return false;
    }
}

/* The range of the numbers of the last column, and whether all are there; whether any value is not empty. */
static bool span_last(const struct view_listing *listing)
{
    const size_t last = listing->column_count - 1;
    struct view_column *column = &listing->columns[last];
    const struct view_field *field = view_path_field(&column->path);
    bool any = false, all = true;
    for (size_t i = 0; i < listing->rows.count; i++) {
        const struct view_cell cell = view_listing_value(listing, i, last);
        all = all && cell.state == RL_PRESENT;
        if (!is_any(field, &cell))
            continue;
        any = true;
        if (field->type != VIEW_TYPE_NUMBER)
            return true;
        column->most = fmax(column->most, fabs(cell.number));
        column->least = fmin(column->least, fabs(cell.number));
    }
    column->complete = all;
    return any;
}

/* The unit is that of the smallest figure, so that all have digits to show, as far as the largest has at most four before the
 * point; six where the smallest would begin behind more than two zeros. */
static struct rl_scale scale_of(const struct view_field *field, double least, double most)
{
    if (field->magnitude > 0)
        return rl_unit_scale(field->unit, field->magnitude);
    const struct rl_scale scale = rl_unit_scale(field->unit, fmax(fmin(least, most), most / 10));
    return least * scale.factor >= 1e-3 ? scale : rl_unit_scale(field->unit, fmax(fmin(least, most), most / 1e3));
}

/* Fields whose head depends on the data are columns only where they have one. */
static bool can_be_column(const struct view *view, const struct view_field *field)
{
    return field->type != VIEW_TYPE_RECORD && field->type != VIEW_TYPE_LIST && field->shown != VIEW_ON_REQUEST &&
           (!field->head_of || field->head_of(view, field));
}

/* Whether it is there. */
static bool add_column(struct view_listing *listing, const struct view_path *path, size_t element, bool asked_for)
{
    RL_APPEND(listing->columns, listing->column_count, listing->column_cap,
              (struct view_column){.path = *path, .element = element, .least = INFINITY});
    if (!span_last(listing) && !asked_for && view_path_field(path)->shown != VIEW_SHOWN)
        return listing->column_count--, false;
    return true;
}

/* Whether two columns share a unit, because readers compare them: of one field, or of fields with one `scale`. */
static bool share_scale(const struct view_field *a, const struct view_field *b)
{
    return a == b || (a->scale && b->scale && strcmp(a->scale, b->scale) == 0);
}

/* The step of a path that is a list, of whose rows one is taken; NULL: none is. */
static const struct view_field *list_of(const struct view_path *path, struct view_path *to)
{
    *to = *path;
    for (to->count = 1; to->count < path->count; to->count++)
        if (path->step[to->count - 1]->type == VIEW_TYPE_LIST)
            return path->step[to->count - 1];
    return NULL;
}

/* The columns that go with a column of a row of a list, behind that one. */
static void move_last_beside(struct view_listing *listing)
{
    struct view_path list, other;
    const struct view_column last = listing->columns[listing->column_count - 1];
    if (!view_path_field(&last.path)->beside || !list_of(&last.path, &list))
        return;
    for (size_t i = listing->column_count - 1; i-- > 0;) {
        if (listing->columns[i].element != last.element || list_of(&listing->columns[i].path, &other) != list.step[list.count - 1])
            continue;
        memmove(&listing->columns[i + 2], &listing->columns[i + 1], (listing->column_count - i - 2) * sizeof last);
        listing->columns[i + 1] = last;
        return;
    }
}

/* How many columns a path is: of a list as many as its rows, of which all rows of the table have the same number. */
static size_t width_of(const struct view_listing *listing, const struct view_path *path)
{
    struct view_path list;
    if (!list_of(path, &list))
        return 1;
    if (listing->rows.count == 0)
        return 0;
    const struct view_cell cell = view_path_cell(listing->view, &list, view_rows_at(&listing->rows, 0));
    return cell.state == RL_PRESENT ? cell.rows.count : 0;
}

static void add_shown(struct view_listing *listing)
{
    const struct view_record *record = listing->record;
    for (size_t i = 0; i < record->field_count; i++) {
        const struct view_path path = {.step = {&record->fields[i]}, .count = 1};
        if (can_be_column(listing->view, &record->fields[i]))
            add_column(listing, &path, 0, false);
    }
}

void view_listing_make(struct view_listing *listing, const struct view *view, const struct view_record *record,
                       struct view_rows rows, const struct view_choice *choice, const char *columns)
{
    size_t chosen;
    const struct view_path *paths = view_choice_columns(choice, &chosen);
    *listing = (struct view_listing){.view = view, .record = record, .rows = rows};
    if (paths) {
        for (size_t i = 0; i < chosen; i++)
            add_column(listing, &paths[i], 0, true);
    } else if (columns || record->columns) {
        /* The columns that are named in a text of the record or the block, separated by commas. */
        const char *names = columns ? columns : record->columns;
        for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
            struct view_path path;
            const bool known = view_path_parse_across(listing->record, at, strcspn(at, ","), &path);
            assert(known); /* the tests look at all results */
            const size_t width = known && view_path_listed(listing->view, &path) ? width_of(listing, &path) : 0;
            for (size_t i = 0; i < width; i++)
                if (add_column(listing, &path, i, view_path_field(&path)->shown == VIEW_ON_REQUEST))
                    move_last_beside(listing);
        }
    } else {
        add_shown(listing);
    }
    for (size_t i = 0; i < listing->column_count; i++) {
        const struct view_field *field = view_path_field(&listing->columns[i].path);
        double least = INFINITY, most = 0;
        for (size_t j = 0; j < listing->column_count; j++)
            if (share_scale(view_path_field(&listing->columns[j].path), field)) {
                least = fmin(least, listing->columns[j].least);
                most = fmax(most, listing->columns[j].most);
            }
        listing->columns[i].scale = scale_of(field, least, most);
    }
}

void view_listing_release(struct view_listing *listing)
{
    free(listing->columns);
    *listing = (struct view_listing){0};
}

/* ---- what stands in them ---- */

/* "H200 time": of a list what names its row, then the heads of the fields. */
static void add_element_name(const struct view_listing *listing, const struct view_column *column, struct rl_buf *out)
{
    struct view_path list, name;
    const struct view_field *field = list_of(&column->path, &list), *last = view_path_field(&column->path);
    name = list;
    name.step[name.count++] = view_record_identity(field->record);
    if (listing->rows.count && !last->beside) {
        const struct view_cell cell = view_path_element(listing->view, &name, view_rows_at(&listing->rows, 0), column->element);
        view_cell_format(out, view_path_field(&name), &cell);
    }
    if (!last->head || *last->head)
        rl_buf_addf(out, "%s%s", last->beside ? "" : " ", last->head ? last->head : last->id);
}

void view_listing_name(const struct view_listing *listing, size_t column, struct rl_buf *out)
{
    assert(column < listing->column_count);
    const struct view_column *of = &listing->columns[column];
    struct view_path list;
    if (list_of(&of->path, &list))
        add_element_name(listing, of, out);
    else if (listing->labels && view_path_field(&of->path)->label)
        rl_buf_adds(out, view_path_field(&of->path)->label);
    else if (listing->labels && of->path.step[0]->label)
        rl_buf_adds(out, of->path.step[0]->label);
    else
        view_path_head(listing->view, &of->path, out);
}

const char *view_listing_unit(const struct view_listing *listing, size_t column)
{
    assert(column < listing->column_count);
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    const bool has_unit = field->type == VIEW_TYPE_NUMBER && !field->unit_aside && !field->unit_of_row;
    return has_unit ? listing->columns[column].scale.symbol : "";
}

void view_listing_head(const struct view_listing *listing, size_t column, struct rl_buf *out)
{
    assert(column < listing->column_count);
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    const char *unit = view_listing_unit(listing, column);
    if (!field->unit_is_head)
        view_listing_name(listing, column, out);
    rl_buf_addf(out, "%s%s", *unit && !field->unit_is_head ? " " : "", unit);
}

struct view_cell view_listing_value(const struct view_listing *listing, size_t row, size_t column)
{
    assert(row < listing->rows.count && column < listing->column_count);
    const struct view_column *of = &listing->columns[column];
    return view_path_element(listing->view, &of->path, view_rows_at(&listing->rows, row), of->element);
}

const void *view_listing_element(const struct view_listing *listing, size_t row, size_t column)
{
    const struct view_column *of = &listing->columns[column];
    struct view_path list;
    if (!list_of(&of->path, &list))
        return NULL;
    const struct view_cell cell = view_path_cell(listing->view, &list, view_rows_at(&listing->rows, row));
    return cell.state == RL_PRESENT && of->element < cell.rows.count ? view_rows_at(&cell.rows, of->element) : NULL;
}

/* Percentages under 0.01 are not printed: only that they are next to nothing matters. */
static const double least_share = 1e-4;
#define TINY "<0.01"

void view_share_add(struct rl_buf *out, double share)
{
    if (share > 0 && share < least_share)
        rl_buf_adds(out, TINY RL_NO_BREAK_SPACE "%");
    else
        rl_unit_format(out, RL_UNIT_FRACTION, share, ALONE_DIGITS);
}

void view_speedup_add(struct rl_buf *out, double speedup)
{
    if (isfinite(speedup))
        rl_buf_addf(out, "%.2f×", speedup);
    else
        rl_buf_adds(out, RL_EN_DASH);
}

void view_speedup_interval_add(struct rl_buf *out, double speedup, double low, double high)
{
    view_speedup_add(out, speedup);
    if (isfinite(speedup) && isfinite(low))
        rl_buf_addf(out, " %.2f" RL_EN_DASH "%.2f", low, high);
}

static bool is_tiny(const struct view_field *field, const struct view_cell *cell)
{
    const enum rl_unit unit = field->unit_of_row ? cell->unit : field->unit;
    return unit == RL_UNIT_FRACTION && !field->is_change && cell->number > 0 && cell->number < least_share;
}

static void add_number(struct rl_buf *out, const struct view_column *column, const struct view_cell *cell)
{
    const struct view_field *field = view_path_field(&column->path);
    const int digits = field->digits ? field->digits : USUAL_DIGITS;
    const bool tiny = is_tiny(field, cell);
    const double shown = field->is_change ? fabs(cell->number) : cell->number;
    rl_buf_adds(out, cell->sign ? cell->sign : "");
    rl_buf_adds(out, !field->is_change || shown == 0 ? "" : cell->number < 0 ? MINUS : "+");
    if (field->words)
        rl_buf_adds(out, field->words[cell->number > 0]);
    else if (tiny)
        rl_buf_adds(out, field->unit_of_row ? TINY RL_NO_BREAK_SPACE "%" : TINY);
    else if (field->unit_of_row || field->unit == RL_UNIT_COUNT)
        rl_unit_format(out, field->unit_of_row ? cell->unit : field->unit, shown, digits);
    else
        rl_unit_format(out, RL_UNIT_NONE, shown * column->scale.factor, digits); /* of thousands in groups */
}

void view_listing_cell(const struct view_listing *listing, size_t row, size_t column, struct rl_buf *out)
{
    assert(row < listing->rows.count && column < listing->column_count);
    const struct view_column *of = &listing->columns[column];
    const struct view_field *field = view_path_field(&of->path);
    const struct view_cell cell = view_listing_value(listing, row, column);
    if (cell.state == RL_PRESENT && field->type == VIEW_TYPE_TEXT)
        rl_buf_adds(out, cell.sign ? cell.sign : "");
    if (cell.state == RL_PRESENT && field->type == VIEW_TYPE_NUMBER)
        add_number(out, of, &cell);
    else if (cell.state == RL_PRESENT && field->type == VIEW_TYPE_BOOLEAN)
        rl_buf_adds(out, cell.boolean ? "yes" : "");
    else if (cell.state == RL_PRESENT || *cell.reason)
        view_cell_format(out, field, &cell);
}

void view_listing_alone(const struct view_listing *listing, size_t row, size_t column, struct rl_buf *out)
{
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    const struct view_cell cell = view_listing_value(listing, row, column);
    if (cell.state != RL_PRESENT || field->type != VIEW_TYPE_NUMBER) {
        view_listing_cell(listing, row, column, out);
        return;
    }
    struct view_field few = *field; /* a figure that stands alone needs no more digits */
    few.digits = field->digits ? field->digits : ALONE_DIGITS;
    if (is_tiny(field, &cell))
        rl_buf_addf(out, "%s" TINY RL_NO_BREAK_SPACE "%%", cell.sign ? cell.sign : "");
    else
        view_cell_format(out, &few, &cell);
    if (cell.half_width > 0 && cell.number > 0) {
        rl_buf_adds(out, " \xC2\xB1");
        rl_unit_format(out, RL_UNIT_FRACTION, cell.half_width / cell.number, 1);
    }
}

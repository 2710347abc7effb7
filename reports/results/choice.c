/* choice.c - which columns and rows of a list, and in which order: --columns, --sort, --where. */
#include <fnmatch.h>
#include <regex.h>

#include "core/suggest.h"
#include "results/listing.h"

enum relation { EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST, MATCH, MISMATCH, RELATION_COUNT };
/* The longer ones first: "<=" is not "<" and "=...". */
static const struct {
    const char *sign;
    enum relation relation;
} relations[] = {{"!=", UNEQUAL}, {"<=", AT_MOST}, {">=", AT_LEAST}, {"!~", MISMATCH},
                 {"=", EQUAL},    {"<", LESS},     {">", MORE},      {"~", MATCH}};

struct condition {
    struct view_path path;
    enum relation relation;
    char *text;    /* a pattern, of text */
    double number; /* of numbers */
    bool compiled; /* MATCH and MISMATCH: there is */
    regex_t expression;
};
struct view_choice {
    struct view_path *columns;
    size_t column_count, column_cap;
    struct condition *conditions;
    size_t condition_count, condition_cap;
    bool sorted, backwards;
    struct view_path key;
};

/* ---- parsing ---- */

struct names {
    const char **list;
    size_t count, cap;
};

static void add_name(void *to, const struct view_path *path)
{
    struct names *names = to;
    struct rl_buf text = RL_BUF_INIT;
    view_path_format(path, &text);
    RL_APPEND(names->list, names->count, names->cap, rl_buf_detach(&text, NULL));
}

static enum rl_status unknown(const struct view_record *record, const char *option, const char *id, size_t length,
                              struct rl_err *err)
{
    struct names names = {0};
    char *word = rl_strndup(id, length);
    view_record_paths(record, add_name, &names);
    const char *near = rl_suggest_nearest(word, names.list, names.count);
    const enum rl_status status =
        rl_err_set(err, RL_USAGE, "%s: there is no column '%s'%s%s%s", option, word, near ? "; the nearest is '" : "",
                   near ? near : ": 'list columns' names all", near ? "'" : "");
    for (size_t i = 0; i < names.count; i++)
        free((char *)names.list[i]);
    free(names.list);
    free(word);
    return status;
}

static enum rl_status parse_path(const struct view_record *record, const char *option, const char *id, size_t length,
                                 struct view_path *path, struct rl_err *err)
{
    if (!view_path_parse(record, id, length, path) || view_path_field(path)->type == VIEW_TYPE_RECORD)
        return unknown(record, option, id, length, err);
    return RL_OK;
}

static enum rl_status parse_columns(struct view_choice *choice, const struct view_record *record, const char *text,
                                    struct rl_err *err)
{
    enum rl_status status = RL_OK;
    while (status == RL_OK) {
        const size_t length = strcspn(text, ",");
        RL_GROW(choice->columns, choice->column_count + 1, choice->column_cap);
        status = parse_path(record, "--columns", text, length, &choice->columns[choice->column_count], err);
        choice->column_count += status == RL_OK;
        if (!text[length])
            break;
        text += length + 1;
    }
    return status;
}

static bool is_number(const struct view_field *field)
{
    return field->type == VIEW_TYPE_NUMBER || field->type == VIEW_TYPE_WHOLE || field->type == VIEW_TYPE_INTEGER ||
           field->type == VIEW_TYPE_LIST;
}

static bool is_expression(enum relation relation)
{
    return relation == MATCH || relation == MISMATCH;
}

static enum rl_status compile(struct condition *condition, const char *text, size_t length, struct rl_err *err)
{
    char why[256];
    condition->text = rl_strndup(text, length);
    const int code = regcomp(&condition->expression, condition->text, REG_EXTENDED | REG_NOSUB);
    if (code == 0) {
        condition->compiled = true;
        return RL_OK;
    }
    (void)regerror(code, &condition->expression, why, sizeof why);
    const enum rl_status status = rl_err_set(err, RL_USAGE, "--where: '%s' is not a regular expression: %s", condition->text, why);
    free(condition->text);
    return status;
}

static enum rl_status parse_value(struct condition *condition, const char *text, size_t length, struct rl_err *err)
{
    const struct view_field *field = view_path_field(&condition->path);
    if (is_number(field) && is_expression(condition->relation))
        return rl_err_set(err, RL_USAGE, "--where: %s is a number, which is compared with = != < <= > >=", field->id);
    if (is_number(field)) {
        if (!rl_number_parse(text, length, &condition->number))
            return rl_err_set(err, RL_USAGE, "--where: '%.*s' is not a number: %s is one, in %s", (int)length, text, field->id,
                              rl_unit_json(field->unit));
        return RL_OK;
    }
    if (is_expression(condition->relation))
        return compile(condition, text, length, err);
    if (condition->relation != EQUAL && condition->relation != UNEQUAL)
        return rl_err_set(
            err, RL_USAGE,
            "--where: %s is text, which is compared with = or != and a pattern, or with ~ or !~ and a regular expression",
            field->id);
    condition->text = rl_strndup(text, length);
    return RL_OK;
}

static enum rl_status parse_condition(struct view_choice *choice, const struct view_record *record, const char *text, size_t length,
                                      struct rl_err *err)
{
    size_t id = 0;
    assert(strlen(text) >= length);
    while (id < length && !strchr("=!<>~", text[id]))
        id++;
    for (size_t i = 0; i < RL_COUNT(relations); i++) {
        const size_t sign = strlen(relations[i].sign);
        if (id + sign > length || memcmp(text + id, relations[i].sign, sign) != 0)
            continue;
        struct condition condition = {.relation = relations[i].relation};
        enum rl_status status = parse_path(record, "--where", text, id, &condition.path, err);
        if (status == RL_OK)
            status = parse_value(&condition, text + id + sign, length - id - sign, err);
        if (status != RL_OK)
            return status;
        RL_APPEND(choice->conditions, choice->condition_count, choice->condition_cap, condition);
        return RL_OK;
    }
    return rl_err_set(
        err, RL_USAGE,
        "--where: '%.*s' is not a condition; write ID=TEXT, ID!=TEXT, ID~REGEX, ID!~REGEX, or ID and < <= > >= = != and a number",
        (int)length, text);
}

static enum rl_status parse_where(struct view_choice *choice, const struct view_record *record, const char *text,
                                  struct rl_err *err)
{
    enum rl_status status = RL_OK;
    while (status == RL_OK) {
        const size_t length = strcspn(text, ",");
        status = parse_condition(choice, record, text, length, err);
        if (!text[length])
            break;
        text += length + 1;
    }
    return status;
}

static enum rl_status parse_sort(struct view_choice *choice, const struct view_record *record, const char *text, struct rl_err *err)
{
    choice->backwards = *text == '-';
    choice->sorted = true;
    text += choice->backwards;
    return parse_path(record, "--sort", text, strlen(text), &choice->key, err);
}

enum rl_status view_choice_new(const struct view_record *record, const struct view_choice_texts *texts, struct view_choice **choice,
                               struct rl_err *err)
{
    enum rl_status status = RL_OK;
    assert(record->field_count > 0);
    *choice = rl_calloc(1, sizeof **choice);
    if (texts->columns)
        status = parse_columns(*choice, record, texts->columns, err);
    if (status == RL_OK && texts->sort)
        status = parse_sort(*choice, record, texts->sort, err);
    if (status == RL_OK && texts->where)
        status = parse_where(*choice, record, texts->where, err);
    return status;
}

void view_choice_free(struct view_choice *choice)
{
    if (!choice)
        return;
    for (size_t i = 0; i < choice->condition_count; i++) {
        free(choice->conditions[i].text);
        if (choice->conditions[i].compiled)
            regfree(&choice->conditions[i].expression);
    }
    free(choice->conditions);
    free(choice->columns);
    free(choice);
}

bool view_choice_has_columns(const struct view_choice *choice)
{
    return choice && choice->column_count > 0;
}

const struct view_path *view_choice_columns(const struct view_choice *choice, size_t *count)
{
    *count = choice ? choice->column_count : 0;
    return *count ? choice->columns : NULL;
}

/* ---- choosing ---- */

static double number_of(const struct view_field *field, const struct view_cell *cell)
{
    return field->type == VIEW_TYPE_NUMBER    ? cell->number
           : field->type == VIEW_TYPE_WHOLE   ? (double)cell->whole
           : field->type == VIEW_TYPE_INTEGER ? (double)cell->integer
           : field->type == VIEW_TYPE_LIST    ? (double)cell->rows.count
                                              : (double)cell->boolean;
}

static const char *text_of(const struct view_field *field, const struct view_cell *cell)
{
    return field->type == VIEW_TYPE_TEXT ? cell->text : cell->boolean ? "yes" : "no";
}

/* An absent value fulfils nothing. */
static bool fulfils(const struct view *view, const struct condition *condition, const void *row)
{
    const struct view_field *field = view_path_field(&condition->path);
    const struct view_cell cell = view_path_cell(view, &condition->path, row);
    if (cell.state != RL_PRESENT)
        return false;
    if (!condition->text) {
        const double a = number_of(field, &cell);
        const bool results[RELATION_COUNT] = {
            [EQUAL] = a == condition->number,
            [UNEQUAL] = a != condition->number,
            [LESS] = a<condition->number, [AT_MOST] = a <= condition->number, [MORE] = a> condition->number,
            [AT_LEAST] = a >= condition->number};
        return results[condition->relation];
    }
    if (condition->compiled)
        return (regexec(&condition->expression, text_of(field, &cell), 0, NULL, 0) == 0) == (condition->relation == MATCH);
    return (fnmatch(condition->text, text_of(field, &cell), 0) == 0) == (condition->relation == EQUAL);
}

static bool fulfils_all(const struct view_choice *choice, const struct view *view, const void *row)
{
    return !RL_ANY(i, choice->condition_count, !fulfils(view, &choice->conditions[i], row));
}

/* A row to be sorted: its place in the array, and what it is sorted by. */
struct sorted_row {
    size_t at;
    struct view_cell key;
    const struct view_choice *choice;
};

/* Equal rows keep their order. */
static int by_key(const void *a, const void *b)
{
    const struct sorted_row *x = a, *y = b;
    const struct view_field *field = view_path_field(&x->choice->key);
    const bool has_x = x->key.state == RL_PRESENT, has_y = y->key.state == RL_PRESENT;
    const int direction = x->choice->backwards ? -1 : 1;
    if (!has_x || !has_y)
        return has_y - has_x;
    if (!is_number(field))
        return direction * rl_ascending_text(text_of(field, &x->key), text_of(field, &y->key));
    return direction * rl_descending_double(number_of(field, &x->key), number_of(field, &y->key));
}

static void sort(const struct view_choice *choice, const struct view *view, const struct view_rows *rows, size_t *at, size_t count)
{
    struct sorted_row *sorted = rl_calloc(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++) {
        const void *row = (const char *)rows->first + rows->stride * at[i];
        sorted[i] = (struct sorted_row){at[i], view_path_cell(view, &choice->key, row), choice};
    }
    rl_sort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 0; i < count; i++)
        at[i] = sorted[i].at;
    free(sorted);
}

struct view_rows view_choice_rows(const struct view_choice *choice, const struct view *view, struct view_rows rows)
{
    if (!choice || rows.count == 0)
        return rows;
    size_t *at = rl_arena_alloc(view->arena, rows.count * sizeof *at), count = 0;
    for (size_t i = 0; i < rows.count; i++)
        if (fulfils_all(choice, view, view_rows_at(&rows, i)))
            at[count++] = rows.at ? rows.at[i] : i;
    if (choice->sorted)
        sort(choice, view, &rows, at, count);
    rows.at = at;
    rows.count = count;
    return rows;
}

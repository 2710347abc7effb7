/* Every result keeps the rules of results: ids, units in ids, definitions, templates that are right. */
#include "rl_test.h"

#include <ctype.h>
#include <stdbool.h>

#include "results/results.h"
#include "results/sentence.h"

/* What the id of a number in a unit ends with; NULL: nothing of its own. */
static const char *const endings[RL_UNIT_COUNT_] = {
    [RL_UNIT_SECOND] = "_s",
    [RL_UNIT_HERTZ] = "_hz",
    [RL_UNIT_WATT] = "_w",
};

static bool ends(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_word(const char *id)
{
    for (const char *at = id; *at; at++)
        if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at) && *at != '_')
            return false;
    return islower((unsigned char)*id);
}

/* Statistics are named by the field that has them. */
static bool is_statistics(const struct view_record *record)
{
    return record == &view_record_times || record == &view_record_rates || record == &view_record_samples ||
           record == &view_record_time_spread;
}

static void check_field(const struct view_record *record, const struct view_field *field)
{
    const char *end = is_statistics(record) ? NULL : endings[field->unit];
    if (!is_word(field->id))
        fail_msg("%s.%s: not an id", record->id, field->id);
    if (!field->help || !*field->help)
        fail_msg("%s.%s: no definition", record->id, field->id);
    if (field->explained && ends(field->help, ".")) /* definitions stand in one line, behind one another */
        fail_msg("%s.%s: a definition with a full stop", record->id, field->id);
    if (field->type == VIEW_TYPE_NUMBER && end && !ends(field->id, end))
        fail_msg("%s.%s: the unit, %s, is not at the end", record->id, field->id, end);
    if ((field->type == VIEW_TYPE_RECORD || field->type == VIEW_TYPE_LIST) != (field->record != NULL))
        fail_msg("%s.%s: record and type do not fit", record->id, field->id);
    if ((field->get != NULL) == (field->access != VIEW_BY_GET))
        fail_msg("%s.%s: has no place, or two", record->id, field->id);
}

static void check_unique(const struct view_record *record)
{
    for (size_t i = 0; i < record->field_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(record->fields[i].id, record->fields[j].id) == 0)
                fail_msg("%s.%s is there twice", record->id, record->fields[i].id);
}

static void check_template(const struct view_record *record, const char *text)
{
    struct rl_buf why = RL_BUF_INIT;
    if (text && !view_sentence_check(record, text, &why))
        fail_msg("%s", why.data);
    rl_buf_release(&why);
}

/* Of a table: each leads to a field. */
static void check_columns(const struct view_record *record, const char *columns)
{
    struct view_path path;
    for (const char *at = columns ? columns : ""; *at; at += strcspn(at, ","), at += *at == ',')
        if (!view_path_parse_across(record, at, strcspn(at, ","), &path))
            fail_msg("%s: no column '%s'", record->id, at);
}

/* Of a block: each leads to a field, behind '!' too. */
static void check_conditions(const struct view_record *record, const char *with)
{
    struct view_path path;
    for (const char *at = with ? with : ""; *at; at += strcspn(at, ","), at += *at == ',') {
        at += *at == '!';
        if (!view_path_parse(record, at, strcspn(at, ","), &path))
            fail_msg("%s: no field '%s'", record->id, at);
    }
}

static void check_block(const struct view_record *record, const struct view_block *block)
{
    const struct view_field *field = block->field ? view_record_field(record, block->field) : NULL;
    const bool of_rows = block->kind == VIEW_BLOCK_ITEMS || block->kind == VIEW_BLOCK_NOTES || block->kind == VIEW_BLOCK_CODE;
    const bool of_list = of_rows || block->kind == VIEW_BLOCK_TABLE || block->kind == VIEW_BLOCK_EACH;
    if (of_list && !(field && field->record))
        fail_msg("%s: a block of '%s', which is no list", record->id, block->field ? block->field : "");
    check_columns(field ? field->record : NULL, block->columns);
    check_columns(field ? field->record : NULL, block->narrow);
    check_conditions(record, block->with);
    check_template(record, block->title);
    check_template(record, block->kind == VIEW_BLOCK_LEAD ? block->label : NULL);
    check_template(of_rows ? field->record : record, block->text);
}

static void check_record(const struct view_record *record, int depth)
{
    assert_true(depth < 8);
    if (!record->help || !*record->help)
        fail_msg("%s has no definition", record->id);
    assert_true(!record->plain || record->field_count == 1);
    check_unique(record);
    check_template(record, record->title);
    for (size_t i = 0; i < record->block_count; i++)
        check_block(record, &record->blocks[i]);
    for (size_t i = 0; i < record->field_count; i++) {
        check_field(record, &record->fields[i]);
        if (record->fields[i].record)
            check_record(record->fields[i].record, depth + 1);
    }
}

static void results(void **state)
{
    (void)state;
    for (int i = 0; i < VIEW_RESULT_COUNT; i++)
        check_record(view_results[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A new column is one row of a table of fields, and shows in every form: terminal, Markdown, CSV, JSON, schema and --columns. The
 * same record is rendered without and with that row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "view_csv.h"
#include "view_json.h"
#include "view_schema.h"
#include "view_text.h"

struct bird {
    const char *name;
    double wing_s;
};
static const struct bird birds[] = {{"heron", 1.75}, {"wren", 0.0625}};

static const struct view_field fields[] = {
    {.id = "name", .head = "bird", VIEW_AT(struct bird, name), .help = "its name"},
    {.id = "wing_beat_s", .head = "beat", VIEW_AT(struct bird, wing_s), .unit = RL_UNIT_SECOND, .help = "time of a beat of its wings"},
};
static const struct view_record without = {
    .id = "bird", .format = "birds", .title = "", .help = "a bird", .fields = fields, .field_count = 1};
static const struct view_record with = {
    .id = "bird", .format = "birds", .title = "", .help = "a bird", .fields = fields, .field_count = 2};

enum form { TERMINAL, MARKDOWN, CSV, JSON, SCHEMA, FORMS };
static const char *const names[FORMS] = {"terminal", "Markdown", "CSV", "JSON", "schema"};
/* What shows the column in each form: its name, and a value where there are values. */
static const char *const shown[FORMS][2] = {[TERMINAL] = {"beat ms", "1750"},
                                            [MARKDOWN] = {"| beat ms |", "|    1750 |"},
                                            [CSV] = {"name,wing_beat_s", "heron,1.75"},
                                            [JSON] = {"\"wing_beat_s\"", "1.75"},
                                            [SCHEMA] = {"\"wing_beat_s\"", "\"unit\": \"s\""}};

static void render(const struct view_record *record, enum form form, const struct view_choice *choice, struct rl_buf *out)
{
    struct rl_arena arena = RL_ARENA_INIT;
    const struct view view = {.record = record, .row = &birds[0], .arena = &arena};
    const struct view_rows rows = {birds, sizeof birds[0], 2, NULL};
    struct cli_doc doc = {.out = out, .style = form == MARKDOWN ? CLI_DOC_MARKDOWN : CLI_DOC_TERMINAL};
    if (form == TERMINAL || form == MARKDOWN)
        cli_view_table(&view, record, &rows, choice, &doc);
    else if (form == CSV)
        cli_view_csv(&view, record, &rows, choice, out);
    else if (form == JSON)
        cli_view_document(&view, &(struct cli_view_document){.version = VIEW_VERSION}, out);
    else
        cli_view_schema(record, out);
    rl_arena_release(&arena);
}

/* How many faults there are. */
static int check(const struct view_record *record, const struct view_choice *choice, bool expected)
{
    int faults = 0;
    for (int form = 0; form < FORMS; form++) {
        struct rl_buf out = RL_BUF_INIT;
        render(record, (enum form)form, choice, &out);
        for (int i = 0; i < 2; i++) {
            if ((strstr(out.data, shown[form][i]) != NULL) == expected)
                continue;
            printf("%s: '%s' is %s:\n%s\n", names[form], shown[form][i], expected ? "missing" : "there all the same", out.data);
            faults++;
        }
        rl_buf_release(&out);
    }
    return faults;
}

int main(void)
{
    struct rl_err err = {0};
    struct view_choice *choice = NULL;
    int faults = check(&without, NULL, false) + check(&with, NULL, true);
    if (view_choice_new(&without, &(struct view_choice_texts){.columns = "name,wing_beat_s"}, &choice, &err) == RL_OK) {
        printf("--columns takes a column that is not there\n");
        faults++;
    }
    view_choice_free(choice);
    choice = NULL;
    if (view_choice_new(&with, &(struct view_choice_texts){.columns = "name,wing_beat_s", .where = "wing_beat_s>1"}, &choice, &err) !=
        RL_OK) {
        printf("--columns refuses it: %s\n", err.text);
        faults++;
    } else {
        faults += check(&with, choice, true);
    }
    view_choice_free(choice);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}

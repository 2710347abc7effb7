/* A new column is one row of a table of fields, and shows in every form: terminal, Markdown, CSV, JSON, schema, PDF and --columns.
 * The same record is rendered without and with that row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/child.h"
#include "core/fs.h"
#include "core/json.h"
#include "fixtures/files.h"
#include "view_media.h"
#ifdef RL_WITH_REPORTS
#include "view_table.h"
#endif

struct bird {
    const char *name;
    double wing_s;
};
static const struct bird birds[] = {{"heron", 1.75}, {"wren", 0.0625}};

static const struct view_field fields[] = {
    {.id = "name", .head = "bird", VIEW_AT(struct bird, name), .help = "its name"},
    {.id = "wing_beat_s",
     .head = "beat",
     VIEW_AT(struct bird, wing_s),
     .unit = RL_UNIT_SECOND,
     .help = "time of a beat of its wings"},
};
static const struct view_record without = {
    .id = "bird", .format = "birds", .title = "", .help = "a bird", .fields = fields, .field_count = 1};
static const struct view_record with = {
    .id = "bird", .format = "birds", .title = "", .help = "a bird", .fields = fields, .field_count = 2};

enum form { TERMINAL, MARKDOWN, CSV, JSON, SCHEMA, PDF, FORMS };
static const char *const names[FORMS] = {"terminal", "Markdown", "CSV", "JSON", "schema", "PDF"};
/* What shows the column in each form: its name, and a value where there are values. */
static const char *const shown[FORMS][2] = {[TERMINAL] = {"beat ms", "1750"},
                                            [MARKDOWN] = {"| beat ms |", "|    1750 |"},
                                            [CSV] = {"name,wing_beat_s", "heron,1.75"},
                                            [JSON] = {"\"wing_beat_s\"", "1.75"},
                                            [SCHEMA] = {"\"wing_beat_s\"", "\"unit\": \"s\""},
                                            [PDF] = {"beat", "1750"}};

#ifdef RL_WITH_REPORTS
/* Appends the text of a document; false where no program reads it. */
static bool read_document(const struct rl_buf *document, struct rl_buf *out)
{
    struct rl_err err = RL_ERR_INIT;
    char *reader = rl_find_program("pdftotext"), *folder = files_new_folder(), *file = rl_path_join(folder, "birds.pdf");
    const struct rl_spawn spawn = {
        .argv = (const char *[]){reader, "-layout", file, "-", NULL}, .timeout_s = 60, .output_limit = 1u << 20};
    struct rl_spawn_result result;
    const bool read = reader && rl_write_file_atomic(file, document->data, document->len, &err) == RL_OK &&
                      rl_spawn_run(&spawn, &result, &err) == RL_OK;
    if (read) {
        rl_buf_add(out, result.out.data, result.out.len);
        rl_spawn_result_release(&result);
    }
    files_remove_folder(folder);
    free(file);
    free(reader);
    return read;
}

/* A page with the table, as text. */
static bool render_page(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                        const struct view_choice *choice, struct rl_buf *out)
{
    enum { WIDTH = 595, HEIGHT = 842 };
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf document = RL_BUF_INIT;
    struct rl_fonts *fonts = NULL;
    struct rl_pdf *pdf = NULL;
    if (rl_fonts_open(NULL, &fonts, &err) != RL_OK || rl_pdf_new(fonts, WIDTH, HEIGHT, &pdf, &err) != RL_OK)
        abort();
    struct rl_layout *layout = rl_layout_new(pdf, fonts, WIDTH, HEIGHT);
    rl_layout_page(layout);
    rl_view_table(layout, view,
                  &(struct rl_view_table){.record = record, .rows = *rows, .columns = choice ? "name,wing_beat_s" : NULL});
    rl_layout_finish(layout, &(struct rl_running){"", "", ""}, rl_layout_target(layout));
    const bool read = rl_pdf_finish(pdf, &document, &err) == RL_OK && read_document(&document, out);
    rl_layout_free(layout);
    rl_pdf_free(pdf);
    rl_fonts_free(fonts);
    rl_buf_release(&document);
    return read;
}
#else
static bool render_page(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                        const struct view_choice *choice, struct rl_buf *out)
{
    (void)view, (void)record, (void)rows, (void)choice, (void)out;
    return false;
}
#endif

/* Whether the form can be had here. */
static bool render(const struct view_record *record, enum form form, const struct view_choice *choice, struct rl_buf *out)
{
    struct rl_arena arena = RL_ARENA_INIT;
    const struct view view = {.record = record, .row = &birds[0], .arena = &arena};
    const struct view_rows rows = {birds, sizeof birds[0], 2, NULL};
    bool can = true;
    struct cli_doc doc = {.out = out, .style = form == MARKDOWN ? CLI_DOC_MARKDOWN : CLI_DOC_TERMINAL};
    if (form == TERMINAL || form == MARKDOWN)
        cli_view_table(&view, record, &rows, choice, &doc);
    else if (form == CSV)
        cli_view_csv(&view, record, &rows, choice, NULL, out);
    else if (form == JSON)
        cli_view_document(&view, &(struct cli_view_document){0}, out);
    else if (form == SCHEMA)
        cli_view_schema(record, out);
    else
        can = render_page(&view, record, &rows, choice, out);
    rl_arena_release(&arena);
    return can;
}

/* How many faults there are. */
static int check(const struct view_record *record, const struct view_choice *choice, bool expected)
{
    int faults = 0;
    for (int form = 0; form < FORMS; form++) {
        struct rl_buf out = RL_BUF_INIT;
        const bool can = render(record, (enum form)form, choice, &out);
        for (int i = 0; i < 2 && can; i++) {
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
    if (view_choice_new(&with, &(struct view_choice_texts){.columns = "name,wing_beat_s", .where = "wing_beat_s>1"}, &choice,
                        &err) != RL_OK) {
        printf("--columns refuses it: %s\n", err.text);
        faults++;
    } else {
        faults += check(&with, choice, true);
    }
    view_choice_free(choice);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}

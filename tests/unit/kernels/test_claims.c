/* Claims say where they come from, and their quotes stand there: every one is looked up in the text below its heading, where the
 * texts are at hand. docs/data/claims.md is made of the same rows: `test_claims --write FILE` writes it. */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/units.h"
#include "kernels/suite.h"

/* ---- the texts ---- */

/* File of a document, below RL_DOCUMENTS. */
static const char *const files[RL_DOCUMENT_COUNT] = {
    [RL_DOCUMENT_grid] = "000_1b436854380e411a.txt",
    [RL_DOCUMENT_summary] = "001_7739f916f6f3d539.txt",
    [RL_DOCUMENT_simt] = "002_eb3782452fa0d424.txt",
    [RL_DOCUMENT_guide] = "003_a52cb409eafce5a9.txt",
};

/* Every stretch of blanks and line ends becomes one blank: a quote may go over the end of a line. Marks of headings (`#`, `*`)
 * stay. */
static char *one_blank(const char *text)
{
    struct rl_buf out = RL_BUF_INIT;
    for (const char *c = text; *c; c++) {
        const bool blank = strchr(" \t\r\n", *c) != NULL;
        if (!blank)
            rl_buf_addch(&out, *c);
        else if (out.len && out.data[out.len - 1] != ' ')
            rl_buf_addch(&out, ' ');
    }
    return rl_buf_detach(&out, NULL);
}

/* The text of a document with single blanks (free()), or NULL where it is not at hand. */
static char *text_of(enum rl_suite_document_id document)
{
    struct rl_buf text = RL_BUF_INIT;
    char *path = rl_path_join(RL_DOCUMENTS, files[document]), *plain = NULL;
    if (rl_read_file(path, 1 << 20, &text, NULL) == RL_OK)
        plain = one_blank(text.data);
    rl_buf_release(&text);
    free(path);
    return plain;
}

#define LEFT_OUT " … "
enum { FARTHEST = 600 }; /* bytes between the parts of a quote: more than that is not left out but another place */

/* Whether the parts of the quote follow one another from `at` on, each near the one before it. */
static bool parts_follow(const char *at, const char *quote)
{
    const char *end = strstr(quote, LEFT_OUT);
    const size_t len = end ? (size_t)(end - quote) : strlen(quote);
    for (const char *part = at; (part = strchr(part, quote[0])) != NULL; part++) {
        if (strncmp(part, quote, len) != 0)
            continue;
        if (!end)
            return true;
        const char *next = end + strlen(LEFT_OUT);
        char *near = rl_strndup(part + len, strnlen(part + len, FARTHEST));
        const bool follow = parts_follow(near, next);
        free(near);
        if (follow)
            return true;
    }
    return false;
}

static void assert_quoted(const char *text, const char *heading, const char *quote, const char *who)
{
    const char *at = strstr(text, heading);
    if (!at)
        fail_msg("%s: its document has no heading '%s'", who, heading);
    if (!parts_follow(at + strlen(heading), quote))
        fail_msg("%s: '%s' does not stand below '%s'", who, quote, heading);
}

/* ---- what every claim says ---- */

static void assert_has_source(const struct rl_suite_claim *claim, const char *name)
{
    assert_true(claim->document < RL_DOCUMENT_COUNT);
    const struct rl_suite_document *document = &rl_suite_documents[claim->document];
    if (document->quoted != (claim->quote != NULL) || (claim->quote && !claim->heading))
        fail_msg("%s: a document whose words are at hand is quoted below a heading, another is not", name);
    if (claim->quote && strlen(claim->quote) > 120)
        fail_msg("%s: a quote is short", name);
    /* A figure of one card comes from a document that names it. */
    if (claim->card && (!document->card || strcmp(claim->card, document->card) != 0))
        fail_msg("%s: its document does not name %s", name, claim->card);
    /* A range has two ends, another claim one. */
    assert_int_equal(claim->relation == RL_BETWEEN, claim->most != 0);
    if (claim->relation == RL_BETWEEN)
        assert_true(claim->most > claim->value);
}

static void claims_say_where_they_come_from(void **state)
{
    (void)state;
    char name[128];
    for (size_t i = 0; i < rl_suite_count; i++)
        for (const struct rl_suite_claim *claim = rl_suite[i].claims; claim->id; claim++) {
            snprintf(name, sizeof name, "%s/%s", rl_suite[i].name, claim->id);
            assert_has_source(claim, name);
        }
    for (size_t i = 0; i < rl_suite_unjudged_count; i++)
        assert_true(rl_suite_documents[rl_suite_unjudged[i].document].quoted && strlen(rl_suite_unjudged[i].why) > 20);
}

static void sources_are_named_once(void **state)
{
    (void)state;
    struct rl_buf text = RL_BUF_INIT;
    rl_suite_source_text(rl_suite_find("register_pressure"), &text);
    assert_string_equal(text.data,
                        "notebook SIMT-Kernels (github.com/devaru-ai/cuda-inference), measured on NVIDIA A100-SXM4-40GB");
    rl_buf_reset(&text);
    rl_suite_source_text(rl_suite_find("read_only"), &text);
    assert_string_equal(text.data, "teaching notebook that sums up CUDA optimisation techniques, which names no GPU; our own");
    rl_buf_release(&text);
}

/* ---- ranges ---- */

/* Whether the quote has a range "a-b" which is that of the claim: as factors, as a gain in percent, or in microseconds. */
static bool has_range(const char *quote, double least, double most)
{
    for (const char *c = quote; *c; c++) {
        char *end, *last;
        const double a = strtod(c, &end);
        if (end == c || *end != '-')
            continue;
        const double b = strtod(end + 1, &last);
        const struct {
            double least, most;
        } readings[] = {{a, b}, {1 + a / 100, 1 + b / 100}, {a * 1e-6, b * 1e-6}};
        for (size_t i = 0; i < RL_COUNT(readings) && last > end + 1; i++)
            if (fabs(readings[i].least / least - 1) < 1e-9 && fabs(readings[i].most / most - 1) < 1e-9)
                return true;
    }
    return false;
}

static void ranges_are_those_of_the_quotes(void **state)
{
    (void)state;
    size_t ranges = 0;
    for (size_t i = 0; i < rl_suite_count; i++)
        for (const struct rl_suite_claim *claim = rl_suite[i].claims; claim->id; claim++) {
            if (claim->relation != RL_BETWEEN || !claim->quote)
                continue;
            ranges++;
            if (!has_range(claim->quote, claim->value, claim->most))
                fail_msg("%s/%s: %g to %g is not in '%s'", rl_suite[i].name, claim->id, claim->value, claim->most, claim->quote);
        }
    assert_true(ranges > 10);
    assert_true(has_range("~1.5-3x", 1.5, 3) && has_range("10-25%", 1.1, 1.25) && has_range("~5-15us", 5e-6, 15e-6));
    assert_false(has_range("~1.5-3x", 1.5, 3.1) || has_range("5 to 15", 5, 15) || has_range("10-", 10, 0));
}

/* ---- the quotes ---- */

static void check_document(enum rl_suite_document_id document, const char *text)
{
    char name[128];
    for (size_t i = 0; i < rl_suite_count; i++)
        for (const struct rl_suite_claim *claim = rl_suite[i].claims; claim->id; claim++) {
            snprintf(name, sizeof name, "%s/%s", rl_suite[i].name, claim->id);
            if (claim->document == document)
                assert_quoted(text, claim->heading, claim->quote, name);
        }
    for (size_t i = 0; i < rl_suite_unjudged_count; i++)
        if (rl_suite_unjudged[i].document == document)
            assert_quoted(text, rl_suite_unjudged[i].heading, rl_suite_unjudged[i].quote, "unjudged.def");
}

static void quotes_stand_in_their_documents(void **state)
{
    (void)state;
    size_t read = 0;
    for (enum rl_suite_document_id d = 0; d < RL_DOCUMENT_COUNT; d++) {
        assert_int_equal(rl_suite_documents[d].quoted, files[d] != NULL);
        char *text = files[d] ? text_of(d) : NULL;
        if (text)
            check_document(d, text);
        read += text != NULL;
        free(text);
    }
    if (read == 0) {
        print_message("the documents are not in %s: quotes are not compared\n", RL_DOCUMENTS);
        skip();
    }
}

static void a_wrong_quote_is_noticed(void **state)
{
    (void)state;
    static const char text[] = "# First gains 5 to 20 times # Second about 2 or 3";
    assert_true(parts_follow(text, "gains 5"));
    assert_true(parts_follow(text, "gains … 20"));
    assert_true(parts_follow(text, "2 … 3")); /* the first 2 is followed by no 3 nearer than the second */
    assert_false(parts_follow(text, "gains 6"));
    assert_false(parts_follow(text, "20 … 5"));
    assert_false(parts_follow(strstr(text, "Second"), "gains"));
    char *far = rl_strdup("5 ");
    struct rl_buf long_text = RL_BUF_INIT;
    rl_buf_adds(&long_text, far);
    for (int i = 0; i < FARTHEST; i++)
        rl_buf_addch(&long_text, '.');
    rl_buf_adds(&long_text, "20");
    assert_false(parts_follow(long_text.data, "5 … 20"));
    rl_buf_release(&long_text);
    free(far);
}

/* ---- the document ---- */

/* A text in a cell of a table. */
static void add_cell(struct rl_buf *out, const char *text)
{
    rl_buf_adds(out, " ");
    for (const char *c = text ? text : ""; *c; c++)
        if (strchr("|*<", *c))
            rl_buf_addf(out, "\\%c", *c);
        else
            rl_buf_addch(out, *c);
    rl_buf_adds(out, " |");
}

static void add_quote(struct rl_buf *out, const char *heading, const char *quote)
{
    struct rl_buf text = RL_BUF_INIT;
    if (quote)
        rl_buf_addf(&text, "\"%s\" (%s)", quote, heading);
    else
        rl_buf_adds(&text, heading ? heading : "");
    add_cell(out, text.len ? text.data : "");
    rl_buf_release(&text);
}

static void add_claims(struct rl_buf *out, enum rl_suite_document_id document)
{
    rl_buf_adds(out, "| claim | in our words | quoted | our reading |\n|---|---|---|---|\n");
    for (size_t i = 0; i < rl_suite_count; i++)
        for (const struct rl_suite_claim *claim = rl_suite[i].claims; claim->id; claim++) {
            if (claim->document != document)
                continue;
            rl_buf_addf(out, "| `%s/%s` |", rl_suite[i].name, claim->id);
            add_cell(out, claim->text);
            add_quote(out, claim->heading, claim->quote);
            add_cell(out, claim->reading);
            rl_buf_addch(out, '\n');
        }
}

static void add_unjudged(struct rl_buf *out)
{
    rl_buf_adds(out, "\n## Not judged\n\n| document | quoted | why not |\n|---|---|---|\n");
    for (size_t i = 0; i < rl_suite_unjudged_count; i++) {
        const struct rl_suite_unjudged *row = &rl_suite_unjudged[i];
        rl_buf_addch(out, '|');
        add_cell(out, rl_suite_documents[row->document].title);
        add_quote(out, row->heading, row->quote);
        add_cell(out, row->why);
        rl_buf_addch(out, '\n');
    }
}

static void add_page(struct rl_buf *out)
{
    rl_buf_adds(out, "# Claims of the suite\n\n"
                     "Every published claim that the suite tests, with its source and quotation; \"…\" marks omitted text. A\n"
                     "range is judged at both ends: a result above it is *more than claimed*. If a document names no GPU, its\n"
                     "figures are judged on every GPU; figures of a named GPU are shown on others and not judged.\n\n"
                     "Made of `kernels/suite.def`, `documents.def` and `unjudged.def` by\n"
                     "`build/tests/unit_kernels_test_claims --write docs/data/claims.md`.\n");
    for (enum rl_suite_document_id d = 0; d < RL_DOCUMENT_COUNT; d++) {
        rl_buf_adds(out, "\n## ");
        rl_suite_document_text(d, out);
        rl_buf_adds(out, "\n\n");
        add_claims(out, d);
    }
    add_unjudged(out);
}

static void the_document_is_that_of_the_rows(void **state)
{
    (void)state;
    struct rl_buf page = RL_BUF_INIT, file = RL_BUF_INIT;
    add_page(&page);
    assert_int_equal(rl_read_file(RL_SOURCE_DIR "/docs/data/claims.md", 1 << 20, &file, NULL), RL_OK);
    if (strcmp(page.data, file.data) != 0)
        fail_msg("docs/data/claims.md is not that of the rows: unit_kernels_test_claims --write docs/data/claims.md");
    rl_buf_release(&page);
    rl_buf_release(&file);
}

static int write_page(const char *path)
{
    struct rl_buf page = RL_BUF_INIT;
    add_page(&page);
    const enum rl_status status = rl_write_file_atomic(path, page.data, page.len, NULL);
    rl_buf_release(&page);
    return status == RL_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_say_where_they_come_from), cmocka_unit_test(sources_are_named_once),
        cmocka_unit_test(ranges_are_those_of_the_quotes),  cmocka_unit_test(quotes_stand_in_their_documents),
        cmocka_unit_test(a_wrong_quote_is_noticed),        cmocka_unit_test(the_document_is_that_of_the_rows),
    };
    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_page(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

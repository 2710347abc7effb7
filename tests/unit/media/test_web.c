/* Documents in HTML: what is in them, that nothing of a capture becomes markup, that they need nothing. A browser uses them in
 * tests/cli/browser.py. */
#include "rl_test.h"

#include "core/mem.h"
#include "media/report_tools.h"
#include "page.h"

static struct rl_report_options html(void)
{
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.medium = RL_MEDIUM_HTML;
    return options;
}

static void assert_holds(const struct rl_buf *document, const char *text)
{
    if (!strstr(document->data, text))
        fail_msg("the document does not hold '%s'", text);
}

static void assert_holds_not(const struct rl_buf *document, const char *text)
{
    const char *at = strstr(document->data, text);
    if (at)
        fail_msg("the document holds '%s': %.80s", text, at);
}

/* As many tags of a kind are closed as are opened, and none before it was opened. */
static void assert_balanced(const struct rl_buf *document, const char *element)
{
    char opening[32], closing[32];
    long open = 0;
    snprintf(opening, sizeof opening, "<%s", element);
    snprintf(closing, sizeof closing, "</%s>", element);
    for (const char *p = document->data; (p = strchr(p, '<')); p++) {
        const size_t len = strlen(opening);
        open += strncmp(p, opening, len) == 0 && (p[len] == '>' || p[len] == ' ');
        open -= strncmp(p, closing, strlen(closing)) == 0;
        if (open < 0)
            fail_msg("%s before its beginning: %.80s", closing, p);
    }
    assert_int_equal(open, 0);
}

/* It is a whole document that loads nothing. */
static void assert_sound(const struct rl_buf *document)
{
    static const char *const elements[] = {"section", "div",  "p",      "span",   "table", "tbody", "tr",
                                           "td",      "th",   "svg",    "figure", "a",     "h1",    "h2",
                                           "h3",      "text", "button", "small",  "main",  "body",  "html"};
    assert_true(rl_utf8_valid(document->data, document->len));
    assert_int_equal(strncmp(document->data, "<!DOCTYPE html>\n", 16), 0);
    for (size_t i = 0; i < RL_COUNT(elements); i++)
        assert_balanced(document, elements[i]);
    assert_int_equal(occurrences(document->data, "<script>"), 1);
    assert_int_equal(occurrences(document->data, "<style>"), 1);
    assert_holds(document, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-");
    static const char *const foreign[] = {"href=\"http", "src=\"http", "url(", "@import", "javascript:", " style=\"", " onclick"};
    for (size_t i = 0; i < RL_COUNT(foreign); i++)
        assert_holds_not(document, foreign[i]);
}

static void the_suite_makes_a_whole_document(void **state)
{
    (void)state;
    const struct rl_report_options options = html();
    struct rl_buf document = report_with(synthetic_suite(), &options), again = report_with(synthetic_suite(), &options);
    assert_sound(&document);
    assert_int_equal(document.len, again.len);
    assert_memory_equal(document.data, again.data, again.len);
    static const char *const parts[] = {SYNTHETIC_CARD,      "Deviations",
                                        "Health of the GPU", "Arithmetic intensity, FLOP per byte of DRAM traffic",
                                        "memory-bound",      "Session",
                                        "<title>",           "id=\"glossary\"",
                                        "id=\"coalescing\"", "href=\"#coalescing\"",
                                        "<th scope=\"col\"", "<footer>measured "};
    for (size_t i = 0; i < RL_COUNT(parts); i++)
        assert_holds(&document, parts[i]);
    for (size_t i = 0; i < rl_suite_count; i++)
        assert_holds(&document, rl_suite[i].name);
    rl_buf_release(&document);
    rl_buf_release(&again);
}

static void sections_are_those_of_the_pages(void **state)
{
    (void)state;
    struct rl_report_options options = html();
    options.only = "roofline,method";
    struct rl_buf document = report_with(synthetic_suite(), &options);
    assert_sound(&document);
    assert_int_equal(occurrences(document.data, "<section>"), 2);
    assert_holds(&document, "id=\"roofline\"");
    assert_holds_not(&document, "id=\"coalescing\"");
    rl_buf_release(&document);
}

/* Names, titles and notes that would break out. */
static void nothing_becomes_markup(void **state)
{
    (void)state;
    static const char notes[] =
        "# <script>alert(1)</script>\n\n* one ]]>\n* two `<b>`\n\n<img src=x onerror=alert(1)>\n\n> \" ' &amp;\n\n---\n\n"
        "| a | b |\n|---|---|\n| </td> | \xE2\x80\xAE |\n\n    </style><script>\n";
    struct rl_report_options options = html();
    options.title = "</title><script>alert(2)</script>";
    options.author = "\"><svg onload=alert(3)>";
    options.notes = notes;
    options.notes_len = sizeof notes - 1;
    struct rl_buf document = report_with(synthetic_program(3), &options);
    assert_sound(&document);
    static const char *const never[] = {"<script>alert", "<img", "<svg onload", "<b>", "</title><script", "\xE2\x80\xAE"};
    for (size_t i = 0; i < RL_COUNT(never); i++)
        assert_holds_not(&document, never[i]);
    assert_holds(&document, "&#60;script&#62;alert(1)&#60;/script&#62;");
    rl_buf_release(&document);
}

static void strange_captures_make_documents(void **state)
{
    (void)state;
    const struct rl_report_options options = html();
    struct rl_buf nothing = report_with(synthetic_empty(), &options), measured = report_with(synthetic_measured(), &options);
    struct rl_buf named = report_with(synthetic_long_name(5000), &options);
    assert_sound(&nothing);
    assert_sound(&measured);
    assert_sound(&named);
    assert_true(named.len < measured.len + 200000); /* no name fills the document */
    rl_buf_release(&nothing);
    rl_buf_release(&measured);
    rl_buf_release(&named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suite_makes_a_whole_document),
        cmocka_unit_test(sections_are_those_of_the_pages),
        cmocka_unit_test(nothing_becomes_markup),
        cmocka_unit_test(strange_captures_make_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

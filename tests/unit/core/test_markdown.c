/* Text that is no markup: what is escaped at the beginning of a line, and what anywhere. */
#include "rl_test.h"

#include "core/mem.h"
#include "core/table.h"

#define J "&#8288;"

static void what_is_escaped(void **state)
{
    static const struct {
        const char *text, *escaped;
    } rows[] = {
        {"", ""},
        {"plain text", "plain text"},
        /* headings, lists and rules begin a line, and need a blank or more of the same behind */
        {"# a", "\\# a"},
        {"#a", "#a"},
        {"#", "\\#"},
        {"##", "\\##"},
        {"a # b", "a # b"},
        {"- a", "\\- a"},
        {"-a", "-a"},
        {"--", "\\--"},
        {"+ a", "\\+ a"},
        {"+-", "+-"},
        /* numbered lists */
        {"1. a", "1\\. a"},
        {"12) a", "12\\) a"},
        {"12)", "12\\)"},
        {"1.a", "1.a"},
        {". a", ". a"},
        {") a", ") a"},
        {"a. b", "a. b"},
        {"1.2. a", "1.2. a"},
        /* emphasis, code, tables, HTML */
        {"*a* `b` |c| <d> [e] ~f~ &g $h", "\\*a\\* \\`b\\` \\|c\\| \\<d\\> \\[e\\] \\~f\\~ \\&g \\$h"},
        {"back\\slash", "back\\\\slash"},
        {"a_b a__b", "a_b a__b"},
        {"_a a_ _", "\\_a a\\_ \\_"},
        {"a_-b", "a\\_-b"},
        /* links, mentions, references */
        {"@team a@b @ @.", "@" J "team a@" J "b @ @."},
        {"http://x c:d", "http:" J "//x c:d"},
        {"WWW.x wwwx", "WWW" J ".x wwwx"},
        {"Mailto:x xmpp:x", "Mailto:" J "x xmpp:" J "x"},
        {"a #1 GH-2 gh-x", "a #" J "1 GH-" J "2 gh-x"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf out = RL_BUF_INIT;
        rl_markdown_escape(&out, rows[i].text, strlen(rows[i].text));
        assert_string_equal(out.len ? out.data : "", rows[i].escaped);
        rl_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_escaped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

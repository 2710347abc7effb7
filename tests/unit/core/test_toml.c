/* The subset of TOML that configuration files have, and what is refused, with its line. */
#include "rl_test.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/toml.h"

static void every_kind_of_value(void **state)
{
    (void)state;
    static const char text[] =
        "# comment\r\n[ show ] # another\n\tbrief=true\nsort = \"a\\tb\\n\\\"\\\\\"\nwhere = 'c:\\x'\n"
        "findings = -1.5e3\nempty = ''\nlist = [ # none\n \"one\",\n\n 'two' , ]\nnone = []\n[b-1_X]\nshow = false";
    static const struct rl_toml_entry expected[] = {
        {"show", "brief", RL_TOML_BOOL, "true", 3},  {"show", "sort", RL_TOML_TEXT, "a\tb\n\"\\", 4},
        {"show", "where", RL_TOML_TEXT, "c:\\x", 5}, {"show", "findings", RL_TOML_NUMBER, "-1.5e3", 6},
        {"show", "empty", RL_TOML_TEXT, "", 7},      {"show", "list", RL_TOML_LIST, "one,two", 8},
        {"show", "none", RL_TOML_LIST, "", 12},      {"b-1_X", "show", RL_TOML_BOOL, "false", 14},
    };
    struct rl_toml *toml = NULL;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_toml_parse(text, strlen(text), &toml, &err), RL_OK);
    assert_int_equal(toml->section_count, 2);
    assert_string_equal(toml->sections[1].name, "b-1_X");
    assert_int_equal(toml->sections[1].line, 13);
    assert_int_equal(toml->entry_count, RL_COUNT(expected));
    for (size_t i = 0; i < RL_COUNT(expected); i++) {
        assert_string_equal(toml->entries[i].section, expected[i].section);
        assert_string_equal(toml->entries[i].key, expected[i].key);
        assert_string_equal(toml->entries[i].text, expected[i].text);
        assert_int_equal(toml->entries[i].kind, expected[i].kind);
        assert_int_equal(toml->entries[i].line, expected[i].line);
    }
    rl_toml_free(toml);
}

static void nothing_is_allowed(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "# only a comment", "\r\n \t\n"};
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        struct rl_toml *toml = NULL;
        assert_int_equal(rl_toml_parse(texts[i], strlen(texts[i]), &toml, NULL), RL_OK);
        assert_int_equal(toml->entry_count, 0);
        rl_toml_free(toml);
    }
    rl_toml_free(NULL);
}

static void refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"a = 1", "line 1: 'a' stands before any [SECTION]"},
        {"\n[a", "line 2: a section is"},
        {"[]", "line 1: a section is"},
        {"[a.b]", "line 1: a section is"},
        {"[[a]]", "line 1: a section is"},
        {"[a]\n[b]\n[a]", "line 3: [a] has begun in line 1 already"},
        {"[a] x", "line 1: nothing is expected at 'x'"},
        {"[a]\nk = 1\nj = 2\nk = 3", "line 4: 'k' is set in line 2 already"},
        {"[a]\nk", "line 2: '=' is missing behind 'k'"},
        {"[a]\nk 1", "line 2: '=' is missing behind 'k'"},
        {"[a]\n\"k\" = 1", "line 2: neither [SECTION] nor KEY = VALUE"},
        {"[a]\nk =", "line 2: 'k' has no value"},
        {"[a]\nk = yes", "line 2: 'k' has no value"},
        {"[a]\nk = 0x10", "line 2: 'k' has no value"},
        {"[a]\nk = 1 2", "line 2: nothing is expected at '2'"},
        {"[a]\nk = {}", "line 2: 'k' has no value"},
        {"[a]\nk = \"x", "line 2: a text has no end"},
        {"[a]\nk = \"x\ny\"", "line 2: a text has no end"},
        {"[a]\nk = 'x\"", "line 2: a text has no end"},
        {"[a]\nk = \"\\x\"", "line 2: a backslash stands before"},
        {"[a]\nk = \"\\", "line 2: a backslash stands before"},
        {"[a]\nk = [1]", "line 2: a list has texts"},
        {"[a]\nk = [\n'a'\n'b']", "line 4: a list goes on"},
        {"[a]\nk = ['a'", "line 2: a list goes on"},
        {"[a]\nk = ['a',\n", "line 3: a list has texts"},
        {"[a]\nk = ['a,b']", "line 2: a text of a list"},
        {"[a]\nk = ['']", "line 2: a text of a list"},
        {"[a]\nk = '\x01'", "line 2: a control character"},
        {"[a]\r[b]", "line 1: a control character"},
        {"[a]\nk = '\x7f'", "line 2: a control character"},
        {"[a]\nk = '\xff'", "the text is not UTF-8"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_toml *toml = (struct rl_toml *)&rows[i];
        struct rl_err err = RL_ERR_INIT;
        assert_int_equal(rl_toml_parse(rows[i].text, strlen(rows[i].text), &toml, &err), RL_FORMAT);
        assert_null(toml);
        if (strncmp(err.text, rows[i].says, strlen(rows[i].says)) != 0)
            fail_msg("row %zu: '%s'", i, err.text);
    }
}

static void bytes_are_counted(void **state)
{
    (void)state;
    char *text = rl_calloc(1, RL_TOML_MAX_BYTES + 1);
    struct rl_toml *toml = NULL;
    struct rl_err err = RL_ERR_INIT;
    memset(text, '\n', RL_TOML_MAX_BYTES + 1);
    assert_int_equal(rl_toml_parse(text, RL_TOML_MAX_BYTES, &toml, &err), RL_OK);
    rl_toml_free(toml);
    assert_int_equal(rl_toml_parse(text, RL_TOML_MAX_BYTES + 1, &toml, &err), RL_FORMAT);
    assert_int_equal(rl_toml_parse("[a]\nk = '\0'", 11, &toml, &err), RL_FORMAT);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value),
        cmocka_unit_test(nothing_is_allowed),
        cmocka_unit_test(refused_with_its_line),
        cmocka_unit_test(bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

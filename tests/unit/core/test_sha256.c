/* SHA-256 against FIPS 180-2, appendix B and for the empty message. */
#include "rl_test.h"

#include "core/fs.h"
#include "core/mem.h"

static void known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_string_equal(rl_sha256_of(rows[i].text, strlen(rows[i].text)).hex, rows[i].hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

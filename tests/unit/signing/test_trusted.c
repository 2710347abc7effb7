/* Lists of known keys: the three forms of a line, what is passed over, and what is refused. */
#include "rl_test.h"

#include "core/mem.h"
#include "signing/signing.h"

/* Of RFC 8032, section 7.1, test 1; its fingerprint is what `ssh-keygen -l` says of it. */
#define KEY_HEX     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
#define KEY         "AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"
#define FINGERPRINT "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8"
#define OTHER_HEX   "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"

static struct rl_trusted *list_of(const char *text)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_trusted *trusted = NULL;
    if (rl_trusted_parse(text, strlen(text), &trusted, &err) != RL_OK)
        fail_msg("'%s': %s", text, err.text);
    return trusted;
}

static void fingerprints_are_those_of_ssh(void **state)
{
    (void)state;
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    rl_fingerprint(KEY_HEX, fingerprint);
    assert_string_equal(fingerprint, FINGERPRINT);
    rl_fingerprint("d75a", fingerprint);
    assert_string_equal(fingerprint, "");
}

static void lines_name_keys(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } lists[] = {
        {"ssh-ed25519 " KEY " Lab A, bench 2\n", "Lab A, bench 2"},
        {"ssh-ed25519 " KEY, ""},
        {"\tlab-a@example.org \t ssh-ed25519 " KEY " a comment\r\n", "lab-a@example.org"},
        {FINGERPRINT " Lab A", "Lab A"},
        {FINGERPRINT "\n", ""},
        {"# Lab A\n\nssh-rsa AAAAB3Nza somebody\nssh-ed25519 " KEY " x", "x"},
        {"ssh-ed25519 " KEY " first\nssh-ed25519 " KEY " second\n", "first"},
    };
    for (size_t i = 0; i < RL_COUNT(lists); i++) {
        struct rl_trusted *trusted = list_of(lists[i].text);
        const char *name = rl_trusted_name(trusted, KEY_HEX);
        assert_non_null(name);
        assert_string_equal(name, lists[i].name);
        assert_null(rl_trusted_name(trusted, OTHER_HEX));
        assert_null(rl_trusted_name(trusted, "no key"));
        rl_trusted_free(trusted);
    }
}

static void bad_lines_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } lists[] = {
        {"", "no key of type ssh-ed25519"},
        {"# nobody\nssh-rsa AAAAB3Nza somebody\n", "no key of type ssh-ed25519"},
        {FINGERPRINT " a\nssh-ed25519\n", "line 2 is none of"},
        {"ssh-ed25519 AAAA\n", "line 1 is none of"},
        {"ssh-ed25519 " KEY "AAAA\n", "line 1 is none of"},
        {"ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea\n", "line 1 is none of"},
        {"SHA256:short Lab A\n", "line 1 is none of"},
        {"cert-authority,namespaces=\"git\" Lab A ssh-ed25519 " KEY "\n", "line 1 is none of"},
        {"lab-a valid-before=\"20200101\" ssh-ed25519 " KEY "\n", "line 1 is none of"},
    };
    for (size_t i = 0; i < RL_COUNT(lists); i++) {
        struct rl_err err = RL_ERR_INIT;
        struct rl_trusted *trusted = NULL;
        assert_int_equal(rl_trusted_parse(lists[i].text, strlen(lists[i].text), &trusted, &err), RL_FORMAT);
        assert_null(trusted);
        if (!strstr(err.text, lists[i].part))
            fail_msg("'%s' is not in '%s'", lists[i].part, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingerprints_are_those_of_ssh),
        cmocka_unit_test(lines_name_keys),
        cmocka_unit_test(bad_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Where a credential begins and ends: the last that is one, the first that is none. */
#include "rl_test.h"

#include <stdbool.h>

#include "core/mem.h"
#include "redact.h"

struct row {
    const char *text, *clean; /* NULL: nothing is dropped */
};

static void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct rl_buf clean = RL_BUF_INIT;
        const bool dropped = rl_secrets_remove(rows[i].text, &clean);
        if (dropped != (rows[i].clean != NULL) || strcmp(clean.data, rows[i].clean ? rows[i].clean : "") != 0)
            fail_msg("'%s' became '%s', not '%s'", rows[i].text, clean.data, rows[i].clean ? rows[i].clean : "");
        rl_buf_release(&clean);
    }
}

static void shapes(void **state)
{
    static const struct row rows[] = {
        {"AKIA0123456789ABCDEF", "[secret]"},
        {"AKIA0123456789ABCDE", NULL},
        {"AKIA0123456789ABCDEF, xoxb-0123456789", "[secret], [secret]"},
        {"xoxb-012345678", NULL},
        /* 32 characters, both cases, three changes from a letter to a digit; one too few of each */
        {"aB1cD2eF3gHiJkLmNoPqRsTuVwXyZabc", "[secret]"},
        {"aB1cD2eF3gHiJkLmNoPqRsTuVwXyZab", NULL},
        {"aB1cD2eFggHiJkLmNoPqRsTuVwXyZabc", NULL},
        {"1BccD2eF3gHiJkLmNoPqRsTuVwXyZabc", NULL},
        {"ab1cd2ef3ghijklmnopqrstuvwxyzabc", NULL},
        {"AB1CD2EF3GHIJKLMNOPQRSTUVWXYZABC", NULL},
        {"ftp://u@h, x://a:b@c@d", "ftp://[secret]@h, x://[secret]@d"},
        {"x://@h x://h/a@b x://h?a@b x:/a@b", NULL},
        {"a -----BEGIN X-----\nMII\n-----END X----- b", "a [secret] b"},
        {"-----BEGIN X-----\nMII\n-----END X", "[secret]"},
        {"----BEGIN X-----", NULL},
    };
    (void)state;
    check(rows, RL_COUNT(rows));
}

static void assignments(void **state)
{
    static const struct row rows[] = {
        {"password  =  x y", "password  =  [secret] y"},
        {"password   = x", NULL},
        {"password=   x", NULL},
        {"password===x", NULL},
        {"password::x password>x password x", NULL},
        {"password=>x password:=x", "password=>[secret] password:=[secret]"},
        {"--password    x y", "--password    [secret] y"},
        {"'password' : 'x y' z", "'password' : '[secret]' z"},
        {"password='a b", "password='[secret]"},
        {"password=\"\" a \" b", NULL},
        {"password=a,b password=a|b", "password=[secret],b password=[secret]|b"},
        {"token=123456 sort_key=123456", NULL},
        {"token=1234567 sort_key=1234567", "token=[secret] sort_key=[secret]"},
        {"token=12345a pin=1234", "token=[secret] pin=[secret]"},
        {"authorization: basic abc token abc", "authorization: basic [secret] token abc"},
        {"authorization: Digest ApiKey abc x", "authorization: Digest ApiKey [secret] x"},
        {"_token=abc", "_token=[secret]"},
        {"x55_______________________________________________________password=x y", NULL}, /* 66 characters */
        {"x55_____________________________________________________password=x y",
         "x55_____________________________________________________password=[secret] y"},
        {"https://hooks.slack.com/services/T0/B1 x", "https://hooks.slack.com/services/[secret] x"},
    };
    (void)state;
    check(rows, RL_COUNT(rows));
}

static void names(void **state)
{
    static const struct {
        const char *name;
        bool secret;
    } rows[] = {
        {"password", true},   {"PASSWORD", true},   {"dbPassword", true}, {"db.password", true}, {"--password", true},
        {"password1", false}, {"key", false},       {"api_key", true},    {"key_api", false},    {"apiKey", true},
        {"APIKey", true},     {"monkey", false},    {"", false},          {"--", false},         {"passwordFile", true},
        {"auth", false},      {"--auth", false},    {"x-auth", true},     {"auth-x", false},     {"a__token", true},
        {"api-key", true},    {"-pin", true},       {"spin", false},      {"x_auth_", false},    {"access.keys", false},
        {"PassWord", true},   {"--PassWord", true}, /* parts that are none, a whole that is one */
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_is_secret_name(rows[i].name, strlen(rows[i].name)) != rows[i].secret)
            fail_msg("'%s' is %s", rows[i].name, rows[i].secret ? "a secret" : "none");
    assert_true(rl_is_secret_name("passwords", 8)); /* not more than it was given */
    assert_false(rl_is_secret_name("password", 7));
}

/* Names go on over points, and not over slashes. */
static void names_have_points(void **state)
{
    static const struct {
        const char *text;
        bool secret;
    } rows[] = {{"password.prod=hunter2x", true},
                {"prod.password=hunter2x", true},
                {"a.b.password.c=hunter2x", true},
                {"password/prod=hunter2x", false}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf rest = RL_BUF_INIT;
        const bool removed = rl_secrets_remove(rows[i].text, &rest);
        if (removed != rows[i].secret || (removed && strstr(rest.data, "hunter2x")))
            fail_msg("%s: %s", rows[i].text, removed ? rest.data : "kept");
        rl_buf_release(&rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(assignments),
        cmocka_unit_test(names),
        cmocka_unit_test(names_have_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Names of captures of several processes. */
#include "rl_test.h"

#include "core/mem.h"
#include "outputs.h"

static void patterns_are_expanded(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *host, *rank, *wanted;
    } rows[] = {
        {"app.rlcap", "node7", "3", "app.rlcap"},
        {"%h/%r-%p.rlcap", "node7", "3", "node7/3-42.rlcap"},
        {"a%%p", "node7", "3", "a%p"},
        {"%h", "node7.cluster.org", NULL, "node7"},
        {"%h-%r", "no/de", "../1", "no-de-norank"}, /* no launcher writes such a rank */
        {"%j", "node7", "3", "4711.batch"},
        {"%r", "", "", "norank"},
        {"%q", "node7", "3", NULL},
        {"x%", "node7", "3", NULL},
        {"%g", "node7", "3", NULL}, /* of a program that may use several */
    };
    setenv("SLURM_JOB_ID", "4711.batch", 1);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf out = RL_BUF_INIT;
        rl_buf_adds(&out, ">");
        struct rl_err err = RL_ERR_INIT;
        enum rl_status status = rl_program_output(rows[i].pattern, 42, rows[i].host, rows[i].rank, &out, &err);
        assert_int_equal(status, rows[i].wanted ? RL_OK : RL_USAGE);
        assert_string_equal(out.data + 1, rows[i].wanted ? rows[i].wanted : "");
        rl_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns_are_expanded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

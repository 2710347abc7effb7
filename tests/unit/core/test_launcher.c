/* Ranks from the environment, and names that are different for each process. */
#include "core/launcher.h"

#include "core/mem.h"
#include "rl_test.h"

static const char *const variables[] = {
#define LAUNCHER(name, rank, local_rank, size) rank, local_rank, size,
#include "core/launchers.def"
#undef LAUNCHER
    "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "FLUX_JOB_ID", "CUDA_VISIBLE_DEVICES"};

static void clear(void)
{
    for (size_t i = 0; i < RL_COUNT(variables); i++)
        if (*variables[i])
            unsetenv(variables[i]);
}

static void every_launcher_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *name, *rank, *local_rank, *size;
    } rows[] = {
#define LAUNCHER(name, rank, local_rank, size) {name, rank, local_rank, size},
#include "core/launchers.def"
#undef LAUNCHER
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        clear();
        setenv(rows[i].rank, "13", 1);
        if (*rows[i].local_rank)
            setenv(rows[i].local_rank, "5", 1);
        if (*rows[i].size)
            setenv(rows[i].size, "16", 1);
        struct rl_launcher found = rl_launcher_find();
        assert_string_equal(found.name, rows[i].name);
        assert_int_equal(found.rank, 13);
        assert_int_equal(found.local_rank, *rows[i].local_rank ? 5 : -1);
        assert_int_equal(found.size, *rows[i].size ? 16 : 0);
    }
    clear();
}

/* mpirun inside a Slurm job: the job is Slurm's, the rank Open MPI's. */
static void the_inner_launcher_counts(void **state)
{
    (void)state;
    clear();
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_JOB_ID", "4711", 1);
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    struct rl_launcher found = rl_launcher_find();
    assert_string_equal(found.name, "Open MPI");
    assert_int_equal(found.rank, 3);
    assert_string_equal(found.job, "4711");
    clear();
    found = rl_launcher_find();
    assert_null(found.name);
    assert_int_equal(found.rank, -1);
    assert_null(found.job);
    setenv("PMI_RANK", "-1", 1);
    assert_int_equal(rl_launcher_find().rank, -1);
    setenv("PMI_RANK", "12345678901", 1);
    assert_int_equal(rl_launcher_find().rank, -1);
    clear();
}

static void visible_gpus_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int count;
    } rows[] = {{"", 0}, {"0", 1}, {"3,1", 2}, {"GPU-8d1c,GPU-77aa,MIG-1", 3}};
    clear();
    assert_int_equal(rl_launcher_visible_gpus(), -1);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        setenv("CUDA_VISIBLE_DEVICES", rows[i].value, 1);
        assert_int_equal(rl_launcher_visible_gpus(), rows[i].count);
    }
    clear();
}

static void names_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
    } rows[] = {
        {"caps/%h-%g.rlcap", "caps/node7-2.rlcap"}, {"%r-%p-%j", "11-99-47.a"}, {"100%%", "100%"}, {"plain", "plain"}, {"", ""}};
    const struct rl_name_parts parts = {.host = "node7.example.org", .job = "47.a", .rank = 11, .gpu = 2, .pid = 99};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf out = RL_BUF_INIT;
        assert_int_equal(rl_name_expand(rows[i].pattern, &parts, &out, NULL), RL_OK);
        assert_string_equal(out.data, rows[i].name);
        rl_buf_release(&out);
    }
    assert_true(rl_name_has("a%g", 'g'));
    assert_false(rl_name_has("a%%g", 'g'));
    assert_false(rl_name_has("g%", 'g'));
}

static void names_lead_nowhere_else(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    const struct rl_name_parts parts = {.host = "../\xff\n", .job = "/etc/passwd", .rank = -1, .gpu = -1};
    assert_int_equal(rl_name_expand("%h %j %r %g", &parts, &out, &err), RL_OK);
    assert_null(strchr(out.data, '/'));
    assert_non_null(strstr(out.data, "-etc-passwd norank nogpu"));
    const struct rl_name_parts links = {.rank = -1, .gpu = RL_NAME_LINKS};
    rl_buf_reset(&out);
    assert_int_equal(rl_name_expand("%g", &links, &out, &err), RL_OK);
    assert_string_equal(out.data, "links");
    assert_int_equal(rl_name_expand("%x", &parts, &out, &err), RL_USAGE);
    size_t before = out.len;
    assert_int_equal(rl_name_expand("end%", &parts, &out, &err), RL_USAGE);
    assert_int_equal(out.len, before);
    assert_int_equal(rl_launcher_number("12"), 12);
    assert_int_equal(rl_launcher_number("0"), 0);
    assert_int_equal(rl_launcher_number("999999999"), 999999999); /* nine digits fit into an int, ten may not */
    assert_int_equal(rl_launcher_number("1000000000"), -1);
    assert_int_equal(rl_launcher_number("2147483648"), -1);
    assert_int_equal(rl_launcher_number("1 2"), -1);
    assert_int_equal(rl_launcher_number(""), -1);
    assert_int_equal(rl_launcher_number(NULL), -1);
    rl_buf_release(&out);
}

/* Rank 0 is one as any other: its launcher has a name, a local rank and a size. */
static void the_first_rank_is_a_rank(void **state)
{
    (void)state;
    clear();
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_LOCALID", "0", 1);
    setenv("SLURM_NTASKS", "8", 1);
    const struct rl_launcher found = rl_launcher_find();
    assert_int_equal(found.rank, 0);
    assert_non_null(found.name);
    assert_int_equal(found.local_rank, 0);
    assert_int_equal(found.size, 8);
    clear();
}

/* The number of the job is in the variable of whichever queue it was given to; an empty one is none. */
static void every_queue_names_its_jobs(void **state)
{
    static const char *const queues[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "FLUX_JOB_ID"};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(queues); i++) {
        clear();
        setenv(queues[i], "", 1);
        assert_null(rl_launcher_find().job);
        setenv(queues[i], "47.head", 1);
        assert_string_equal(rl_launcher_find().job, "47.head");
    }
    clear();
}

static void nothing_is_known_without_a_launcher(void **state)
{
    (void)state;
    clear();
    const struct rl_launcher found = rl_launcher_find();
    assert_null(found.name);
    assert_null(found.job);
    assert_int_equal(found.rank, -1);
    assert_int_equal(found.local_rank, -1);
    assert_int_equal(found.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_launcher_is_known),    cmocka_unit_test(the_inner_launcher_counts),
        cmocka_unit_test(visible_gpus_are_counted),   cmocka_unit_test(names_by_hand),
        cmocka_unit_test(names_lead_nowhere_else),    cmocka_unit_test(the_first_rank_is_a_rank),
        cmocka_unit_test(every_queue_names_its_jobs), cmocka_unit_test(nothing_is_known_without_a_launcher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How counters are packed into passes, and what is kept of the search: a file that is there is used, and one that is damaged,
 * missing or cannot be written changes nothing but the time. The functions of host.c that the packing asks are played here. */
#include "rl_test.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "host.h"

/* ---- a host library: a counter's number is its size, and a pass has room for 10 ---- */

enum { ROOM = 10 };
static size_t asked; /* how often passes were asked for */

enum rl_status rl_host_knows(const char *chip, const uint8_t *availability, struct rl_err *err)
{
    (void)chip, (void)availability, (void)err;
    return RL_OK;
}

size_t rl_host_passes(const char *chip, const uint8_t *availability, const char *const *counters, size_t count)
{
    size_t room = 0;
    (void)chip, (void)availability;
    asked++;
    for (size_t i = 0; i < count; i++)
        room += strtoul(strchr(counters[i], '_') + 1, NULL, 10);
    return (room + ROOM - 1) / ROOM;
}

bool rl_host_list(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available)
{
    (void)chip, (void)availability, (void)counters;
    for (size_t i = 0; i < count; i++)
        available[i] = true;
    return true;
}

enum rl_status rl_host_finish(struct rl_config *config, const char *chip, const uint8_t *availability, struct rl_err *err)
{
    assert_int_equal(rl_host_passes(chip, availability, config->counters, config->counter_count), 1);
    (void)err;
    return RL_OK;
}

const char *rl_cupti_version(void)
{
    return "13.0";
}

/* ---- one packing ---- */

static const char *counters[] = {"a_6", "b_5", "c_4", "d_5", "e_3", "f_3", "g_4"};
enum { COUNTERS = RL_COUNT(counters) };
static const char best[] = "0 1 0 1 2 2 2\n"; /* by hand: 6 + 4, 5 + 5, 3 + 3 + 4 */

/* Which pass each counter is in, as the file has it; `questions` gets how often passes were asked for. To be freed. */
static char *packed(size_t count, size_t *questions)
{
    struct rl_configuration wanted = {.name = "hardware", .counters = counters, .counter_count = count, .fixed = 1};
    struct rl_config *configs = NULL;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT;
    bool available[COUNTERS] = {0};
    size_t of[COUNTERS] = {0}, passes = 0;
    asked = 0;
    assert_int_equal(rl_host_pack("GX100", NULL, &wanted, available, &configs, &passes, &err), RL_OK);
    assert_string_equal(err.text, "");
    *questions = asked;
    for (size_t p = 0; p < passes; p++) {
        for (size_t i = 0; i < configs[p].counter_count; i++)
            for (size_t c = 0; c < count; c++)
                of[c] += configs[p].counters[i] == counters[c] ? p + 1 : 0;
        free(configs[p].name);
        free(configs[p].counters);
    }
    free(configs);
    for (size_t c = 0; c < count; c++)
        rl_buf_addf(&text, "%zu%c", of[c] - 1, c + 1 < count ? ' ' : '\n');
    return text.data;
}

static size_t assert_packs(const char *wanted)
{
    size_t questions = 0;
    char *found = packed(COUNTERS, &questions);
    assert_string_equal(found, wanted);
    free(found);
    return questions;
}

/* ---- where it is kept ---- */

static char *folder, *file;
static char name[PATH_MAX];

static int find_file(const char *path, const struct stat *info, int kind, struct FTW *ftw)
{
    (void)info, (void)ftw;
    if (kind == FTW_F)
        snprintf(name, sizeof name, "%s", path);
    return 0;
}

/* An empty folder for what is kept; the search is made and kept once. */
static int keep(void **state)
{
    (void)state;
    assert_int_equal(rl_make_temp_dir(&folder, NULL), RL_OK);
    setenv("XDG_CACHE_HOME", folder, 1);
    size_t questions = assert_packs(best);
    assert_true(questions > 2 * COUNTERS);
    name[0] = 0;
    assert_int_equal(nftw(folder, find_file, 8, FTW_PHYS), 0);
    assert_non_null(strstr(name, "/rooflight/passes-GX100-13.0-"));
    file = rl_strdup(name);
    return 0;
}

static int forget(void **state)
{
    (void)state;
    rl_remove_tree(folder);
    free(folder);
    free(file);
    return 0;
}

static void assert_kept(const char *wanted)
{
    struct rl_buf text = RL_BUF_INIT;
    assert_int_equal(rl_read_file(file, 1 << 20, &text, NULL), RL_OK);
    assert_string_equal(text.data, wanted);
    rl_buf_release(&text);
}

static void put(const char *text, size_t len)
{
    assert_int_equal(rl_write_file_atomic(file, text, len, NULL), RL_OK);
}

static void what_was_found_is_kept_and_used(void **state)
{
    (void)state;
    struct stat before, after;
    assert_kept(best);
    assert_int_equal(stat(file, &before), 0);
    /* Whether all fit together, then each alone, and the three passes when they are read and when they are made. */
    assert_in_range(assert_packs(best), 3, COUNTERS + 10);
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
}

static void a_file_with_another_packing_is_obeyed(void **state)
{
    (void)state;
    static const char each[] = "0 1 2 3 4 5 6\n";
    put(each, sizeof each - 1);
    assert_packs(each);
    assert_kept(each);
}

static void other_lists_have_other_files(void **state)
{
    (void)state;
    size_t questions;
    char *fewer = packed(COUNTERS - 1, &questions);
    assert_string_equal(fewer, "0 1 0 1 2 2\n");
    assert_kept(best);
    free(fewer);
}

static void damaged_files_are_made_again(void **state)
{
    (void)state;
    static char long_one[1 << 17];
    static const char *const texts[] = {"",
                                        "\n",
                                        "passes",
                                        "0 1 0 1 2 2",     /* one is missing */
                                        "0 0 0 0 0 0 0\n", /* more than a pass takes */
                                        "1 0 1 0 2 2 2\n", /* not in the order of their first counter */
                                        "0 1 0 1 3 3 3\n", /* a pass without counters */
                                        "0 1 0 1 -1 2 2\n",
                                        "0 1 0 1 99999999999999999999 2 2\n"};
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        put(texts[i], strlen(texts[i]));
        assert_packs(best);
        assert_kept(best);
    }
    memset(long_one, ' ', sizeof long_one);
    put(long_one, sizeof long_one);
    assert_packs(best);
    assert_kept(best);
}

/* Nothing can be kept: the same packing, and no word. Modes would not stop root. */
static void without_a_place_the_search_is_made_again(void **state)
{
    (void)state;
    char *below_a_file = rl_path_join(file, "cache");
    const char *const places[] = {file, below_a_file, "/proc/rooflight", "relative", ""};
    char *home = getenv("HOME") ? rl_strdup(getenv("HOME")) : NULL;
    unsetenv("HOME");
    for (size_t i = 0; i < RL_COUNT(places); i++) {
        setenv("XDG_CACHE_HOME", places[i], 1);
        assert_true(assert_packs(best) > 2 * COUNTERS);
    }
    if (home)
        setenv("HOME", home, 1);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(mkdir(file, 0700), 0); /* a folder in its place */
    setenv("XDG_CACHE_HOME", folder, 1);
    assert_true(assert_packs(best) > 2 * COUNTERS);
    free(home);
    free(below_a_file);
}

static void the_home_folder_serves_as_well(void **state)
{
    (void)state;
    char *home = getenv("HOME") ? rl_strdup(getenv("HOME")) : NULL, *hidden = rl_path_join(folder, ".cache/rooflight");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", folder, 1);
    assert_packs(best);
    struct stat info;
    assert_true(stat(hidden, &info) == 0 && S_ISDIR(info.st_mode));
    assert_true(assert_packs(best) <= COUNTERS + 10);
    if (home)
        setenv("HOME", home, 1);
    free(home);
    free(hidden);
}

#define KEPT(test) cmocka_unit_test_setup_teardown(test, keep, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        KEPT(what_was_found_is_kept_and_used), KEPT(a_file_with_another_packing_is_obeyed),    KEPT(other_lists_have_other_files),
        KEPT(damaged_files_are_made_again),    KEPT(without_a_place_the_search_is_made_again), KEPT(the_home_folder_serves_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

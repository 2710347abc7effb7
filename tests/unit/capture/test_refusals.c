/* Databases that are sound, and ours by their header, but hold what a capture never holds; and models that cannot be written. */
#include "rl_test.h"

#include <unistd.h>

#include "edit.h"
#include "fixtures/files.h"
#include "fixtures/full.h"

#include <sys/stat.h>

struct edit {
    const char *sql;
    const char *part; /* of the refusal */
};

static void assert_edits_refused(const struct edit *edits, size_t count, enum rl_status status)
{
    struct rl_buf bytes = sample_bytes();
    for (size_t i = 0; i < count; i++) {
        struct rl_buf changed = edited(&bytes, edits[i].sql);
        assert_refused(changed.data, changed.len, status, edits[i].part);
        rl_buf_release(&changed);
    }
    rl_buf_release(&bytes);
}

static void other_schemas(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"CREATE VIEW v AS SELECT 1", "view 'v' in its schema, where a capture has nothing"},
        {"CREATE TRIGGER t AFTER INSERT ON log BEGIN SELECT 1; END", "trigger 't' in its schema"},
        {"CREATE INDEX i ON log(text)", "index 'i' in its schema"},
        {"CREATE TABLE extra(x)", "table 'extra' in its schema, where a capture has nothing"},
        {"ANALYZE", "table 'sqlite_stat1' in its schema"},
        {"DROP TABLE log", "where a capture has table log"},
        {"DROP TABLE launch_counter; CREATE VIEW launch_counter AS SELECT 1",
         "view 'launch_counter' in its schema, where a capture has"},
        {"DROP TABLE kernel", "table 'duration' in its schema, where a capture has table kernel"},
        {"ALTER TABLE log RENAME TO diary", "table 'diary' in its schema, where a capture has table log"},
        {"ALTER TABLE log ADD COLUMN x", "its table log is not defined as in a capture"},
        {"ALTER TABLE log ADD COLUMN x GENERATED ALWAYS AS (id + 1)", "its table log is not defined as in a capture"},
        {"ALTER TABLE kernel DROP COLUMN nvtx", "its table kernel is not defined as in a capture"},
        {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql='CREATE TABLE log(id, x)' WHERE name='log'",
         "its table log is not defined"},
        {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql='nonsense' WHERE name='log'", "malformed database schema"},
        {"PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES('table','v','v',0,'CREATE VIRTUAL TABLE v USING fancy(x)')",
         "table 'v' in its schema"},
        {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage=NULL WHERE name='log'", "damaged: "},
        {"PRAGMA writable_schema=ON; DELETE FROM sqlite_schema", "it has no table missing"},
        {"PRAGMA writable_schema=ON; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name='log'", "damaged: "},
    };
    assert_edits_refused(edits, RL_COUNT(edits), RL_FORMAT);
}

static void crowded_schemas_are_not_read_to_their_end(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    struct rl_buf changed =
        edited(&bytes, "PRAGMA writable_schema=ON; "
                       "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                       "INSERT INTO sqlite_schema SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i || "
                       "'(x)' FROM n");
    assert_refused(changed.data, changed.len, RL_FORMAT, "damaged: reading it does not come to an end");
    rl_buf_release(&changed);
    rl_buf_release(&bytes);
}

static void broken_references(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"UPDATE counter SET kernel=12 WHERE id=(SELECT max(id) FROM counter)", "refers to a row of kernel that is not there"},
        {"UPDATE counter SET pass=3 WHERE id=1", "counter 1: pass: refers to a row of pass that is not there"},
        {"UPDATE counter SET counter_name=-1 WHERE id=1",
         "counter 1: counter_name: refers to a row of counter_name that is not there"},
        {"UPDATE counter SET value_missing=999 WHERE value_missing IS NOT NULL", "refers to a row of missing that is not there"},
        {"UPDATE kernel SET gpu=2 WHERE id=0", "kernel 0: gpu: refers to a row of gpu that is not there"},
        {"UPDATE kernel SET variant=9 WHERE id=0", "kernel 0: variant: refers to a row of variant that is not there"},
        {"UPDATE variant SET experiment=3 WHERE id=0", "variant 0: experiment: refers to a row of experiment that is not there"},
        {"UPDATE pass SET gpu='gone' WHERE id=0", "pass 0: gpu: not an integer"},
        {"UPDATE duration SET kernel=99 WHERE id=(SELECT max(id) FROM duration)", "refers to a row of kernel that is not there"},
        {"DELETE FROM kernel WHERE id=11", "refers to a row of kernel that is not there"},
        {"DELETE FROM kernel WHERE id=3", "ids of table kernel do not count up from 0"},
        {"DELETE FROM log WHERE id=0", "ids of table log do not count up from 0"},
        {"UPDATE log SET id=-1 WHERE id=0", "ids of table log do not count up from 0"},
        {"UPDATE log SET id=9223372036854775807 WHERE id=2", "ids of table log do not count up from 0"},
        {"DELETE FROM session", "it has no session"},
        {"DELETE FROM argument; DELETE FROM session", "it has no session"},
        {"INSERT INTO session SELECT 1, started, tool_version, source, host, os, driver, cuda_driver, cuda_runtime, cupti, "
         "counters, "
         "complete FROM session",
         "more than 1 rows in table session"},
        {"UPDATE counter SET kernel=7 WHERE id=0", "stands after the rows of kernel 7, but belongs to 0"},
        {"UPDATE gpu_moment SET gpu=1 WHERE id=0", "gpu_moment 1: stands after the rows of gpu 1"},
        {"UPDATE kernel SET gpu=1 WHERE id=0", "kernel 0: its variant ran on another GPU"},
        {"UPDATE counter SET pass=2 WHERE id=1", "counter 1: its pass was made on another GPU"},
    };
    assert_edits_refused(edits, RL_COUNT(edits), RL_FORMAT);
}

static void values_out_of_range(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"UPDATE kernel SET grid_x=-1 WHERE id=3", "damaged: kernel 3: grid_x: -1 is not in 0..4294967295"},
        {"UPDATE kernel SET block_z=4294967296 WHERE id=3", "kernel 3: block_z: 4294967296 is not in 0..4294967295"},
        {"UPDATE kernel SET launches=-1", "kernel 0: launches: -1 is not in"},
        {"UPDATE kernel SET total_ns=4611686018427387904",
         "kernel 0: total_ns: 4611686018427387904 is not in 0..4611686018427387903"},
        {"UPDATE kernel SET dynamic_shared_bytes=-9223372036854775808",
         "kernel 0: dynamic_shared_bytes: -9223372036854775808 is not"},
        {"UPDATE kernel SET registers_per_thread=-1", "kernel 0: registers_per_thread: -1 is not in 0.."},
        {"UPDATE kernel SET registers_per_thread=1e10", "kernel 0: registers_per_thread: 1e+10 is not in 0.."},
        {"UPDATE duration SET duration_ns=-1 WHERE id=7", "duration 7: duration_ns: -1 is not in"},
        {"UPDATE duration SET duration_ns=4611686018427387904 WHERE id=7",
         "duration 7: duration_ns: 4611686018427387904 is not in"},
        {"UPDATE counter SET value=9e999 WHERE id=0", "counter 0: value: not a finite number"},
        {"UPDATE counter SET value=-9e999 WHERE id=0", "counter 0: value: not a finite number"},
        {"UPDATE ceiling_sample SET rate=-1 WHERE id=0", "ceiling_sample 0: rate: -1 is not in"},
        {"UPDATE ceiling_sample SET rate=9e999 WHERE id=0", "ceiling_sample 0: rate: not a finite number"},
        {"UPDATE ceiling_run SET unit='furlong' WHERE id=1", "ceiling_run 1: unit: unknown word 'furlong'"},
        {"UPDATE ceiling_run SET sm_clock_hz=-1 WHERE id=1", "ceiling_run 1: sm_clock_hz: -1 is not in"},
        {"UPDATE claim SET tolerance=-0.1 WHERE id=1", "claim 1: tolerance: -0.1 is not in"},
        {"UPDATE claim SET tolerance=1e307 WHERE id=1", "claim 1: tolerance: 1e+307 is not in 0..1e+06"}, /* "within inf %" */
        {"UPDATE claim SET relation='roughly' WHERE id=1", "claim 1: relation: unknown word 'roughly'"},
        {"UPDATE claim SET card_specific=2 WHERE id=1", "claim 1: card_specific: 2 is not in 0..1"},
        {"UPDATE variant SET status='DONE' WHERE id=1", "variant 1: status: unknown word 'DONE'"},
        {"UPDATE variant SET result='' WHERE id=1", "variant 1: result: unknown word ''"},
        {"UPDATE variant SET reason=NULL WHERE id=1", "variant 1: it was not done, but there is no reason"},
        {"UPDATE variant SET size=-1 WHERE id=1", "variant 1: size: -1 is not in"},
        {"UPDATE variant SET model_flop=-1 WHERE id=1", "variant 1: model_flop: -1 is not in"},
        {"UPDATE pass SET cache='cold' WHERE id=1", "pass 1: cache: unknown word 'cold'"},
        {"UPDATE gpu SET cc_minor=10 WHERE id=1", "gpu 1: cc_minor: 10 is not in 0..9"},
        {"UPDATE gpu SET ordinal=2147483648 WHERE id=1", "gpu 1: ordinal: 2147483648 is not in 0..2147483647"},
        {"UPDATE gpu_moment SET moment='sometime' WHERE id=1", "gpu_moment 1: moment: unknown word 'sometime'"},
        {"UPDATE gpu_fact SET value=-1 WHERE id=1", "gpu_fact 1: value: -1 is not in"},
        {"UPDATE gpu_fact SET value=2147483648 WHERE fact='sm_count'", "gpu_fact 0: the count is over 2147483647"},
        {"UPDATE gpu_reading SET value=-300 WHERE id=1", "gpu_reading 1: value: -300 is not in"},
        {"UPDATE gpu_fact SET fact='sm_count' WHERE id=1", "gpu_fact 1: 'sm_count' is there twice"},
        {"UPDATE session SET complete=2", "session 0: complete: 2 is not in 0..1"},
        {"UPDATE session SET source='hearsay'", "session 0: source: unknown word 'hearsay'"},
        {"UPDATE session SET started='yesterday'", "session 0: started is not a time like"},
        {"UPDATE session SET started='2026-11-21T10:30:4xZ'", "session 0: started is not a time like"},
        {"UPDATE missing SET state='present' WHERE id=0", "missing 0: the state 'present' is no reason"},
        {"UPDATE missing SET state='lost' WHERE id=0", "missing 0: state: unknown word 'lost'"},
        {"UPDATE counter_name SET kind='sort' WHERE id=0", "counter_name 0: kind: unknown word 'sort'"},
        {"UPDATE log SET level='fatal' WHERE id=0", "log 0: level: unknown word 'fatal'"},
        {"UPDATE log SET at_ns=9223372036854775807 WHERE id=0", "log 0: at_ns: 9223372036854775807 is not in"},
        {"UPDATE kernel SET timing=NULL WHERE id=0", "kernel 0: it has a total time, but timing does not say from where"},
        {"UPDATE kernel SET timing=NULL, total_ns=NULL WHERE id=1", "duration 0: its kernel's timing does not say"},
    };
    assert_edits_refused(edits, RL_COUNT(edits), RL_FORMAT);
}

static void values_of_other_types(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"UPDATE kernel SET launches='many' WHERE id=2", "kernel 2: launches: not an integer"},
        {"UPDATE kernel SET launches=1.5 WHERE id=2", "kernel 2: launches: not an integer"},
        {"UPDATE kernel SET launches=x'00' WHERE id=2", "kernel 2: launches: not an integer"},
        {"UPDATE counter SET value='x' WHERE id=0", "counter 0: value: not a number"},
        {"UPDATE counter SET value=x'3030' WHERE id=0", "counter 0: value: not a number"},
        {"UPDATE counter SET value=NULL WHERE id=0", "counter 0: value: neither a number nor a reason"},
        {"UPDATE counter SET value=1, value_missing=0 WHERE id=0", "counter 0: value: a number and a reason why there is none"},
        {"UPDATE counter SET value=NULL, value_missing='x' WHERE id=0", "damaged: "},
        {"UPDATE gpu SET name=CAST(x'410042' AS TEXT) WHERE id=0", "gpu 0: name: a text that contains a zero byte"},
        {"UPDATE gpu SET name=x'00' WHERE id=0", "gpu 0: name: a text that contains a zero byte"},
        {"UPDATE gpu SET name=printf('%.*c', 65537, 'x') WHERE id=0", "gpu 0: name: a text of 65537 bytes, more than 65536"},
        {"UPDATE gpu SET name=printf('%.*c', 3000000, 'x') WHERE id=0", "damaged: "},
        {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql=replace(sql, 'name TEXT NOT NULL', 'name TEXT') WHERE "
         "name='gpu'; "
         "PRAGMA writable_schema=RESET; UPDATE gpu SET name=NULL; PRAGMA writable_schema=ON; "
         "UPDATE sqlite_schema SET sql=replace(sql, 'name TEXT', 'name TEXT NOT NULL') WHERE name='gpu'",
         "damaged: NULL value in gpu.name"},
    };
    assert_edits_refused(edits, RL_COUNT(edits), RL_FORMAT);
}

static void names_from_a_newer_rooflight(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"UPDATE gpu_fact SET fact='warp_colour' WHERE id=1",
         "gpu_fact 1: 'warp_colour' is unknown to this rooflight: use the rooflight"},
        {"UPDATE gpu_reading SET reading='humidity' WHERE id=1", "gpu_reading 1: 'humidity' is unknown to this rooflight"},
    };
    assert_edits_refused(edits, RL_COUNT(edits), RL_VERSION);
}

static void refusals_are_one_line_whatever_the_names(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    struct rl_buf changed = edited(&bytes, "UPDATE pass SET cache='a' || char(10) || 'b' || char(27) || '[2J' WHERE id=0");
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;
    enum rl_status status = rl_capture_read_bytes(changed.data, changed.len, "evil\nname\x1b[2J", &capture, &err);
    assert_int_equal(status, RL_FORMAT);
    for (const char *c = err.text; *c; c++)
        assert_true((unsigned char)*c >= ' ');
    assert_non_null(strstr(err.text, "pass 0: cache: unknown word 'a?b?[2J'"));
    rl_buf_release(&changed);
    rl_buf_release(&bytes);
}

/* ---- files ---- */

static char *temporary(char **folder, const char *name)
{
    *folder = files_new_folder();
    return rl_path_join(*folder, name);
}

static void files_are_written_and_read(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = full_capture(), *back = NULL;
    char *folder = NULL, *path = temporary(&folder, "it's a \"capture\"\n$(x).rlcap");
    assert_int_equal(rl_capture_write(capture, path, &err), RL_OK);
    assert_int_equal(rl_capture_write(capture, path, &err), RL_OK); /* over itself */
    assert_int_equal(rl_capture_read(path, &back, &err), RL_OK);
    assert_same_capture(capture, back);
    struct rl_buf bytes = RL_BUF_INIT, same = bytes_of(capture);
    assert_int_equal(rl_read_file(path, RL_CAPTURE_MAX_BYTES, &bytes, &err), RL_OK);
    assert_int_equal(bytes.len, same.len);
    assert_memory_equal(bytes.data, same.data, same.len);
    assert_string_equal(back->sha256.hex, rl_sha256_of(bytes.data, bytes.len).hex);
    rl_buf_release(&bytes);
    rl_buf_release(&same);
    files_remove_folder(folder);
    rl_capture_free(back);
    rl_capture_free(capture);
    free(path);
}

static void reading_touches_nothing_beside_the_file(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = full_capture(), *back = NULL;
    char *folder = NULL, *path = temporary(&folder, "a.rlcap"), *journal = rl_path_join(folder, "a.rlcap-journal");
    assert_int_equal(rl_capture_write(capture, path, &err), RL_OK);
    assert_int_equal(rl_write_file_atomic(journal, "not a journal", 13, &err), RL_OK); /* SQLite would look at it and remove it */
    assert_int_equal(chmod(path, 0400), 0);
    assert_int_equal(rl_capture_read(path, &back, &err), RL_OK);
    struct rl_buf left = RL_BUF_INIT;
    assert_int_equal(rl_read_file(journal, 100, &left, &err), RL_OK);
    assert_string_equal(left.data, "not a journal");
    char *wal = rl_path_join(folder, "a.rlcap-wal");
    assert_false(rl_path_exists(wal));
    free(wal);
    rl_buf_release(&left);
    files_remove_folder(folder);
    rl_capture_free(back);
    rl_capture_free(capture);
    free(journal);
    free(path);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;
    char *folder = NULL, *path = temporary(&folder, "huge.rlcap");
    assert_int_not_equal(rl_capture_read(path, &capture, &err), RL_OK);
    assert_non_null(strstr(err.text, "huge.rlcap"));
    assert_int_equal(rl_capture_read(folder, &capture, &err), RL_IO);
    assert_int_equal(rl_write_file_atomic(path, "SQLite format 3", 16, &err), RL_OK);
    assert_int_equal(truncate(path, (off_t)RL_CAPTURE_MAX_BYTES + 1), 0); /* sparse */
    assert_int_equal(rl_capture_read(path, &capture, &err), RL_IO);
    assert_non_null(strstr(err.text, "larger than"));
    assert_null(capture);
    files_remove_folder(folder);
    free(path);
}

static void unwritable_targets_leave_what_was_there(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = full_capture(), *back = NULL;
    char *folder = NULL, *path = temporary(&folder, "a.rlcap"), *below = rl_path_join(path, "b.rlcap");
    assert_int_equal(rl_capture_write(capture, folder, &err), RL_IO); /* a folder */
    assert_int_equal(rl_capture_write(capture, path, &err), RL_OK);
    assert_int_equal(rl_capture_write(capture, below, &err), RL_IO); /* a file in the way */
    assert_non_null(strstr(err.text, "b.rlcap"));
    assert_int_equal(rl_capture_write_growing(capture, below, &err), RL_IO);
    assert_int_equal(rl_capture_write_growing(capture, path, &err), RL_OK);
    capture->kernels[3].counters[0].value.v = (double)NAN;
    assert_int_equal(rl_capture_write(capture, path, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "a.rlcap': counter "));
    assert_int_equal(rl_capture_read(path, &back, &err), RL_OK); /* still the good one */
    rl_capture_free(back);
    rl_capture_free(capture);
    files_remove_folder(folder);
    free(below);
    free(path);
}

/* ---- models ---- */

/* Writing `capture` fails with a line that has `part` in it. Frees it. */
static void assert_not_written(struct rl_capture *capture, const char *part)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_FAILED);
    if (!strstr(err.text, part) || strncmp(err.text, "cannot make the capture: ", 25) != 0)
        fail_msg("%s (wanted: %s)", err.text, part);
    assert_int_equal(bytes.len, 0);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

#define ASSERT_NOT_WRITTEN(change, part)                                                                                           \
    do {                                                                                                                           \
        struct rl_capture *c = full_capture();                                                                                     \
        change;                                                                                                                    \
        assert_not_written(c, part);                                                                                               \
    } while (0)

static void models_that_no_capture_can_hold(void **state)
{
    (void)state;
    ASSERT_NOT_WRITTEN(c->kernels[2].name = NULL, "kernel 2: name: is not set");
    ASSERT_NOT_WRITTEN(c->kernels[2].counters[1].name = NULL, "counter_name: is not set");
    ASSERT_NOT_WRITTEN(c->session.started = NULL, "session 0: started: is not set");
    ASSERT_NOT_WRITTEN(c->session.command[0] = NULL, "argument 0: text: is not set");
    ASSERT_NOT_WRITTEN(c->session.source = rl_capture_text(c, "hearsay"), "session 0: source: unknown word 'hearsay'");
    ASSERT_NOT_WRITTEN(c->gpus[1].fact[0].v = (double)NAN, "value: not a finite number");
    ASSERT_NOT_WRITTEN(c->gpus[1].moments[0].reading[0].v = (double)INFINITY, "value: not a finite number");
    ASSERT_NOT_WRITTEN(c->ceilings[1].samples[3] = (double)NAN, "ceiling_sample 3: rate: not a finite number");
    ASSERT_NOT_WRITTEN(c->ceilings[1].gpu = 2, "ceiling_run 1: gpu: refers to gpu 2 of 2");
    ASSERT_NOT_WRITTEN(c->ceilings[1].unit = (enum rl_unit)99, "ceiling_run 1: unit: no member 99 in the enumeration");
    ASSERT_NOT_WRITTEN(c->kernels[1].gpu = RL_NONE, "kernel 1: gpu: refers to gpu 18446744073709551615 of 2");
    ASSERT_NOT_WRITTEN(c->kernels[1].variant = 9, "kernel 1: variant: refers to variant 9 of 9");
    ASSERT_NOT_WRITTEN(c->kernels[0].counters[1].pass = 3, "counter 1: pass: refers to pass 3 of 3");
    ASSERT_NOT_WRITTEN(c->kernels[1].total_ns = UINT64_MAX, "kernel 1: total_ns: 9223372036854775807 is not in");
    ASSERT_NOT_WRITTEN(c->kernels[1].duration_ns[2] = UINT64_C(1) << 62, "duration 2: duration_ns: 4611686018427387904 is not in");
    ASSERT_NOT_WRITTEN(c->kernels[1].timing = NULL, "timing does not say from where");
    ASSERT_NOT_WRITTEN(c->variants[1].reason = NULL, "variant 1: it was not done, but there is no reason");
    ASSERT_NOT_WRITTEN(c->experiments[1].claims[0].value = (double)NAN, "claim 0: value: not a finite number");
}

static void limits_hold_for_writing(void **state)
{
    (void)state;
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_fill(&text, 'x', RL_CAPTURE_MAX_TEXT + 1);
    ASSERT_NOT_WRITTEN(c->kernels[2].name = text.data, "kernel 2: name: a text of 65537 bytes, more than 65536");
    rl_buf_release(&text);
    uint64_t *many = rl_calloc(1000001, sizeof *many);
    ASSERT_NOT_WRITTEN((c->kernels[2].duration_ns = many, c->kernels[2].duration_count = 1000001),
                       "1000001 rows in table duration, more than 1000000");
    free(many);
    struct rl_capture *capture = rl_capture_new();
    for (int i = 0; i < 4097; i++)
        rl_capture_add_gpu(capture)->name = capture->session.source;
    assert_not_written(capture, "4097 rows in table gpu, more than 4096");
}

static void lists_of_one_owner_have_a_limit_for_writing(void **state)
{
    (void)state;
    struct rl_setting *settings = rl_calloc(101, sizeof *settings);
    ASSERT_NOT_WRITTEN((c->variants[0].settings = settings, c->variants[0].setting_count = 101),
                       "101 rows in table variant_setting, more than 100");
    ASSERT_NOT_WRITTEN((c->ceilings[0].settings = settings, c->ceilings[0].setting_count = 101),
                       "101 rows in table ceiling_setting, more than 100");
    free(settings);
    char **texts = rl_calloc(1001, sizeof *texts);
    ASSERT_NOT_WRITTEN((c->experiments[0].columns = texts, c->experiments[0].column_count = 1001),
                       "1001 rows in table experiment_column, more than 1000");
    ASSERT_NOT_WRITTEN((c->experiments[0].references = texts, c->experiments[0].reference_count = 1001),
                       "1001 rows in table experiment_reference, more than 1000");
    free(texts);
    struct rl_variant_pair *pairs = rl_calloc(1001, sizeof *pairs);
    ASSERT_NOT_WRITTEN((c->experiments[0].pairs = pairs, c->experiments[0].pair_count = 1001),
                       "1001 rows in table experiment_pair, more than 1000");
    free(pairs);
}

/* An experiment has up to 1000 claims. */
static void rows_of_one_owner_have_a_limit(void **state)
{
    static const char one_more[] = "CREATE TEMP TABLE t AS SELECT * FROM claim WHERE id=999; UPDATE t SET id=1000; "
                                   "INSERT INTO claim SELECT * FROM t";
    struct rl_capture *capture = rl_capture_new();
    (void)state;
    char *text = rl_capture_text(capture, "a");
    *rl_capture_add_experiment(capture) =
        (struct rl_experiment){.name = text, .topic = text, .question = text, .explanation = text, .source = text};
    for (int i = 0; i < 1000; i++)
        full_claim(capture, 0, i);
    struct rl_buf bytes = bytes_of(capture);
    struct rl_capture *back = capture_of(&bytes);
    assert_int_equal(back->experiments[0].claim_count, 1000);
    struct rl_buf changed = edited(&bytes, one_more);
    assert_refused(changed.data, changed.len, RL_FORMAT, "claim 1000: more than 1000 rows belong together");
    rl_buf_release(&changed);
    rl_buf_release(&bytes);
    rl_capture_free(back);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_schemas),
        cmocka_unit_test(crowded_schemas_are_not_read_to_their_end),
        cmocka_unit_test(broken_references),
        cmocka_unit_test(values_out_of_range),
        cmocka_unit_test(values_of_other_types),
        cmocka_unit_test(names_from_a_newer_rooflight),
        cmocka_unit_test(refusals_are_one_line_whatever_the_names),
        cmocka_unit_test(files_are_written_and_read),
        cmocka_unit_test(reading_touches_nothing_beside_the_file),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(unwritable_targets_leave_what_was_there),
        cmocka_unit_test(models_that_no_capture_can_hold),
        cmocka_unit_test(limits_hold_for_writing),
        cmocka_unit_test(lists_of_one_owner_have_a_limit_for_writing),
        cmocka_unit_test(rows_of_one_owner_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

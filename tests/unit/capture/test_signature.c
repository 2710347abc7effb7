/* Signatures: they hold for what a capture says, whatever its bytes are, and for nothing else. */
#include "rl_test.h"

#include "core/mem.h"
#include "edit.h"
#include "fixtures/full.h"
#include "fixtures/same.h"
#include "schema.h"
#include "signing/signing.h"
#include "upgrade.h"

/* The seeds of RFC 8032, section 7.1, tests 1 and 2, as PKCS #8. */
static const char first_key[] = "-----BEGIN PRIVATE KEY-----\n"
                                "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
                                "-----END PRIVATE KEY-----\n",
                  second_key[] = "-----BEGIN PRIVATE KEY-----\n"
                                 "MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7\n"
                                 "-----END PRIVATE KEY-----\n";

static struct rl_key *key_of(const char *text)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_key *key = NULL;
    if (rl_key_parse(text, strlen(text), &key, &err) != RL_OK)
        fail_msg("%s", err.text);
    return key;
}

/* The bytes of the capture, signed. */
static struct rl_buf signed_bytes(struct rl_capture *capture, const char *key_text)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    struct rl_key *key = key_of(key_text);
    if (rl_capture_sign(capture, key, &bytes, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_key_free(key);
    return bytes;
}

static struct rl_buf signed_program(void)
{
    struct rl_capture *capture = full_program();
    struct rl_buf bytes = signed_bytes(capture, first_key);
    rl_capture_free(capture);
    return bytes;
}

static enum rl_signature_state state_of(const struct rl_buf *bytes)
{
    struct rl_capture *capture = capture_of(bytes);
    enum rl_signature_state state = rl_capture_signed(capture);
    rl_capture_free(capture);
    return state;
}

static void signing_changes_nothing_else(void **state)
{
    (void)state;
    struct rl_capture *capture = full_program();
    struct rl_buf plain = bytes_of(capture), bytes = signed_bytes(capture, first_key), again = RL_BUF_INIT;
    struct rl_capture *back = capture_of(&bytes);
    assert_int_equal(state_of(&plain), RL_UNSIGNED);
    assert_int_equal(rl_capture_signed(back), RL_SIGNED);
    assert_same_capture(capture, back);
    assert_same_program(capture, back);
    assert_int_equal(back->signature_count, 1);
    assert_string_equal(back->signatures[0].public_key, "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    rl_capture_free(capture);
    capture = capture_of(&plain);
    again = signed_bytes(capture, first_key);
    assert_int_equal(again.len, bytes.len); /* the same capture and key: the same bytes */
    assert_memory_equal(again.data, bytes.data, bytes.len);
    rl_buf_release(&again);
    rl_buf_release(&bytes);
    rl_buf_release(&plain);
    rl_capture_free(back);
    rl_capture_free(capture);
}

/* What another program makes of the same rows. */
static void other_bytes_with_the_same_rows_hold(void **state)
{
    (void)state;
    struct rl_buf bytes = signed_program(), vacuumed = repaged(&bytes, "1024"), touched;
    assert_true(vacuumed.len != bytes.len);
    assert_int_equal(state_of(&vacuumed), RL_SIGNED);
    touched = edited(&bytes, "UPDATE kernel SET launches = launches + 1; UPDATE kernel SET launches = launches - 1; VACUUM");
    assert_int_equal(state_of(&touched), RL_SIGNED);
    rl_buf_release(&touched);
    rl_buf_release(&vacuumed);
    rl_buf_release(&bytes);
}

/* ---- every column ---- */

/* What makes another value of the same type out of any that is there. */
static const char *change_of(enum rl_column_kind kind)
{
    static const char *const changes[RL_COLUMN_KIND_COUNT] = {
        [RL_COLUMN_TEXT] = "CASE typeof(#) WHEN 'blob' THEN x'ff' ELSE # || 'x' END",
        [RL_COLUMN_INTEGER] = "# + 1",
        [RL_COLUMN_REAL] = "# * 1.5 + 1",
        [RL_COLUMN_VALUE] = "# * 1.5 + 1",
        [RL_COLUMN_INDEX] = "# + 1",
        [RL_COLUMN_COUNTER_NAME] = "# + 1",
        [RL_COLUMN_OWNER] = "# + 1",
        [RL_COLUMN_HEX] = "CASE substr(#, 1, 1) WHEN '0' THEN '1' ELSE '0' END || substr(#, 2)",
        [RL_COLUMN_ENUM] = "# || 'x'",
        [RL_COLUMN_FIELD] = "# || 'x'",
    };
    return changes[kind];
}

static void add_update(struct rl_buf *sql, const char *table, const char *column, const char *change)
{
    rl_buf_addf(sql, "UPDATE %s SET \"%s\" = ", table, column);
    for (const char *c = change; *c; c++) {
        if (*c == '#')
            rl_buf_addf(sql, "\"%s\"", column);
        else
            rl_buf_addch(sql, *c);
    }
    rl_buf_addf(sql, " WHERE id = (SELECT max(id) FROM %s WHERE \"%s\" IS NOT NULL)", table, column);
}

/* Whether the changed capture is refused or known to be changed; never taken for what was signed. */
static bool is_noticed(const struct rl_buf *bytes, const char *sql)
{
    struct rl_buf bent = edited(bytes, sql);
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;
    assert_true(bent.len != bytes->len || memcmp(bent.data + 4096, bytes->data + 4096, bent.len - 4096) != 0); /* it was changed */
    bool noticed =
        rl_capture_read_bytes(bent.data, bent.len, "bent", &capture, &err) != RL_OK || rl_capture_signed(capture) == RL_BROKEN;
    rl_capture_free(capture);
    rl_buf_release(&bent);
    return noticed;
}

static bool has_values(const struct rl_buf *bytes, const char *table, const char *column)
{
    sqlite3 *db = database_of(bytes);
    sqlite3_stmt *stmt = NULL;
    struct rl_buf sql = RL_BUF_INIT;
    rl_buf_addf(&sql, "SELECT 1 FROM %s WHERE \"%s\" IS NOT NULL", table, column);
    assert_int_equal(sqlite3_prepare_v2(db, sql.data, -1, &stmt, NULL), SQLITE_OK);
    bool has = sqlite3_step(stmt) == SQLITE_ROW;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    rl_buf_release(&sql);
    return has;
}

static size_t try_column(const struct rl_buf *bytes, const char *table, const char *column, enum rl_column_kind kind)
{
    struct rl_buf sql = RL_BUF_INIT;
    if (!has_values(bytes, table, column))
        return 0;
    add_update(&sql, table, column, change_of(kind));
    if (!is_noticed(bytes, sql.data))
        fail_msg("not noticed: %s", sql.data);
    rl_buf_release(&sql);
    return 1;
}

/* The reason why a number is missing. */
static void try_reason(const struct rl_buf *bytes, const char *table, const char *column)
{
    struct rl_buf name = RL_BUF_INIT;
    rl_buf_addf(&name, "%s_missing", column);
    try_column(bytes, table, name.data, RL_COLUMN_INDEX);
    rl_buf_release(&name);
}

static void every_change_is_noticed(void **state)
{
    (void)state;
    struct rl_capture *capture = full_program(), *redacted;
    capture->kernels[0].static_shared_bytes = rl_value_of(1024); /* the one number that the sample lacks */
    struct rl_buf first = signed_bytes(capture, first_key), bytes;
    rl_capture_free(capture);
    redacted = capture_of(&first);
    rl_capture_keep_origins(redacted, redacted); /* so that the table of origins has a row */
    bytes = signed_bytes(redacted, second_key);
    size_t tried = 0, columns = 0;
    for (size_t t = 0; t < RL_SCHEMA_COUNT; t++) {
        const struct rl_schema_table *table = &rl_schema[t];
        assert_true(has_values(&bytes, table->name, "id"));
        for (size_t c = 0; c < table->column_count; c++, columns++) {
            tried += try_column(&bytes, table->name, table->columns[c].name, table->columns[c].kind);
            if (table->columns[c].kind == RL_COLUMN_VALUE)
                try_reason(&bytes, table->name, table->columns[c].name);
        }
    }
    print_message("%zu of %zu columns of %d tables changed\n", tried, columns, RL_SCHEMA_COUNT);
    assert_int_equal(tried, columns);
    rl_buf_release(&first);
    rl_buf_release(&bytes);
    rl_capture_free(redacted);
}

static void other_changes_are_noticed(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE kernel SET nvtx = NULL WHERE nvtx IS NOT NULL",
        "UPDATE kernel SET total_ns = NULL",
        "DELETE FROM log WHERE id = (SELECT max(id) FROM log)",
        "INSERT INTO log SELECT max(id) + 1, 0, 'note', 'more' FROM log",
        "UPDATE log SET text = CAST(text AS BLOB) WHERE id = 0",
        "UPDATE missing SET reason = 'because' WHERE id = 0",
        "INSERT INTO missing SELECT max(id) + 1, 'failed', 'nobody refers to it' FROM missing",
        "UPDATE session SET complete = 0",
        "UPDATE duration SET duration_ns = (SELECT d.duration_ns FROM duration d WHERE d.id = 1 - duration.id) WHERE id < 2",
        "CREATE VIEW v AS SELECT 1",
        "CREATE INDEX i ON log(text)",
        "CREATE TABLE t(x)",
        "DROP TABLE origin",
        DROP_VERSION_5 "DROP TABLE signature; DROP TABLE origin; PRAGMA user_version=3; CREATE TABLE signature(x)",
        "INSERT INTO signature SELECT 1, salt, public_key, '00' || substr(signature, 3) FROM signature",
        "UPDATE signature SET signature = upper(signature)",
    };
    struct rl_buf bytes = signed_program();
    for (size_t i = 0; i < RL_COUNT(changes); i++)
        if (!is_noticed(&bytes, changes[i]))
            fail_msg("not noticed: %s", changes[i]);
    struct rl_buf stripped = edited(&bytes, "DELETE FROM signature");
    assert_int_equal(state_of(&stripped), RL_UNSIGNED); /* whoever has the file can do that */
    rl_buf_release(&stripped);
    rl_buf_release(&bytes);
}

/* ---- several signers ---- */

static void assert_unsigned(struct rl_capture *capture, const char *key_text, const char *part)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_key *key = key_of(key_text);
    const size_t before = capture->signature_count;
    assert_int_equal(rl_capture_sign(capture, key, &out, &err), RL_FAILED);
    assert_int_equal(capture->signature_count, before);
    if (!strstr(err.text, part))
        fail_msg("'%s' is not in '%s'", part, err.text);
    rl_buf_release(&out);
    rl_key_free(key);
}

static void several_may_sign(void **state)
{
    (void)state;
    struct rl_buf bytes = signed_program(), both;
    struct rl_capture *capture = capture_of(&bytes), *back;
    both = signed_bytes(capture, second_key);
    back = capture_of(&both);
    assert_int_equal(rl_capture_signed(back), RL_SIGNED);
    assert_int_equal(back->signature_count, 2);
    assert_string_equal(back->signatures[0].signature, capture->signatures[0].signature);
    assert_unsigned(back, second_key, "this key has signed it already");
    struct rl_buf bent =
        edited(&both, "UPDATE signature SET salt = '0' || substr(salt, 2), signature = '0' || substr(signature, 2) "
                      "WHERE id = 1");
    assert_int_equal(state_of(&bent), RL_BROKEN); /* one is enough */
    rl_buf_release(&bent);
    rl_buf_release(&both);
    rl_buf_release(&bytes);
    rl_capture_free(back);
    rl_capture_free(capture);
}

static void some_signatures_are_not_given(void **state)
{
    (void)state;
    struct rl_buf bytes = signed_program(), bent = edited(&bytes, "UPDATE session SET host='other'");
    struct rl_capture *capture = capture_of(&bytes), *broken = capture_of(&bent);
    assert_unsigned(capture, first_key, "this key has signed it already");
    assert_unsigned(broken, second_key, "its signature is broken");
    capture->session.host = rl_capture_text(capture, "other"); /* what the first signer did not sign, in memory */
    assert_unsigned(capture, second_key, "would break the signature that it has");
    rl_capture_free(broken);
    rl_capture_free(capture);
    rl_buf_release(&bent);
    rl_buf_release(&bytes);
}

static void older_captures_can_be_signed(void **state)
{
    (void)state;
    static const char drop[] = DROP_VERSION_5 "DROP TABLE signature; DROP TABLE origin; PRAGMA user_version=3";
    struct rl_capture *capture = full_program(), *back;
    full_forget_facts(capture);
    struct rl_buf plain = bytes_of(capture), old = edited(&plain, drop);
    rl_capture_upgrade(capture);
    struct rl_buf now = signed_bytes(capture, first_key), bytes;
    back = capture_of(&old);
    bytes = signed_bytes(back, first_key);
    assert_int_equal(bytes.len, now.len);
    assert_memory_equal(bytes.data, now.data, now.len);
    rl_buf_release(&bytes);
    rl_buf_release(&now);
    rl_buf_release(&old);
    rl_buf_release(&plain);
    rl_capture_free(back);
    rl_capture_free(capture);
}

/* Its words become facts, in rows that were not signed: the signature of the old file cannot hold for the new one. */
static void a_signed_older_capture_is_not_signed_again(void **state)
{
    (void)state;
    struct rl_capture *capture = full_program();
    full_forget_facts(capture);
    struct rl_buf bytes = signed_bytes(capture, first_key), old = edited(&bytes, DROP_VERSION_5 "PRAGMA user_version=4");
    struct rl_capture *back = capture_of(&old);
    assert_int_equal(rl_capture_signed(back), RL_SIGNED);
    assert_unsigned(back, second_key, "use the version that wrote it");
    rl_capture_free(back);
    rl_buf_release(&old);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

static void an_incomplete_capture_is_signed_as_such(void **state)
{
    (void)state;
    struct rl_capture *capture = full_program();
    capture->session.complete = false;
    struct rl_buf bytes = signed_bytes(capture, first_key);
    assert_int_equal(state_of(&bytes), RL_SIGNED);
    assert_true(is_noticed(&bytes, "UPDATE session SET complete = 1"));
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

/* ---- what is made from a signed capture ---- */

static struct rl_capture *redacted_copy(const struct rl_buf *bytes)
{
    const struct rl_redaction how = {.key = "a key of the test"};
    struct rl_capture *capture = capture_of(bytes), *copy;
    rl_capture_redact(capture, &how, NULL);
    struct rl_buf redacted = bytes_of(capture);
    copy = capture_of(&redacted);
    rl_buf_release(&redacted);
    rl_capture_free(capture);
    return copy;
}

static void assert_other_origin(const struct rl_capture *copy, const struct rl_capture *original, const char *part)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_origin_check found;
    assert_int_equal(rl_capture_check_origin(copy, original, &found, &err), RL_FAILED);
    if (!strstr(err.text, part))
        fail_msg("'%s' is not in '%s'", part, err.text);
}

static void a_redacted_copy_leads_to_its_original(void **state)
{
    (void)state;
    struct rl_buf bytes = signed_program();
    struct rl_capture *original = capture_of(&bytes), *copy = redacted_copy(&bytes);
    struct rl_origin_check found;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_capture_signed(copy), RL_UNSIGNED);
    assert_int_equal(copy->origin_count, 1);
    assert_true(copy->origins[0].holds);
    assert_null(copy->origins[0].salt); /* it would help to try out what was left out */
    assert_string_equal(copy->origins[0].digest, original->signatures[0].digest);
    if (rl_capture_check_origin(copy, original, &found, &err) != RL_OK)
        fail_msg("%s", err.text);
    assert_true(found.figures > 100 && found.replaced > 0 && found.replaced < found.texts);
    struct rl_buf again = signed_bytes(copy, second_key);
    assert_int_equal(state_of(&again), RL_SIGNED);
    assert_true(is_noticed(&again, "DELETE FROM origin")); /* who signs the copy signs where it is from */
    rl_buf_release(&again);
    rl_buf_release(&bytes);
    rl_capture_free(copy);
    rl_capture_free(original);
}

static void other_originals_are_none(void **state)
{
    (void)state;
    struct rl_buf bytes = signed_program(), bent, stripped = edited(&bytes, "DELETE FROM signature");
    struct rl_capture *original = capture_of(&bytes), *copy = redacted_copy(&bytes), *other = full_program(), *plain;
    other->kernels[0].launches++;
    struct rl_buf other_bytes = signed_bytes(other, first_key);
    rl_capture_free(other);
    other = capture_of(&other_bytes);
    plain = capture_of(&stripped);
    bent = edited(&bytes, "UPDATE session SET host='other'");
    struct rl_capture *broken = capture_of(&bent);
    assert_other_origin(copy, plain, "the original is not signed");
    assert_other_origin(copy, broken, "the signature of the original is broken");
    assert_other_origin(copy, other, "it does not say that it was made from this original");
    copy->kernels[0].launches++;
    assert_other_origin(copy, original, "kernel 0: launches is not that of the original");
    copy->kernels[0].launches--;
    struct rl_value *fact = &copy->gpus[0].fact[0], kept = *fact;
    assert_true(rl_present(kept));
    *fact = rl_value_missing(RL_NOT_COLLECTED, NULL);
    assert_other_origin(copy, original, "is not that of the original");
    *fact = rl_value_of(kept.v + 1);
    assert_other_origin(copy, original, "is not that of the original");
    *fact = kept;
    copy->kernels[0].duration_count--;
    assert_other_origin(copy, original, "duration: not as many rows as the original has");
    copy->kernels[0].duration_count++;
    copy->origins[0].signature[0] = copy->origins[0].signature[0] == '0' ? '1' : '0'; /* what a stranger may write there */
    struct rl_buf forged = bytes_of(copy);
    struct rl_capture *back = capture_of(&forged);
    assert_false(back->origins[0].holds);
    assert_other_origin(back, original, "it does not say that it was made from this original");
    struct rl_buf text = RL_BUF_INIT;
    rl_capture_signature_text(back, &text);
    assert_non_null(strstr(text.data, "which is NOT TRUE"));
    rl_buf_release(&text);
    rl_buf_release(&forged);
    rl_buf_release(&bent);
    rl_buf_release(&stripped);
    rl_buf_release(&other_bytes);
    rl_buf_release(&bytes);
    rl_capture_free(back);
    rl_capture_free(broken);
    rl_capture_free(plain);
    rl_capture_free(other);
    rl_capture_free(copy);
    rl_capture_free(original);
}

static void a_broken_signature_is_not_passed_on(void **state)
{
    (void)state;
    struct rl_buf bytes = signed_program(), bent = edited(&bytes, "UPDATE session SET host='other'");
    struct rl_capture *copy = redacted_copy(&bent);
    assert_int_equal(copy->origin_count, 0);
    bool said = false;
    for (size_t i = 0; i < copy->log_count; i++)
        said |= copy->log[i].level == RL_LOG_WARNING && strstr(copy->log[i].text, "BROKEN");
    assert_true(said);
    rl_capture_free(copy);
    rl_buf_release(&bent);
    rl_buf_release(&bytes);
}

static void captures_put_together_name_their_signers(void **state)
{
    (void)state;
    struct rl_buf bytes = signed_program();
    struct rl_capture *parts[2] = {capture_of(&bytes), capture_of(&bytes)}, *merged = rl_capture_merge(parts, 2);
    assert_int_equal(rl_capture_signed(merged), RL_UNSIGNED);
    assert_int_equal(merged->origin_count, 2);
    assert_string_equal(merged->origins[1].digest, parts[1]->signatures[0].digest);
    rl_capture_free(merged);
    rl_capture_free(parts[0]);
    rl_capture_free(parts[1]);
    rl_buf_release(&bytes);
}

static void signers_are_named(void **state)
{
    struct rl_capture *capture = rl_capture_new();
    struct rl_buf text = RL_BUF_INIT;
    char key[] = "", name[] = "lab"; /* a key that is none has no fingerprint */
    (void)state;
    rl_capture_signature_text(capture, &text);
    assert_string_equal(text.data, "not signed");
    *rl_capture_add_signature(capture) =
        (struct rl_signature){.public_key = key, .digest = key, .name = name, .trust = RL_KEY_KNOWN, .holds = true};
    *rl_capture_add_signature(capture) =
        (struct rl_signature){.public_key = key, .digest = key, .name = name, .trust = RL_KEY_UNKNOWN, .holds = true};
    rl_buf_reset(&text);
    rl_capture_signature_text(capture, &text);
    assert_string_equal(text.data, "signed by lab,  (known key) and  (unknown key)");
    capture->signatures[0].holds = false;
    rl_buf_reset(&text);
    rl_capture_signature_text(capture, &text);
    assert_non_null(strstr(text.data, "BROKEN: "));
    assert_non_null(strstr(text.data, "it names as signer lab,  (known key)"));
    assert_null(strstr(text.data, " and  (unknown key)"));
    rl_buf_release(&text);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signing_changes_nothing_else),
        cmocka_unit_test(other_bytes_with_the_same_rows_hold),
        cmocka_unit_test(every_change_is_noticed),
        cmocka_unit_test(other_changes_are_noticed),
        cmocka_unit_test(several_may_sign),
        cmocka_unit_test(some_signatures_are_not_given),
        cmocka_unit_test(older_captures_can_be_signed),
        cmocka_unit_test(a_signed_older_capture_is_not_signed_again),
        cmocka_unit_test(an_incomplete_capture_is_signed_as_such),
        cmocka_unit_test(a_redacted_copy_leads_to_its_original),
        cmocka_unit_test(other_originals_are_none),
        cmocka_unit_test(a_broken_signature_is_not_passed_on),
        cmocka_unit_test(captures_put_together_name_their_signers),
        cmocka_unit_test(signers_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

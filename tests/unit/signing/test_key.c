/* Private keys, signatures and fingerprints: known answers, keys as the public tools write them, and what is no key. */
#include "rl_test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/spawn.h"
#include "fixtures/files.h"
#include "private.h"

/* RFC 8032, section 7.1, tests 1 to 3: seed, public key, message, signature. */
static const struct {
    const char *seed, *public_key, *message, *signature;
} vectors[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a1"
     "00b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0"
     "c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec"
     "40a"},
};

static size_t bytes_of(const char *hex, unsigned char *bytes, size_t size)
{
    size_t len = 0;
    assert_int_equal(sodium_hex2bin(bytes, size, hex, strlen(hex), NULL, &len, NULL), 0);
    return len;
}

/* A key file as OpenSSL writes it. */
static struct rl_buf pkcs8_of(const char *seed)
{
    unsigned char der[48] = "\x30\x2e\x02\x01\0\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
    char text[sodium_base64_ENCODED_LEN(sizeof der, sodium_base64_VARIANT_ORIGINAL)];
    struct rl_buf out = RL_BUF_INIT;
    bytes_of(seed, der + 16, 32);
    sodium_bin2base64(text, sizeof text, der, sizeof der, sodium_base64_VARIANT_ORIGINAL);
    rl_buf_addf(&out, "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n", text);
    return out;
}

static struct rl_key *key_of(const char *text, size_t len)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_key *key = NULL;
    if (rl_key_parse(text, len, &key, &err) != RL_OK)
        fail_msg("%s", err.text);
    return key;
}

static void known_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(vectors); i++) {
        unsigned char message[4];
        char signature[RL_SIGNATURE_DIGITS + 1];
        size_t len = bytes_of(vectors[i].message, message, sizeof message);
        struct rl_buf file = pkcs8_of(vectors[i].seed);
        struct rl_key *key = key_of(file.data, file.len);
        assert_string_equal(rl_key_public(key), vectors[i].public_key);
        rl_key_sign(key, message, len, signature);
        assert_string_equal(signature, vectors[i].signature);
        assert_true(rl_signature_holds(vectors[i].public_key, signature, message, len));
        rl_key_free(key);
        rl_buf_release(&file);
    }
}

static void any_other_bit_does_not_hold(void **state)
{
    (void)state;
    char key[RL_PUBLIC_KEY_DIGITS + 1], signature[RL_SIGNATURE_DIGITS + 1];
    for (size_t i = 0; i < RL_SIGNATURE_DIGITS; i++) {
        memcpy(signature, vectors[1].signature, sizeof signature);
        signature[i] = signature[i] == '0' ? '1' : '0';
        assert_false(rl_signature_holds(vectors[1].public_key, signature, "\x72", 1));
    }
    for (size_t i = 0; i < RL_PUBLIC_KEY_DIGITS; i++) {
        memcpy(key, vectors[1].public_key, sizeof key);
        key[i] = key[i] == '0' ? '1' : '0';
        assert_false(rl_signature_holds(key, vectors[1].signature, "\x72", 1));
    }
    assert_false(rl_signature_holds(vectors[1].public_key, vectors[1].signature, "\x73", 1));
    assert_false(rl_signature_holds(vectors[1].public_key, vectors[1].signature, "\x72\x72", 2));
    assert_false(rl_signature_holds("", vectors[1].signature, "\x72", 1));
    assert_false(rl_signature_holds(vectors[1].public_key, "92a0", "\x72", 1));
    /* the neutral point signs everything for whoever takes it as a key */
    assert_false(rl_signature_holds("0100000000000000000000000000000000000000000000000000000000000000",
                                    "0100000000000000000000000000000000000000000000000000000000000000"
                                    "0000000000000000000000000000000000000000000000000000000000000000",
                                    "x", 1));
}

/* ---- what the public tools write ---- */

struct place {
    char *folder, *key, *public_key;
};

static struct place make_place(void)
{
    struct place place;
    place.folder = files_new_folder();
    place.key = rl_path_join(place.folder, "key");
    place.public_key = rl_path_join(place.folder, "key.pub");
    return place;
}

static void remove_place(struct place *place)
{
    files_remove_folder(place->folder);
    free(place->key);
    free(place->public_key);
}

/* Runs a tool to success; false: it is not there. `out` gets what it prints. */
static bool tool(const char *const *argv, struct rl_buf *out)
{
    const char *words[16] = {rl_find_program(argv[0])};
    if (!words[0])
        return false;
    for (size_t i = 1; argv[i]; i++)
        words[i] = argv[i];
    struct rl_spawn_result result;
    struct rl_err err = RL_ERR_INIT;
    const struct rl_spawn spawn = {.argv = words, .timeout_s = 60, .output_limit = 65536};
    if (rl_spawn_run(&spawn, &result, &err) != RL_OK || result.exit_status != 0)
        fail_msg("%s: %s%s", argv[0], err.text, result.err.data);
    rl_buf_adds(out, result.out.data);
    rl_spawn_result_release(&result);
    free((char *)(uintptr_t)words[0]);
    return true;
}

static struct rl_key *read_key(const char *path)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_key *key = NULL;
    if (rl_key_read(path, &key, &err) != RL_OK)
        fail_msg("%s", err.text);
    return key;
}

static void assert_no_key(const char *path, enum rl_status wanted, const char *part)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_key *key = NULL;
    assert_int_equal(rl_key_read(path, &key, &err), wanted);
    assert_null(key);
    if (!strstr(err.text, part) || !strstr(err.text, path))
        fail_msg("'%s' is not in '%s'", part, err.text);
}

static void keys_of_openssh(void **state)
{
    (void)state;
    struct place place = make_place();
    struct rl_buf said = RL_BUF_INIT;
    char fingerprint[RL_FINGERPRINT_LENGTH + 1];
    const char *make[] = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a comment of some length", "-f", place.key, NULL};
    const char *list[] = {"ssh-keygen", "-l", "-f", place.public_key, NULL};
    const char *lock[] = {"ssh-keygen", "-q", "-p", "-P", "", "-N", "a passphrase", "-f", place.key, NULL};
    bool there = tool(make, &said);
    if (there) {
        struct rl_key *key = read_key(place.key);
        rl_fingerprint(rl_key_public(key), fingerprint);
        rl_key_free(key);
        tool(list, &said);
        if (!strstr(said.data, fingerprint))
            fail_msg("'%s' is not in '%s'", fingerprint, said.data);
        tool(lock, &said);
        assert_no_key(place.key, RL_FORMAT, "has a passphrase");
        assert_int_equal(chmod(place.public_key, 0600), 0);
        assert_no_key(place.public_key, RL_FORMAT, "a public key");
    }
    rl_buf_release(&said);
    remove_place(&place);
    if (!there)
        skip();
}

static void keys_of_openssl(void **state)
{
    (void)state;
    struct place place = make_place();
    struct rl_buf text = RL_BUF_INIT;
    const char *make[] = {"openssl", "genpkey", "-algorithm", "ed25519", "-out", place.key, NULL};
    const char *show[] = {"openssl", "pkey", "-in", place.key, "-noout", "-text_pub", NULL};
    const char *lock[] = {"openssl", "pkey", "-in", place.key, "-aes256", "-passout", "pass:x", "-out", place.public_key, NULL};
    bool there = tool(make, &text);
    if (there) {
        assert_int_equal(chmod(place.key, 0600), 0);
        struct rl_key *key = read_key(place.key);
        rl_buf_reset(&text);
        tool(show, &text); /* "aa:bb:..." on several lines */
        size_t kept = 0;
        for (size_t i = strcspn(text.data, "\n"); i < text.len; i++)
            if (strchr("0123456789abcdef", text.data[i]))
                text.data[kept++] = text.data[i];
        assert_int_equal(kept, 1 + RL_PUBLIC_KEY_DIGITS); /* a letter of "pub:" */
        assert_memory_equal(text.data + 1, rl_key_public(key), RL_PUBLIC_KEY_DIGITS);
        rl_key_free(key);
        tool(lock, &text);
        assert_int_equal(chmod(place.public_key, 0600), 0);
        assert_no_key(place.public_key, RL_FORMAT, "a key with a passphrase");
    }
    rl_buf_release(&text);
    remove_place(&place);
    if (!there)
        skip();
}

static void keys_that_others_may_read_are_none(void **state)
{
    (void)state;
    struct place place = make_place();
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf file = pkcs8_of(vectors[0].seed);
    static const mode_t open[] = {0640, 0604, 0620, 0601};
    assert_int_equal(rl_write_file_atomic(place.key, file.data, file.len, &err), RL_OK);
    for (size_t i = 0; i < RL_COUNT(open); i++) {
        assert_int_equal(chmod(place.key, open[i]), 0);
        assert_no_key(place.key, RL_PERMISSION, "too open");
    }
    assert_int_equal(chmod(place.key, 0400), 0);
    rl_key_free(read_key(place.key));
    assert_no_key(place.public_key, RL_ABSENT, "");
    rl_buf_release(&file);
    remove_place(&place);
}

/* ---- what is no key ---- */

/* Made by ssh-keygen once; it signs nothing that matters. */
static const char openssh[] = "-----BEGIN OPENSSH PRIVATE KEY-----\n"
                              "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n"
                              "QyNTUxOQAAACBl6hKHzj4MXwtbe9HVt47S/Gg9qff0Q9z12JgxMokCDgAAAJBG76hSRu+o\n"
                              "UgAAAAtzc2gtZWQyNTUxOQAAACBl6hKHzj4MXwtbe9HVt47S/Gg9qff0Q9z12JgxMokCDg\n"
                              "AAAEDgJ0Il701uN5+pbHClCHU71SSUfZoGx7Cu5DdQ4SKA32XqEofOPgxfC1t70dW3jtL8\n"
                              "aD2p9/RD3PXYmDEyiQIOAAAACHRlc3Qga2V5AQIDBAU=\n"
                              "-----END OPENSSH PRIVATE KEY-----\n";

static void assert_unparsed(const char *text, size_t len, const char *part)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_key *key = NULL;
    char *exact = rl_calloc(len, 1); /* so that reading behind the end is noticed */
    memcpy(exact, text, len);
    assert_int_equal(rl_key_parse(exact, len, &key, &err), RL_FORMAT);
    assert_null(key);
    if (!strstr(err.text, part))
        fail_msg("'%s' is not in '%s'", part, err.text);
    free(exact);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    struct rl_buf file = pkcs8_of(vectors[0].seed);
    rl_key_free(key_of(openssh, strlen(openssh)));
    for (size_t len = 0; len < strlen(openssh) - 1; len++) /* the final line break may be missing */
        assert_unparsed(openssh, len, "");
    for (size_t len = 0; len < file.len - 1; len++)
        assert_unparsed(file.data, len, "");
    rl_buf_release(&file);
}

/* The bytes of the OpenSSH key with one changed. Some are said nowhere else: the two check numbers and the comment. */
static bool is_refused(unsigned char *bytes, size_t len, size_t at, unsigned char bit)
{
    struct rl_key *key = NULL;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT;
    char coded[1024];
    bytes[at] ^= bit;
    sodium_bin2base64(coded, sizeof coded, bytes, len, sodium_base64_VARIANT_ORIGINAL);
    bytes[at] ^= bit;
    rl_buf_addf(&text, "-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n-----END OPENSSH PRIVATE KEY-----\n", coded);
    bool refused = rl_key_parse(text.data, text.len, &key, &err) != RL_OK;
    rl_key_free(key);
    rl_buf_release(&text);
    return refused;
}

static void every_flipped_byte_is_refused(void **state)
{
    (void)state;
    unsigned char bytes[512];
    size_t len = 0, accepted = 0;
    const char *body = strchr(openssh, '\n') + 1;
    assert_int_equal(sodium_base642bin(bytes, sizeof bytes, body, strlen(body), "\n", &len, NULL, sodium_base64_VARIANT_ORIGINAL),
                     -1);
    const char *end = NULL;
    assert_int_equal(sodium_base642bin(bytes, sizeof bytes, body, strlen(body), "\n", &len, &end, sodium_base64_VARIANT_ORIGINAL),
                     0);
    for (size_t at = 0; at < len; at++)
        accepted += !is_refused(bytes, len, at, (unsigned char)(1u << at % 8));
    assert_int_equal(accepted, strlen("test key")); /* the comment may be anything */
}

static void other_things_are_no_keys(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } things[] = {
        {"", "no private key"},
        {"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea name\n", "a public key"},
        {"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n", "a public key"},
        {"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", "of another type"},
        {"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", "a key with a passphrase"},
        {"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "damaged, or not of type Ed25519"},
        {"-----BEGIN PRIVATE KEY-----\n****\n-----END PRIVATE KEY-----\n", "damaged"},
        {"-----BEGIN PRIVATE KEY-----", "damaged"},
        {"-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n", "damaged"},
    };
    for (size_t i = 0; i < RL_COUNT(things); i++)
        assert_unparsed(things[i].text, strlen(things[i].text), things[i].part);
    struct rl_buf large = RL_BUF_INIT;
    rl_buf_fill(&large, 'x', RL_KEY_FILE_MOST + 1);
    assert_unparsed(large.data, large.len, "larger than a key is");
    rl_buf_release(&large);
}

static void derived_bytes_follow_from_key_and_message(void **state)
{
    (void)state;
    char first[RL_DERIVED_DIGITS + 1], second[RL_DERIVED_DIGITS + 1];
    struct rl_buf files[2] = {pkcs8_of(vectors[0].seed), pkcs8_of(vectors[1].seed)};
    struct rl_key *keys[2] = {key_of(files[0].data, files[0].len), key_of(files[1].data, files[1].len)};
    rl_key_derive(keys[0], "a", 1, first);
    rl_key_derive(keys[0], "a", 1, second);
    assert_string_equal(first, second);
    rl_key_derive(keys[0], "b", 1, second);
    assert_string_not_equal(first, second);
    rl_key_derive(keys[1], "a", 1, second);
    assert_string_not_equal(first, second);
    for (size_t i = 0; i < 2; i++) {
        rl_key_free(keys[i]);
        rl_buf_release(&files[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(any_other_bit_does_not_hold),
        cmocka_unit_test(keys_of_openssh),
        cmocka_unit_test(keys_of_openssl),
        cmocka_unit_test(keys_that_others_may_read_are_none),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flipped_byte_is_refused),
        cmocka_unit_test(other_things_are_no_keys),
        cmocka_unit_test(derived_bytes_follow_from_key_and_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

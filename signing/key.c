/* key.c - private keys: reading the two forms that public tools write, and signing. */
#include <assert.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "private.h"

struct rl_key {
    unsigned char secret[crypto_sign_SECRETKEYBYTES]; /* seed and public key */
    char public_key[RL_PUBLIC_KEY_DIGITS + 1];
};

static enum rl_status damaged(struct rl_err *err)
{
    return rl_err_set(err, RL_FORMAT, "the key is damaged: copy it again");
}

/* The key with this seed, when its public half is the stated one (NULL: none is stated). */
static enum rl_status make_key(const unsigned char *seed, const unsigned char *stated, struct rl_key **key, struct rl_err *err)
{
    assert(seed);
    unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
    struct rl_key *made = sodium_malloc(sizeof *made);
    if (!made)
        return rl_err_set(err, RL_FAILED, "memory for the key cannot be locked: raise 'ulimit -l'");
    crypto_sign_seed_keypair(public_key, made->secret, seed);
    sodium_bin2hex(made->public_key, sizeof made->public_key, public_key, sizeof public_key);
    if (stated && memcmp(stated, public_key, sizeof public_key) != 0) {
        sodium_free(made);
        return rl_err_set(err, RL_FORMAT, "the key is damaged: its public half does not belong to its private half");
    }
    *key = made;
    return RL_OK;
}

/* Takes `fixed`, if that is what follows. */
static bool take_fixed(struct rl_span *bytes, const void *fixed, size_t len)
{
    struct rl_span taken;
    return rl_span_take(bytes, len, &taken) && memcmp(taken.at, fixed, len) == 0;
}

/* ---- "OPENSSH PRIVATE KEY" (OpenSSH's PROTOCOL.key) ---- */

/* The same number twice: it would not be after a wrong passphrase. */
static bool take_check(struct rl_span *bytes)
{
    struct rl_span number;
    return rl_span_take(bytes, 4, &number) && take_fixed(bytes, number.at, 4);
}

/* 1, 2, 3, ... fills the last block of 8 bytes. */
static bool is_padding(const struct rl_span *rest)
{
    for (size_t i = 0; i < rest->left; i++)
        if (rest->at[i] != i + 1)
            return false;
    return rest->left < 8;
}

static enum rl_status parse_private_part(struct rl_span part, const struct rl_span *public_key, struct rl_key **key,
                                         struct rl_err *err)
{
    struct rl_span type, public_half, secret, comment;
    if (!take_check(&part) || !rl_span_string(&part, &type) || !rl_span_is(&type, "ssh-ed25519") ||
        !rl_span_string(&part, &public_half) || !rl_span_string(&part, &secret) || !rl_span_string(&part, &comment) ||
        !is_padding(&part))
        return damaged(err);
    if (public_half.left != crypto_sign_PUBLICKEYBYTES || secret.left != crypto_sign_SECRETKEYBYTES ||
        memcmp(public_half.at, public_key->at, public_half.left) != 0 ||
        memcmp(public_half.at, secret.at + crypto_sign_SEEDBYTES, public_half.left) != 0)
        return damaged(err);
    return make_key(secret.at, public_half.at, key, err);
}

/* The whole file, as it follows one another. */
struct openssh {
    struct rl_span cipher, derivation, settings, count, public_blob, private_part;
};

static bool split_openssh(struct rl_span bytes, struct openssh *file)
{
    static const char magic[] = "openssh-key-v1"; /* with its final 0 */
    return take_fixed(&bytes, magic, sizeof magic) && rl_span_string(&bytes, &file->cipher) &&
           rl_span_string(&bytes, &file->derivation) && rl_span_string(&bytes, &file->settings) &&
           rl_span_take(&bytes, 4, &file->count) && rl_span_string(&bytes, &file->public_blob) &&
           rl_span_string(&bytes, &file->private_part) && bytes.left == 0;
}

static enum rl_status parse_openssh(struct rl_span bytes, struct rl_key **key, struct rl_err *err)
{
    struct openssh file;
    struct rl_span public_key;
    if (!split_openssh(bytes, &file))
        return damaged(err);
    if (!rl_span_is(&file.cipher, "none"))
        return rl_err_set(err, RL_FORMAT,
                          "the key has a passphrase, which cannot be asked for here: take a key without one, "
                          "'ssh-keygen -t ed25519 -N \"\" -f KEY'");
    if (!rl_span_is(&file.derivation, "none") || file.settings.left)
        return damaged(err);
    if (memcmp(file.count.at, "\0\0\0\1", 4) != 0 || !rl_span_public(file.public_blob, &public_key))
        return rl_err_set(err, RL_FORMAT, "the key is not of type Ed25519: make one with 'ssh-keygen -t ed25519 -N \"\" -f KEY'");
    return parse_private_part(file.private_part, &public_key, key, err);
}

/* ---- "PRIVATE KEY" (RFC 8410, section 7) ---- */

static enum rl_status parse_pkcs8(struct rl_span bytes, struct rl_key **key, struct rl_err *err)
{
    static const unsigned char before[] = "\x30\x2e\x02\x01\0\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
    if (!take_fixed(&bytes, before, sizeof before - 1) || bytes.left != crypto_sign_SEEDBYTES)
        return rl_err_set(err, RL_FORMAT,
                          "the key is damaged, or not of type Ed25519: make one with 'openssl genpkey -algorithm "
                          "ed25519 -out KEY'");
    return make_key(bytes.at, NULL, key, err);
}

/* ---- the file ---- */

static const struct {
    const char *begin, *end;
    enum rl_status (*parse)(struct rl_span bytes, struct rl_key **key, struct rl_err *err);
} forms[] = {
    {"-----BEGIN OPENSSH PRIVATE KEY-----", "-----END OPENSSH PRIVATE KEY-----", parse_openssh},
    {"-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", parse_pkcs8},
};
static const struct {
    const char *sign, *what;
} others[] = {
    {"-----BEGIN ENCRYPTED PRIVATE KEY-----", "a key with a passphrase, which cannot be asked for here"},
    {"PRIVATE KEY-----", "a key of another type than Ed25519"},
    {"PUBLIC KEY-----", "a public key: the private one signs"},
    {"ssh-ed25519 ", "a public key: the private one, in the file without .pub, signs"},
};

static enum rl_status no_key(const char *text, size_t len, struct rl_err *err)
{
    const char *what = "no private key";
    for (size_t i = RL_COUNT(others); i-- > 0;)
        what = memmem(text, len, others[i].sign, strlen(others[i].sign)) ? others[i].what : what;
    return rl_err_set(err, RL_FORMAT, "%s; 'ssh-keygen -t ed25519 -N \"\" -f KEY' makes one", what);
}

/* The base64 between the two lines of form `i`, `at` being behind the first one. */
static enum rl_status decode(size_t i, const char *at, size_t len, struct rl_key **key, struct rl_err *err)
{
    unsigned char bytes[RL_KEY_FILE_MOST];
    const char *end = NULL;
    size_t count = 0;
    enum rl_status status;
    if (sodium_base642bin(bytes, sizeof bytes, at, len, " \t\r\n", &count, &end, sodium_base64_VARIANT_ORIGINAL) != 0)
        status = damaged(err);
    else {
        while (end < at + len && strchr(" \t\r\n", *end) && *end)
            end++;
        const bool ends = (size_t)(at + len - end) >= strlen(forms[i].end) && memcmp(end, forms[i].end, strlen(forms[i].end)) == 0;
        status = ends ? forms[i].parse((struct rl_span){bytes, count}, key, err) : damaged(err);
    }
    sodium_memzero(bytes, sizeof bytes);
    return status;
}

enum rl_status rl_key_parse(const char *text, size_t len, struct rl_key **key, struct rl_err *err)
{
    *key = NULL;
    if (sodium_init() < 0)
        return rl_err_set(err, RL_FAILED, "libsodium cannot be initialised");
    if (len > RL_KEY_FILE_MOST)
        return rl_err_set(err, RL_FORMAT, "larger than a key is");
    for (size_t i = 0; i < RL_COUNT(forms); i++) {
        const char *begin = memmem(text, len, forms[i].begin, strlen(forms[i].begin));
        if (begin) {
            begin += strlen(forms[i].begin);
            return decode(i, begin, len - (size_t)(begin - text), key, err);
        }
    }
    return no_key(text, len, err);
}

/* As ssh does: a key of this user's that others may read is none. What comes by a pipe is no file. */
static enum rl_status check_mode(const char *path, struct rl_err *err)
{
    struct stat info;
    const int error = rl_is_stream(path) ? fstat(STDIN_FILENO, &info) : stat(path, &info);
    if (error != 0 || !S_ISREG(info.st_mode) || info.st_uid != getuid() || (info.st_mode & 077) == 0)
        return RL_OK;
    return rl_err_set(err, RL_PERMISSION, "permissions %04o are too open for a private key: 'chmod 600' it",
                      (unsigned)info.st_mode & 07777);
}

enum rl_status rl_key_read(const char *path, struct rl_key **key, struct rl_err *err)
{
    struct rl_buf text = RL_BUF_INIT;
    *key = NULL;
    enum rl_status status = rl_read_input(path, RL_KEY_FILE_MOST, &text, err);
    if (status != RL_OK)
        return status;
    status = rl_key_parse(text.data, text.len, key, err);
    if (status == RL_OK && (status = check_mode(path, err)) != RL_OK) {
        rl_key_free(*key);
        *key = NULL;
    }
    if (text.cap)
        sodium_memzero(text.data, text.cap);
    rl_buf_release(&text);
    return status == RL_OK ? RL_OK : rl_err_context(err, status, "'%s'", rl_input_name(path));
}

void rl_key_free(struct rl_key *key)
{
    sodium_free(key);
}

const char *rl_key_public(const struct rl_key *key)
{
    return key->public_key;
}

void rl_key_sign(const struct rl_key *key, const void *message, size_t len, char signature[RL_SIGNATURE_DIGITS + 1])
{
    unsigned char bytes[crypto_sign_BYTES];
    int code = crypto_sign_detached(bytes, NULL, message, len, key->secret);
    assert(code == 0);
    (void)code;
    sodium_bin2hex(signature, RL_SIGNATURE_DIGITS + 1, bytes, sizeof bytes);
}

void rl_key_derive(const struct rl_key *key, const void *message, size_t len, char derived[RL_DERIVED_DIGITS + 1])
{
    unsigned char bytes[RL_DERIVED_DIGITS / 2];
    int code = crypto_generichash(bytes, sizeof bytes, message, len, key->secret, crypto_sign_SEEDBYTES);
    assert(code == 0);
    (void)code;
    sodium_bin2hex(derived, RL_DERIVED_DIGITS + 1, bytes, sizeof bytes);
}

/* One text at a time: see redact.h. */
#include "redact.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "core/mem.h"
#include "secrets.h"
#include "vocabulary.h"

enum { PSEUDONYM_DIGITS = 12, LONGEST_SIGN = 64, LONGEST_KNOWN = 255 };

static const char *const signs[RL_DROP_COUNT] = {
    [RL_DROP_WORD] = "[redacted]", [RL_DROP_PATH] = "[path]",         [RL_DROP_HOST] = "[host]",
    [RL_DROP_USER] = "[user]",     [RL_DROP_SECRET] = RL_SECRET_SIGN,
};

#define CAPITALS   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LETTERS    "abcdefghijklmnopqrstuvwxyz" CAPITALS
#define DIGITS     "0123456789"
#define IDENTIFIER LETTERS DIGITS "_$"

/* Like strspn, of a text of this length. */
static size_t run_of(const char *text, size_t len, const char *alphabet)
{
    size_t run = 0;
    while (run < len && strchr(alphabet, text[run]))
        run++;
    return run;
}

/* ---- signs ---- */

size_t rl_sign_at(const char *at)
{
    static const char *const fixed[] = {"[redacted]", "[path]", "[host]", "[user]", RL_SECRET_SIGN, "[argument]", "[program]"};
    static const char *const numbered[] = {"[name ", "[kernel ", "[program\u00a0"};
    if (*at != '[')
        return 0;
    for (size_t i = 0; i < RL_COUNT(fixed); i++)
        if (strncmp(at, fixed[i], strlen(fixed[i])) == 0)
            return strlen(fixed[i]);
    for (size_t i = 0; i < RL_COUNT(numbered); i++) {
        const size_t len = strlen(numbered[i]);
        const size_t digits = strncmp(at, numbered[i], len) == 0 ? strspn(at + len, "0123456789abcdef") : 0;
        if (digits > 0 && digits <= PSEUDONYM_DIGITS && at[len + digits] == ']')
            return len + digits + 1;
    }
    return 0;
}

void rl_add_pseudonym(const struct rl_cleaner *cleaner, const char *what, const char *text, size_t len, struct rl_buf *out)
{
    struct rl_buf keyed = RL_BUF_INIT;
    rl_buf_adds(&keyed, cleaner->key);
    rl_buf_addch(&keyed, 0);
    rl_buf_add(&keyed, text, len);
    rl_buf_addf(out, "[%s %.*s]", what, PSEUDONYM_DIGITS, rl_sha256_of(keyed.data, keyed.len).hex);
    rl_buf_release(&keyed);
}

/* The sign of what was dropped, once where the same one stands before it. */
static void add_sign(struct rl_cleaner *cleaner, enum rl_drop what, struct rl_buf *out)
{
    assert(what < RL_COUNT(signs));
    const size_t len = strlen(signs[what]);
    cleaner->dropped[what]++;
    if (out->len > len && out->data[out->len - 1] == ' ' && memcmp(out->data + out->len - 1 - len, signs[what], len) == 0)
        rl_buf_truncate(out, out->len - 1);
    else
        rl_buf_adds(out, signs[what]);
}

/* ---- words ---- */

void rl_cleaner_know(struct rl_cleaner *cleaner, const struct rl_known_name *names, size_t count)
{
    cleaner->names = names;
    cleaner->name_count = count;
    for (size_t i = 0; i < count; i++) {
        const size_t len = strlen(names[i].text);
        assert(len > 0 && len <= LONGEST_KNOWN);
        cleaner->longest_name = len > cleaner->longest_name ? len : cleaner->longest_name;
        cleaner->begins_name[(unsigned char)names[i].text[0]] = true;
    }
}

int rl_by_known_name(const void *a, const void *b)
{
    return strcmp(((const struct rl_known_name *)a)->text, ((const struct rl_known_name *)b)->text);
}

/* Whether a name may begin or end before word[at]: at a sign, a digit beside a letter, a capital behind a small letter, or one that
 * begins a word behind capitals ("GPUAlice"). */
static bool is_boundary(const char *word, size_t len, size_t at)
{
    if (at == 0 || at == len)
        return true;
    const unsigned char before = (unsigned char)word[at - 1], behind = (unsigned char)word[at];
    if (!isalnum(before) || !isalnum(behind) || !isdigit(before) != !isdigit(behind))
        return true;
    return isupper(behind) && (islower(before) || (at + 1 < len && islower((unsigned char)word[at + 1])));
}

bool rl_parts_words(char c)
{
    return c == '_' || c == '-' || c == '.';
}

/* The name that begins at word[from] and ends at a boundary, or, if it is long, anywhere. */
static const struct rl_known_name *name_at(const struct rl_cleaner *cleaner, const char *word, size_t len, size_t from)
{
    enum { LONG = 6 };
    char small[LONGEST_KNOWN + 1];
    const struct rl_known_name key = {small, RL_DROP_WORD}, *found = NULL;
    const bool begins = is_boundary(word, len, from);
    for (size_t at = from, count = 0; at < len && count < cleaner->longest_name && !found; at++) {
        if (rl_parts_words(word[at]))
            continue;
        small[count++] = (char)tolower((unsigned char)word[at]);
        small[count] = 0;
        if (count >= LONG || (begins && is_boundary(word, len, at + 1)))
            found = bsearch(&key, cleaner->names, cleaner->name_count, sizeof key, rl_by_known_name);
    }
    return found;
}

/* The first name that is in the word; NULL: there is none. */
static const struct rl_known_name *known_name(const struct rl_cleaner *cleaner, const char *word, size_t len)
{
    const struct rl_known_name *found = NULL;
    for (size_t from = 0; from < len && cleaner->name_count && !found; from++)
        if (cleaner->begins_name[tolower((unsigned char)word[from])])
            found = name_at(cleaner, word, len, from);
    return found;
}

/* ---- addresses ---- */

/* Length of a number of 0 to 255 at `at`; 0: none. */
static size_t octet_at(const char *at, size_t len)
{
    const size_t digits = run_of(at, len, DIGITS);
    return digits > 0 && digits <= 3 && strtol((char[4]){at[0], digits > 1 ? at[1] : 0, digits > 2 ? at[2] : 0}, NULL, 10) <= 255
               ? digits
               : 0;
}

/* Length of what parts two octets of an address, "_", "-", ".", or ", ", "," and a blank between words. */
static size_t parting_at(const char *at, size_t len, bool of_words)
{
    if (!of_words)
        return len > 0 && rl_parts_words(at[0]);
    const size_t comma = len > 0 && at[0] == ',', blank = comma < len && at[comma] == ' ';
    return comma + blank;
}

/* Length of a chain of octets at `at`, and how many there are. */
static size_t octets_at(const char *at, size_t len, bool of_words, size_t *count)
{
    size_t end = 0, octet, parting = 0;
    for (*count = 0; (octet = octet_at(at + end + parting, len - end - parting)) > 0; ++*count) {
        end += parting + octet;
        parting = parting_at(at + end, len - end, of_words);
        if (parting == 0)
            return ++*count, end;
    }
    return end;
}

/* Whether a word has an address of IPv4 in it, four octets and no fifth: "node_10_1_2_3"; none begins with 0. */
static bool has_octets(const char *word, size_t len)
{
    for (size_t at = 0, count; at < len; at++) {
        if (!isdigit((unsigned char)word[at]))
            continue;
        const size_t end = at + octets_at(word + at, len - at, false, &count);
        if (count == 4 && word[at] != '0' && (end == len || !isalnum((unsigned char)word[end])))
            return true;
        at = end > at ? end - 1 : at + run_of(word + at, len - at, DIGITS) - 1;
    }
    return false;
}

/* Whether it has one of an adapter, six pairs of hexadecimal digits: "0a_1b_2c_3d_4e_5f". */
static bool has_pairs(const char *word, size_t len)
{
    enum { PAIRS = 6, STEP = 3 };
    for (size_t at = 0, pairs = 0; at + 2 <= len; at += pairs ? STEP : 1) {
        const bool begins = pairs > 0 || at == 0 || !isalnum((unsigned char)word[at - 1]);
        const bool ends = at + 2 == len || !isalnum((unsigned char)word[at + 2]);
        const bool is_pair = isxdigit((unsigned char)word[at]) && isxdigit((unsigned char)word[at + 1]);
        pairs = begins && ends && is_pair ? pairs + 1 : 0;
        if (pairs == PAIRS)
            return true;
    }
    return false;
}

static bool has_address(const char *word, size_t len)
{
    return has_octets(word, len) || has_pairs(word, len);
}

bool rl_word_is_allowed(const struct rl_cleaner *cleaner, const char *word, size_t len)
{
    return rl_is_harmless(word, len) && !known_name(cleaner, word, len) && !has_address(word, len);
}

static void keep_word(struct rl_cleaner *cleaner, const char *word, size_t len, struct rl_buf *out)
{
    bool is_new;
    rl_buf_add(out, word, len);
    cleaner->kept++;
    if (cleaner->words && !isdigit((unsigned char)word[0]))
        rl_intern(cleaner->words, 0, rl_arena_strndup(cleaner->arena, word, len), &is_new);
}

static bool has_slash(const char *word, size_t len)
{
    return memchr(word, '/', len) || memchr(word, '\\', len);
}

/* Whether a word is where a path begins: a root, a home, a drive, a share, a variable. */
static bool begins_path(const char *word)
{
    return word[0] == '/' || word[0] == '\\' || word[0] == '~' || (word[0] == '$' && word[1] != '(') ||
           (isalpha((unsigned char)word[0]) && word[1] == ':' && (word[2] == '/' || word[2] == '\\'));
}

struct rules {
    bool (*passes)(const struct rl_cleaner *, const char *word, size_t len);
    bool names; /* what is dropped gets a name */
};

static void drop_word(struct rl_cleaner *cleaner, const struct rules *rules, const char *word, size_t len, struct rl_buf *out)
{
    const struct rl_known_name *known = known_name(cleaner, word, len);
    if (rules->names) {
        cleaner->dropped[RL_DROP_NAME]++;
        rl_add_pseudonym(cleaner, "name", word, len, out);
    } else {
        add_sign(cleaner, has_slash(word, len) ? RL_DROP_PATH : known ? known->what : RL_DROP_WORD, out);
    }
}

/* Whether all words up to `end` pass. */
static bool all_pass(const struct rl_cleaner *cleaner, const struct rules *rules, const char *text, const char *end)
{
    for (const char *at = text; at < end;) {
        size_t len = rl_sign_at(at);
        if (len == 0 && (len = strcspn(at, RL_WORD_ENDS)) > 0 && rl_word_end(at, len) > 0 &&
            !rules->passes(cleaner, at, rl_word_end(at, len)))
            return false;
        at += len ? len : 1;
    }
    return true;
}

/* Quotation marks; what is between two of them is told whole or not at all, because a name may be of several words. */
static const char marks[] = "\"'`";

/* Where the quotation that begins at `at` ends; NULL: none begins, or it does not end. `endless`: of each mark, that no other
 * follows. */
static const char *quotation_end(const char *text, const char *at, bool endless[sizeof marks])
{
    const char *mark = strchr(marks, *at);
    if (!mark || endless[mark - marks] || (at > text && isalnum((unsigned char)at[-1])))
        return NULL;
    const char *end = strchr(at + 1, *at);
    endless[mark - marks] = !end;
    return end;
}

/* A word, the punctuation behind it included; returns what follows. `path`: one has begun before, and goes on behind a blank. */
static const char *clean_word(struct rl_cleaner *cleaner, const struct rules *rules, const char *at, bool *path, struct rl_buf *out)
{
    const size_t len = strcspn(at, RL_WORD_ENDS), core = rl_word_end(at, len);
    const bool goes_on = *path && has_slash(at, core);
    *path = goes_on || begins_path(at);
    const bool passes = core > 0 && !goes_on && rules->passes(cleaner, at, core);
    const size_t version = goes_on ? 0 : rl_version_at(at, core);
    const size_t kept = passes ? core : version > 0 && version < core ? version + 1 : 0;
    if (kept > 0)
        keep_word(cleaner, at, kept, out);
    if (core > kept)
        drop_word(cleaner, rules, at + kept, core - kept, out);
    rl_buf_add(out, at + core, len - core);
    return at + len;
}

/* Whether four numbers and no fifth at `at` may be an address, "10, 1, 2, 3"; in brackets they are a shape. `*numbers` is the
 * length of any such chain, which no address is a part of. */
static bool is_spelt_address(const char *text, const char *at, const char *text_end, size_t *numbers)
{
    size_t count = 0;
    *numbers = isdigit((unsigned char)*at) ? octets_at(at, (size_t)(text_end - at), true, &count) : 0;
    const bool in_brackets = at > text && strchr("[(<{", at[-1]) && at[*numbers] && strchr("])>}", at[*numbers]);
    const bool ends =
        !at[*numbers] || (strchr(RL_WORD_ENDS ".:", at[*numbers]) && !isdigit((unsigned char)at[*numbers + (at[*numbers] != 0)]));
    return count == 4 && *at != '0' && !in_brackets && ends;
}

static void clean(struct rl_cleaner *cleaner, const struct rules *rules, const char *text, struct rl_buf *out)
{
    bool endless[sizeof marks] = {false}, path = false;
    const char *numbers_end = text, *const text_end = text + strlen(text);
    for (const char *at = text; *at;) {
        const size_t sign = rl_sign_at(at);
        const char *end = quotation_end(text, at, endless);
        size_t numbers = 0;
        const bool address = at >= numbers_end && is_spelt_address(text, at, text_end, &numbers);
        numbers_end = numbers ? at + numbers : numbers_end;
        if (sign > 0) {
            rl_buf_add(out, at, sign);
            at += sign;
        } else if (address) {
            drop_word(cleaner, rules, at, numbers, out);
            at += numbers;
        } else if (end && !all_pass(cleaner, rules, at + 1, end)) {
            rl_buf_addch(out, *at);
            drop_word(cleaner, rules, at + 1, (size_t)(end - at - 1), out);
            rl_buf_addch(out, *end);
            at = end + 1;
        } else if (strchr(RL_WORD_ENDS, *at)) {
            rl_buf_addch(out, *at++);
        } else {
            at = clean_word(cleaner, rules, at, &path, out);
        }
    }
}

/* Credentials go first: a name may tell that the word behind it is one. */
static void clean_without_secrets(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out,
                                  void (*then)(struct rl_cleaner *, const char *, struct rl_buf *))
{
    struct rl_buf rest = RL_BUF_INIT;
    const bool secrets = rl_secrets_remove(text, &rest);
    cleaner->dropped[RL_DROP_SECRET] += secrets;
    then(cleaner, secrets ? rest.data : text, out);
    rl_buf_release(&rest);
}

static void then_words(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    static const struct rules rules = {.passes = rl_word_is_allowed};
    clean(cleaner, &rules, text, out);
}

void rl_redact_words(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    clean_without_secrets(cleaner, text, out, then_words);
}

static void then_name(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    static const struct rules rules = {.passes = rl_word_is_allowed, .names = true};
    clean(cleaner, &rules, text, out);
}

void rl_clean_name(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    clean_without_secrets(cleaner, text, out, then_name);
}

/* "H200", "GB300", "4090", "80GB", "V100S": few capital letters, a number, few letters. */
static bool is_model(const char *part, size_t len)
{
    enum { MOST_LETTERS = 4, MOST_DIGITS = 4, MOST_BEHIND = 2 };
    const size_t letters = run_of(part, len, CAPITALS), digits = run_of(part + letters, len - letters, DIGITS);
    const size_t number_end = letters + digits, behind = run_of(part + number_end, len - number_end, CAPITALS);
    return digits > 0 && number_end + behind == len && letters <= MOST_LETTERS && digits <= MOST_DIGITS && behind <= MOST_BEHIND;
}

/* Models and words of the vocabulary, joined by '-': "SXM4-40GB". */
static bool product_passes(const struct rl_cleaner *cleaner, const char *word, size_t len)
{
    for (size_t at = 0, end; at <= len; at = end + 1) {
        for (end = at; end < len && word[end] != '-';)
            end++;
        if (!is_model(word + at, end - at) && !rl_is_vocabulary(word + at, end - at))
            return false;
    }
    return !known_name(cleaner, word, len);
}

static void then_product(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    static const struct rules rules = {.passes = product_passes, .names = true};
    clean(cleaner, &rules, text, out);
}

void rl_clean_product(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    clean_without_secrets(cleaner, text, out, then_product);
}

/* ---- declarations ---- */

static const char piece_ends[] = " \t\r\n<>(),*&[]{}\"'`";

/* A hash, a serial number, an identifier of something: long hexadecimal parts, or more digits than sizes have. */
static bool is_serial(const char *name, size_t len)
{
    enum { LEAST_HEX = 16, MOST_DIGITS = 9 };
    size_t hex = 0, digits = 0, all_digits = 0;
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)name[i];
        digits = isdigit(c) ? digits + 1 : 0;
        hex = isxdigit(c) ? hex + 1 : 0;
        all_digits = hex == 0 ? 0 : all_digits + (isdigit(c) != 0);
        if (digits > MOST_DIGITS || (hex >= LEAST_HEX && all_digits > 2))
            return true;
    }
    return false;
}

/* Compilers put the name of the file into symbols of internal linkage: "_GLOBAL__N__0a1b2c3d_9_secret_cu_5e6f7a8b". */
static bool has_file(const char *name, size_t len)
{
    enum { HASH = 8 };
    static const char *const begins[] = {"_GLOBAL__", "_INTERNAL_", "__nv_static_", "tmpxft_"};
    static const char *const endings[] = {"_cu_", "_cuh_", "_cc_", "_cpp_", "_cxx_", "_c_"};
    for (size_t i = 0; i < RL_COUNT(begins); i++)
        if (memmem(name, len, begins[i], strlen(begins[i])))
            return true;
    for (size_t i = 0; i < RL_COUNT(endings); i++) {
        const char *ending = memmem(name, len, endings[i], strlen(endings[i]));
        const size_t at = ending ? (size_t)(ending - name) + strlen(endings[i]) : len;
        if (run_of(name + at, len - at, DIGITS "abcdef") >= HASH)
            return true;
    }
    return false;
}

/* No serial number, file or address, nothing that is known to be private, and no long number. */
static bool is_harmless_name(const struct rl_cleaner *cleaner, const char *name, size_t len)
{
    enum { LONGEST_NUMBER = 12 }; /* with what is behind its digits */
    return !is_serial(name, len) && !has_file(name, len) && !has_address(name, len) && !known_name(cleaner, name, len) &&
           (len <= LONGEST_NUMBER || !isdigit((unsigned char)name[0]));
}

/* What compilers append to a name behind a '.': nothing, a word of theirs or, where one may stand there, a number. */
static bool is_suffix(const char *suffix, size_t len, bool may_be_number)
{
    static const char *const words[] = {"part", "clone", "isra", "constprop", "cold", "kd", "llvm", "lto_priv"};
    enum { LONGEST = 9 };
    bool known = len == 0 || (may_be_number && run_of(suffix, len, DIGITS) == len);
    for (size_t i = 0; i < RL_COUNT(words) && !known; i++)
        known = strlen(words[i]) == len && strncmp(words[i], suffix, len) == 0;
    return known && len <= LONGEST;
}

/* "void", "fusion.3", "kernel.clone.part.0", "#1", "-1", "3ul", "0x1f", "!=" */
static bool is_declaration_part(const struct rl_cleaner *cleaner, const char *part, size_t len)
{
    const size_t name = run_of(part, len, "#~-+!=|^%");
    const bool may_be_number = !isdigit((unsigned char)part[name]);
    size_t at = name;
    while (at < len && (strchr(IDENTIFIER, part[at]) || (part[at] & 0x80)))
        at++;
    bool passes = is_harmless_name(cleaner, part + name, at - name);
    for (size_t suffix; passes && at < len; at += 1 + suffix) {
        suffix = run_of(part + at + 1, len - at - 1, IDENTIFIER);
        passes = part[at] == '.' && is_suffix(part + at + 1, suffix, may_be_number);
    }
    return passes;
}

/* An address of IPv6 looks like names with "::" between them: groups of few hexadecimal digits. */
static bool is_group(const char *part, size_t len)
{
    enum { MOST = 4 };
    return len <= MOST && run_of(part, len, DIGITS "abcdefABCDEF") == len;
}

static bool has_digit(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (isdigit((unsigned char)text[i]))
            return true;
    return false;
}

/* Parts with "::" between them; an operator may have a slash. */
static bool is_declaration(const struct rl_cleaner *cleaner, const char *piece, size_t len)
{
    static const char division[] = "operator/";
    bool groups = true, digit_first = false, digit = false;
    size_t parts = 0;
    assert(!memchr(piece, 0, len));
    if (len >= strlen(division) && memcmp(piece + len - strlen(division), division, strlen(division)) == 0)
        len--;
    for (size_t at = 0, part_len; at <= len; at += part_len + 2, parts++) {
        const char *part = piece + at, *colons = memmem(part, len - at, "::", 2);
        part_len = colons ? (size_t)(colons - part) : len - at;
        if (!is_declaration_part(cleaner, part, part_len))
            return false;
        groups &= is_group(part, part_len);
        digit_first |= part_len > 0 && isdigit((unsigned char)*part);
        digit |= has_digit(part, part_len);
    }
    return parts == 1 || !(digit_first || (groups && digit));
}

/* The last slash of a text, of either kind; NULL: there is none. */
static const char *last_slash(const char *text)
{
    const char *slash = strrchr(text, '/'), *back = strrchr(text, '\\');
    return !slash || (back && back > slash) ? back : slash;
}

/* A path may have blanks in it: in quotation marks it goes to the second one, elsewhere to the end of the last piece with a slash.
 */
static size_t path_length(const char *text, const char *at, const char *slash)
{
    const char *quote = at > text && strchr(marks, at[-1]) ? strchr(at, at[-1]) : NULL;
    const size_t end = slash && slash > at ? (size_t)(slash - at) : 0;
    return quote ? (size_t)(quote - at) : end + strcspn(at + end, piece_ends);
}

/* How many brackets are open behind text[0], which follows `before`; that of an operator opens none. */
static int brackets_behind(const char *text, const char *at, int open)
{
    static const char operator[] = "operator";
    const char *word = at;
    while (word > text && strchr("<>-", word[-1]))
        word--;
    const size_t len = strlen(operator);
    const bool is_operator = (size_t)(word - text) >= len && memcmp(word - len, operator, len) == 0;
    if (strchr("<[{", *at) && !(is_operator && *at == '<'))
        return open + 1;
    return strchr(">]}", *at) && open > 0 && !(is_operator && *at == '>') ? open - 1 : open;
}

/* A number without brackets about it is no part of a declaration: "10 1 2 3". */
static bool is_bare_number(const char *piece, size_t len)
{
    const size_t front = run_of(piece, len, "#~-+!=|^%");
    return front < len && isdigit((unsigned char)piece[front]);
}

static void then_kernel(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    const char *slash = last_slash(text);
    int open = 0;
    for (const char *at = text; *at;) {
        size_t sign = rl_sign_at(at), len = sign ? 0 : strcspn(at, piece_ends);
        open = sign ? open : brackets_behind(text, at, open);
        if (len == 0) {
            rl_buf_add(out, at, sign ? sign : 1);
            at += sign ? sign : 1;
            continue;
        }
        if (slash && slash >= at && begins_path(at) && len > 1)
            len = path_length(text, at, slash);
        if (is_declaration(cleaner, at, len) && (open > 0 || !is_bare_number(at, len))) {
            keep_word(cleaner, at, len, out);
        } else {
            cleaner->dropped[RL_DROP_NAME]++;
            rl_add_pseudonym(cleaner, "name", at, len, out);
        }
        at += len;
    }
}

void rl_clean_kernel(struct rl_cleaner *cleaner, const char *text, struct rl_buf *out)
{
    clean_without_secrets(cleaner, text, out, then_kernel);
}

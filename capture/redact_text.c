/* Which texts may leave the house: see redact.h. */
#include "redact.h"

#include <ctype.h>
#include <strings.h>

enum { SHORTEST_NAME = 2, LONGEST_NAME = 255 };

#define CAPITALS   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LETTERS    "abcdefghijklmnopqrstuvwxyz" CAPITALS
#define DIGITS     "0123456789"
#define IDENTIFIER LETTERS DIGITS "_$"

/* Like strspn, of a text of this length. */
static size_t run_of(const char *text, size_t len, const char *alphabet)
{
    return RL_FIRST(run, len, !strchr(alphabet, text[run]));
}

/* ---- names of hosts and users ---- */

/* Separators between the words of a name: signs and blanks. */
static bool divides_words(char c)
{
    return (unsigned char)c < 0x80 && !isalnum((unsigned char)c);
}

static void add_name(struct rl_private_names *names, const char *text, size_t len)
{
    static const char *const common[] = {"root", "user", "users", "shared", "public", "localhost", "home"};
    char small[LONGEST_NAME + 1];
    size_t count = 0;
    for (size_t i = 0; i < len; i++) {
        if (divides_words(text[i]))
            continue;
        if (count == LONGEST_NAME)
            return;
        small[count++] = (char)tolower((unsigned char)text[i]);
    }
    small[count] = 0;
    for (size_t i = 0; i < RL_COUNT(common); i++)
        if (count < SHORTEST_NAME || strcmp(small, common[i]) == 0)
            return;
    RL_APPEND(names->all, names->count, names->cap, rl_arena_strdup(names->arena, small));
    names->longest = count > names->longest ? count : names->longest;
    names->begins[(unsigned char)small[0]] = true;
}

/* Whether a part of a host's name tells which one it is: three letters at least, and no word that is in this program. */
static bool is_telling(const char *part, size_t len)
{
    enum { LEAST_LETTERS = 3 };
    const size_t letters = RL_SUM(size_t, i, len, isalpha((unsigned char)part[i]) != 0);
    return letters >= LEAST_LETTERS && !rl_is_vocabulary(part, len);
}

/* The whole, the first label and its parts, the others; of the last one only what is no domain of many. */
void rl_private_names_host(struct rl_private_names *names, const char *text)
{
    static const char *const domains[] = {"local", "localdomain", "internal", "intranet", "corp",
                                          "cloud", "info",        "example",  "test"};
    const size_t first = strcspn(text, "."), SHORTEST_DOMAIN = 4;
    add_name(names, text, strlen(text));
    add_name(names, text, first);
    for (size_t at = 0, len; at < first; at += len + 1) {
        len = strcspn(text + at, "-_.");
        if (len < first && is_telling(text + at, len))
            add_name(names, text + at, len);
    }
    for (const char *part = text + first; *part;) {
        const size_t len = strcspn(++part, ".");
        bool is_common = part[len] == 0 && len < SHORTEST_DOMAIN;
        for (size_t i = 0; i < RL_COUNT(domains) && part[len] == 0; i++)
            is_common |= strlen(domains[i]) == len && strncasecmp(domains[i], part, len) == 0;
        if (!is_common && !rl_is_vocabulary(part, len))
            add_name(names, part, len);
        part += len;
    }
}

void rl_private_names_uuid(struct rl_private_names *names, const char *text)
{
    const char *dash = strchr(text, '-');
    add_name(names, text, strlen(text));
    if (dash) {
        add_name(names, dash + 1, strlen(dash + 1));
        add_name(names, dash + 1, strcspn(dash + 1, "-/"));
    }
}

void rl_private_names_learn(struct rl_private_names *names, const char *text)
{
    static const char *const homes[] = {"/home/", "/homes/", "/Users/", "/users/", "/scratch/", "\\Users\\"};
    for (size_t i = 0; i < RL_COUNT(homes); i++)
        for (const char *at = text; (at = strstr(at, homes[i]));) {
            at += strlen(homes[i]);
            if (isalpha((unsigned char)at[0]) && at[1] == '/') /* "/homes/a/alice" */
                at += 2;
            add_name(names, at, strcspn(at, "/\\ \t\n\"'`:;,)]}>"));
        }
    /* "alice@node17.corp" */
    for (const char *at = text; (at = strchr(at, '@')); at++) {
        const char *user = at;
        while (user > text && strchr(IDENTIFIER ".-", user[-1]))
            user--;
        const size_t host = strspn(at + 1, IDENTIFIER ".-"), label = strcspn(at + 1, ".");
        if (user < at && label > 0 && label < host) {
            add_name(names, user, (size_t)(at - user));
            add_name(names, at + 1, host);
            add_name(names, at + 1, label);
        }
    }
}

RL_COMPARATOR(by_text, char *const, strcmp(*x, *y));

void rl_private_names_sort(struct rl_private_names *names)
{
    size_t kept = 0;
    rl_sort(names->all, names->count, sizeof *names->all, by_text);
    for (size_t i = 0; i < names->count; i++)
        if (kept == 0 || strcmp(names->all[kept - 1], names->all[i]) != 0)
            names->all[kept++] = names->all[i];
    names->count = kept;
}

/* Whether a name may begin or end before text[at]: at a sign, a digit next to a letter, a capital behind a small letter, or one
 * that begins a word behind capitals ("GPUAlice"). */
static bool is_boundary(const char *text, size_t len, size_t at)
{
    if (at == 0 || at == len)
        return true;
    const unsigned char before = (unsigned char)text[at - 1], behind = (unsigned char)text[at];
    if (!isalnum(before) || !isalnum(behind) || !isdigit(before) != !isdigit(behind))
        return true;
    return isupper(behind) && (islower(before) || (at + 1 < len && islower((unsigned char)text[at + 1])));
}

/* Whether a known name is in the text: between two boundaries, or, if it is long, anywhere. */
static bool has_name(const struct rl_private_names *names, const char *text, size_t len)
{
    enum { LONG = 6 };
    for (size_t from = 0; from < len && names->count; from++) {
        char small[LONGEST_NAME + 1], *key = small;
        const bool begins = is_boundary(text, len, from);
        size_t count = 0;
        if (!names->begins[tolower((unsigned char)text[from])])
            continue;
        for (size_t at = from; at < len && count < names->longest; at++) {
            if (divides_words(text[at]))
                continue;
            small[count++] = (char)tolower((unsigned char)text[at]);
            small[count] = 0;
            if ((count >= LONG || (begins && is_boundary(text, len, at + 1))) &&
                bsearch(&key, names->all, names->count, sizeof *names->all, by_text))
                return true;
        }
    }
    return false;
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

/* Length of what stands between two octets: a sign of "_-.,:;$" with blanks around it, two of '_', or blanks. */
static size_t division_at(const char *at, size_t len)
{
    const size_t before = run_of(at, len, " "), sign = run_of(at + before, len - before, "_-.,:;$");
    const bool divides = sign == 0 ? before > 0 : sign == 1 || (sign == 2 && at[before] == '_' && at[before + 1] == '_');
    return divides ? before + sign + run_of(at + before + sign, len - before - sign, " ") : 0;
}

/* Whether the digits at text[at] are the width of a type, "f16", "bf16", "s8", and no octet. */
static bool is_type_width(const char *text, size_t len, size_t at)
{
    static const char *const types[] = {"f", "fp", "bf", "tf", "s", "u", "i", "int", "uint"}, *const widths[] = {"4", "8", "16",
                                                                                                                 "32", "64"};
    const size_t digits = run_of(text + at, len - at, DIGITS);
    size_t begin = at;
    bool is_type = false, is_width = false;
    while (begin > 0 && isalnum((unsigned char)text[begin - 1]))
        begin--;
    for (size_t i = 0; i < RL_COUNT(types); i++)
        is_type |= strlen(types[i]) == at - begin && strncasecmp(text + begin, types[i], at - begin) == 0;
    for (size_t i = 0; i < RL_COUNT(widths); i++)
        is_width |= strlen(widths[i]) == digits && memcmp(text + at, widths[i], digits) == 0;
    return is_type && is_width && at + digits < len && text[at + digits] == '_';
}

/* Whether a text has an address of IPv4 in it, four octets with the same between them, and no fifth: "node_10_1_2_3",
 * "10, 1, 2, 3". The first is not 0; numbers alone in brackets, one of `open` in front, are a shape, and those behind a
 * type, "f16_128_128_64", are three. */
static bool has_octets(const char *text, size_t len, const char *open)
{
    for (size_t at = 0, next; at < len; at = next) {
        size_t count = 0, end = at, octet, division, first = 0, first_at = at;
        next = at + 1;
        if (!isdigit((unsigned char)text[at]))
            continue;
        for (size_t from = at; (octet = octet_at(text + from, len - from)) > 0; from = end + division) {
            end = from + octet;
            division = division_at(text + end, len - end);
            const bool same = count == 0 || (division == first && memcmp(text + end, text + first_at, division) == 0);
            next = same ? end : from; /* others may divide those of a chain that begins here */
            first = count == 0 ? division : first;
            first_at = count == 0 ? end : first_at;
            count++;
            if (division == 0 || !same)
                break;
        }
        const bool is_shape = at > 0 && text[at - 1] && strchr(open, text[at - 1]) && end < len && strchr("])>}", text[end]);
        const bool is_zero = run_of(text + at, len - at, "0") == octet_at(text + at, len - at);
        if (count == 4 && !is_zero && !is_shape && !is_type_width(text, len, at) &&
            (end == len || !isalnum((unsigned char)text[end])))
            return true;
        next += count ? 0 : run_of(text + next, len - next, DIGITS);
    }
    return false;
}

/* Whether it has one of IPv6: eight groups of up to four hexadecimal digits, a letter among them, the same sign between them. */
static bool has_groups(const char *text, size_t len)
{
    enum { GROUPS = 8, MOST_DIGITS = 4 };
    size_t count = 0, letters = 0;
    char sign = 0; /* between the groups */
    for (size_t at = 0, digits; at < len; at += digits + 1) {
        digits = run_of(text + at, len - at, DIGITS "abcdefABCDEF");
        const char before = at > 0 ? text[at - 1] : 0, behind = at + digits < len ? text[at + digits] : 0;
        const bool is_group =
            digits > 0 && digits <= MOST_DIGITS && !isalnum((unsigned char)before) && !isalnum((unsigned char)behind);
        const bool goes_on = is_group && count > 0 && (count == 1 || before == sign);
        if (!goes_on && count == GROUPS && letters > 0)
            return true;
        sign = goes_on ? before : 0;
        count = is_group ? (goes_on ? count : 0) + 1 : 0;
        letters = is_group ? (goes_on ? letters : 0) + (run_of(text + at, digits, DIGITS) < digits) : 0;
    }
    return count == GROUPS && letters > 0;
}

/* Whether it has one of IPv6 that is shortened: two signs in a row, once, and the first group of four digits, as global, local and
 * link addresses begin: "fe80__1ff_fe23_4567_890a". */
static bool has_short_groups(const char *text, size_t len)
{
    enum { MOST_DIGITS = 4 };
    for (size_t begin = 0; begin + MOST_DIGITS < len; begin++) {
        const char first = text[begin], second = text[begin + 1], sign = text[begin + MOST_DIGITS];
        const bool is_begin = strchr("23", first) || (strchr("fF", first) && strchr("cdefCDEF", second));
        size_t groups = 0, doubled = 0, letters = 0, at = begin, digits;
        if (!first || !second || !is_begin || (begin > 0 && isalnum((unsigned char)text[begin - 1])))
            continue;
        while ((digits = run_of(text + at, len - at, DIGITS "abcdefABCDEF")) > 0 && digits <= MOST_DIGITS &&
               (at + digits == len || !isalnum((unsigned char)text[at + digits])) && (groups > 0 || digits == MOST_DIGITS)) {
            letters += run_of(text + at, digits, DIGITS) < digits;
            groups++;
            at += digits;
            const size_t signs = run_of(text + at, len - at, (char[]){sign, 0});
            doubled += signs == 2;
            if (signs != 1 && signs != 2)
                break;
            at += signs;
        }
        if (groups > 1 && doubled == 1 && letters > 0)
            return true;
    }
    return false;
}

/* Whether it has one of an adapter, six pairs of hexadecimal digits: "0a_1b_2c_3d_4e_5f". */
static bool has_pairs(const char *text, size_t len)
{
    enum { PAIRS = 6, STEP = 3 };
    for (size_t at = 0, pairs = 0; at + 2 <= len; at += pairs ? STEP : 1) {
        const bool begins = pairs > 0 || at == 0 || !isalnum((unsigned char)text[at - 1]);
        const bool ends = at + 2 == len || !isalnum((unsigned char)text[at + 2]);
        const bool is_pair = isxdigit((unsigned char)text[at]) && isxdigit((unsigned char)text[at + 1]);
        pairs = begins && ends && is_pair ? pairs + 1 : 0;
        if (pairs == PAIRS)
            return true;
    }
    return false;
}

/* ---- words ---- */

static bool is_private(const struct rl_private_names *names, const char *text, size_t len, const char *open)
{
    return has_name(names, text, len) || has_octets(text, len, open) || has_groups(text, len) || has_short_groups(text, len) ||
           has_pairs(text, len);
}

bool rl_is_public_word(const struct rl_private_names *names, const char *word, size_t len)
{
    return rl_is_harmless(word, len) && !is_private(names, word, len, "");
}

/* Whether a text has only words that pass, and nothing else that is private. */
static bool is_public(const struct rl_private_names *names, const char *text, bool (*passes)(const char *word, size_t len))
{
    for (const char *at = text; *at;) {
        const size_t len = strcspn(at, RL_WORD_ENDS), word = rl_word_end(at, len);
        if (word > 0 && !passes(at, word))
            return false;
        at += len ? len : 1;
    }
    return !is_private(names, text, strlen(text), "[(<{") && !rl_has_secret(text);
}

bool rl_is_public_text(const struct rl_private_names *names, const char *text)
{
    return is_public(names, text, rl_is_harmless);
}

/* "H200", "GB300", "4090", "80GB", "V100S": few capital letters, a number, few letters; with words of the vocabulary joined by '-':
 * "SXM4-40GB". */
static bool is_product_word(const char *word, size_t len)
{
    enum { MOST_LETTERS = 4, MOST_DIGITS = 4, MOST_BEHIND = 2 };
    for (size_t at = 0, end; at <= len; at = end + 1) {
        for (end = at; end < len && word[end] != '-';)
            end++;
        const size_t letters = run_of(word + at, end - at, CAPITALS), number = at + letters;
        const size_t digits = run_of(word + number, end - number, DIGITS), behind = end - number - digits;
        const bool is_model = digits > 0 && digits <= MOST_DIGITS && letters <= MOST_LETTERS && behind <= MOST_BEHIND &&
                              run_of(word + number + digits, behind, CAPITALS) == behind;
        if (!is_model && !rl_is_vocabulary(word + at, end - at))
            return false;
    }
    return true;
}

bool rl_is_public_product(const struct rl_private_names *names, const char *text)
{
    return is_public(names, text, is_product_word);
}

/* ---- declarations ---- */

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

/* Suffixes that compilers append to a name behind a '.': nothing, a word of theirs or, where one may stand there, a number. */
static bool is_suffix(const char *suffix, size_t len, bool may_be_number)
{
    static const char *const words[] = {"part", "clone", "isra", "constprop", "cold", "kd", "llvm", "lto_priv"};
    enum { LONGEST = 9 };
    bool known = len == 0 || (may_be_number && run_of(suffix, len, DIGITS) == len);
    for (size_t i = 0; i < RL_COUNT(words) && !known; i++)
        known = strlen(words[i]) == len && strncmp(words[i], suffix, len) == 0;
    return known && len <= LONGEST;
}

#define SIGNS "#~-+!=|^%" /* that stand in front of names and numbers */

/* "void", "fusion.3", "kernel.clone.part.0", "#1", "-1", "3ul", "0x1f", "!=": no serial number or file, no long number. */
static bool is_declaration_part(const char *part, size_t len)
{
    enum { LONGEST_NUMBER = 12 }; /* with what is behind its digits */
    const size_t name = run_of(part, len, SIGNS);
    size_t at = name;
    while (at < len && (strchr(IDENTIFIER, part[at]) || (part[at] & 0x80)))
        at++;
    const bool is_number = at > name && isdigit((unsigned char)part[name]);
    if (is_serial(part + name, at - name) || has_file(part + name, at - name) || (is_number && at - name > LONGEST_NUMBER))
        return false;
    for (size_t suffix; at < len; at += 1 + suffix) {
        suffix = run_of(part + at + 1, len - at - 1, IDENTIFIER);
        if (part[at] != '.' || !is_suffix(part + at + 1, suffix, !is_number))
            return false;
    }
    return true;
}

/* Parts with "::" between them. An address of IPv6 looks like names, too: groups of few hexadecimal digits. */
static bool is_declaration(const char *piece, size_t len)
{
    enum { MOST_OF_GROUP = 4 };
    bool groups = true, digit_first = false, digit = false;
    size_t parts = 0;
    for (size_t at = 0, part_len; at <= len; at += part_len + 2, parts++) {
        const char *part = piece + at, *colons = memmem(part, len - at, "::", 2);
        part_len = colons ? (size_t)(colons - part) : len - at;
        if (!is_declaration_part(part, part_len))
            return false;
        groups &= part_len <= MOST_OF_GROUP && run_of(part, part_len, DIGITS "abcdefABCDEF") == part_len;
        digit_first |= part_len > 0 && isdigit((unsigned char)*part);
        for (size_t i = 0; i < part_len; i++)
            digit |= isdigit((unsigned char)part[i]) != 0;
    }
    return parts == 1 || !(digit_first || (groups && digit));
}

bool rl_is_public_kernel(const struct rl_private_names *names, const char *text)
{
    static const char ends[] = " \t\r\n<>(),*&[]{}\"'`", operator[] = "operator";
    size_t open = 0; /* brackets, in which numbers may stand; that of an operator opens none */
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, ends);
        const size_t front = run_of(at, len, SIGNS);
        const char *behind = memmem(at, len, operator, strlen(operator));
        behind = behind && (behind == at || !strchr(IDENTIFIER, behind[-1])) ? behind + strlen(operator) : NULL;
        const size_t signs = behind ? strspn(behind, "<>-=*&[],+/!|^%~") : 0;
        if (signs > 0) {
            len = (size_t)(behind - at);
            if (signs > 3 || strncmp(behind, "//", 2) == 0 || (behind[signs] && !strchr(" (<", behind[signs])))
                return false;
        }
        if (len > 0 && (!is_declaration(at, len) || (open == 0 && front < len && isdigit((unsigned char)at[front]))))
            return false;
        if (len == 0 && signs == 0) {
            open += strchr("<[{", *at) != NULL;
            open -= open > 0 && strchr(">]}", *at);
            at++;
        }
        at += len + signs;
    }
    return !is_private(names, text, strlen(text), "[<{") && !rl_has_secret(text);
}

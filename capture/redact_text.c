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

void rl_private_names_sort(struct rl_private_names *names)
{
    size_t kept = 0;
    rl_sort(names->all, names->count, sizeof *names->all, rl_by_text);
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
                bsearch(&key, names->all, names->count, sizeof *names->all, rl_by_text))
                return true;
        }
    }
    return false;
}

/* ---- addresses ---- */

/* A run of letters and digits, and the sign between the run in front and it. */
struct word {
    const char *text;
    size_t len;
    int sign; /* ' ' or one of "_-.,:;$" with blanks around it, negative when doubled; 0: something else */
};

static int sign_of(const char *text, size_t len)
{
    const size_t blanks = run_of(text, len, " "), signs = run_of(text + blanks, len - blanks, "_-.,:;$");
    const char *sign = text + blanks;
    if (blanks + signs + run_of(sign + signs, len - blanks - signs, " ") < len)
        return 0;
    return signs == 1 ? *sign : signs == 2 && sign[0] == sign[1] ? -*sign : signs == 0 && blanks > 0 ? ' ' : 0;
}

static struct word *words_of(const char *text, size_t len, size_t *count)
{
    struct word *words = NULL;
    size_t cap = 0;
    for (size_t at = 0, end = 0; at < len; at = end) {
        at += RL_FIRST(i, len - at, isalnum((unsigned char)text[at + i]));
        const int sign = sign_of(text + end, at - end);
        end = at + run_of(text + at, len - at, LETTERS DIGITS);
        RL_APPEND(words, *count, cap, (struct word){text + at, end - at, sign});
    }
    return words;
}

/* Whether a text has an address of IPv4: four numbers with the same sign between them, and no fifth: "node_10_1_2_3",
 * "10, 1, 2, 3". Numbers alone in brackets, one of `open` in front, are a shape. */
static bool has_octets(const char *text, size_t len, const char *open)
{
    enum { OCTETS = 4 };
    size_t count = 0, chain = 0; /* words of the chain that ends in front of words[i] */
    RL_FREED struct word *words = words_of(text, len, &count);
    for (size_t i = 0; count > 0 && i <= count; i++) {
        const struct word *word = &words[i], *first = word - chain;
        const bool joins = i < count && chain > 0 && word->sign && rl_has_pattern(RL_PATTERN_OCTET, word->text, word->len);
        if (joins && (chain == 1 || word->sign == word[-1].sign)) {
            chain++;
            continue;
        }
        if (chain == OCTETS && !rl_has_pattern(RL_PATTERN_NO_ADDRESS, first->text, first->len)) {
            const char *end = word[-1].text + word[-1].len;
            const bool in_brackets =
                first->text > text && strchr(open, first->text[-1]) && end < text + len && strchr("])>}", *end);
            if (!in_brackets)
                return true;
        }
        chain = joins ? 2 : i < count && rl_has_pattern(RL_PATTERN_ENDS_IN_OCTET, word->text, word->len);
    }
    return false;
}

/* ---- words ---- */

static bool is_private(const struct rl_private_names *names, const char *text, size_t len, const char *open)
{
    return has_name(names, text, len) || has_octets(text, len, open) || rl_has_pattern(RL_PATTERN_ADAPTER, text, len) ||
           rl_has_pattern(RL_PATTERN_IPV6, text, len) || rl_has_pattern(RL_PATTERN_SHORT_IPV6, text, len);
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

/* Models and words of the vocabulary, joined by '-': "SXM4-40GB". */
static bool is_product_word(const char *word, size_t len)
{
    for (size_t at = 0, end; at <= len; at = end + 1) {
        end = at + RL_FIRST(i, len - at, word[at + i] == '-');
        if (!rl_has_pattern(RL_PATTERN_MODEL, word + at, end - at) && !rl_is_vocabulary(word + at, end - at))
            return false;
    }
    return true;
}

bool rl_is_public_product(const struct rl_private_names *names, const char *text)
{
    return is_public(names, text, is_product_word);
}

/* ---- declarations ---- */

bool rl_is_public_kernel(const struct rl_private_names *names, const char *text)
{
    static const char ends[] = " \t\r\n<>(),*&[]{}\"'`", operator[] = "operator";
    size_t open = 0; /* brackets, in which numbers may stand; that of an operator opens none */
    if (rl_has_pattern(RL_PATTERN_SERIAL, text, strlen(text)) || rl_has_pattern(RL_PATTERN_FILE, text, strlen(text)))
        return false;
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, ends);
        const size_t front = run_of(at, len, "#~-+!=|^%");
        const char *behind = memmem(at, len, operator, strlen(operator));
        behind = behind && (behind == at || !strchr(IDENTIFIER, behind[-1])) ? behind + strlen(operator) : NULL;
        const size_t signs = behind ? strspn(behind, "<>-=*&[],+/!|^%~") : 0;
        if (signs > 0) {
            len = (size_t)(behind - at);
            if (signs > 3 || strncmp(behind, "//", 2) == 0 || (behind[signs] && !strchr(" (<", behind[signs])))
                return false;
        }
        if (len > 0 && (!rl_has_pattern(RL_PATTERN_DECLARATION, at, len) || rl_has_pattern(RL_PATTERN_GROUPS, at, len) ||
                        (open == 0 && front < len && isdigit((unsigned char)at[front]))))
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

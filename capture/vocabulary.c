#include "redact.h"

#include <ctype.h>
#include <pthread.h>
#include <regex.h>
#include <strings.h>

enum { LONGEST_WORD = 200 };

bool rl_is_vocabulary(const char *word, size_t len)
{
    char small[LONGEST_WORD + 1], *key = small;
    if (len == 0 || len > LONGEST_WORD)
        return false;
    for (size_t i = 0; i < len; i++)
        small[i] = (char)tolower((unsigned char)word[i]);
    small[len] = 0;
    return bsearch(&key, rl_vocabulary, rl_vocabulary_count, sizeof *rl_vocabulary, rl_by_text) != NULL;
}

#define LETTERS "abcdefABCDEF"
#define DECIMAL "[0-9]{1,9}(\\.[0-9]{1,9})?([eE][-+]?[0-9]{1,3})?"
#define UNIT    "(%|[bkmgscuwx]|[kmgt]i?b|[kmg]?hz|[num]s|ul|bit|th)"
#define OCTET   "(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])"
#define TYPE    "((b?f|tf|fp|s|u?int|[ui])(4|8|16|32|64))"
#define BEGIN   "(^|[^0-9a-z])"
#define END     "([^0-9a-z]|$)"
#define SIGN    "[-_.,:;$]"
#define SUFFIX  "(\\.(part|clone|isra|constprop|cold|kd|llvm|lto_priv)?)"
#define PART                                                                                                                       \
    "[-#~+!=|^%]*(([^\001-#%-@[-^`{-\177][^\001-#%-/:-@[-^`{-\177]*)?(" SUFFIX "|\\.[0-9]{1,9})*|[0-9][0-9A-Za-z_$]{0,11}" SUFFIX  \
    "*)"

static const struct {
    const char *expression;
    bool any_case;
    const char *needs; /* characters of which the match has one; NULL: it need not */
} patterns[RL_PATTERN_COUNT] = {
    [RL_PATTERN_NUMBER] = {.expression = "^[-+]?" DECIMAL "([-/x]" DECIMAL "(x" DECIMAL ")?)?" UNIT "?$", .any_case = true},
    [RL_PATTERN_VERSION] = {.expression = "^[0-9]{1,5}\\.[0-9]{1,5}\\.[0-9]{1,5}$"},
    [RL_PATTERN_MODEL] = {.expression = "^[A-Z]{0,4}[0-9]{1,4}[A-Z]{0,2}$"},
    [RL_PATTERN_OCTET] = {.expression = "^(" OCTET "|" TYPE ")$", .any_case = true},
    [RL_PATTERN_ENDS_IN_OCTET] = {.expression = "(^|[^0-9])" OCTET "$"},
    [RL_PATTERN_NO_ADDRESS] = {.expression = "^(0+|" TYPE ")$", .any_case = true},
    [RL_PATTERN_ADAPTER] = {.expression = BEGIN "([0-9a-f]{2}" SIGN "){5}[0-9a-f]{2}" END, .any_case = true},
    [RL_PATTERN_IPV6] = {.expression = BEGIN "([0-9a-f]{1,4}" SIGN "){7}[0-9a-f]{1,4}" END, .any_case = true, .needs = LETTERS},
    [RL_PATTERN_SHORT_IPV6] = {.expression = BEGIN "([23][0-9a-f]{3}|f[c-f][0-9a-f]{2})(" SIGN "[0-9a-f]{1,4})*" SIGN SIGN
                                                   "[0-9a-f]{1,4}(" SIGN "[0-9a-f]{1,4})*" END,
                               .any_case = true,
                               .needs = LETTERS},
    [RL_PATTERN_SERIAL] = {.expression = "[0-9]{10}|[0-9a-f]{16}", .any_case = true},
    [RL_PATTERN_FILE] = {.expression = "_GLOBAL__|_INTERNAL_|__nv_static_|tmpxft_|_(cuh?|cc|cpp|cxx|c)_[0-9a-f]{8}"},
    [RL_PATTERN_DECLARATION] = {.expression = "^" PART "(::" PART ")*$"},
    [RL_PATTERN_GROUPS] = {.expression = "^[0-9].*::|::[0-9]|^[0-9a-f]{0,4}(::[0-9a-f]{0,4})+$",
                           .any_case = true,
                           .needs = "0123456789"},
};

static regex_t expressions[RL_PATTERN_COUNT];
static pthread_once_t compiled = PTHREAD_ONCE_INIT;

static void compile(void)
{
    for (size_t i = 0; i < RL_PATTERN_COUNT; i++) {
        const int code = regcomp(&expressions[i], patterns[i].expression, REG_EXTENDED | (patterns[i].any_case ? REG_ICASE : 0));
        assert(code == 0);
        (void)code;
    }
}

bool rl_has_pattern(enum rl_pattern pattern, const char *text, size_t len)
{
    regmatch_t found = {.rm_eo = (regoff_t)len};
    pthread_once(&compiled, compile);
    while (regexec(&expressions[pattern], text, 1, &found, REG_STARTEND) == 0) {
        const char *needs = patterns[pattern].needs, *end = text + found.rm_eo;
        if (!needs || text + found.rm_so + strcspn(text + found.rm_so, needs) < end)
            return true;
        if (found.rm_eo - found.rm_so < 2)
            break;
        found = (regmatch_t){found.rm_eo - 1, (regoff_t)len}; /* the sign behind it is in front of the next one */
    }
    return false;
}

static bool is_compound(const char *word, size_t len, size_t level);

/* Part of a word behind `sign`, 0: the first. A number is one only behind some of the signs: "node-17" may be a host. */
static bool is_part(const char *part, size_t len, char sign, size_t level)
{
    enum { MOST_DIGITS = 6 };
    const bool number = sign == '/' || sign == '_' || sign == '=';
    if (rl_is_vocabulary(part, len) && (number || RL_ANY(i, len, isalpha((unsigned char)part[i]))))
        return true;
    return (number && len > 0 && len <= MOST_DIGITS && RL_FIRST(i, len, !isdigit((unsigned char)part[i])) == len) ||
           is_compound(part, len, level + 1);
}

/* Words with signs between them, letters first: "coalescing/stride_1" is two that are divided by '/'. */
static bool is_compound(const char *word, size_t len, size_t level)
{
    static const char *const signs[] = {"/", "=", "-+", "_."};
    assert(level <= sizeof signs / sizeof signs[0]);
    if (level == sizeof signs / sizeof signs[0])
        return false;
    char sign = 0;
    for (size_t at = 0, end; at <= len; at = end + 1) {
        for (end = at; end < len && !strchr(signs[level], word[end]);)
            end++;
        bool doubled = at > 0 && end == at && end < len && sign == '_' && word[end] == '_'; /* sm__cycles_active */
        if (!doubled && !is_part(word + at, end - at, sign, level))
            return false;
        sign = end < len ? word[end] : 0;
    }
    return true;
}

bool rl_is_harmless(const char *word, size_t len)
{
    return len == 0 || rl_is_vocabulary(word, len) || rl_has_pattern(RL_PATTERN_NUMBER, word, len) ||
           rl_has_pattern(RL_PATTERN_VERSION, word, len) || is_compound(word, len, 0);
}

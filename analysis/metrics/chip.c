#include "internal.h"

const struct rl_chip rl_chips[] = {
#define CHIP(...) {__VA_ARGS__},
#include "analysis/chips.def"
#undef CHIP
};
const size_t rl_chip_count = RL_COUNT(rl_chips);

const struct rl_chip *rl_chip_find(const char *name)
{
    return name ? RL_FIND(i, rl_chips, rl_chip_count, strcmp(rl_chips[i].name, name) == 0) : NULL;
}

const struct rl_rates rl_rates[] = {
#define RATES(...) {__VA_ARGS__},
#include "analysis/rates.def"
#undef RATES
};
const size_t rl_rates_count = RL_COUNT(rl_rates);

const struct rl_rates *rl_rates_find(const char *chip)
{
    return chip ? RL_FIND(i, rl_rates, rl_rates_count, strcmp(rl_rates[i].chip, chip) == 0) : NULL;
}

/* Whether `word` of `len` bytes stands for `name`: equal, or a beginning when it ends in '*'. */
static bool stands_for(const char *word, size_t len, const char *name)
{
    if (len > 0 && word[len - 1] == '*')
        return strncmp(word, name, len - 1) == 0;
    return strlen(name) == len && strncmp(word, name, len) == 0;
}

bool rl_is_listed(const char *list, const char *name)
{
    while (*list) {
        size_t len = strcspn(list, " ");
        if (len > 0 && stands_for(list, len, name))
            return true;
        list += len + (list[len] == ' ');
    }
    return false;
}

/* Counters of the optional sets that some chips cannot give. */
static const struct {
    const char *counters, *chips;
} only[] = {
#define ONLY(counters, chips) {counters, chips},
#include "analysis/only.def"
#undef ONLY
};

static bool left_out(const struct rl_chip *chip, const char *counter)
{
    const size_t at = RL_FIRST(i, RL_COUNT(only), rl_is_listed(only[i].counters, counter));
    return at < RL_COUNT(only) && !rl_is_listed(only[at].chips, chip->name);
}

bool rl_chip_apart(const struct rl_chip *chip, const char *counter)
{
    return chip && rl_is_listed(chip->apart, counter);
}

const char *rl_chip_lacks(const struct rl_chip *chip, const char *counter)
{
    if (chip && (rl_is_listed(chip->absent, counter) || left_out(chip, counter)))
        return "not on this chip";
    return rl_chip_apart(chip, counter) ? "needs a separate pass on this chip" : NULL;
}

static const struct {
    const char *counters, *lacking, *reason;
} newer[] = {
#define NEWER(counters, lacking) {counters, lacking, "needs a CUPTI newer than " lacking},
#include "analysis/newer.def"
#undef NEWER
};

/* 12.4 of "12.4", "12.4.1" and so on, as one number; 0: another text. */
static long version_of(const char *text)
{
    char *end = NULL;
    const long major = strtol(text, &end, 10);
    return end != text && *end == '.' ? 1000 * major + strtol(end + 1, NULL, 10) : 0;
}

const char *rl_cupti_lacks(const char *cupti, const char *counter)
{
    const long version = cupti ? version_of(cupti) : 0;
    for (size_t i = 0; version && i < RL_COUNT(newer); i++)
        if (version <= version_of(newer[i].lacking) && rl_is_listed(newer[i].counters, counter))
            return newer[i].reason;
    return NULL;
}

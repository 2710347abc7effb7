/* card.c - GPUs by name, and facts about them. */
#include <fnmatch.h>

#include "internal.h"

/* Units of cards.def. */
#define MHZ  1e6
#define GIGA 1e9
#define TERA 1e12
#define KIB  1024.0
#define GIB  (1024.0 * 1024.0 * 1024.0)

const struct rl_card_info rl_cards[] = {
#define CARD(...) {__VA_ARGS__},
#include "analysis/cards.def"
#undef CARD
};
const size_t rl_card_count = RL_COUNT(rl_cards);

/* Words that a name may have or not. */
static const char *const makers[] = {"nvidia", "tesla", "geforce", "quadro"};

static bool is_gap(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

/* The next word that counts, from *at on and before `end`; its length, 0 when there is none. */
static size_t next_word(const char **at, const char *end)
{
    for (;;) {
        size_t len = 0;
        while (*at < end && is_gap(**at))
            ++*at;
        while (*at + len < end && !is_gap((*at)[len]))
            len++;
        if (len == 0 || !RL_ANY(i, RL_COUNT(makers), strlen(makers[i]) == len && strncasecmp(*at, makers[i], len) == 0))
            return len;
        *at += len;
    }
}

static bool same_name(const char *a, size_t a_len, const char *b, size_t b_len)
{
    const char *const a_end = a + a_len, *const b_end = b + b_len;
    for (;;) {
        const size_t len = next_word(&a, a_end);
        if (len != next_word(&b, b_end) || strncasecmp(a, b, len) != 0)
            return false;
        if (len == 0)
            return true;
        a += len;
        b += len;
    }
}

static bool among(const char *list, const char *name)
{
    while (*list) {
        const size_t len = strcspn(list, "|");
        if (same_name(list, len, name, strlen(name)))
            return true;
        list += len + (list[len] == '|');
    }
    return false;
}

const struct rl_card_info *rl_card_find(const char *name)
{
    return name ? RL_FIND(i, rl_cards, rl_card_count,
                          among(rl_cards[i].id, name) || among(rl_cards[i].name, name) || among(rl_cards[i].also, name))
                : NULL;
}

size_t rl_card_fill_facts(const struct rl_card_info *card, struct rl_value fact[RL_FACT_COUNT])
{
    const struct {
        enum rl_fact_id fact;
        double value;
    } known[] = {
        {RL_FACT_sm_count, card->sm_count},
        {RL_FACT_l2_bytes, card->l2_bytes},
        {RL_FACT_memory_bytes, card->memory_bytes},
        {RL_FACT_memory_bus_bits, card->bus_bits},
        {RL_FACT_memory_clock_max_hz, card->pin_bits_per_s / 2}, /* two transfers a cycle, as the driver counts */
        {RL_FACT_sm_clock_max_hz, card->boost_hz},
    };
    size_t filled = 0;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        if (rl_present(fact[known[i].fact]) || known[i].value == 0)
            continue;
        fact[known[i].fact] = rl_value_of(known[i].value);
        filled++;
    }
    return filled;
}

const struct rl_published rl_published[] = {
#define PUBLISHED(card, measured, value, source) {card, #measured, value, source},
#include "analysis/published.def"
#undef PUBLISHED
};
const size_t rl_published_count = RL_COUNT(rl_published);

const struct rl_published *rl_published_best(const char *card, const char *measured)
{
    const struct rl_published *best = NULL;
    for (size_t i = 0; card && i < rl_published_count; i++) {
        const struct rl_published *row = &rl_published[i];
        if (strcmp(row->measured, measured) == 0 && fnmatch(row->card, card, 0) == 0 && (!best || row->value > best->value))
            best = row;
    }
    return best;
}

bool rl_ceiling_listed(const struct rl_ceiling *ceiling, enum rl_ceiling_id id)
{
    if (rl_ceilings[id].role == RL_ROOF)
        return true;
    return !RL_ANY(i, RL_CEILING_COUNT,
                   rl_ceilings[i].role == RL_ROOF && strcmp(rl_ceilings[i].measured, rl_ceilings[id].measured) == 0) &&
           ceiling->run != RL_NONE;
}

/* card.c - cards by name, and their ceilings without a capture. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "internal.h"

#define MHZ 1e6
#define KIB 1024.0
#define GIB (1024.0 * 1024.0 * 1024.0)

const struct rl_card_info rl_cards[] = {
#define CARD(id, name, also, chip, sms, base, boost, matrix, pin, bus, memory, l2, share, fp64, fp32, tensor, dram, source,        \
             second)                                                                                                               \
    {id,         name,   also,         #chip,    sms,   (base)*MHZ,  (boost)*MHZ, ((matrix) ? (matrix) : (boost)) * MHZ,           \
     (pin)*MHZ,  bus,    (memory)*GIB, (l2)*KIB, share, (fp64)*1e12, (fp32)*1e12, (tensor)*1e12,                                   \
     (dram)*1e9, source, second},
#include "analysis/cards.def"
#undef CARD
};
const size_t rl_card_count = RL_COUNT(rl_cards);

/* ---- names ---- */

/* Words that a name may have or not. */
static const char *const makers[] = {"nvidia", "tesla", "geforce", "quadro"};

static bool is_gap(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

static bool is_maker(const char *word, size_t len)
{
    for (size_t i = 0; i < RL_COUNT(makers); i++)
        if (strlen(makers[i]) == len && strncasecmp(word, makers[i], len) == 0)
            return true;
    return false;
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
        if (len == 0 || !is_maker(*at, len))
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
    for (size_t i = 0; name && i < rl_card_count; i++)
        if (among(rl_cards[i].id, name) || among(rl_cards[i].name, name) || among(rl_cards[i].also, name))
            return &rl_cards[i];
    return NULL;
}

/* ---- facts ---- */

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

/* ---- ceilings ---- */

/* A capture with the card and nothing else, for the formulas of ceilings.def. */
static struct rl_capture *capture_of(const struct rl_card_info *card)
{
    struct rl_capture *capture = rl_capture_new();
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    const struct rl_chip *chip = rl_chip_find(card->chip);

    assert(chip); /* rows are ours, and tested */
    gpu->name = rl_capture_text(capture, card->name);
    gpu->chip = rl_capture_text(capture, card->chip);
    gpu->cc_major = chip->cc / 10;
    gpu->cc_minor = chip->cc % 10;
    rl_card_fill_facts(card, gpu->fact);
    return capture;
}

static bool of_dram(const char *measured)
{
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (rl_ceilings[i].level == RL_LEVEL_DRAM && strcmp(rl_ceilings[i].measured, measured) == 0)
            return true;
    return false;
}

/* Any published figure of DRAM: which way of using it is fastest depends on the card less than whether it was measured at all. */
static const struct rl_published *any_of_dram(const char *card)
{
    const struct rl_published *best = NULL;

    for (size_t i = 0; i < rl_published_count; i++) {
        const struct rl_published *found =
            of_dram(rl_published[i].measured) ? rl_published_best(card, rl_published[i].measured) : NULL;
        if (found && (!best || found->value > best->value))
            best = found;
    }
    return best;
}

static const struct rl_published *published_of(const struct rl_card_info *card, const struct rl_ceiling_info *info)
{
    const struct rl_published *found = rl_published_best(card->name, info->measured);

    return found || info->role != RL_ROOF || !of_dram(info->measured) ? found : any_of_dram(card->name);
}

void rl_card_ceilings(const struct rl_card_info *card, struct rl_card_ceiling ceiling[RL_CEILING_COUNT])
{
    struct rl_capture *capture = capture_of(card);
    const struct rl_analysis alone = {.capture = capture};
    struct rl_eval eval;

    rl_eval_init(&eval, &alone);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const double clock = rl_ceilings[i].level == RL_LEVEL_TENSOR ? card->matrix_hz : card->boost_hz;
        const struct rl_value theoretical = rl_ceiling_without_kernels(&eval, 0, i, rl_value_of(clock));
        const struct rl_published *published = published_of(card, &rl_ceilings[i]);
        ceiling[i].theoretical = theoretical;
        if (!rl_present(theoretical)) /* its reason must outlive the capture */
            ceiling[i].theoretical = rl_value_missing(theoretical.state, NULL);
        ceiling[i].published = published;
        ceiling[i].figure = published ? rl_value_of(published->value) : ceiling[i].theoretical;
    }
    rl_eval_release(&eval);
    rl_capture_free(capture);
}

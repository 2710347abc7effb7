/* cards.h - cards by name: what their makers say of them (cards.def), and the ceilings that follow from it.
 *
 * A row has what a card has and its chip has not: SMs, clocks, memory, caches. Rates of an SM are in chips.def and rates.def,
 * measured figures in published.def; together they give the ceilings of a card that is not at hand.
 */
#ifndef RL_ANALYSIS_CARDS_H
#define RL_ANALYSIS_CARDS_H

#include "analysis/analysis.h"

struct rl_card_info {
    const char *id;   /* "A100-SXM4-40GB" */
    const char *name; /* as the driver gives it: "NVIDIA A100-SXM4-40GB" */
    const char *also; /* further names, separated by '|'; "" */
    const char *chip; /* row of chips.def */
    int sm_count;
    double base_hz, boost_hz; /* SM clock; base 0: not published */
    double matrix_hz;         /* SM clock behind the published matrix rates */
    double pin_bits_per_s;    /* of one pin of the memory */
    int bus_bits;             /* pins */
    double memory_bytes, l2_bytes; /* L2 0: not published */
    double power_w;                                    /* limit of the board; 0: not in the row */
    double matrix_share;                               /* of the chip's full matrix rate with FP32 accumulation */
    double printed_fp64, printed_fp32, printed_tensor; /* FLOP/s, as its maker prints; 0: not printed */
    double printed_dram;                               /* B/s */
    const char *source; /* of its maker */
    const char *second; /* what the maker does not say, and where that is from: "L2: ..."; "" */
};
extern const struct rl_card_info rl_cards[];
extern const size_t rl_card_count;

/* The card that a name stands for: an id, the driver's name or a further one, whatever the case, with or without "NVIDIA", "Tesla",
 * "GeForce" and "Quadro", blanks and hyphens alike ("nvidia a100 sxm4 40gb"). NULL: no such card, never a similar one; also when
 * `name` is NULL. */
const struct rl_card_info *rl_card_find(const char *name);

/* Gives every fact that is missing in `fact` and that the row has its value: SMs, highest clocks, memory, bus, L2. What the row
 * does not have stays missing. Returns how many there were. */
size_t rl_card_fill_facts(const struct rl_card_info *card, struct rl_value fact[RL_FACT_COUNT]);

/* A roof of a card that rooflight itself has measured: recorded.def, made of the captures in samples/. */
struct rl_recorded {
    const char *card;     /* row of cards.def */
    const char *measured; /* id of the micro-benchmark */
    double value;         /* median, base unit */
    const char *source;   /* the capture */
};
extern const struct rl_recorded rl_recorded[];
extern const size_t rl_recorded_count;

/* A ceiling of a card that is not at hand. */
struct rl_card_ceiling {
    struct rl_value theoretical;          /* by the formula of ceilings.def at the boost clock, matrices but FP64 at theirs */
    const struct rl_published *published; /* the best published figure of the same kind; of DRAM, without one for reads, the best of
                                             the others; NULL: none. What others have reached is no bound */
    const struct rl_recorded *recorded;   /* our own; NULL: none */
    struct rl_value figure;               /* the recorded one, without one the theoretical one, without theory the published one */
};
/* One for every row of ceilings.def. */
void rl_card_ceilings(const struct rl_card_info *card, struct rl_card_ceiling ceiling[RL_CEILING_COUNT]);

#endif

/* cards.h - GPU models by name: data-sheet figures (cards.def), and the roofs that follow from them.
 *
 * A row has the properties that a chip does not determine: SMs, clocks, memory, caches. Rates of an SM are in chips.def and
 * rates.def, published figures in published.def; together they give the roofs of a GPU that was not measured.
 */
#pragma once

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
    const char *second; /* figures that the maker does not publish, with their source: "L2: ..."; "" */
};
extern const struct rl_card_info rl_cards[];
extern const size_t rl_card_count;

/* The model of a name: an id, the driver's name or a further one, ignoring case, "NVIDIA", "Tesla", "GeForce" and "Quadro", with
 * blanks and hyphens equal ("nvidia a100 sxm4 40gb"). NULL: no such model (similar names do not match), or `name` is NULL. */
const struct rl_card_info *rl_card_find(const char *name);

/* Fills missing facts from the row: SMs, highest clocks, memory, bus, L2. Returns the number of facts filled. */
size_t rl_card_fill_facts(const struct rl_card_info *card, struct rl_value fact[RL_FACT_COUNT]);

/* A roof of a GPU model that rooflight has measured: recorded.def, made from the captures in samples/. */
struct rl_recorded {
    const char *card;     /* row of cards.def */
    const char *measured; /* id of the micro-benchmark */
    double value;         /* median, base unit */
    const char *source;   /* the capture */
};
extern const struct rl_recorded rl_recorded[];
extern const size_t rl_recorded_count;

/* A roof of a GPU that was not measured in this session. */
struct rl_card_ceiling {
    struct rl_value theoretical;          /* by the formula of ceilings.def at the boost clock, matrices but FP64 at theirs */
    const struct rl_published *published; /* the best published figure of the same kind; of DRAM, without one for reads, the best of
                                             the others; NULL: none. What others have reached is no bound */
    const struct rl_recorded *recorded;   /* our own; NULL: none */
    struct rl_value figure;               /* the recorded, otherwise the theoretical, otherwise the published figure */
};
/* One for every row of ceilings.def. */
void rl_card_ceilings(const struct rl_card_info *card, struct rl_card_ceiling ceiling[RL_CEILING_COUNT]);

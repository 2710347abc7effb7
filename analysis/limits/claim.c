/* claim.c - verdicts on the claims of the experiments. */
#include "limits_decide.h"

struct side {
    const char *variant;                    /* its name */
    const struct rl_variant_result *result; /* NULL: see why */
    const char *why;
    struct rl_value number; /* exact quantity, or the scale of a time */
};

/* A claim on one GPU, while it is judged. */
struct trial {
    struct rl_analysis *analysis;
    const struct rl_claim *claim;
    struct rl_claim_result *result;
    struct quantity quantity;
    bool has_baseline;
    struct side subject, baseline;
    struct rl_value figure, low, high;
    const char *why; /* why it cannot be decided; NULL when it can */
};

static void take_side(struct trial *trial, struct side *side, const char *name)
{
    const size_t variant =
        rl_variant_named(&trial->analysis->index, trial->analysis->capture, trial->result->experiment, trial->result->gpu, name);
    side->variant = name;
    if (variant == RL_NONE) {
        side->why = "was not run";
        return;
    }
    side->result = &trial->analysis->variants[variant];
    side->why = side->result->why_not ? side->result->why_not : trial->quantity.power != 0 ? side->result->untimed : NULL;
    side->number = trial->quantity.number(trial->analysis, side->result, trial->quantity.id);
    if (!side->why && !rl_present(side->number))
        side->why = rl_arena_printf(&trial->analysis->arena, "has no %s (%s)", trial->quantity.noun, rl_value_reason(side->number));
}

/* scale x [low, high], or over it when the power is -1. */
static void set_interval(struct trial *trial, double scale, double middle, bool has_interval, double low, double high)
{
    const bool over = trial->quantity.power < 0 && !trial->has_baseline;
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "there are too few samples for an interval");
    trial->figure = rl_value_of(over ? scale / middle : scale * middle);
    trial->low = !has_interval ? none : rl_value_of(over ? scale / high : scale * low);
    trial->high = !has_interval ? none : rl_value_of(over ? scale / low : scale * high);
}

static void measure(struct trial *trial)
{
    take_side(trial, &trial->subject, trial->claim->subject);
    if (trial->has_baseline)
        take_side(trial, &trial->baseline, trial->claim->baseline);
    const struct side *lacking = trial->subject.why                           ? &trial->subject
                                 : trial->has_baseline && trial->baseline.why ? &trial->baseline
                                                                              : NULL;
    if (lacking) {
        trial->why = rl_arena_printf(&trial->analysis->arena, "`%s` %s", lacking->variant, lacking->why);
        if (lacking->result && !rl_present(lacking->number))
            trial->figure = lacking->number;
        return;
    }
    if (trial->quantity.power == 0) {
        trial->figure = trial->has_baseline ? rl_value_div(trial->subject.number, trial->baseline.number, "the baseline is zero")
                                            : trial->subject.number;
        trial->low = trial->high = trial->figure;
    } else if (trial->has_baseline) {
        /* A rate falls as the time grows, so its ratio is that of the times the other way round. */
        const struct side *over = trial->quantity.power > 0 ? &trial->subject : &trial->baseline;
        const struct side *under = trial->quantity.power > 0 ? &trial->baseline : &trial->subject;
        const struct rl_ratio ratio = rl_variant_ratio(over->result, under->result);
        const struct rl_value scale = rl_value_div(trial->subject.number, trial->baseline.number, "the baseline is zero");
        if (!ratio.present || !rl_present(scale))
            trial->figure = trial->low = trial->high = ratio.present ? scale : rl_value_missing(RL_UNDEFINED, "a duration is zero");
        else
            set_interval(trial, scale.v, ratio.estimate, ratio.has_interval, ratio.low, ratio.high);
    } else {
        const struct rl_stats stats = trial->subject.result->duration;
        set_interval(trial, trial->subject.number.v, stats.median, stats.has_interval && stats.low > 0, stats.low, stats.high);
    }
    if (!rl_present(trial->figure))
        trial->why = rl_value_reason(trial->figure);
    else if (!rl_present(trial->low))
        trial->why = rl_value_reason(trial->low);
}

/* ---- the verdict ---- */

/* Where a claim holds: value - down x slack .. value + up x slack, with slack = tolerance x |value|; -1: without end. A range
 * begins at the value and ends at the upper end that its source gives, with the slack of either end. A bound has no slack: what
 * misses it has missed it. */
static const struct relation {
    const char *id, *words;
    int down, up;
    bool range;
} relations[] = {
    {"about", "about", 1, 1, false},
    {"at_least", "at least", 0, -1, false},
    {"at_most", "at most", -1, 0, false},
    {"between", "", 1, 1, true},
};

static const struct relation *find_relation(const char *id)
{
    return RL_FIND(i, relations, RL_COUNT(relations), strcmp(relations[i].id, id) == 0);
}

/* A smaller tolerance only allows for the last digits of a sum: the claim is of just this figure. */
#define ROUNDING 1e-8

bool rl_claim_is_exact(const struct rl_claim *claim)
{
    const struct relation *relation = find_relation(claim->relation);
    return relation && !relation->range && relation->down == relation->up && claim->tolerance < ROUNDING;
}

static enum rl_claim_outcome judge(struct trial *trial, const struct relation *relation)
{
    const struct rl_claim *claim = trial->claim;
    const double upper = relation->range ? claim->from.most.v : claim->value;
    const double slack = claim->tolerance;
    const double least = relation->down < 0 ? -INFINITY : claim->value - relation->down * slack * fabs(claim->value);
    const double most = relation->up < 0 ? INFINITY : upper + relation->up * slack * fabs(upper);
    if (trial->low.v >= least && trial->high.v <= most)
        return RL_CLAIM_HELD;
    if (trial->low.v > most)
        return relation->range ? RL_CLAIM_EXCEEDED : RL_CLAIM_DID_NOT_HOLD;
    if (trial->high.v < least)
        return RL_CLAIM_DID_NOT_HOLD;
    trial->why = "the interval extends across the limit";
    return RL_CLAIM_UNDECIDED;
}

/* GPU names without the maker's word, which drivers of different ages put before them or not. */
static const char *bare(const char *card)
{
    static const char *const makers[] = {"NVIDIA ", "Tesla "};
    for (size_t i = 0; i < RL_COUNT(makers); i++)
        if (strncmp(card, makers[i], strlen(makers[i])) == 0)
            card += strlen(makers[i]);
    return card;
}

/* ---- the words ---- */

/* Operations and bytes that are claimed exactly are counts: a prefix would hide their last digits. */
static bool is_count(const struct trial *trial)
{
    const enum rl_unit unit = trial->quantity.unit;
    const double claimed = trial->claim->value;
    return !trial->has_baseline && (unit == RL_UNIT_FLOP || unit == RL_UNIT_BYTE) && claimed == floor(claimed) &&
           rl_claim_is_exact(trial->claim);
}

static void add_count(struct rl_buf *out, enum rl_unit unit, double value)
{
    enum { DIGITS = 15 };
    rl_unit_format(out, RL_UNIT_COUNT, value, DIGITS);
    rl_buf_addf(out, "\u00a0%s", rl_unit_scale(unit, 1).symbol);
}

static void add_figure(struct rl_buf *out, const struct trial *trial, double value, int digits)
{
    if (trial->has_baseline)
        rl_number_format(out, value, digits);
    else if (is_count(trial))
        add_count(out, trial->quantity.unit, value);
    else
        rl_unit_format(out, trial->quantity.unit, value, digits);
}

/* A pure number is claimed with all its digits, what has a unit with 3 or 4. */
static bool claims_pure_number(const struct trial *trial)
{
    const enum rl_unit unit = trial->has_baseline ? RL_UNIT_NONE : trial->quantity.unit;
    return unit == RL_UNIT_NONE || (unit == RL_UNIT_COUNT && trial->claim->value != floor(trial->claim->value));
}

static int digits_of_unit(const struct trial *trial)
{
    return trial->quantity.unit == RL_UNIT_FRACTION ? 3 : 4;
}

/* Digits of the number as it is claimed, "1.125"; 3 at least. */
static int digits_of_number(double value)
{
    enum { LEAST = 3, MOST = 6 };
    RL_SCRATCH text = RL_BUF_INIT;
    int digits = 0;
    rl_number_exact(&text, value);
    for (const char *c = text.data + strspn(text.data, "-0."); *c && *c != 'e'; c++)
        digits += *c != '.';
    return digits < LEAST ? LEAST : digits > MOST ? MOST : digits;
}

static void fill(void *context, const char *name, size_t len, struct rl_buf *out)
{
    const struct trial *trial = context;
    /* Exact figures have as many digits as the claim; times are known to three at most. */
    const int digits = trial->quantity.power != 0  ? 3
                       : claims_pure_number(trial) ? digits_of_number(trial->claim->value)
                                                   : digits_of_unit(trial);
    assert(len == 1);
    (void)len;
    if (*name == 's' || *name == 'b')
        rl_buf_addf(out, "`%s`", *name == 's' ? trial->claim->subject : trial->claim->baseline); /* may be "shared" or "256" */
    else if (*name == 'n')
        rl_buf_adds(out, trial->quantity.noun);
    else
        add_figure(out, trial, trial->figure.v, digits);
    if (*name == 'r') /* of {x} the number alone */
        rl_buf_adds(out, trial->figure.v < 1 ? " of" : " times");
}

/* Both ends with one digit more than the figure when they would print alike; nothing when they still do. */
static void add_interval(struct rl_buf *out, const struct trial *trial)
{
    for (int digits = 3; digits <= 4; digits++) {
        RL_SCRATCH low = RL_BUF_INIT, high = RL_BUF_INIT;
        add_figure(&low, trial, trial->low.v, digits);
        add_figure(&high, trial, trial->high.v, digits);
        const bool differ = strcmp(low.data, high.data) != 0;
        if (differ)
            rl_buf_addf(out, " (95 %% CI %s to %s)", low.data, high.data);
        if (differ)
            return;
    }
}

/* As it was published: pure numbers with all their digits. */
static void add_claimed_value(struct rl_buf *out, const struct trial *trial, double value)
{
    if (claims_pure_number(trial))
        rl_number_exact(out, value);
    else if (is_count(trial))
        add_count(out, trial->quantity.unit, value);
    else
        rl_unit_format(out, trial->quantity.unit, value, digits_of_unit(trial));
}

/* ---- all claims ---- */

/* The measured and the claimed value; each medium adds the outcome. `relation` NULL: unknown. */
static void say(struct trial *trial, const struct relation *relation)
{
    struct rl_claim_result *result = trial->result;
    struct rl_buf text = RL_BUF_INIT;
    const bool measured = rl_present(trial->figure);
    const char *words = measured ? (trial->has_baseline ? trial->quantity.ratio : trial->quantity.value)
                                 : (trial->has_baseline ? "{s} against {b}, {n}" : "{s}, {n}");
    rl_expand_placeholders(&text, words, fill, trial);
    result->interval = text.len;
    if (measured && trial->quantity.power != 0 && rl_present(trial->low))
        add_interval(&text, trial);
    result->claimed = text.len;
    if (trial->result->outcome == RL_CLAIM_REFERENCE) { /* the figure of another GPU stands for itself */
        rl_buf_adds(&text, "; published ");
        add_claimed_value(&text, trial, trial->claim->value);
        rl_buf_addf(&text, " for %s", trial->claim->card);
    } else {
        const struct rl_claim *claim = trial->claim;
        const bool both_ways = relation && relation->down == relation->up;
        rl_buf_adds(&text, "; claimed ");
        if (!rl_claim_is_exact(claim) && !(relation && relation->range))
            rl_buf_addf(&text, "%s ", relation ? relation->words : claim->relation);
        add_claimed_value(&text, trial, claim->value);
        if (relation && relation->range && rl_present(claim->from.most)) {
            rl_buf_adds(&text, " to ");
            add_claimed_value(&text, trial, claim->from.most.v);
        }
        if (claim->tolerance >= ROUNDING && both_ways)
            rl_buf_addf(&text, " within %g\u00a0%%", 100 * claim->tolerance);
        if (claim->card)
            rl_buf_addf(&text, " on %s", claim->card);
    }
    if (trial->why)
        rl_buf_addf(&text, ", but %s", trial->why);
    rl_buf_addch(&text, '.');
    result->text = rl_analysis_keep_text(trial->analysis, &text);
}

static void try_claim(struct trial *trial)
{
    const struct relation *relation = find_relation(trial->claim->relation);
    struct rl_claim_result *result = trial->result;
    trial->has_baseline = trial->claim->baseline != NULL;
    trial->figure = trial->low = trial->high = rl_value_missing(RL_NOT_COLLECTED, NULL);
    if (!rl_quantity_find(trial->claim->quantity, &trial->quantity)) {
        trial->quantity = (struct quantity){.noun = trial->claim->quantity};
        trial->why = "the quantity is unknown to this version";
    } else if (!relation) {
        trial->why = "the relation is unknown to this version";
    } else if (relation->range && !rl_present(trial->claim->from.most)) {
        trial->why = "the range that was claimed has no upper end";
    } else {
        measure(trial);
    }
    const char *here = trial->analysis->capture->gpus[result->gpu].name, *card = trial->claim->card;
    if (trial->why)
        result->outcome = RL_CLAIM_UNDECIDED;
    else if (trial->claim->card_specific && card && strcmp(bare(card), bare(here)) != 0)
        result->outcome = RL_CLAIM_REFERENCE;
    else
        result->outcome = judge(trial, relation);
    result->measured = trial->figure;
    result->low = trial->low;
    result->high = trial->high;
    result->unit = trial->has_baseline ? RL_UNIT_NONE : trial->quantity.unit;
    say(trial, relation);
}

static enum rl_claim_basis basis_of(const char *experiment, const char *claim)
{
    static const struct {
        const char *experiment, *claim;
        enum rl_claim_basis basis;
    } rows[] = {
#define CLAIM_BASIS(of, id, what) {of, id, RL_CLAIM_BASIS_##what},
#include "analysis/claim_bases.def"
#undef CLAIM_BASIS
    };
    if (strcmp(experiment, RL_SELF_CHECK) == 0)
        return RL_CLAIM_BASIS_ANSWER;
    const size_t at = RL_FIRST(i, RL_COUNT(rows), strcmp(rows[i].experiment, experiment) == 0 && strcmp(rows[i].claim, claim) == 0);
    return at < RL_COUNT(rows) ? rows[at].basis : RL_CLAIM_BASIS_FIGURE;
}

void rl_step_claims(struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->capture->experiment_count; i++)
        for (size_t j = 0; j < analysis->capture->experiments[i].claim_count; j++) {
            assert(i < analysis->capture->experiment_count);
            const size_t *variants, count = rl_group(&analysis->index.variants_of_experiment, i, &variants);
            for (size_t k = 0; k < count; k++) {
                const size_t gpu = analysis->capture->variants[variants[k]].gpu; /* they ascend by it */
                if (k > 0 && analysis->capture->variants[variants[k - 1]].gpu == gpu)
                    continue;
                RL_GROW(analysis->claims, analysis->claim_count + 1, analysis->claim_cap);
                struct rl_claim_result *result = &analysis->claims[analysis->claim_count++];
                const struct rl_experiment *of = &analysis->capture->experiments[i];
                *result = (struct rl_claim_result){
                    .experiment = i, .claim = j, .of = &of->claims[j], .gpu = gpu, .basis = basis_of(of->name, of->claims[j].id)};
                struct trial trial = {.analysis = analysis, .claim = &of->claims[j], .result = result};
                try_claim(&trial);
            }
        }
    rl_index_claims(analysis);
}

static const char *const outcome_names[] = {
    [RL_CLAIM_HELD] = "held",
    [RL_CLAIM_DID_NOT_HOLD] = "did not hold",
    [RL_CLAIM_EXCEEDED] = "more than claimed",
    [RL_CLAIM_UNDECIDED] = "could not be decided",
    [RL_CLAIM_REFERENCE] = "reference",
};
_Static_assert(RL_COUNT(outcome_names) == RL_CLAIM_REFERENCE + 1, "every outcome has its name");

const char *rl_claim_outcome_name(enum rl_claim_outcome outcome)
{
    assert((size_t)outcome < RL_COUNT(outcome_names));
    return outcome_names[outcome];
}

const struct rl_claim_basis_words rl_claim_bases[] = {
    [RL_CLAIM_BASIS_FIGURE] = {"figure", "published figure", "published figures"},
    [RL_CLAIM_BASIS_DIRECTION] = {"direction", "published direction", "published directions"},
    [RL_CLAIM_BASIS_EXPECTATION] = {"expectation", "expectation of ours", "expectations of ours"},
    [RL_CLAIM_BASIS_ANSWER] = {"answer", "answer of the self check", "answers of the self check"},
};

/* ---- all of them ---- */

static bool is_of(const struct rl_capture *capture, size_t variant, const char *experiment)
{
    assert(variant == RL_NONE || variant < capture->variant_count);
    return variant != RL_NONE && strcmp(capture->experiments[capture->variants[variant].experiment].name, experiment) == 0;
}

bool rl_is_of_self_check(const struct rl_capture *capture, size_t variant)
{
    return is_of(capture, variant, RL_SELF_CHECK);
}

bool rl_measures_card(const struct rl_capture *capture, size_t variant)
{
    return is_of(capture, variant, RL_SELF_CHECK) || is_of(capture, variant, "latency");
}

struct rl_claim_tally rl_claims_tally(const struct rl_analysis *analysis, size_t gpu, enum rl_claim_basis basis)
{
    struct rl_claim_tally tally = {{0}};
    const size_t *at, count = gpu == RL_NONE ? analysis->claim_count : rl_group(&analysis->index.claims_of_gpu, gpu, &at);
    for (size_t i = 0; i < count; i++) {
        const struct rl_claim_result *claim = &analysis->claims[gpu == RL_NONE ? i : at[i]];
        if (claim->basis == basis)
            tally.outcome[claim->outcome]++;
    }
    return tally;
}

size_t rl_claims_judged(const struct rl_claim_tally *tally)
{
    return tally->outcome[RL_CLAIM_HELD] + tally->outcome[RL_CLAIM_DID_NOT_HOLD] + tally->outcome[RL_CLAIM_EXCEEDED];
}

size_t rl_claims_total(const struct rl_claim_tally *tally)
{
    return rl_claims_judged(tally) + tally->outcome[RL_CLAIM_UNDECIDED];
}

void rl_claims_held_text(const struct rl_analysis *analysis, size_t gpu, struct rl_buf *out)
{
    const char *hold = " hold";
    const size_t before = out->len;
    for (int basis = 0; basis < RL_CLAIM_BASIS_ANSWER; basis++) {
        const struct rl_claim_tally tally = rl_claims_tally(analysis, gpu, (enum rl_claim_basis)basis);
        const size_t all = rl_claims_total(&tally), held = tally.outcome[RL_CLAIM_HELD], more = tally.outcome[RL_CLAIM_EXCEEDED];
        if (all == 0)
            continue;
        rl_buf_addf(out, "%s%zu of %zu %s%s", out->len > before ? ", " : "", held, all,
                    all == 1 ? rl_claim_bases[basis].one : rl_claim_bases[basis].many, hold);
        hold = "";
        const size_t open = tally.outcome[RL_CLAIM_UNDECIDED];
        if (more || open)
            rl_buf_adds(out, " (");
        if (more)
            rl_buf_addf(out, "%zu exceeded%s", more, open ? ", " : ")");
        if (open)
            rl_buf_addf(out, "%zu undecided)", open);
    }
}

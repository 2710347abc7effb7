#include "analysis/gate.h"

#include "compare_internal.h"

static const char *const state_names[] = {
    [RL_GATE_HOLDS] = "holds", [RL_GATE_CANNOT_DECIDE] = "cannot decide", [RL_GATE_FAILS] = "fails"};

const char *rl_gate_state_name(enum rl_gate_state state)
{
    assert((size_t)state < RL_COUNT(state_names));
    return state_names[state];
}

static const char *const side_labels[] = {"baseline", "candidate"};

/* ---- one question ---- */

struct asking {
    struct rl_gate *gate;
    const struct rl_comparison *comparison;
    struct rl_gate_answer *answer;
    double *weights[2], all[2]; /* of the items of base and new */
};

/* A text of the gate's; releases the buffer. */
static const char *keep(struct asking *asking, struct rl_buf *text)
{
    const char *kept = rl_arena_strndup(&asking->gate->arena, text->data ? text->data : "", text->len);
    rl_buf_release(text);
    return kept;
}

static void add_breach(struct asking *asking, size_t pair, const char *label, const char *text)
{
    struct rl_gate_answer *answer = asking->answer;
    assert(label && text); /* each breach has a name */
    answer->breaches[answer->count++] =
        (struct rl_gate_breach){.condition = answer->condition, .pair = pair, .label = label, .text = text};
}

static void add_pair(struct asking *asking, size_t pair, const char *text)
{
    const struct rl_comparison *comparison = asking->comparison;
    add_breach(asking, pair, comparison->base.items[comparison->pairs[pair].base].label, text);
}

static const char *percent_text(struct asking *asking, const char *before, double share, const char *behind)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s%s%s", before, RL_UNIT_TEXT(RL_UNIT_FRACTION, share, 3), behind);
    return keep(asking, &text);
}

static const char *regression_text(struct asking *asking, const struct rl_change *change, const char *behind)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_ratio_change_text(change->time.estimate, &text);
    rl_buf_adds(&text, " (");
    rl_ratio_interval_text(&change->time, &text);
    rl_buf_addf(&text, ")%s", behind);
    return keep(asking, &text);
}

/* Those of both captures; 0: none. */
static size_t case_pairs(const struct rl_comparison *comparison)
{
    return comparison->cases ? comparison->cases->pair_count : 0;
}

static void ask_regression(struct asking *asking)
{
    const struct rl_comparison *comparison = asking->comparison;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        if (!pair->not_compared && rl_change_is_regression(&pair->change, asking->answer->bound))
            add_pair(asking, i, regression_text(asking, &pair->change, pair->work == RL_WORK_UNEQUAL ? " of unequal work" : ""));
    }
    for (size_t i = 0; i < case_pairs(comparison); i++) {
        const struct rl_case_pair *pair = &comparison->cases->pairs[i];
        if (rl_change_is_regression(&pair->change, asking->answer->bound))
            add_breach(asking, RL_NONE, pair->base->label, regression_text(asking, &pair->change, ""));
    }
}

static bool is_wrong(const struct rl_compare_side *side, size_t item)
{
    return side->items[item].wrong_later || rl_side_result(side, item) == RL_RESULT_WRONG;
}

static void ask_wrong(struct asking *asking)
{
    static const char text[] = "computes a wrong result";
    const struct rl_comparison *comparison = asking->comparison;
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (is_wrong(&comparison->new, comparison->pairs[i].new))
            add_pair(asking, i, text);
    for (size_t i = 0; i < comparison->added_count; i++)
        if (is_wrong(&comparison->new, comparison->added[i]))
            add_breach(asking, RL_NONE, comparison->new.items[comparison->added[i]].label, text);
}

static void ask_missing(struct asking *asking)
{
    const struct rl_comparison *comparison = asking->comparison;
    for (size_t i = 0; i < comparison->removed_count; i++) {
        const size_t item = comparison->removed[i];
        const double share = asking->weights[0][item] / asking->all[0];
        add_breach(asking, RL_NONE, comparison->base.items[item].label,
                   percent_text(asking, "not in the candidate; ", share, " of the baseline's time"));
    }
    for (size_t i = 0; comparison->cases && i < comparison->cases->removed_count; i++)
        add_breach(asking, RL_NONE, comparison->cases->removed[i]->label, "this case is not in the candidate");
}

static void ask_work(struct asking *asking)
{
    for (size_t i = 0; i < asking->comparison->pair_count; i++)
        if (asking->comparison->pairs[i].work == RL_WORK_UNEQUAL)
            add_pair(asking, i, asking->comparison->pairs[i].work_text);
}

static void ask_incomplete(struct asking *asking)
{
    const struct rl_compare_side *const sides[] = {&asking->comparison->base, &asking->comparison->new};
    for (size_t s = 0; s < RL_COUNT(sides); s++) {
        if (!sides[s]->analysis->capture->session.complete)
            add_breach(asking, RL_NONE, side_labels[s], "the capture is incomplete: what it did not reach is unknown");
        for (size_t i = 1; i < sides[s]->session_count; i++)
            if (!sides[s]->sessions[i].analysis->capture->session.complete)
                add_breach(
                    asking, RL_NONE, side_labels[s],
                    rl_arena_printf(&asking->gate->arena, "session %zu is incomplete: what it did not reach is unknown", i + 1));
    }
}

/* Both sides may end the same way, before they did what they were to do. */
static void ask_crashed(struct asking *asking)
{
    const struct rl_compare_side *const sides[] = {&asking->comparison->base, &asking->comparison->new};
    for (size_t s = 0; s < RL_COUNT(sides); s++)
        for (size_t i = 0; i < sides[s]->session_count; i++) {
            struct rl_buf text = RL_BUF_INIT;
            if (sides[s]->session_count > 1)
                rl_buf_addf(&text, "session %zu: ", i + 1);
            const size_t before = text.len;
            rl_side_session_failure(&sides[s]->sessions[i], &text);
            if (text.len > before)
                add_breach(asking, RL_NONE, side_labels[s], keep(asking, &text));
            else
                rl_buf_release(&text);
        }
}

/* NULL: the capture has no such GPU. */
static const struct rl_gpu *gpu_of(const struct rl_compare_side *side, size_t gpu)
{
    const struct rl_capture *capture = side->analysis->capture;
    return gpu < capture->gpu_count ? &capture->gpus[gpu] : NULL;
}

static const char *name_of(const struct rl_gpu *gpu)
{
    return gpu ? gpu->name : "";
}

static bool are_other_models(const struct rl_gpu *base, const struct rl_gpu *new)
{
    return base && new ? rl_relation_of_gpus(base, new) == RL_OTHER_MODEL : *name_of(base) || *name_of(new);
}

/* The first two GPUs that are compared with each other; where they are of one model those of a pair that is not. */
static void ask_card(struct asking *asking)
{
    const struct rl_comparison *comparison = asking->comparison;
    const struct rl_gpu *base = gpu_of(&comparison->base, 0), *new = gpu_of(&comparison->new, 0);
    for (size_t i = 0; i < comparison->pair_count && !are_other_models(base, new); i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        base = gpu_of(&comparison->base, comparison->base.items[pair->base].gpu);
        new = gpu_of(&comparison->new, comparison->new.items[pair->new].gpu);
    }
    const char *of_base = name_of(base), *of_new = name_of(new);
    if (!are_other_models(base, new))
        return;
    if (!*of_base || !*of_new)
        add_breach(asking, RL_NONE, side_labels[*of_base != 0], "it does not name its GPU, the other capture does");
    else if (strcmp(of_base, of_new) == 0)
        add_breach(asking, RL_NONE, side_labels[1], "a GPU of this name with another compute capability");
    else
        add_breach(
            asking, RL_NONE, side_labels[1],
            rl_arena_printf(&asking->gate->arena, "%s instead of %s: the other GPU hides what the change does", of_new, of_base));
}

/* Whether some captures name the driver and others do not. */
static bool is_driver_lacking(const struct rl_comparison *comparison)
{
    const struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    bool named[2] = {false, false};
    for (size_t s = 0; s < RL_COUNT(sides); s++)
        for (size_t i = 0; i < sides[s]->session_count; i++) {
            const char *driver = sides[s]->sessions[i].analysis->capture->session.driver;
            named[driver && *driver] = true;
        }
    return named[0] && named[1];
}

static void ask_driver(struct asking *asking)
{
    RL_SCRATCH text = RL_BUF_INIT;
    rl_buf_adds(&text, "the driver ");
    if (rl_comparison_differs(asking->comparison, RL_CIRCUMSTANCE_DRIVER, &text))
        add_breach(asking, RL_NONE, side_labels[1], keep(asking, &text));
    else if (is_driver_lacking(asking->comparison))
        add_breach(asking, RL_NONE, "all", "the driver is named in some captures only");
}

/* Whether the interval neither shows nor excludes a regression beyond the bound. Changes under the smallest effect are none. */
static bool is_open(const struct rl_comparison *comparison, const struct rl_change *change, double bound)
{
    assert(bound >= 0);
    const double edge = 1 + fmax(bound, comparison->rules.smallest_effect);
    if (!change->time.has_interval || change->doubt == RL_DOUBT_CLOCKS)
        return true;
    return change->time.high > edge && !rl_change_is_regression(change, bound);
}

/* `not_compared`: why there is no verdict at all; NULL: there may be one. */
static const char *open_text(struct asking *asking, const struct rl_change *change, const char *not_compared)
{
    struct rl_buf text = RL_BUF_INIT;
    if (change->time.has_interval && !not_compared) {
        rl_ratio_interval_text(&change->time, &text);
        rl_buf_adds(&text, " neither shows nor rules out a regression");
    }
    if (not_compared || change->doubt) {
        rl_buf_adds(&text, text.len ? ": " : "");
        rl_buf_adds(&text, not_compared ? not_compared : "");
        if (!not_compared)
            rl_change_doubt_text(change, &text);
    }
    return keep(asking, &text);
}

/* A case counts with its time in the base. */
static double case_weight(const struct rl_case *of)
{
    return of->time.n ? of->time.median : 0;
}

/* The share of the base's cases, by their time, that is open; names them. */
static double open_cases(struct asking *asking, double bound)
{
    const struct rl_comparison *comparison = asking->comparison;
    double open = 0, all = 0;
    for (size_t i = 0; i < case_pairs(comparison); i++) {
        const struct rl_case_pair *pair = &comparison->cases->pairs[i];
        all += case_weight(pair->base);
        if (!is_open(comparison, &pair->change, bound))
            continue;
        open += case_weight(pair->base);
        add_breach(asking, RL_NONE, pair->base->label, open_text(asking, &pair->change, NULL));
    }
    return all > 0 ? open / all : case_pairs(comparison) > 0;
}

static void ask_undecided(struct asking *asking)
{
    const struct rl_comparison *comparison = asking->comparison;
    const double bound = asking->gate->rules.bound[RL_GATE_regression];
    double open = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        if (!pair->not_compared && !is_open(comparison, &pair->change, bound))
            continue;
        open += asking->weights[0][pair->base];
        add_pair(asking, i, open_text(asking, &pair->change, pair->not_compared));
    }
    const bool any = comparison->pair_count || case_pairs(comparison);
    if (!any)
        add_breach(asking, RL_NONE, "all", "no kernel was compared");
    asking->answer->found = !any ? 1 : fmax(comparison->pair_count ? open / asking->all[0] : 0, open_cases(asking, bound));
}

static void ask_unknown(struct asking *asking)
{
    const struct rl_comparison *comparison = asking->comparison;
    double unknown = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        const bool unchecked = rl_side_result(&comparison->base, pair->base) != RL_RESULT_NOT_CHECKED &&
                               rl_side_result(&comparison->new, pair->new) == RL_RESULT_NOT_CHECKED;
        if (!unchecked && !pair->work_lacks)
            continue;
        unknown += asking->weights[0][pair->base];
        add_pair(asking, i, unchecked ? "its result is not checked any more" : "its work was counted in one capture only");
    }
    asking->answer->found = comparison->pair_count ? unknown / asking->all[0] : 0;
}

/* Share of the time of a side's cases that the other side has, too. */
static double matched_cases(const struct asking *asking, bool of_new)
{
    const struct rl_case_comparison *cases = asking->comparison->cases;
    const struct rl_case **alone = of_new ? cases->added : cases->removed;
    const size_t count = of_new ? cases->added_count : cases->removed_count;
    const double matched = RL_SUM(double, i, cases->pair_count, case_weight(of_new ? cases->pairs[i].new : cases->pairs[i].base));
    const double left = RL_SUM(double, i, count, case_weight(alone[i]));
    return matched > 0 ? matched / (matched + left) : 0;
}

/* Share of a side's time in kernels that have a partner, of captures without kernels in cases; of a side without either nothing is
 * known. */
static double matched_share(const struct asking *asking, bool of_new)
{
    const struct rl_comparison *comparison = asking->comparison;
    const size_t *without = of_new ? comparison->added : comparison->removed;
    const size_t count = of_new ? comparison->added_count : comparison->removed_count;
    assert(asking->all[of_new] >= 0);
    if (comparison->cases && !comparison->base.count && !comparison->new.count)
        return matched_cases(asking, of_new);
    const double left = RL_SUM(double, i, count, asking->weights[of_new][without[i]]);
    return comparison->pair_count ? fmax(0, 1 - left / asking->all[of_new]) : 0;
}

static void ask_matched(struct asking *asking)
{
    const double shares[] = {matched_share(asking, false), matched_share(asking, true)};
    asking->answer->found = fmin(shares[0], shares[1]);
    for (size_t i = 0; i < RL_COUNT(shares); i++)
        if (shares[i] < asking->answer->bound)
            add_breach(asking, RL_NONE, side_labels[i],
                       asking->all[i] > 0 || asking->comparison->cases
                           ? percent_text(asking, "", shares[i], " of its time has a partner in the other capture")
                           : "it has no kernels");
}

/* ---- all ---- */

static void (*const ask[RL_GATE_COUNT])(struct asking *asking) = {
#define GATE(id, ...) ask_##id,
#include "analysis/gate.def"
};

static void answer_one(struct asking *asking, enum rl_gate_condition condition, size_t most)
{
    assert(asking->gate->count < RL_GATE_COUNT);
    struct rl_gate_answer *answer = &asking->gate->answers[asking->gate->count++];
    const struct rl_gate_info *info = &rl_gate_conditions[condition];
    *answer = (struct rl_gate_answer){.condition = condition, .bound = asking->gate->rules.bound[condition], .found = -1};
    answer->breaches = rl_arena_alloc(&asking->gate->arena, most * sizeof *answer->breaches);
    asking->answer = answer;
    answer->words = info->behind ? percent_text(asking, info->words, answer->bound, info->behind) : info->words;
    ask[condition](asking);
    assert(answer->count <= most);
    const bool is_share = answer->found >= 0;
    const bool broken = !is_share                      ? answer->count > 0
                        : info->bound == RL_GATE_LEAST ? answer->found < answer->bound
                                                       : answer->found > answer->bound;
    answer->found = is_share ? answer->found : (double)answer->count;
    answer->state = broken ? info->broken : RL_GATE_HOLDS;
    if (answer->state > asking->gate->state)
        asking->gate->state = answer->state;
}

struct rl_gate *rl_gate_new(const struct rl_comparison *comparison, const struct rl_gate_rules *rules)
{
    struct rl_gate *gate = rl_calloc(1, sizeof *gate);
    struct asking asking = {.gate = gate, .comparison = comparison};
    const struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    const size_t sessions = comparison->base.session_count + comparison->new.session_count;
    const struct rl_case_comparison *cases = comparison->cases;
    const size_t most = comparison->base.count + comparison->new.count + sessions + (cases ? cases->base->count : 0);
    gate->rules = *rules;
    for (size_t i = 0; i < RL_COUNT(sides); i++) {
        asking.weights[i] = rl_calloc(sides[i]->count, sizeof *asking.weights[i]);
        asking.all[i] = rl_compare_side_weigh(sides[i], asking.weights[i]);
    }
    for (size_t i = 0; i < RL_GATE_COUNT; i++)
        if (!rules->off[i])
            answer_one(&asking, (enum rl_gate_condition)i, most);
    for (size_t i = 0; i < RL_COUNT(sides); i++)
        free(asking.weights[i]);
    return gate;
}

void rl_gate_free(struct rl_gate *gate)
{
    if (!gate)
        return;
    rl_arena_release(&gate->arena);
    free(gate);
}

/* "fails: regression (2), missing (8)"; nothing when no condition is in the state. */
static void add_state(const struct rl_gate *gate, enum rl_gate_state state, struct rl_buf *out)
{
    size_t said = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct rl_gate_answer *answer = &gate->answers[i];
        if (answer->state != state)
            continue;
        if (said == 0)
            rl_buf_addf(out, "%s%s: ", out->len ? "; " : "", rl_gate_state_name(state));
        rl_buf_addf(out, "%s%s (%zu)", said++ ? ", " : "", rl_gate_conditions[answer->condition].id, answer->count);
    }
}

void rl_gate_text(const struct rl_gate *gate, struct rl_buf *out)
{
    RL_SCRATCH text = RL_BUF_INIT;
    if (gate->state == RL_GATE_HOLDS)
        rl_buf_addf(&text, "holds: %zu condition%s asked", gate->count, gate->count == 1 ? "" : "s");
    add_state(gate, RL_GATE_FAILS, &text);
    add_state(gate, RL_GATE_CANNOT_DECIDE, &text);
    for (size_t i = 0, said = 0; i < RL_GATE_COUNT; i++)
        if (gate->rules.off[i])
            rl_buf_addf(&text, "%s%s", said++ ? ", " : "; not asked: ", rl_gate_conditions[i].id);
    rl_buf_add(out, text.data, text.len);
}

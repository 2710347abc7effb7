/* model.c - the work model of a variant: its value for a size, and the words for `list`. */
#include <ctype.h>

#include "core/core.h"
#include "core/formula.h"
#include "kernels/built.h"
#include "kernels/suite.h"

struct names {
    const struct rl_suite_variant *variant;
    uint64_t size;
};

static uint64_t visited(uint64_t size, int stride)
{
    return stride > 0 ? size / (uint64_t)stride + (size % (uint64_t)stride != 0) : size;
}

static struct rl_value lookup(void *context, const char *name)
{
    const struct names *names = context;
    if (strcmp(name, "n") == 0)
        return rl_value_of((double)names->size);
    if (strcmp(name, "m") == 0)
        return rl_value_of((double)visited(names->size, names->variant->parameter[0]));
    if (strcmp(name, "p") == 0)
        return rl_value_of(names->variant->parameter[0]);
    if (strcmp(name, "q") == 0)
        return rl_value_of(names->variant->parameter[1]);
    return rl_value_missing(RL_VALUE_FAILED, "unknown name in the work model");
}

struct rl_value rl_suite_model(const struct rl_suite_variant *variant, const char *formula, uint64_t size)
{
    struct names names = {variant, size};
    struct rl_formula *parsed;
    if (!formula)
        return rl_value_missing(RL_UNDEFINED, "no work model");
    if (rl_formula_parse(formula, &parsed, NULL) != RL_OK)
        return rl_value_missing(RL_VALUE_FAILED, "the work model is not a formula");
    struct rl_value value = rl_formula_eval(parsed, lookup, &names, "the work model divides by zero");
    rl_formula_free(parsed);
    return value;
}

static size_t token_length(const char *text)
{
    size_t len = 0;
    while (isalnum((unsigned char)text[len]) || text[len] == '_' || text[len] == '.')
        len++;
    return len > 0 ? len : 1;
}

/* Appends "8 n" for "8 * n" and "n^3" for "n * n * n"; other operators stay. */
static void add_formula(struct rl_buf *out, const struct rl_suite_variant *variant, const char *text)
{
    const char *factor = NULL; /* the factor before a '*', when that is a name or a number */
    size_t factor_len = 0, factor_end = 0;
    int power = 1;
    for (size_t len; *text; text += len) {
        len = token_length(text);
        if (*text == ' ')
            continue;
        if (*text == '*') {
            rl_buf_addch(out, ' ');
        } else if (!isalnum((unsigned char)*text)) {
            rl_buf_addf(out, strchr("+-/", *text) ? " %c " : "%c", *text);
            factor = NULL;
        } else if (factor && isalpha((unsigned char)*text) && len == factor_len && strncmp(factor, text, len) == 0) {
            rl_buf_truncate(out, factor_end);
            rl_buf_addf(out, "^%d", ++power);
        } else {
            /* Appends a name of a formula as a reader wants it: parameters by their values. */
            const int stride = variant->parameter[0];
            if (len == 1 && (*text == 'p' || *text == 'q'))
                rl_buf_addf(out, "%d", variant->parameter[*text == 'q']);
            else if (len == 1 && *text == 'm' && stride > 1)
                rl_buf_addf(out, "ceil(n/%d)", stride);
            else if (len == 1 && *text == 'm')
                rl_buf_addch(out, 'n');
            else
                rl_buf_add(out, text, len);
            factor = text;
            factor_len = len;
            factor_end = out->len;
            power = 1;
        }
    }
}

void rl_suite_model_text(const struct rl_suite_variant *variant, struct rl_buf *out)
{
    const struct {
        const char *formula, *unit;
    } parts[] = {{variant->flop, "FLOP"}, {variant->bytes, "B"}};
    const char *between = "";
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!parts[i].formula)
            continue;
        rl_buf_adds(out, between);
        add_formula(out, variant, parts[i].formula);
        rl_buf_addf(out, " %s", parts[i].unit);
        between = "; ";
    }
    if (*between == '\0')
        rl_buf_adds(out, "none");
}

void rl_suite_requires_text(const struct rl_suite_variant *variant, struct rl_buf *out)
{
    assert(variant->min_cc >= 0 && variant->min_toolkit >= 0);
    const size_t start = out->len;
    if (variant->min_cc > 0)
        rl_buf_addf(out, "compute capability %d.%d", variant->min_cc / 10, variant->min_cc % 10);
    if (variant->min_toolkit > 0)
        rl_buf_addf(out, "%sCUDA %d.%d", out->len > start ? ", " : "", variant->min_toolkit / 10, variant->min_toolkit % 10);
    if (variant->cooperative)
        rl_buf_addf(out, "%scooperative launch", out->len > start ? ", " : "");
}

void rl_suite_not_built_text(const struct rl_suite_variant *variant, struct rl_buf *out)
{
    const struct rl_built built = rl_built();
    struct rl_err why = {0};
    if (rl_built_check(&built, (struct rl_built_need){variant->min_cc, variant->min_toolkit}, &why) != RL_OK)
        rl_buf_adds(out, why.text);
}

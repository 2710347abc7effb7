#include "kernels/suite.h"

#include "core/core.h"

/* With the CUDA toolkit every row refers to the operations that its .cu file exports. */
#ifdef RL_WITH_DEVICE
#define EXPERIMENT(id, ...) extern const struct rl_suite_ops rl_suite_##id;
#include "suite.def"
#undef EXPERIMENT
#define OPS(id) &rl_suite_##id
#else
#define OPS(id) NULL
#endif

/* A list that ends with an empty element, whose first member is NULL. */
#define LIST(type, ...)                                                                                                            \
    (const type[])                                                                                                                 \
    {                                                                                                                              \
        __VA_ARGS__,                                                                                                               \
        {                                                                                                                          \
            NULL                                                                                                                   \
        }                                                                                                                          \
    }
#define VARIANTS(...) LIST(struct rl_suite_variant, __VA_ARGS__)
#define CLAIMS(...)   LIST(struct rl_suite_claim, __VA_ARGS__)
#define SETTINGS(...) LIST(struct rl_setting, __VA_ARGS__)
#define PAIRS(...)    LIST(struct rl_suite_pair, __VA_ARGS__)
#define IDS(...)                                                                                                                   \
    (const char *const[])                                                                                                          \
    {                                                                                                                              \
        __VA_ARGS__, NULL                                                                                                          \
    }
#define NUMBER              RL_NUMBER_SETTING
#define TEXT                RL_TEXT_SETTING
#define EXPERIMENT(id, ...) {.name = #id, .ops = OPS(id), __VA_ARGS__},

const struct rl_suite_experiment rl_suite[] = {
#include "suite.def"
};
const size_t rl_suite_count = RL_COUNT(rl_suite);

const struct rl_suite_document rl_suite_documents[RL_DOCUMENT_COUNT] = {
#define DOCUMENT(id, ...) [RL_DOCUMENT_##id] = {__VA_ARGS__},
#include "kernels/documents.def"
};

const struct rl_suite_unjudged rl_suite_unjudged[] = {
#define UNJUDGED(id, ...) {RL_DOCUMENT_##id, __VA_ARGS__},
#include "kernels/unjudged.def"
#undef UNJUDGED
};
const size_t rl_suite_unjudged_count = RL_COUNT(rl_suite_unjudged);

void rl_suite_document_text(enum rl_suite_document_id document, struct rl_buf *out)
{
    assert(document < RL_DOCUMENT_COUNT);
    const struct rl_suite_document *row = &rl_suite_documents[document];
    rl_buf_adds(out, row->title);
    if (row->card)
        rl_buf_addf(out, ", measured on %s", row->card);
    else if (row->quoted)
        rl_buf_adds(out, ", which names no GPU");
}

void rl_suite_source_text(const struct rl_suite_experiment *experiment, struct rl_buf *out)
{
    bool said[RL_DOCUMENT_COUNT] = {false};
    const size_t start = out->len;
    for (const struct rl_suite_claim *claim = experiment->claims; claim->id; claim++) {
        if (!said[claim->document]) {
            rl_buf_adds(out, out->len > start ? "; " : "");
            rl_suite_document_text(claim->document, out);
        }
        said[claim->document] = true;
    }
}

const struct rl_suite_experiment *rl_suite_find(const char *name)
{
    return RL_FIND(i, rl_suite, rl_suite_count, strcmp(rl_suite[i].name, name) == 0);
}

const struct rl_suite_variant *rl_suite_find_variant(const struct rl_suite_experiment *experiment, const char *name)
{
    for (const struct rl_suite_variant *variant = experiment->variants; variant->name; variant++)
        if (strcmp(variant->name, name) == 0)
            return variant;
    return NULL;
}

const char *const rl_measure_names[] = {[RL_BY_KERNEL] = "kernel", [RL_BY_SPAN] = "span", [RL_BY_WALL] = "wall"};

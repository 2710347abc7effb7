/* published.h - figures that others have published, as a capture (private to import/). docs/published-figures.md has the format. */
#ifndef RL_IMPORT_PUBLISHED_H
#define RL_IMPORT_PUBLISHED_H

#include "analysis/analysis.h"
#include "lines.h"
#include "model.h"

enum rl_quantity {
#define QUANTITY(id, dimension) RL_QUANTITY_##id,
#include "published.def"
#undef QUANTITY
    RL_QUANTITY_COUNT,
    RL_QUANTITY_METRIC = RL_QUANTITY_COUNT /* of metrics.def */
};

/* One row of the table. Texts are numbers in the model's pool of names. */
struct rl_published_row {
    uint32_t card, experiment, variant, source;
    uint32_t unit; /* as printed: the problem size's is shown */
    enum rl_quantity quantity;
    enum rl_metric metric; /* RL_QUANTITY_METRIC */
    double value;          /* base unit */
};

/* roofs.c: whether JSON that begins like this has roofs of ERT (roofline-benchmark). */
bool rl_ert_begins(struct rl_text start);
/* roofs.c: reads it. RL_FORMAT: it is damaged, or there is nothing in it; RL_IO. */
enum rl_status rl_ert_read(struct rl_model *model, struct rl_lines *lines, const char *label, struct rl_err *err);
/* Makes the capture of the rows of `model`, of which there are some. */
void rl_published_build(struct rl_model *model, struct rl_capture *capture);

#endif

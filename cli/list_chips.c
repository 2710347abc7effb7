#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "analysis/plan.h"
#include "core/json.h"
#include "core/table.h"
#include "list.h"
#include "parts.h"

enum { MOST_CHIPS = 256 };

/* What the CUPTI library of this machine knows. */
struct served {
    const char *names[MOST_CHIPS];
    size_t count;
    char reason[160]; /* why nothing is known; "" when CUPTI was asked */
    char version[64]; /* "CUPTI 13.0" */
};

static void ask_cupti(struct served *served)
{
    const char *path;
    struct rl_err err = RL_ERR_INIT;
    *served = (struct served){.count = 0};
    if (!cli_collector)
        snprintf(served->reason, sizeof served->reason, "this build has no collector");
    else if (cli_collector->cupti_open(&path, &err) != RL_OK)
        snprintf(served->reason, sizeof served->reason, "CUPTI is not on this machine");
    if (*served->reason)
        return;
    snprintf(served->version, sizeof served->version, "CUPTI %s", cli_collector->cupti_version());
    served->count = cli_collector->cupti_chips(served->names, MOST_CHIPS);
    assert(served->count <= MOST_CHIPS);
}

static bool knows(const struct served *served, const char *chip)
{
    for (size_t i = 0; i < served->count; i++) {
        if (strcmp(served->names[i], chip) == 0)
            return true;
    }
    return false;
}

/* NULL when the chip is served, otherwise why not. */
static const char *why_not(const struct served *served, const char *chip)
{
    if (*served->reason)
        return served->reason;
    return knows(served, chip) ? NULL : "not by the CUPTI on this machine";
}

static void write_chips(const struct served *served, struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_array(&json, NULL);
    for (size_t i = 0; i < rl_chip_count; i++) {
        const char *reason = why_not(served, rl_chips[i].name);
        char cc[32];
        snprintf(cc, sizeof cc, "%d.%d", rl_chips[i].cc / 10, rl_chips[i].cc % 10);
        rl_json_object(&json, NULL);
        rl_json_string(&json, "chip", rl_chips[i].name);
        rl_json_string(&json, "architecture", rl_chips[i].architecture);
        rl_json_string(&json, "compute_capability", cc);
        rl_json_string(&json, "served_by", reason ? NULL : served->version);
        rl_json_string(&json, "reason", reason);
        rl_json_end(&json);
    }
    rl_json_end(&json);
    assert(rl_json_done(&json));
}

static void print_chips(const struct served *served, struct cli_doc *doc)
{
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "chip", RL_LEFT);
    rl_table_column(&table, "architecture", RL_LEFT);
    rl_table_column(&table, "compute capability", RL_RIGHT);
    rl_table_column(&table, "counters known to", RL_LEFT);
    for (size_t i = 0; i < rl_chip_count; i++) {
        const char *reason = why_not(served, rl_chips[i].name);
        rl_table_row(&table);
        rl_table_cell(&table, rl_chips[i].name);
        rl_table_cell(&table, rl_chips[i].architecture);
        rl_table_cellf(&table, "%d.%d", rl_chips[i].cc / 10, rl_chips[i].cc % 10);
        rl_table_cell(&table, reason ? "–" : served->version);
    }
    cli_doc_table(doc, &table);
    if (*served->reason)
        cli_doc_note(doc, served->reason);
    rl_table_release(&table);
}

enum rl_status list_chips(const struct list_request *request, struct rl_err *err)
{
    (void)err;
    struct cli_doc doc = request->doc;
    struct served served;
    ask_cupti(&served);
    if (request->json)
        write_chips(&served, doc.out);
    else
        print_chips(&served, &doc);
    return RL_OK;
}

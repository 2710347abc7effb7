/* compare_open.c - reads the captures of a comparison and compares them. */
#include "compare.h"

#include "parts.h"

enum { MOST_MAP_BYTES = 1 << 24 };

enum rl_status compare_percent(const char *option, const char *text, double least, double most, double *fraction,
                               struct rl_err *err)
{
    assert(least < most);
    double percent;
    if (!cli_parse_percent(text, &percent) || percent < least || percent > most)
        return rl_err_set(err, RL_USAGE, "--%s takes a percentage from %g to %g, not '%s'", option, least, most, text);
    *fraction = percent / 100;
    return RL_OK;
}

/* Everything that options say, before the first capture is read. */
static enum rl_status prepare(const struct compare_options *chosen, struct compare *compare, struct rl_err *err)
{
    enum rl_status status = compare_gate_rules(&chosen->gate, compare, err);
    if (status == RL_OK && chosen->smallest_effect)
        status = compare_percent("smallest-effect", chosen->smallest_effect, 0.01, 50, &compare->smallest_effect, err);
    if (status == RL_OK && chosen->margin)
        status = compare_percent("margin", chosen->margin, 0.01, 50, &compare->margin, err);
    if (status == RL_OK && chosen->output && !cli_reports)
        status = rl_err_set(err, RL_UNSUPPORTED, "%s", cli_no_reports);
    if (status == RL_OK && chosen->map) {
        const char *path = chosen->map;
        RL_SCRATCH text = RL_BUF_INIT;
        status = rl_read_input(path, MOST_MAP_BYTES, &text, err);
        RL_THEN(status, rl_match_map_parse(text.data, text.len, rl_input_name(path), &compare->map, err));
    }
    RL_THEN(status, compare_document_prepare(&chosen->document, compare, err));
    return status;
}

/* 1 for the first GPU of all captures, the same number for the same GPU; 0: its UUID is unknown. */
static size_t number_of(struct compare *compare, const char *uuid)
{
    size_t i = 0;
    if (!uuid)
        return 0;
    while (i < compare->uuid_count && strcmp(compare->uuids[i], uuid) != 0)
        i++;
    if (i == compare->uuid_count) {
        RL_GROW(compare->uuids, i + 1, compare->uuid_cap);
        compare->uuids[compare->uuid_count++] = rl_strdup(uuid);
    }
    return i + 1;
}

/* From here on the part is a redacted copy without the name of its file. Whether two captures are of one GPU still shows. */
static enum rl_status redact_part(struct compare *compare, struct compare_part *part, size_t place, const char *key,
                                  struct rl_err *err)
{
    if (place == 0)
        cli_redaction_init(&compare->redaction, key, &part->bytes);
    RL_FREED size_t *numbers = rl_calloc(part->capture->gpu_count, sizeof *numbers);
    for (size_t i = 0; i < part->capture->gpu_count; i++)
        numbers[i] = number_of(compare, part->capture->gpus[i].uuid);
    if (place >= compare->count)
        snprintf(part->alias, sizeof part->alias, "session-%zu.rlcap", place + 1);
    else if (place > 1)
        snprintf(part->alias, sizeof part->alias, "new-%zu.rlcap", place);
    else
        snprintf(part->alias, sizeof part->alias, "%s.rlcap", place ? "new" : "base");
    part->path = part->alias;
    return cli_redact_capture(&part->bytes, &part->capture, &compare->redaction, numbers, err);
}

static enum rl_status read_part(const struct cli_call *call, struct compare *compare, size_t place, struct rl_err *err)
{
    struct compare_part *part = &compare->parts[place];
    const struct compare_options *chosen = call->options;
    rl_buf_init(&part->bytes);
    enum rl_status status = cli_read_capture(part->path, &part->bytes, &part->capture, err);
    part->path = rl_input_name(part->path);
    if (status != RL_OK)
        return status;
    if (!part->capture->session.complete)
        cli_say(call, "'%s' is incomplete; its finished part is compared", part->path);
    if (chosen->redact && (status = redact_part(compare, part, place, chosen->pseudonyms, err)) != RL_OK)
        return status;
    part->analysis = rl_analysis_new(part->capture);
    return RL_OK;
}

/* The last `depth` parts of a path. */
static const char *end_of(const char *path, size_t depth)
{
    const char *at = path + strlen(path);
    for (; at > path; at--)
        if (at[-1] == '/' && --depth == 0)
            break;
    return at;
}

/* "before/app.rlcap" and "after/app.rlcap": as much of the paths as tells them apart. */
static void name_parts(struct compare *compare)
{
    enum { MOST_DEPTH = 8 };
    for (size_t depth = 1; depth <= MOST_DEPTH; depth++) {
        for (size_t i = 0; i < compare->read; i++)
            compare->parts[i].name = end_of(compare->parts[i].path, depth);
        RL_AT_END(rl_intern_release) struct rl_intern seen = {0};
        bool differ = true;
        for (size_t i = 0; i < compare->read && differ; i++)
            (void)rl_intern(&seen, 0, compare->parts[i].name, &differ);
        if (differ)
            return;
    }
}

static enum rl_status compare_part(const struct compare *compare, struct compare_part *part, struct rl_err *err)
{
    assert(compare->read > 0);
    RL_FREED struct rl_compare_session *more = rl_calloc(compare->read - compare->count, sizeof *more);
    for (size_t i = compare->count; i < compare->read; i++)
        more[i - compare->count] = (struct rl_compare_session){compare->parts[i].analysis, compare->parts[i].name};
    const struct rl_compare_options wanted = {.smallest_effect = compare->smallest_effect,
                                              .margin = compare->margin,
                                              .more = {more, more + compare->more[0]},
                                              .more_count = {compare->more[0], compare->more[1]},
                                              .look = compare->look,
                                              .map = &compare->map,
                                              .base_name = compare->parts[0].name,
                                              .new_name = part->name};
    return rl_comparison_new(compare->parts[0].analysis, part->analysis, &wanted, &part->against_base, err);
}

void compare_close(struct compare *compare)
{
    compare_cards_release(compare);
    compare_document_release(compare);
    rl_match_map_release(&compare->map);
    for (size_t i = 0; i < compare->read; i++) {
        rl_gate_free(compare->parts[i].gate);
        rl_comparison_free(compare->parts[i].against_base);
        rl_analysis_free(compare->parts[i].analysis);
        rl_capture_free(compare->parts[i].capture);
        rl_buf_release(&compare->parts[i].bytes);
    }
    for (size_t i = 0; i < compare->uuid_count; i++)
        free(compare->uuids[i]);
    RL_FREE(compare->uuids, compare->parts);
}

enum rl_status compare_check_options(const struct cli_call *call, struct rl_err *err)
{
    struct compare compare = {0};
    const enum rl_status status = prepare(call->options, &compare, err);
    compare_close(&compare);
    return status;
}

enum rl_status compare_open(const struct cli_call *call, const struct compare_sides *sides, struct compare *compare,
                            struct rl_err *err)
{
    const struct compare_options *options = call->options;
    *compare = (struct compare){.parts = rl_calloc(sides->count, sizeof *compare->parts),
                                .verbose = call->verbose,
                                .whole = call->verbose || options->document.full,
                                .look = sides->look};
    enum rl_status status = prepare(call->options, compare, err);
    /* In the order of struct compare; of sessions those of the base come first, then those of the new side. */
    const size_t all = sides->count, behind = sides->behind, bases = all - behind;
    compare->count = behind ? 2 : all;
    if (behind) {
        compare->more[0] = bases - 1;
        compare->more[1] = behind - 1;
    }
    for (size_t i = 0; i < all; i++) {
        const bool first = i == 0 || (behind && i == bases), of_new = behind && i >= bases;
        const size_t place = !behind ? i : first ? of_new : of_new ? i : i + 1;
        compare->parts[place].path = sides->paths[i];
    }
    for (size_t i = 0; i < sides->count && status == RL_OK; i++, compare->read++)
        status = read_part(call, compare, i, err);
    name_parts(compare);
    for (size_t i = 1; i < compare->count && status == RL_OK; i++)
        status = compare_part(compare, &compare->parts[i], err);
    return status;
}

/* describe.c - what the capture says before anything ran: command, experiments with their claims, variants with their models. */
#include "session.h"

void rl_describe_command(struct rl_collecting *s)
{
    const struct rl_collect_options *options = s->options;
    struct rl_session *session = &s->capture->session;
    session->source = rl_capture_text(s->capture, "collect");
    session->tool_version = rl_capture_text(s->capture, options->tool_version);
    rl_capture_set_command(s->capture, options->command, options->command_count, options->keep_command);
}

static const char *const relations[] = {
    [RL_ABOUT] = "about", [RL_AT_LEAST] = "at_least", [RL_AT_MOST] = "at_most", [RL_BETWEEN] = "between"};

static void add_claim(struct rl_collecting *s, size_t experiment, const struct rl_suite_claim *row)
{
    struct rl_claim *claim = rl_capture_add_claim(s->capture, experiment);
    claim->id = rl_capture_text(s->capture, row->id);
    claim->text = rl_capture_text(s->capture, row->text);
    claim->quantity = rl_capture_text(s->capture, row->quantity);
    claim->subject = rl_capture_text(s->capture, row->subject);
    claim->baseline = rl_capture_text(s->capture, row->baseline);
    claim->relation = rl_capture_text(s->capture, relations[row->relation]);
    claim->value = row->value;
    claim->tolerance = row->tolerance;
    claim->card = rl_capture_text(s->capture, row->card);
    claim->card_specific = row->card_specific;
    struct rl_capture *capture = s->capture;
    RL_SCRATCH document = RL_BUF_INIT;
    rl_suite_document_text(row->document, &document);
    claim->source = claim->from.document = rl_capture_text(capture, document.data);
    claim->from.heading = rl_capture_text(capture, row->heading);
    claim->from.quote = rl_capture_text(capture, row->quote);
    claim->from.reading = rl_capture_text(capture, row->reading);
    if (row->relation == RL_BETWEEN)
        claim->from.most = rl_value_of(row->most);
}

static char **copied_texts(struct rl_capture *capture, const char *const *texts, size_t *count)
{
    for (*count = 0; texts && texts[*count];)
        ++*count;
    char **copy = rl_arena_alloc(&capture->arena, *count * sizeof *copy);
    for (size_t i = 0; i < *count; i++)
        copy[i] = rl_capture_text(capture, texts[i]);
    return copy;
}

/* Index of the experiment in the capture; added with its claims at its first variant. */
static size_t experiment_index(struct rl_collecting *s, const struct rl_suite_experiment *row)
{
    for (size_t i = 0; i < s->capture->experiment_count; i++)
        if (strcmp(s->capture->experiments[i].name, row->name) == 0)
            return i;
    struct rl_experiment *experiment = rl_capture_add_experiment(s->capture);
    experiment->name = rl_capture_text(s->capture, row->name);
    experiment->topic = rl_capture_text(s->capture, row->topic);
    experiment->question = rl_capture_text(s->capture, row->question);
    experiment->explanation = rl_capture_text(s->capture, row->explanation);
    RL_SCRATCH source = RL_BUF_INIT;
    rl_suite_source_text(row, &source);
    experiment->source = rl_capture_text(s->capture, source.data);
    /* How it is to be drawn and what is to be shown of it. */
    experiment->form = (struct rl_experiment_form){.form = row->form,
                                                   .axis = rl_capture_text(s->capture, row->axis.key),
                                                   .axis_title = rl_capture_text(s->capture, row->axis.title),
                                                   .axis_unit = row->axis.unit,
                                                   .series = rl_capture_text(s->capture, row->series),
                                                   .way = rl_capture_text(s->capture, row->way)};
    experiment->columns = copied_texts(s->capture, row->columns, &experiment->column_count);
    experiment->references = copied_texts(s->capture, row->references, &experiment->reference_count);
    const struct rl_suite_pair *pairs = row->pairs;
    size_t count = 0;
    while (pairs && pairs[count].broken)
        count++;
    experiment->pairs = rl_arena_alloc(&s->capture->arena, count * sizeof *experiment->pairs);
    experiment->pair_count = count;
    for (size_t i = 0; i < count; i++)
        experiment->pairs[i] =
            (struct rl_variant_pair){rl_capture_text(s->capture, pairs[i].broken), rl_capture_text(s->capture, pairs[i].mended)};
    size_t index = s->capture->experiment_count - 1;
    for (const struct rl_suite_claim *claim = row->claims; claim->id; claim++)
        add_claim(s, index, claim);
    return index;
}

size_t rl_describe_variant(struct rl_collecting *s, const struct rl_suite_item *item)
{
    assert(item->experiment && item->variant && s->gpu < s->capture->gpu_count);
    size_t experiment = experiment_index(s, item->experiment);
    struct rl_variant *variant = rl_capture_add_variant(s->capture);
    const uint64_t size = s->options->size    ? s->options->size
                          : s->options->quick ? item->experiment->quick_size
                                              : item->experiment->default_size;
    variant->experiment = experiment;
    variant->gpu = s->gpu;
    variant->name = rl_capture_text(s->capture, item->variant->name);
    variant->description = rl_capture_text(s->capture, item->variant->description);
    variant->size = size;
    variant->size_unit = rl_capture_text(s->capture, item->experiment->size_unit);
    variant->model_flop = rl_suite_model(item->variant, item->variant->flop, size);
    variant->model_bytes = rl_suite_model(item->variant, item->variant->bytes, size);
    variant->useful_bytes = rl_suite_model(item->variant, item->variant->useful_bytes, size);
    variant->operations = rl_suite_model(item->variant, item->variant->operations, size);
    variant->measure = rl_capture_text(s->capture, rl_measure_names[item->variant->measure]);
    /* The texts of settings are those of the suite, which stay. */
    const struct rl_setting *settings = item->variant->settings;
    size_t count = 0;
    while (settings && settings[count].key)
        count++;
    variant->settings = rl_arena_alloc(&s->capture->arena, count * sizeof *settings);
    variant->setting_count = count;
    if (count > 0)
        memcpy(variant->settings, settings, count * sizeof *settings);
    return s->capture->variant_count - 1;
}

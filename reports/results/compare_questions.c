/* compare_questions.c - what people ask of the same kernels on several GPUs: a table for each question. */
#include "compare_parts.h"

/* ---- questions ---- */

/* A table of kernels and GPUs. A row is left out when no GPU has any of its figures. */
struct question {
    size_t least, most; /* for so many GPUs, the base included */
    const char *text, *columns;
    const char *note;                       /* below the table; NULL: none */
    int figures[2];                         /* what it is about: on any GPU, and on any but the base; NONE: nothing */
    bool charted;                           /* not where a chart has them */
    bool imported;                          /* only of profiles and figures of others, which may have no times in common */
    enum { ALWAYS, FOLDED, UNFOLDED } rows; /* whether there is a row for each kernel, or for many of each experiment one */
};
enum { NONE = -1 };
#define WASTED "!: the whole interval is under 80 % of it, so the GPU is wasted on the kernel as it is"
#define PREDICTION                                                                                                                 \
    "predicted: the time at the baseline's roof over the time at this GPU's roof, both with the launch's own work; reached: "     \
    "the speedup over the predicted one, over 100 % where the GPU comes closer to its roof than the baseline does; " WASTED
/* Two GPUs have both figures of a question side by side; more have a table for each, or no terminal would be wide enough. */
/* clang-format off */
static const struct question questions[] = {
    {1, 2, "How fast is each GPU?", "name,cards.time_s,others.speedup_text", NULL, {VIEW_CARD_TIME, VIEW_CARD_SPEEDUP},
     .rows = UNFOLDED},
    {1, 2, "How fast is each GPU? The kernel of each experiment with the largest shortfall from the prediction",
     "name,cards.time_s,others.speedup_text,others.predicted_text", PREDICTION, {VIEW_CARD_TIME, VIEW_CARD_SPEEDUP},
     .rows = FOLDED},
    {3, SIZE_MAX, "How fast is each GPU?", "name,cards.time_s", NULL, {VIEW_CARD_TIME, NONE}},
    {3, SIZE_MAX, "Speedup over the baseline", "name,others.speedup_only", NULL, {NONE, VIEW_CARD_SPEEDUP},
     .charted = true},
    {1, SIZE_MAX, "How fast is DRAM on each GPU, and at which intensity?", "name,cards.rate_only", NULL, {VIEW_CARD_RATE, NONE},
     .imported = true},
    {1, SIZE_MAX, "What does a launch do on each GPU?", "name,cards.work_only", NULL, {VIEW_CARD_WORK, NONE}, .imported = true},
    {1, SIZE_MAX, "How much of its roof does each GPU reach, and which roof is it?", "name,cards.share_only", NULL,
     {VIEW_CARD_ROOF_SHARE, NONE}, .rows = UNFOLDED},
    {1, 2, "What speedup do the roofs predict, and how much of it is reached?", "name,others.reached_of_predicted", PREDICTION,
     {NONE, VIEW_CARD_PREDICTED}, .rows = UNFOLDED},
    {3, SIZE_MAX, "What speedup do the roofs predict, and how much of it is reached?", "name,others.reached_of_predicted",
     PREDICTION, {NONE, VIEW_CARD_PREDICTED}},
};
/* clang-format on */

struct asked {
    const struct question *question;
    struct view_rows kernels;
    size_t without, shown, folded; /* kernels without figures; rows; kernels for which another one stands */
    bool any;                      /* a GPU other than the base has such figures */
};

/* Whether a GPU has a figure of a kernel. */
static bool has(const struct view_on_card *card, int figure)
{
    const struct rl_cell *cell = &card->columns->columns[card->column].cells[card->item];
    if (figure == NONE)
        return false;
    if (figure < VIEW_CARD_SPEEDUP)
        return rl_present(view_card_value(card, (enum view_card_figure)figure));
    return rl_cell_has_speedup(cell);
}

/* Whose figures a row has. */
enum { NOBODYS = 0, THE_BASES = 1, ANOTHERS = 2 };

static unsigned whose(const struct question *question, const struct view_card_kernel *kernel)
{
    unsigned found = NOBODYS;
    for (size_t i = 0; i < kernel->count; i++)
        if (has(&kernel->cards[i], question->figures[0]) || (i > 0 && has(&kernel->cards[i], question->figures[1])))
            found |= i > 0 ? ANOTHERS : THE_BASES;
    return found;
}

/* Whether a GPU's figures are those of others. */
static bool is_imported(const struct view_compare *compare)
{
    const struct rl_columns *columns = compare->options.columns;
    bool any = false;
    for (size_t c = 0; columns && c < columns->count; c++)
        any |= columns->columns[c].kind != RL_COLUMN_MEASURED;
    return any;
}

/* ---- many kernels: a row for each experiment ---- */

enum { MOST_UNFOLDED = 40 };

static bool is_folded(const struct view_compare *compare)
{
    return compare->options.folded && compare->kernel_count > MOST_UNFOLDED;
}

/* The largest prediction over what was reached, over all GPUs; 0: nothing is predicted. */
static double shortfall(const struct view_card_kernel *kernel)
{
    double largest = 0;
    for (size_t i = 1; i < kernel->count; i++) {
        const struct rl_cell *cell = &kernel->cards[i].columns->columns[kernel->cards[i].column].cells[kernel->cards[i].item];
        if (rl_cell_has_speedup(cell) && rl_present(cell->predicted))
            largest = fmax(largest, cell->predicted.v / cell->speedup.estimate);
    }
    return largest;
}

static size_t experiment_of(const struct view_card_kernel *kernel)
{
    return kernel->item->variant == RL_NONE ? RL_NONE : kernel->capture->variants[kernel->item->variant].experiment;
}

/* Whether a kernel stands for its experiment: none of it falls shorter of the prediction, and of equal ones it is the first. Of a
 * program the first kernels do. */
static bool stands(const struct view_compare *compare, size_t index)
{
    const struct view_card_kernel *kernel = &compare->kernels[index];
    const size_t experiment = experiment_of(kernel);
    const double own = shortfall(kernel);
    if (experiment == RL_NONE)
        return index < MOST_UNFOLDED;
    for (size_t i = 0; i < compare->kernel_count; i++) {
        const double other = experiment_of(&compare->kernels[i]) == experiment ? shortfall(&compare->kernels[i]) : -1;
        if (other > own || (other >= own && i < index))
            return false;
    }
    return true;
}

static struct asked ask(const struct view *view, const struct view_compare *compare, const struct question *question)
{
    struct asked asked = {.question = question, .kernels = {.first = compare->kernels, .stride = sizeof *compare->kernels}};
    size_t *at = rl_arena_alloc(view->arena, (compare->kernel_count + 1) * sizeof *at);
    for (size_t i = 0; i < compare->kernel_count; i++) {
        const struct view_card_kernel *kernel = &compare->kernels[i];
        const unsigned found = whose(question, kernel);
        asked.any |= (found & ANOTHERS) != 0 || (found && is_imported(compare)); /* a side alone says something, too */
        if (found == NOBODYS)
            asked.without++;
        else if (!is_folded(compare) || stands(compare, i))
            at[asked.kernels.count++] = i;
        else
            asked.folded++;
    }
    asked.kernels.at = at;
    asked.shown = asked.any ? asked.kernels.count : 0;
    asked.kernels.count = asked.shown;
    return asked;
}

struct view_cell view_questions_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    struct asked *asked = rl_arena_alloc(view->arena, RL_COUNT(questions) * sizeof *asked);
    size_t count = 0;
    for (size_t i = 0; i < RL_COUNT(questions) && compare->kernel_count; i++)
        if (compare->count >= questions[i].least && compare->count <= questions[i].most &&
            questions[i].rows != (is_folded(compare) ? UNFOLDED : FOLDED) && (!questions[i].imported || is_imported(compare)) &&
            !(questions[i].charted && compare->options.charted)) {
            asked[count] = ask(view, compare, &questions[i]);
            count += asked[count].any; /* a question without an answer is not asked */
        }
    return view_cell_rows(VIEW_ROWS(asked, count));
}

VIEW_CELL(question_kernels, struct asked, row->kernels);

static const char *question_columns(const struct view *view, const void *row)
{
    return ((const struct asked *)row)->question->columns;
}

VIEW_WHEN(has_note, struct asked, row->shown && row->question->note);
VIEW_WHEN(has_folded, struct asked, row->shown && row->folded);
VIEW_WHEN(has_without, struct asked, row->any && row->without);

static const struct view_field question_fields[] = {
    {.id = "text", VIEW_IN(struct asked, question, text), .help = "the question"},
    {.id = "note", VIEW_IN(struct asked, question, note), .help = "what its figures are"},
    {.id = "kernels", VIEW_GET_LIST(&view_record_card_kernel, question_kernels), .help = "kernels for which there is an answer"},
    {.id = "folded", VIEW_AT(struct asked, folded), .help = "number of kernels for which others stand"},
    {.id = "without", VIEW_AT(struct asked, without), .help = "number of kernels without such figures"},
};
static const struct view_block question_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE,
     .field = "kernels",
     .columns_of = question_columns,
     .most = 200,
     .rest = "{left kernel|kernels} not listed"},
    {.kind = VIEW_BLOCK_NOTE, .when = has_folded, .text = "{folded more kernel|more kernels}: --full prints them"},
    {.kind = VIEW_BLOCK_NOTE, .when = has_note, .text = "{note}"},
    {.kind = VIEW_BLOCK_NOTE, .when = has_without, .text = "{without kernel|kernels} without such figures"},
};
const struct view_record view_record_question = {.id = "question",
                                                 .title = "{text}",
                                                 .help = "a question about GPUs",
                                                 VIEW_FIELDS(question_fields),
                                                 VIEW_BLOCKS(question_blocks)};

/* ---- caveats ---- */

struct view_cell view_wasted_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    const struct rl_columns *columns = compare->options.columns;
    size_t count = 0, all = compare->kernel_count * (columns ? columns->count : 0);
    struct view_on_card *wasted = rl_arena_alloc(view->arena, (all + 1) * sizeof *wasted);
    for (size_t c = 1; columns && c < columns->count; c++)
        for (size_t i = 0; i < compare->kernel_count; i++)
            if (rl_cell_is_underused(&columns->columns[c], compare->kernels[i].cards->item))
                wasted[count++] = compare->kernels[i].cards[c];
    return view_cell_rows(VIEW_ROWS(wasted, count));
}

struct lack {
    const char *card, *text;
};
static const struct view_field lack_fields[] = {
    {.id = "card", VIEW_AT(struct lack, card), .columns = VIEW_CARD_COLUMNS, .help = "the GPU"},
    {.id = "text", VIEW_AT(struct lack, text), .help = "metrics that it lacks, and why"},
};
const struct view_record view_record_lack = {.id = "lack", .help = "what a GPU lacks", VIEW_FIELDS(lack_fields)};

struct view_cell view_lacking_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_columns *columns = ((const struct view_compare *)row)->options.columns;
    struct lack *lacks = rl_arena_alloc(view->arena, ((columns ? columns->count : 0) + 1) * sizeof *lacks);
    size_t count = 0;
    for (size_t i = 1; columns && i < columns->count; i++) {
        struct rl_buf text = RL_BUF_IN(view->arena);
        rl_column_lacks(columns, &columns->columns[i], &text);
        if (text.len)
            lacks[count++] = (struct lack){columns->columns[i].card, view_keep(view, &text)};
    }
    return view_cell_rows(VIEW_ROWS(lacks, count));
}

/* The notes of all captures, one after the other. */
struct view_cell view_notes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_compare *compare = row;
    size_t all = 0, count = 0;
    for (size_t i = 1; i < compare->count; i++)
        all += compare->parts[i].comparison->note_count;
    const char **notes = rl_arena_alloc(view->arena, (all + 1) * sizeof *notes);
    for (size_t i = 1; i < compare->count; i++)
        for (size_t j = 0; j < compare->parts[i].comparison->note_count; j++)
            notes[count++] = compare->parts[i].comparison->notes[j];
    return view_cell_rows(VIEW_ROWS(notes, count));
}

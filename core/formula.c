#include "core/formula.h"

#include "core/core.h"

enum {
    MAX_BYTES = 4096,
    MAX_DEPTH = 32,
    /* A level keeps at most four left operands waiting (min's first, else's, a sum's, a product's); one more is at work. */
    MAX_STACK = 4 * (MAX_DEPTH + 1) + 1,
};

enum op { OP_NUMBER, OP_NAME, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MIN, OP_MAX, OP_ELSE };

/* The formula in postfix order: an operator stands behind its two operands. */
struct node {
    enum op op;
    union {
        struct rl_value number;
        size_t name; /* index into names */
    };
};

struct rl_formula {
    struct node *nodes;
    size_t node_count, node_cap;
    char **names;
    size_t name_count, name_cap;
    size_t *numbers; /* of the names; NULL: not bound */
    bool has_else;
};

struct parser {
    const char *text;
    size_t at;  /* first byte of the token that is next, spaces skipped */
    size_t len; /* of that token, 0 at the end */
    int depth;
    struct rl_formula *formula;
    struct rl_err *err;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
    return is_letter(c) || rl_is_digit(c) || c == '_' || c == '.';
}

/* A number takes a sign only behind its "e", so that "2-1" are three tokens. */
static size_t token_length(const char *text)
{
    size_t len = 0;
    if (!is_letter(text[0]) && !rl_is_digit(text[0]))
        return text[0] != '\0';
    bool number = rl_is_digit(text[0]);
    while (is_word(text[len]) || (number && len && (text[len] == '+' || text[len] == '-') && (text[len - 1] | 32) == 'e'))
        len++;
    return len;
}

static void advance(struct parser *parser)
{
    parser->at += parser->len;
    parser->at += strspn(parser->text + parser->at, " \t\n");
    parser->len = token_length(parser->text + parser->at);
}

static bool next_is(const struct parser *parser, const char *token)
{
    return parser->len == strlen(token) && memcmp(parser->text + parser->at, token, parser->len) == 0;
}

static bool accept(struct parser *parser, const char *token)
{
    if (!next_is(parser, token))
        return false;
    advance(parser);
    return true;
}

static enum rl_status refuse(const struct parser *parser, const char *wanted)
{
    if (parser->len == 0)
        return rl_err_set(parser->err, RL_FORMAT, "formula, position %zu: %s expected, not its end", parser->at + 1, wanted);
    return rl_err_set(parser->err, RL_FORMAT, "formula, position %zu: %s expected, not '%.*s'", parser->at + 1, wanted,
                      (int)parser->len, parser->text + parser->at);
}

static enum rl_status expect(struct parser *parser, const char *token, const char *shown)
{
    return accept(parser, token) ? RL_OK : refuse(parser, shown);
}

static struct node *emit(struct rl_formula *formula, enum op op)
{
    RL_GROW(formula->nodes, formula->node_count + 1, formula->node_cap);
    struct node *node = &formula->nodes[formula->node_count++];
    *node = (struct node){.op = op};
    formula->has_else |= op == OP_ELSE;
    return node;
}

static size_t name_index(struct rl_formula *formula, const char *name, size_t len)
{
    for (size_t i = 0; i < formula->name_count; i++)
        if (strlen(formula->names[i]) == len && memcmp(formula->names[i], name, len) == 0)
            return i;
    RL_APPEND(formula->names, formula->name_count, formula->name_cap, rl_strndup(name, len));
    return formula->name_count - 1;
}

static enum rl_status parse_else(struct parser *parser);

/* Behind "min" or "max". */
static enum rl_status parse_call(struct parser *parser, enum op op)
{
    enum rl_status status = expect(parser, "(", "'('");
    if (status == RL_OK)
        status = parse_else(parser);
    if (status == RL_OK)
        status = expect(parser, ",", "','");
    if (status == RL_OK)
        status = parse_else(parser);
    if (status == RL_OK)
        status = expect(parser, ")", "')'");
    emit(parser->formula, op);
    return status;
}

static enum rl_status parse_atom(struct parser *parser)
{
    char first = parser->text[parser->at];
    if (rl_is_digit(first)) {
        double number;
        const char *token = parser->text + parser->at;
        if (token[parser->len - 1] == '.' || !rl_number_parse(token, parser->len, &number))
            return refuse(parser, "a number");
        emit(parser->formula, OP_NUMBER)->number = rl_value_of(number);
        advance(parser);
        return RL_OK;
    }
    if (accept(parser, "min"))
        return parse_call(parser, OP_MIN);
    if (accept(parser, "max"))
        return parse_call(parser, OP_MAX);
    if (accept(parser, "(")) {
        enum rl_status status = parse_else(parser);
        return status == RL_OK ? expect(parser, ")", "')'") : status;
    }
    if (is_letter(first) && !next_is(parser, "else")) {
        emit(parser->formula, OP_NAME)->name = name_index(parser->formula, parser->text + parser->at, parser->len);
        advance(parser);
        return RL_OK;
    }
    return refuse(parser, "a number, a name or '('");
}

struct level {
    enum rl_status (*operand)(struct parser *parser);
    struct {
        const char *token;
        enum op op;
    } operators[2];
};

/* operand { operator operand }, from the left. */
static enum rl_status parse_level(struct parser *parser, const struct level *level)
{
    enum rl_status status = level->operand(parser);
    while (status == RL_OK) {
        size_t i = 0;
        while (i < RL_COUNT(level->operators) && !(level->operators[i].token && accept(parser, level->operators[i].token)))
            i++;
        if (i == RL_COUNT(level->operators))
            break;
        status = level->operand(parser);
        emit(parser->formula, level->operators[i].op);
    }
    return status;
}

static enum rl_status parse_product(struct parser *parser)
{
    static const struct level level = {parse_atom, {{"*", OP_MUL}, {"/", OP_DIV}}};
    return parse_level(parser, &level);
}

static enum rl_status parse_sum(struct parser *parser)
{
    static const struct level level = {parse_product, {{"+", OP_ADD}, {"-", OP_SUB}}};
    return parse_level(parser, &level);
}

static enum rl_status parse_else(struct parser *parser)
{
    static const struct level level = {parse_sum, {{"else", OP_ELSE}}};
    if (parser->depth > MAX_DEPTH)
        return rl_err_set(parser->err, RL_FORMAT, "formula, position %zu: nested more than %d levels deep", parser->at + 1,
                          MAX_DEPTH);
    parser->depth++;
    enum rl_status status = parse_level(parser, &level);
    parser->depth--;
    return status;
}

enum rl_status rl_formula_parse(const char *text, struct rl_formula **formula, struct rl_err *err)
{
    *formula = NULL;
    if (strnlen(text, MAX_BYTES + 1) > MAX_BYTES)
        return rl_err_set(err, RL_FORMAT, "formula, position %d: longer than %d bytes", MAX_BYTES + 1, MAX_BYTES);
    struct parser parser = {.text = text, .formula = rl_calloc(1, sizeof **formula), .err = err};
    advance(&parser);
    enum rl_status status = parse_else(&parser);
    if (status == RL_OK && parser.len > 0)
        status = refuse(&parser, "an operator");
    if (status == RL_OK)
        *formula = parser.formula;
    else
        rl_formula_free(parser.formula);
    return status;
}

void rl_formula_free(struct rl_formula *formula)
{
    if (!formula)
        return;
    for (size_t i = 0; i < formula->name_count; i++)
        free(formula->names[i]);
    free(formula->names);
    free(formula->numbers);
    free(formula->nodes);
    free(formula);
}

/* ---- values ---- */

static struct rl_value apply(enum op op, const struct rl_value *a, const struct rl_value *b, const char *zero_reason)
{
    switch (op) {
    case OP_ADD:
        return rl_value_add(*a, *b);
    case OP_SUB:
        return rl_value_sub(*a, *b);
    case OP_MUL:
        return rl_value_mul(*a, *b);
    case OP_DIV:
        return rl_value_div(*a, *b, zero_reason);
    case OP_MIN:
        return !rl_present(*a) ? *a : !rl_present(*b) ? *b : a->v <= b->v ? *a : *b;
    case OP_MAX:
        return !rl_present(*a) ? *a : !rl_present(*b) ? *b : a->v >= b->v ? *a : *b;
    default:
        assert(op == OP_ELSE);
        return a->state == RL_NOT_ON_CHIP ? *b : *a;
    }
}

/* Where the values of names come from: one of the two functions. */
struct source {
    rl_formula_lookup lookup;
    rl_formula_fetch fetch;
    void *context;
};

/* Operands stay where they are; what has no place, such as a result, is in the room next to its place on the stack. */
struct stack {
    struct rl_value room[MAX_STACK];
    const struct rl_value *at[MAX_STACK];
    size_t top;
};

static const struct rl_value *operand(const struct rl_formula *formula, const struct node *node, const struct source *source,
                                      struct rl_value *room)
{
    if (node->op == OP_NUMBER)
        return &node->number;
    if (source->fetch)
        return source->fetch(source->context, formula->numbers[node->name]);
    *room = source->lookup(source->context, formula->names[node->name]);
    return room;
}

/* Without an else what is missing first, from the left, is the result: what stands behind it is not looked at. */
static struct rl_value evaluate(const struct rl_formula *formula, const struct source *source, const char *zero_reason)
{
    struct stack stack;
    stack.top = 0;
    for (size_t i = 0; i < formula->node_count; i++) {
        const struct node *node = &formula->nodes[i];
        if (node->op == OP_NUMBER || node->op == OP_NAME) {
            assert(stack.top < MAX_STACK);
            stack.at[stack.top] = operand(formula, node, source, &stack.room[stack.top]);
            stack.top++;
        } else {
            assert(stack.top >= 2);
            const size_t left = --stack.top - 1;
            stack.room[left] = apply(node->op, stack.at[left], stack.at[left + 1], zero_reason);
            stack.at[left] = &stack.room[left];
        }
        if (!formula->has_else && !rl_present(*stack.at[stack.top - 1]))
            return *stack.at[stack.top - 1];
    }
    assert(stack.top == 1);
    return *stack.at[0];
}

struct rl_value rl_formula_eval(const struct rl_formula *formula, rl_formula_lookup lookup, void *context, const char *zero_reason)
{
    const struct source source = {.lookup = lookup, .context = context};
    return evaluate(formula, &source, zero_reason);
}

size_t rl_formula_names(const struct rl_formula *formula, const char *const **names)
{
    *names = (const char *const *)formula->names;
    return formula->name_count;
}

/* ---- bound formulas ---- */

void rl_formula_bind(struct rl_formula *formula, rl_formula_number number_of, void *context)
{
    free(formula->numbers);
    formula->numbers = rl_calloc(formula->name_count, sizeof *formula->numbers);
    for (size_t i = 0; i < formula->name_count; i++)
        formula->numbers[i] = number_of(context, formula->names[i]);
}

size_t rl_formula_numbers(const struct rl_formula *formula, const size_t **numbers)
{
    assert(formula->numbers);
    *numbers = formula->numbers;
    return formula->name_count;
}

struct rl_value rl_formula_eval_bound(const struct rl_formula *formula, rl_formula_fetch fetch, void *context,
                                      const char *zero_reason)
{
    const struct source source = {.fetch = fetch, .context = context};
    assert(formula->numbers);
    return evaluate(formula, &source, zero_reason);
}

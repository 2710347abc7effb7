/* case_name.c - names with parameters: "gemm M=512,N=4096,dtype=bf16" (see cases.h). */
#include "analysis/cases.h"

#include <ctype.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_comma(char c)
{
    return c == ',' || c == ';';
}

/* A part of a text. */
struct part {
    const char *at;
    size_t len;
};

static struct part trimmed(struct part part)
{
    for (; part.len && (is_blank(*part.at) || is_comma(*part.at)); part.len--)
        part.at++;
    while (part.len && (is_blank(part.at[part.len - 1]) || is_comma(part.at[part.len - 1])))
        part.len--;
    return part;
}

/* The key before the '=' at `equals`: back to a separator. Empty: there is none. */
static struct part key_before(const char *text, size_t equals)
{
    size_t end = equals, from;
    while (end > 0 && is_blank(text[end - 1]))
        end--;
    for (from = end; from > 0 && !is_blank(text[from - 1]) && !is_comma(text[from - 1]) && text[from - 1] != '='; from--)
        ;
    for (size_t at = end; at > from; at--) { /* a bracket around all parameters is open; one that is closed is of the key */
        if (strchr(")]}", text[at - 1]))
            break;
        if (strchr("([{", text[at - 1]))
            return (struct part){text + at, end - at};
    }
    return (struct part){text + from, end - from};
}

/* How many bytes of a number it begins with. */
static size_t number_length(const char *text)
{
    size_t len = *text == '+' || *text == '-', digits = 0;
    for (; isdigit((unsigned char)text[len]); len++)
        digits++;
    if (text[len] == '.')
        for (len++; isdigit((unsigned char)text[len]); len++)
            digits++;
    if (!digits)
        return 0;
    const size_t sign = text[len] && (text[len + 1] == '+' || text[len + 1] == '-');
    if ((text[len] == 'e' || text[len] == 'E') && isdigit((unsigned char)text[len + 1 + sign]))
        for (len += 2 + sign; isdigit((unsigned char)text[len]); len++)
            ;
    return len;
}

static const struct {
    const char *name;
    double factor;
    bool of_time; /* of seconds only */
} prefixes[] = {
    {"", 1, false},    {"Ki", 1024.0, false}, {"Mi", 1048576.0, false}, {"Gi", 1073741824.0, false}, {"Ti", 1099511627776.0, false},
    {"k", 1e3, false}, {"K", 1e3, false},     {"M", 1e6, false},        {"G", 1e9, false},           {"T", 1e12, false},
    {"m", 1e-3, true}, {"u", 1e-6, true},     {"\xC2\xB5", 1e-6, true}, {"\xCE\xBC", 1e-6, true},    {"n", 1e-9, true}};
static const char *const units[] = {"", "B", "s", "Hz", "FLOP", "%"};

/* "4 MiB", "1e6", "512": with nothing but a known unit behind it, so that "8 GPUs" stays a text. */
static struct rl_value number_of(const char *text, const char **of_unit)
{
    double number = 0;
    const size_t len = number_length(text);
    const char *behind = text + len;
    while (is_blank(*behind))
        behind++;
    for (size_t p = 0; p < RL_COUNT(prefixes) && len && rl_number_parse(text, len, &number); p++)
        for (size_t u = 0; u < RL_COUNT(units); u++) {
            const size_t prefix = strlen(prefixes[p].name);
            if (strncmp(behind, prefixes[p].name, prefix) != 0 || strcmp(behind + prefix, units[u]) != 0 ||
                (prefixes[p].of_time && *units[u] != 's'))
                continue;
            *of_unit = units[u];
            return rl_value_of(number * prefixes[p].factor * (*units[u] == '%' ? 0.01 : 1));
        }
    return rl_value_missing(RL_UNDEFINED, "not a number with a known unit");
}

struct parsing {
    struct rl_arena *arena;
    struct rl_case_name *name;
};

static void add_parameter(struct parsing *parsing, struct part key, struct part value)
{
    struct rl_case_name *name = parsing->name;
    assert(name->count < RL_CASE_PARAMETERS);
    struct rl_case_parameter *added = &name->parameters[name->count];
    *added = (struct rl_case_parameter){.key = rl_arena_strndup(parsing->arena, key.at, key.len),
                                        .value = rl_arena_strndup(parsing->arena, value.at, value.len)};
    added->number = number_of(added->value, &added->unit);
    for (size_t i = 0; i < name->count && !name->twice; i++)
        if (strcmp(name->parameters[i].key, added->key) == 0)
            name->twice = added->key;
    name->count++;
}

/* How much of it comes before a comma that stands in no bracket. */
static size_t before_comma(const char *text, size_t len)
{
    size_t at = 0, depth = 0;
    for (; at < len && (depth || !is_comma(text[at])); at++) {
        depth += strchr("([{", text[at]) != NULL;
        depth -= depth && strchr(")]}", text[at]);
    }
    return at;
}

/* "4 MiB, fused": the value, then words that are parameters without one. */
static void add_with_words(struct parsing *parsing, struct part key, struct part rest)
{
    struct part value = {rest.at, before_comma(rest.at, rest.len)};
    add_parameter(parsing, key, trimmed(value));
    for (size_t at = value.len; at < rest.len;) {
        struct part word = {rest.at + at + 1, before_comma(rest.at + at + 1, rest.len - at - 1)};
        at += 1 + word.len;
        word = trimmed(word);
        if (word.len && parsing->name->count + 1 < RL_CASE_PARAMETERS)
            add_parameter(parsing, word, (struct part){"", 0});
    }
}

RL_COMPARATOR(by_key, struct rl_case_parameter, rl_ascending_text(x->key, y->key) ?: rl_ascending_text(x->value, y->value));

/* Parts are separated by a byte that no name of a range can hold. */
static const char *key_of(struct rl_arena *arena, const struct rl_case_name *name)
{
    struct rl_case_parameter sorted[RL_CASE_PARAMETERS];
    RL_SCRATCH key = RL_BUF_INIT;
    memcpy(sorted, name->parameters, name->count * sizeof *sorted);
    rl_sort(sorted, name->count, sizeof *sorted, by_key);
    rl_buf_adds(&key, name->name);
    for (size_t i = 0; i < name->count; i++)
        rl_buf_addf(&key, "\x1f%s=%s", sorted[i].key, sorted[i].value);
    return rl_arena_strdup(arena, key.data);
}

bool rl_case_name_parse(struct rl_arena *arena, const char *text, struct rl_case_name *name)
{
    struct rl_case_parameter parameters[RL_CASE_PARAMETERS];
    struct parsing parsing = {arena, name};
    struct part first = {NULL, 0}, key = {NULL, 0}, next;
    const char *value = NULL;
    *name = (struct rl_case_name){.name = "", .parameters = parameters};
    for (size_t i = 0; text[i]; i++) {
        if (text[i] != '=' || name->count + 1 >= RL_CASE_PARAMETERS || (next = key_before(text, i)).len == 0 ||
            (value && next.at <= value))
            continue;
        if (value)
            add_with_words(&parsing, key, trimmed((struct part){value, (size_t)(next.at - value)}));
        first = value ? first : next;
        key = next;
        value = text + i + 1;
    }
    if (!value)
        return false;
    struct part last = trimmed((struct part){value, strlen(value)});
    /* The closing bracket, when the parameters stand in brackets. */
    static const char opening[] = "([{", closing[] = ")]}";
    const char *kind = first.at > text ? strchr(opening, first.at[-1]) : NULL;
    if (kind && *kind && last.len && last.at[last.len - 1] == closing[kind - opening])
        last.len--;
    add_with_words(&parsing, key, last);
    struct part head = {text, (size_t)(first.at - text)};
    if (head.len && strchr("([{", head.at[head.len - 1]))
        head.len--;
    head = trimmed(head);
    name->name = rl_arena_strndup(arena, head.at, head.len);
    name->parameters = rl_arena_alloc(arena, name->count * sizeof *name->parameters);
    memcpy(name->parameters, parameters, name->count * sizeof *parameters);
    name->key = key_of(arena, name);
    return true;
}

const struct rl_case_parameter *rl_case_parameter_of(const struct rl_case *of, const char *key)
{
    return key ? RL_FIND(i, of->name.parameters, of->name.count, strcmp(of->name.parameters[i].key, key) == 0) : NULL;
}

void rl_case_others_text(const struct rl_case *of, const char *but, struct rl_buf *out)
{
    for (size_t i = 0; i < of->name.count; i++) {
        const struct rl_case_parameter *parameter = &of->name.parameters[i];
        if (but && strcmp(parameter->key, but) == 0)
            continue;
        rl_buf_addf(out, "%s%s%s%s", out->len ? ", " : "", parameter->key, *parameter->value ? "=" : "", parameter->value);
    }
}

#include "core/suggest.h"

#include <strings.h>

#include "core/core.h"

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance. Both at most LONGEST bytes. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1], len_a = strlen(a), len_b = strlen(b);
    assert(len_a <= LONGEST && len_b <= LONGEST);
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= len_b; j++)
        last[j] = j;
    for (size_t i = 1; i <= len_a; i++) {
        row[0] = i;
        for (size_t j = 1; j <= len_b; j++) {
            row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[len_b];
}

const char *rl_suggest_nearest(const char *word, const char *const *names, size_t count)
{
    assert(names || count == 0);
    size_t len = strlen(word);
    if (len == 0 || len > LONGEST)
        return NULL;
    const char *nearest = NULL;
    size_t best = (len > 3 ? len / 3 : 1) + 1;
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) > LONGEST)
            continue;
        size_t steps = len >= 3 && strncmp(word, names[i], len) == 0 ? 1 : distance(word, names[i]);
        if (steps < best) {
            best = steps;
            nearest = names[i];
        }
    }
    return nearest;
}

bool rl_suggest_is_of_family(const char *name, const char *word)
{
    const size_t length = strlen(word);
    return length > 0 && strncasecmp(name, word, length) == 0 && name[length] == '-';
}

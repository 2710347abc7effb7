/* Sorting: by hand, with NaN, with ties, and against insertion of every item by itself. */
#include "rl_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"

static void keys_of_every_type(void **state)
{
    (void)state;
    assert_int_equal(rl_ascending(1.5, 2.5), -1);
    assert_int_equal(rl_descending(1.5, 2.5), 1);
    assert_int_equal(rl_ascending((size_t)2, (size_t)2), 0);
    assert_int_equal(rl_ascending(UINT64_MAX, (uint64_t)1), 1);
    assert_int_equal(rl_ascending((int64_t)-1, (int64_t)1), -1);
    assert_int_equal(rl_descending(-1, 1), 1);
    assert_int_equal(rl_descending((bool)true, (bool)false), -1);
    assert_int_equal(rl_ascending((const char *)"a", (const char *)"b"), -1);
    assert_int_equal(rl_descending((const char *)"a", (const char *)"b"), 1);
    assert_int_equal(rl_ascending((const char *)NULL, (const char *)""), 0);
    assert_int_equal(rl_ascending((const char *)NULL, (const char *)"a"), -1);
}

static void nan_is_last_either_way(void **state)
{
    (void)state;
    double numbers[] = {2, NAN, -INFINITY, INFINITY, NAN, -1};
    rl_sort_doubles(numbers, RL_COUNT(numbers));
    assert_true(numbers[0] == -INFINITY && numbers[1] == -1 && numbers[2] == 2 && numbers[3] == INFINITY);
    assert_true(isnan(numbers[4]) && isnan(numbers[5]));
    assert_int_equal(rl_descending((double)NAN, 1.0), 1);
    assert_int_equal(rl_descending(1.0, (double)NAN), -1);
    assert_int_equal(rl_ascending((double)NAN, (double)NAN), 0);
}

static void texts_in_order(void **state)
{
    (void)state;
    const char *texts[] = {"b", "", "ab", NULL, "a"};
    rl_sort(texts, RL_COUNT(texts), sizeof *texts, rl_by_text);
    assert_string_equal(texts[0], ""); /* NULL is the same, and stays behind it */
    assert_null(texts[1]);
    assert_string_equal(texts[2], "a");
    assert_string_equal(texts[4], "b");
}

/* An odd size, so that nothing can be copied as a word. */
struct item {
    unsigned char key, place[2];
};

static int by_key(const void *a, const void *b)
{
    return rl_ascending(((const struct item *)a)->key, ((const struct item *)b)->key);
}

static size_t place_of(const struct item *item)
{
    return (size_t)item->place[0] << 8 | item->place[1];
}

/* All counts around the lengths of runs; few keys, so that there are many ties. */
static void ties_keep_their_order(void **state)
{
    (void)state;
    enum { MOST = 700 };
    struct item items[MOST];
    uint32_t random = 1;
    for (size_t count = 0; count <= MOST; count += count < 70 ? 1 : 63) {
        size_t of[8] = {0}, seen = 0;
        for (size_t i = 0; i < count; i++) {
            random = random * 1664525u + 1013904223u; /* Numerical Recipes */
            items[i] = (struct item){(unsigned char)(random >> 29), {(unsigned char)(i >> 8), (unsigned char)i}};
            of[items[i].key]++;
        }
        rl_sort(items, count, sizeof *items, by_key);
        for (size_t i = 0; i < count; i++) {
            assert_true(i == 0 || items[i - 1].key < items[i].key ||
                        (items[i - 1].key == items[i].key && place_of(&items[i - 1]) < place_of(&items[i])));
            seen += of[items[i].key]-- > 0;
        }
        assert_int_equal(seen, count);
    }
}

static int by_rank_of(const void *a, const void *b, void *context)
{
    const double *ranks = context;
    return rl_descending(ranks[*(const size_t *)a], ranks[*(const size_t *)b]);
}

static void a_comparator_gets_its_context(void **state)
{
    (void)state;
    double ranks[] = {1, 3, 2};
    size_t order[] = {0, 1, 2};
    rl_sort_with(order, RL_COUNT(order), sizeof *order, by_rank_of, ranks);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 0);
    rl_sort_with(NULL, 0, sizeof *order, by_rank_of, ranks);
}

/* Every key from below the least to above the greatest, with as many as ten equal ones, and none at all. */
static void the_first_from_a_key(void **state)
{
    (void)state;
    struct item {
        char before;
        size_t key, behind;
    } items[60];
    assert_int_equal(RL_FIRST_FROM((const struct item *)NULL, 0, key, 7), 0);
    for (size_t equal = 1; equal <= 10; equal++)
        for (size_t count = 0; count <= RL_COUNT(items); count++) {
            for (size_t i = 0; i < count; i++)
                items[i] = (struct item){.key = 3 + 2 * (i / equal)};
            for (size_t key = 0; key < 3 + 2 * RL_COUNT(items) + 2; key++) {
                size_t first = 0;
                while (first < count && items[first].key < key)
                    first++;
                assert_int_equal(RL_FIRST_FROM(items, count, key, key), first);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_every_type),
        cmocka_unit_test(nan_is_last_either_way),
        cmocka_unit_test(texts_in_order),
        cmocka_unit_test(ties_keep_their_order),
        cmocka_unit_test(a_comparator_gets_its_context),
        cmocka_unit_test(the_first_from_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Byte strings, arenas and growing arrays. */
#include "rl_test.h"

#include "core/arena.h"
#include "core/buf.h"
#include "core/mem.h"

static void empty_buffer_is_a_string(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    assert_string_equal(buf.data, "");
    rl_buf_add(&buf, NULL, 0);
    rl_buf_adds(&buf, "");
    rl_buf_addf(&buf, "%s", "");
    rl_buf_fill(&buf, 'x', 0);
    rl_buf_truncate(&buf, 0);
    assert_int_equal(buf.cap, 0); /* none of them needed memory */
    size_t len = 7;
    char *data = rl_buf_detach(&buf, &len);
    assert_string_equal(data, "");
    assert_int_equal(len, 0);
    free(data);
    rl_buf_release(&buf);
}

static void buffer_grows_and_stays_terminated(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    for (int i = 0; i < 10000; i++) {
        rl_buf_addch(&buf, (char)('a' + i % 26));
        assert_int_equal(buf.data[buf.len], 0);
    }
    assert_int_equal(buf.len, 10000);
    assert_memory_equal(buf.data + 9998, "op", 3); /* 9998 = 26 * 384 + 14 */
    rl_buf_truncate(&buf, 20000);
    assert_int_equal(buf.len, 10000);
    rl_buf_truncate(&buf, 3);
    assert_string_equal(buf.data, "abc");
    rl_buf_fill(&buf, '-', 2);
    rl_buf_addf(&buf, "%d/%s", 7, "x");
    assert_string_equal(buf.data, "abc--7/x");
    rl_buf_reset(&buf);
    assert_string_equal(buf.data, "");
    rl_buf_release(&buf);
    assert_int_equal(buf.cap, 0);
}

static void buffer_keeps_zero_bytes(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    rl_buf_add(&buf, "a\0b", 3);
    rl_buf_addch(&buf, '\0');
    size_t len;
    char *data = rl_buf_detach(&buf, &len);
    assert_int_equal(len, 4);
    assert_memory_equal(data, "a\0b\0", 5);
    assert_int_equal(buf.len, 0);
    assert_string_equal(buf.data, "");
    free(data);
}

static void formatted_text_longer_than_any_guess(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    rl_buf_addf(&buf, "%0*d%s", 70000, 1, "!");
    assert_int_equal(buf.len, 70001);
    assert_string_equal(buf.data + 69998, "01!");
    rl_buf_release(&buf);
}

static void arrays_grow_at_least_twofold(void **state)
{
    (void)state;
    int *numbers = NULL;
    size_t capacity = 0, grown = 0;
    for (size_t i = 0; i < 1000; i++) {
        size_t before = capacity;
        RL_GROW(numbers, i + 1, capacity);
        grown += capacity != before;
        assert_true(capacity == before || capacity >= 2 * before);
        numbers[i] = (int)i;
    }
    assert_int_equal(grown, 8); /* 8, 16, ..., 1024 */
    assert_int_equal(numbers[999], 999);
    free(numbers);
}

static void copies_and_zero_sizes(void **state)
{
    (void)state;
    assert_null(rl_strdup(NULL));
    char *copy = rl_strndup("abcdef", 3), *nothing = rl_strndup(NULL, 0), *zeroed = rl_calloc(3, 1), *none = rl_calloc(0, 16);
    assert_string_equal(copy, "abc");
    assert_string_equal(nothing, "");
    assert_memory_equal(zeroed, "\0\0\0", 3);
    assert_non_null(none);
    free(copy);
    free(nothing);
    free(zeroed);
    free(none);
}

static void arena_memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct rl_arena arena = RL_ARENA_INIT;
    static const size_t sizes[] = {0, 1, 3, 17, 1000, 16 * 1024, 100000, 5};
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < RL_COUNT(sizes); i++) {
            unsigned char *memory = rl_arena_alloc(&arena, sizes[i]);
            assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(memory[k], 0);
            memset(memory, 0xFF, sizes[i]); /* what is handed out later must not overlap */
        }
    }
    rl_arena_release(&arena);
    assert_null(arena.blocks);
}

static void arena_strings_stay(void **state)
{
    (void)state;
    struct rl_arena arena = RL_ARENA_INIT;
    char *texts[2000];
    for (int i = 0; i < 2000; i++)
        texts[i] = rl_arena_printf(&arena, "text %d", i);
    assert_string_equal(texts[0], "text 0");
    assert_string_equal(texts[1999], "text 1999");
    assert_string_equal(rl_arena_strdup(&arena, "copy"), "copy");
    assert_string_equal(rl_arena_strndup(&arena, "copy", 2), "co");
    assert_null(rl_arena_strdup(&arena, NULL));
    assert_null(rl_arena_strndup(&arena, NULL, 3));
    rl_arena_release(&arena);
    rl_arena_release(&arena);
}

/* What two arenas held lives as long as the first; either goes on to be filled. */
static void an_arena_takes_another(void **state)
{
    (void)state;
    struct rl_arena arena = RL_ARENA_INIT, other = RL_ARENA_INIT, empty = RL_ARENA_INIT;
    const char *own = rl_arena_strdup(&arena, "own"), *taken = rl_arena_strdup(&other, "taken");
    const char *large = rl_arena_printf(&other, "%0*d", 70000, 1);
    rl_arena_take(&arena, &other);
    assert_null(other.blocks);
    rl_arena_take(&arena, &other);
    rl_arena_take(&empty, &arena);
    assert_null(arena.blocks);
    assert_string_equal(rl_arena_strdup(&empty, "new"), "new");
    assert_string_equal(own, "own");
    assert_string_equal(taken, "taken");
    assert_int_equal(strlen(large), 70000);
    rl_arena_release(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_buffer_is_a_string),
        cmocka_unit_test(buffer_grows_and_stays_terminated),
        cmocka_unit_test(buffer_keeps_zero_bytes),
        cmocka_unit_test(formatted_text_longer_than_any_guess),
        cmocka_unit_test(arrays_grow_at_least_twofold),
        cmocka_unit_test(copies_and_zero_sizes),
        cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(arena_strings_stay),
        cmocka_unit_test(an_arena_takes_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

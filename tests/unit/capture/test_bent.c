/* Captures whose bytes were changed here and there: refused, or what they say is a capture. Apart from the other kinds of damage,
 * since it takes its time: every day a fourth of the places, all of them with RL_THOROUGH in the environment. */
#include "rl_test.h"

#include "edit.h"

/* Whatever was changed: a refusal in one line, or (false) a capture that can be written and read again, which is tried when
 * `thorough`. */
static bool is_refused(const struct rl_buf *bytes, bool thorough)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;
    if (rl_capture_read_bytes(bytes->data, bytes->len, "bent", &capture, &err) != RL_OK) {
        assert_null(capture);
        assert_true(strncmp(err.text, "'bent': ", 8) == 0 && strlen(err.text) > 8);
        assert_null(strchr(err.text, '\n'));
        return true;
    }
    if (thorough) {
        struct rl_buf again = bytes_of(capture);
        struct rl_capture *back = capture_of(&again);
        assert_same_capture(capture, back);
        rl_capture_free(back);
        rl_buf_release(&again);
    }
    rl_capture_free(capture);
    return false;
}

static void flipped_bits_do_no_harm(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    const size_t step = getenv("RL_THOROUGH") ? 83 : 331;
    size_t accepted = 0, refused = 0;
    for (size_t at = 0, bit = 0; at < bytes.len; at += at < 128 ? 1 : step, bit += 3) {
        bytes.data[at] ^= (char)(1 << bit % 8);
        *(is_refused(&bytes, bit % 16 == 0) ? &refused : &accepted) += 1;
        bytes.data[at] ^= (char)(1 << bit % 8);
    }
    print_message("%zu flips: %zu refused, %zu without effect on what a capture must be\n", accepted + refused, refused, accepted);
    assert_true(refused > 150); /* most bytes of a small capture are unused space, or text that may be anything */
    rl_buf_release(&bytes);
}

/* Whole bytes overwritten where b-trees keep their numbers: the first bytes of every page. */
static void bent_pages_do_no_harm(void **state)
{
    (void)state;
    struct rl_buf bytes = sample_bytes();
    static const unsigned char values[] = {0, 1, 2, 5, 10, 13, 0x7f, 0x80, 0xff};
    const size_t step = getenv("RL_THOROUGH") ? 4096 : 4 * 4096;
    for (size_t page = 4096; page < bytes.len; page += step) {
        for (size_t at = page; at < page + 16; at++) {
            char old = bytes.data[at];
            bytes.data[at] = (char)values[(at + page / 4096) % RL_COUNT(values)];
            is_refused(&bytes, true);
            bytes.data[at] = old;
        }
    }
    rl_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flipped_bits_do_no_harm),
        cmocka_unit_test(bent_pages_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

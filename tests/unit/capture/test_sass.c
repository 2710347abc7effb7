/* Instructions keep their opcodes, registers and numbers, and lose every name. */
#include "rl_test.h"

#include "capture/pcs.h"
#include "fixtures/random.h"

static void assert_clean(const char *text, const char *wanted)
{
    struct rl_buf out = RL_BUF_INIT, again = RL_BUF_INIT;
    rl_sass_clean(text, strlen(text), &out);
    assert_string_equal(out.len ? out.data : "", wanted);
    rl_sass_clean(out.data, out.len, &again);
    assert_string_equal(again.len ? again.data : "", wanted); /* what is clean stays as it is */
    rl_buf_release(&out);
    rl_buf_release(&again);
}

static void instructions_stay(void **state)
{
    (void)state;
    assert_clean("              LDG.E R0, desc[UR6][R2.64] ", "LDG.E R0, desc[UR6][R2.64]");
    assert_clean("@!P0 BRA `(.L_x_12)", "@!P0 BRA `(.L_x_12)");
    assert_clean("LDC R1, c[0x0][0x28]", "LDC R1, c[0x0][0x28]");
    assert_clean("FFMA\tR4,  R2.reuse, -R5, |R7|", "FFMA R4, R2.reuse, -R5, |R7|");
    assert_clean("S2UR UR5, SR_CgaCtaId", "S2UR UR5, SR_CgaCtaId");
    assert_clean("FMUL R1, R2, 1.5", "FMUL R1, R2, 1.5");
    assert_clean("LOP3.LUT R0, R3, 0xff, RZ, 0xc0, !PT", "LOP3.LUT R0, R3, 0xff, RZ, 0xc0, !PT");
}

static void names_do_not(void **state)
{
    (void)state;
    assert_clean("CALL.REL.NOINC `($_Z6gatherIfEvPKT_PKiPS0_i$_Z6helperf)", "CALL.REL.NOINC `([symbol])");
    assert_clean("RET.REL.NODEC R12 `(SECRET)", "RET.REL.NODEC R12 `([symbol])");
    assert_clean("MOV R4, 32@lo((_Z3foo + .L_x_3@srel))", "MOV R4, 32@lo([symbol])");
    assert_clean("MOV R4, password", "MOV R4, [symbol]");
    assert_clean("MOV R4, R2.password", "MOV R4, [symbol]");
    assert_clean("MOV _KEY", "MOV [symbol]");
    assert_clean("MOV R1, 0xfgh", "MOV R1, [symbol]");
    assert_clean("BRA `(.L_x_)", "BRA `([symbol])");
}

static void hostile_texts_are_bounded(void **state)
{
    (void)state;
    assert_clean("", "");
    assert_clean("(", "([symbol])");
    assert_clean("BRA `(", "BRA `([symbol])");
    assert_clean("\x1b[31mMOV\x07 \xff\xfe%s\\n", "[[symbol] [symbol] [symbol]");
    struct random_source source = {4711};
    for (int round = 0; round < 20000; round++) {
        char text[400];
        size_t length = (size_t)(random_next(&source) * sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = random_next(&source) < 0.5 ? (char)(int)(random_next(&source) * 256)
                                                 : " ,.()[]`_xX0AR"[(int)(random_next(&source) * 14)];
        struct rl_buf out = RL_BUF_INIT, again = RL_BUF_INIT;
        rl_sass_clean(text, length, &out);
        assert_true(out.len <= RL_SASS_MOST);
        for (size_t i = 0; i < out.len; i++)
            assert_true(out.data[i] >= ' ' && out.data[i] < 0x7f);
        rl_sass_clean(out.data, out.len, &again);
        assert_int_equal(again.len, out.len);
        rl_buf_release(&out);
        rl_buf_release(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_stay),
        cmocka_unit_test(names_do_not),
        cmocka_unit_test(hostile_texts_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

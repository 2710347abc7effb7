/* What nvdisasm prints: by hand, hostile, and of a module that nvcc makes here. */
#include "rl_test.h"

#include "core/child.h"
#include "core/fs.h"
#include "core/mem.h"
#include "disassembly.h"
#include "fixtures/files.h"
#include "fixtures/random.h"

static struct rl_buf printed(const char *text)
{
    struct rl_buf buf = RL_BUF_INIT;
    rl_buf_adds(&buf, text);
    return buf;
}

static void assert_next(const struct rl_buf *text, struct rl_disassembly *walk, const char *function, uint64_t offset,
                        const char *says)
{
    struct rl_disassembled is;
    assert_true(rl_disassembly_next(text, walk, &is));
    assert_int_equal(is.offset, offset);
    assert_int_equal(is.function_length, strlen(function));
    assert_memory_equal(is.function, function, is.function_length);
    assert_int_equal(is.text_length, strlen(says));
    assert_memory_equal(is.text, says, is.text_length);
}

static void instructions_are_found(void **state)
{
    (void)state;
    struct rl_buf text = printed("\t.headerflags\t@\"x\"\n/*0000*/ BEFORE ;\n.text._Z1aPf:\n"
                                 "        /*0000*/   LDC R1, c[0x0][0x28] ;\n"
                                 "        /*0010*/              @!P0 BRA `(.L_x_0) ;\n.L_x_0:\n        /*abc0*/ EXIT ;\n\n"
                                 ".text.b:\n"
                                 "\t/*0000*/ NOP;");
    struct rl_disassembly walk = {0};
    struct rl_disassembled is;
    assert_next(&text, &walk, "_Z1aPf", 0, "   LDC R1, c[0x0][0x28] ");
    assert_next(&text, &walk, "_Z1aPf", 0x10, "              @!P0 BRA `(.L_x_0) ");
    assert_next(&text, &walk, "_Z1aPf", 0xabc0, " EXIT ");
    assert_next(&text, &walk, "b", 0, " NOP");
    assert_false(rl_disassembly_next(&text, &walk, &is));
    rl_buf_release(&text);
}

static void anything_else_is_passed_over(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",        "/*",      "/**/ X;", "/*10*/", "/*10*/ X", "/*10* / X;", "/*g*/ X;", "x /*10*/ X;", "/*0123456789abcdef*/ X;",
        ".text.:", ".text.a", ".text"};
    for (size_t i = 0; i < RL_COUNT(lines); i++) {
        struct rl_buf text = printed(".text.f:\n");
        struct rl_disassembly walk = {0};
        struct rl_disassembled is;
        rl_buf_adds(&text, lines[i]);
        if (rl_disassembly_next(&text, &walk, &is))
            fail_msg("'%s' is taken for an instruction", lines[i]);
        rl_buf_release(&text);
    }
    struct random_source source = {17};
    for (int round = 0; round < 5000; round++) {
        struct rl_buf text = printed(".text.f:\n");
        struct rl_disassembly walk = {0};
        struct rl_disassembled is;
        for (int i = 0; i < 200; i++) {
            const char c = "/* 0a1;\n.text:\xff"[(int)(random_next(&source) * 15)];
            rl_buf_add(&text, &c, 1);
        }
        while (rl_disassembly_next(&text, &walk, &is)) {
            assert_true(is.text >= text.data && is.text + is.text_length <= text.data + text.len);
            assert_true(is.function >= text.data && is.function + is.function_length <= text.data + text.len);
        }
        rl_buf_release(&text);
    }
}

static void tools_that_fail_are_told(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    assert_int_equal(rl_disassemble("/bin/false", "x", 1, 20, &out, &err), RL_FAILED);
    assert_int_equal(rl_disassemble("/nonexistent/nvdisasm", "x", 1, 20, &out, &err), RL_ABSENT);
    assert_int_equal(rl_disassemble("/bin/false", "x", (size_t)RL_DISASSEMBLY_MOST + 1, 20, &out, &err), RL_UNSUPPORTED);
    assert_int_equal(out.len, 0);
    rl_buf_release(&out);
}

/* A module of one kernel; release it. False: there is no nvcc. */
static bool make_module(struct rl_buf *cubin)
{
    static const char source[] = "extern \"C\" __global__ void twice(const int *at, int *out)\n"
                                 "{ out[threadIdx.x] = 2 * at[threadIdx.x]; }\n";
    struct rl_err err = RL_ERR_INIT;
    char *nvcc = rl_find_program("nvcc"), *folder = files_new_folder();
    char *code = rl_path_join(folder, "twice.cu"), *made = rl_path_join(folder, "twice.cubin");
    const char *const argv[] = {nvcc, "-arch=sm_90", "-cubin", "-o", made, code, NULL};
    const struct rl_spawn spawn = {.argv = argv, .timeout_s = 300, .output_limit = 10000};
    struct rl_spawn_result result = {0};
    if (nvcc) {
        assert_int_equal(rl_write_file_atomic(code, source, sizeof source - 1, &err), RL_OK);
        assert_int_equal(rl_spawn_run(&spawn, &result, &err), RL_OK);
        assert_int_equal(result.exit_status, 0);
        assert_int_equal(rl_read_file(made, 1 << 20, cubin, &err), RL_OK);
    }
    rl_spawn_result_release(&result);
    files_remove_folder(folder);
    free(nvcc);
    free(code);
    free(made);
    return cubin->len > 0;
}

static void a_module_is_taken_apart(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf cubin = RL_BUF_INIT, text = RL_BUF_INIT;
    char *tool = rl_disassembler();
    if (!tool || !make_module(&cubin)) {
        print_message("there is no nvdisasm, or no nvcc, in $PATH or the CUDA toolkit\n");
        skip();
    }
    assert_int_equal(rl_disassemble(tool, cubin.data, cubin.len, 300, &text, &err), RL_OK);
    struct rl_disassembly walk = {0};
    struct rl_disassembled is;
    uint64_t wanted = 0;
    bool loads = false, ends = false;
    for (; rl_disassembly_next(&text, &walk, &is); wanted += 16) {
        assert_int_equal(is.offset, wanted);
        assert_int_equal(is.function_length, 5);
        assert_memory_equal(is.function, "twice", 5);
        loads |= memmem(is.text, is.text_length, "LDG.E", 5) != NULL;
        ends |= memmem(is.text, is.text_length, "EXIT", 4) != NULL;
    }
    assert_true(loads && ends && wanted > 10 * 16);
    rl_buf_release(&text);
    rl_buf_release(&cubin);
    free(tool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_found),
        cmocka_unit_test(anything_else_is_passed_over),
        cmocka_unit_test(tools_that_fail_are_told),
        cmocka_unit_test(a_module_is_taken_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

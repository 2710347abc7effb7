/* cards.def: the peaks that makers print, recomputed from the parts; names; ceilings of cards that are not at hand. */
#include "analysis/cards.h"

#include "analysis/plan.h"
#include "rl_test.h"

static void rows_are_whole(void **state)
{
    (void)state;
    assert_true(rl_card_count >= 25);
    for (size_t i = 0; i < rl_card_count; i++) {
        const struct rl_card_info *card = &rl_cards[i];
        if (!rl_chip_find(card->chip) || !rl_rates_find(card->chip))
            fail_msg("%s: no chip %s", card->id, card->chip);
        assert_true(card->sm_count > 0 && card->sm_count < 256);
        assert_true(card->base_hz >= 0 && card->base_hz <= card->boost_hz);
        assert_true(card->boost_hz > 5e8 && card->boost_hz < 3e9 && card->matrix_hz <= card->boost_hz && card->matrix_hz > 5e8);
        assert_true(card->bus_bits % 32 == 0 && card->pin_bits_per_s > 1e9 && card->pin_bits_per_s < 4e10);
        assert_true(card->memory_bytes > 4e9);
        assert_true(card->l2_bytes == 0 || (card->l2_bytes >= 1e6 && card->l2_bytes < 2e8));
        assert_true(card->printed_fp32 > 0 && card->printed_dram > 0 && strlen(card->source) > 10);
    }
}

/* A figure that is not told by the maker's document has its own source, in words: "what: where". */
static void second_sources_name_what_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_card_count; i++) {
        const struct rl_card_info *card = &rl_cards[i];
        const char *colon = strstr(card->second, ": ");
        if (*card->second && (!colon || strlen(colon) < 8))
            fail_msg("%s: '%s' does not say what is from where", card->id, card->second);
        if (strstr(card->second, "L2") && card->l2_bytes == 0)
            fail_msg("%s: a source of an L2 that is not there", card->id);
        if (strstr(card->second, "base clock") && card->base_hz == 0)
            fail_msg("%s: a source of a base clock that is not there", card->id);
    }
}

/* Where only part of a chip's memory partitions are there, the same part of its L2 is. */
static void l2_goes_with_the_memory_partitions(void **state)
{
    static const struct {
        const char *part, *whole;
    } known[] = {{"K20", "K40"},
                 {"P100-PCIE-12GB", "P100-PCIE-16GB"},
                 {"GTX-1080-Ti", "P40"},
                 {"TITAN-V", "V100-PCIE-16GB"},
                 {"RTX-2080-Ti", "Quadro-RTX-6000"},
                 {"RTX-3080", "RTX-3090"},
                 {"A30", "A100-PCIE-40GB"},
                 {"L40S", "L40"}};
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct rl_card_info *part = rl_card_find(known[i].part), *whole = rl_card_find(known[i].whole);
        if (fabs(part->l2_bytes / whole->l2_bytes - (double)part->bus_bits / whole->bus_bits) > 1e-9)
            fail_msg("%s: L2 is not that of the %s by the share of its bus", part->id, whole->id);
    }
}

/* What a maker prints is rounded, sometimes to two digits, and a data sheet of cards with little FP64 is coarser still. */
static void close_to_print(const struct rl_card_info *card, const char *what, double computed, double printed)
{
    if (printed > 0 && fabs(computed - printed) > (printed < 1e12 ? 0.04 : 0.025) * printed)
        fail_msg("%s, %s: %.4g by its parts, printed %.4g", card->id, what, computed, printed);
}

static void parts_give_what_the_makers_print(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_card_count; i++) {
        const struct rl_card_info *card = &rl_cards[i];
        const struct rl_chip *chip = rl_chip_find(card->chip);
        const double fma = 2.0 * card->sm_count * card->boost_hz;
        close_to_print(card, "FP64", fma * chip->fp64_per_sm, card->printed_fp64);
        close_to_print(card, "FP32", fma * chip->fp32_per_sm, card->printed_fp32);
        close_to_print(card, "tensor", card->matrix_share * card->sm_count * card->matrix_hz * chip->tensor_fp16_flop_per_sm_cycle,
                       card->printed_tensor);
        close_to_print(card, "DRAM", card->pin_bits_per_s * card->bus_bits / 8, card->printed_dram);
        assert_true(chip->tensor_fp16_flop_per_sm_cycle > 0 || card->printed_tensor == 0);
    }
}

/* Rates of a chip are held against a card that has it, where the table has such a card. These are without one. */
static void most_chips_have_a_card(void **state)
{
    static const char *const without[] = {"TU106", "TU116", "TU117", "GA103", "GA104", "GA106", "GA107", "AD103",
                                          "AD106", "AD107", "GB102", "GB110", "GB10B", "GB206", "GB207", "GB20B"};
    (void)state;

    for (size_t i = 0; i < rl_chip_count; i++) {
        bool found = false;
        for (size_t j = 0; j < rl_card_count; j++)
            found |= strcmp(rl_cards[j].chip, rl_chips[i].name) == 0;
        for (size_t j = 0; j < sizeof without / sizeof without[0]; j++)
            found |= strcmp(without[j], rl_chips[i].name) == 0;
        if (!found)
            fail_msg("cards.def has no GPU with a %s", rl_chips[i].name);
    }
}

static void cards_are_found_by_every_name(void **state)
{
    static const struct {
        const char *name, *id;
    } known[] = {
        {"NVIDIA A100-SXM4-40GB", "A100-SXM4-40GB"},
        {"a100_sxm4 40gb", "A100-SXM4-40GB"},
        {"A100-SXM4-40GB", "A100-SXM4-40GB"},
        {"NVIDIA A100 80GB PCIe", "A100-PCIE-80GB"},
        {"Tesla V100-SXM2-16GB", "V100-SXM2-16GB"},
        {"NVIDIA Tesla V100-SXM2-16GB", "V100-SXM2-16GB"},
        {"Tesla P100-SXM2-16GB", "P100-SXM2-16GB"},
        {"T4", "T4"},
        {"Tesla K20c", "K20"},
        {"Tesla K20m", "K20"},
        {"TITAN Xp", "TITAN-Xp"},
        {"GeForce RTX 2080 Ti", "RTX-2080-Ti"},
        {"NVIDIA GeForce RTX 5070", "RTX-5070"},
        {"NVIDIA H100 80GB HBM3", "H100-SXM5-80GB"},
        {"NVIDIA H200", "H200"},
        {"nvidia_h200", "H200"},
        {"RTX 6000 Ada Generation", "RTX-6000-Ada"},
        {"Quadro RTX 6000", "Quadro-RTX-6000"},
        {"Jetson AGX Orin", "AGX-Orin"},
        {"RTX 3090", "RTX-3090"},
        {"GeForce RTX-3090", "RTX-3090"},
        {"Quadro Tesla V100-SXM2-16GB", "V100-SXM2-16GB"},
        {"RTX 6000", "Quadro-RTX-6000"},
        {"H200|A100-SXM4-40GB", NULL}, /* only rows are lists */
        {"x|H200", NULL},
        {"A100", NULL},
        {"A100-SXM4-40GB-x", NULL},
        {"H20", NULL},
        {"NVIDIA", NULL},
        {"", NULL},
        {"-", NULL},
        {"unknown GPU", NULL},
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct rl_card_info *card = rl_card_find(known[i].name);
        if (!card != !known[i].id || (card && strcmp(card->id, known[i].id) != 0))
            fail_msg("'%s' is %s", known[i].name, card ? card->id : "not found");
    }
    assert_null(rl_card_find(NULL));
    for (size_t i = 0; i < rl_card_count; i++) { /* also: no two rows share a name */
        assert_ptr_equal(rl_card_find(rl_cards[i].id), &rl_cards[i]);
        assert_ptr_equal(rl_card_find(rl_cards[i].name), &rl_cards[i]);
    }
}

static void facts_fill_gaps_only(void **state)
{
    struct rl_value fact[RL_FACT_COUNT];
    (void)state;

    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        fact[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    fact[RL_FACT_sm_count] = rl_value_of(100); /* a slice of the card */
    assert_int_equal(rl_card_fill_facts(rl_card_find("A100-SXM4-40GB"), fact), 5);
    assert_true(fact[RL_FACT_sm_count].v == 100);
    assert_true(fact[RL_FACT_l2_bytes].v == 41943040);
    assert_true(fact[RL_FACT_memory_bus_bits].v == 5120 && fact[RL_FACT_memory_clock_max_hz].v == 1215e6);
    assert_true(fact[RL_FACT_sm_clock_max_hz].v == 1410e6);
    assert_false(rl_present(fact[RL_FACT_power_limit_w]));
    assert_int_equal(rl_card_fill_facts(rl_card_find("A100-SXM4-40GB"), fact), 0);

    fact[RL_FACT_l2_bytes] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    assert_int_equal(rl_card_fill_facts(rl_card_find("GH200"), fact), 0); /* nobody says how much L2 it has */
    assert_false(rl_present(fact[RL_FACT_l2_bytes]));
}

/* By hand: SMs x rate x clock, pins x rate / 8. */
static void ceilings_of_cards_by_hand(void **state)
{
    struct rl_card_ceiling c[RL_CEILING_COUNT];
    (void)state;

    rl_card_ceilings(rl_card_find("A100-SXM4-40GB"), c);
    assert_close(c[RL_CEILING_dram].theoretical.v, 1555.2e9, 1e-9);
    assert_close(c[RL_CEILING_dram].figure.v, 1555.2e9, 1e-9); /* what others have reached is no bound */
    assert_close(c[RL_CEILING_dram].published->value, 1500e9, 1e-9);
    assert_string_equal(c[RL_CEILING_dram].published->measured, "dram_read");
    assert_close(c[RL_CEILING_fp64].figure.v, 9.74592e12, 1e-9);
    assert_close(c[RL_CEILING_fp32].theoretical.v, 19.49184e12, 1e-9);
    assert_close(c[RL_CEILING_fp32].figure.v, 19.49184e12, 1e-9);
    assert_close(c[RL_CEILING_tensor_fp16].figure.v, 311.86944e12, 1e-9);
    assert_close(c[RL_CEILING_l1].figure.v, 19.49184e12, 1e-9); /* 128 B a cycle and SM */
    assert_false(rl_present(c[RL_CEILING_l2].figure));          /* neither a theory nor a published figure for this one */
    assert_null(c[RL_CEILING_l2].published);

    rl_card_ceilings(rl_card_find("P100-PCIE-16GB"), c); /* nobody tells reading */
    assert_string_equal(c[RL_CEILING_dram].published->measured, "dram_triad");
    assert_close(c[RL_CEILING_dram].published->value, 551.4e9, 1e-9);
    assert_false(rl_present(c[RL_CEILING_tensor_fp16].figure));

    rl_card_ceilings(rl_card_find("RTX 4090"), c); /* half of the chip's matrix rate, but for integers */
    assert_close(c[RL_CEILING_tensor_fp16].figure.v, 165.15072e12, 1e-9);
    assert_close(c[RL_CEILING_tensor_int8].figure.v, 660.60288e12, 1e-9);

    rl_card_ceilings(rl_card_find("H100-SXM5-80GB"), c); /* matrices at their own clock */
    assert_close(c[RL_CEILING_tensor_fp16].theoretical.v, 989.42976e12, 1e-9);
    assert_close(c[RL_CEILING_tensor_fp64].theoretical.v, 66.90816e12, 1e-9); /* but FP64: printed as 67 */
    assert_close(c[RL_CEILING_fp64].theoretical.v, 33.45408e12, 1e-9);
    assert_non_null(c[RL_CEILING_fp64].recorded); /* rooflight has measured one */
    assert_close(c[RL_CEILING_fp64].figure.v, c[RL_CEILING_fp64].recorded->value, 1e-12);
}

/* A reason does not point into the capture that the ceiling was worked out with. */
static void what_is_missing_has_the_reason_of_its_state(void **state)
{
    size_t missing = 0;
    (void)state;
    for (size_t i = 0; i < rl_card_count; i++) {
        struct rl_card_ceiling c[RL_CEILING_COUNT];
        rl_card_ceilings(&rl_cards[i], c);
        for (size_t k = 0; k < RL_CEILING_COUNT; k++)
            if (!rl_present(c[k].theoretical)) {
                assert_ptr_equal(rl_value_reason(c[k].theoretical), rl_state_reason(c[k].theoretical.state));
                missing++;
            } else {
                assert_true(c[k].theoretical.v > 0); /* 0 is no rate */
            }
    }
    assert_true(missing > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_sources_name_what_and_where),
        cmocka_unit_test(l2_goes_with_the_memory_partitions),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(parts_give_what_the_makers_print),
        cmocka_unit_test(most_chips_have_a_card),
        cmocka_unit_test(cards_are_found_by_every_name),
        cmocka_unit_test(facts_fill_gaps_only),
        cmocka_unit_test(ceilings_of_cards_by_hand),
        cmocka_unit_test(what_is_missing_has_the_reason_of_its_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

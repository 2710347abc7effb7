/* Links in a fleet: which pairs are accused and why, which are not. Machines are those of links.h, with rates that scatter.
 */
#include "analysis/analysis.h"
#include "analysis/fleet.h"
#include "core/mem.h"
#include "fixtures/fleet_model.h"
#include "fixtures/links.h"
#include "fixtures/random.h"
#include "rl_test.h"

/* Natural spread of links and of single measurements: assumptions, as in fleet_model.h. */
static const double spread = 0.003, noise = 0.0015;

/* What is wrong with a node: rates of links at a pair of GPUs, or at all of one, times `factor`. */
struct fault {
    size_t node, from, to; /* to == RL_NONE: all links of GPU `from` */
    double factor;
    bool one_way;
    double nvlinks; /* of that pair; 0: as the others */
};

static bool hits(const struct fault *fault, const struct rl_link *link)
{
    if (link->from_gpu == RL_NONE || link->to_gpu == RL_NONE)
        return false;
    if (fault->to == RL_NONE)
        return link->from_gpu == fault->from || link->to_gpu == fault->from;
    return (link->from_gpu == fault->from && link->to_gpu == fault->to) ||
           (!fault->one_way && link->from_gpu == fault->to && link->to_gpu == fault->from);
}

static void change_link(struct rl_capture *capture, size_t index, uint64_t seed, double slower)
{
    slower += spread * random_normal(seed, index);
    for (size_t i = 0; i < capture->link_run_count; i++) {
        struct rl_link_run *run = &capture->link_runs[i];
        if (run->link != index)
            continue;
        double here = slower + noise * random_normal(seed, 1000 + i);
        for (size_t k = 0; k < run->duration_count; k++)
            run->duration_ns[k] = (uint64_t)llround((double)run->duration_ns[k] * exp(here));
    }
}

static struct rl_capture *node_of(const struct sample_machine *machine, size_t node, uint64_t seed, const struct fault *faults,
                                  size_t count)
{
    struct rl_capture *capture = rl_capture_new();
    capture->session.host = rl_arena_printf(&capture->arena, "r%02zun%02zu", node / 16, node % 16);
    capture->session.started = rl_capture_text(capture, "2026-01-01T00:00:00Z");
    capture->session.tool_version = rl_capture_text(capture, "1.0");
    capture->session.source = rl_capture_text(capture, "collect");
    capture->session.complete = true;
    sample_machine_links(capture, machine);
    for (size_t i = 0; i < capture->gpu_count; i++)
        capture->gpus[i].uuid = rl_arena_printf(&capture->arena, "GPU-%zu-%zu", node, i);
    for (size_t i = 0; i < capture->link_count; i++) {
        double slower = 0;
        for (size_t f = 0; f < count; f++) {
            if (faults[f].node != node || !hits(&faults[f], &capture->links[i]))
                continue;
            slower -= log(faults[f].factor);
            if (faults[f].nvlinks > 0)
                capture->links[i].nvlinks = rl_value_of(faults[f].nvlinks);
        }
        change_link(capture, i, model_seed(seed, node), slower);
    }
    return capture;
}

/* Adds a node's links and frees its capture. */
static void add_node(struct rl_fleet *fleet, struct rl_capture *capture, size_t node)
{
    struct rl_fleet_record **records;
    char path[64];
    snprintf(path, sizeof path, "n%03zu-links.rlcap", node);
    size_t pairs = rl_fleet_links_new(capture, path, &records);
    for (size_t i = 0; i < pairs; i++)
        rl_fleet_add(fleet, records[i]);
    free(records);
    rl_capture_free(capture);
}

static struct rl_fleet *fleet_of(const struct sample_machine *machine, size_t nodes, uint64_t seed, const struct fault *faults,
                                 size_t count)
{
    struct rl_fleet *fleet = rl_fleet_new(&(struct rl_fleet_options){0});
    for (size_t node = 0; node < nodes; node++)
        add_node(fleet, node_of(machine, node, seed, faults, count), node);
    rl_fleet_finish(fleet);
    return fleet;
}

static const struct rl_fleet_suspect *accused(const struct rl_fleet *fleet, const char *who)
{
    for (size_t i = 0; i < fleet->suspect_count; i++) {
        struct rl_buf name = RL_BUF_INIT;
        rl_fleet_record_text(fleet->records[fleet->suspects[i].record], &name);
        bool same = strcmp(name.data, who) == 0 && fleet->suspects[i].slower;
        rl_buf_release(&name);
        if (same)
            return &fleet->suspects[i];
    }
    return NULL;
}

static void assert_cause(const struct rl_fleet *fleet, const char *who, const char *cause, const char *what, const char *why)
{
    const struct rl_fleet_suspect *suspect = accused(fleet, who);
    struct rl_buf text = RL_BUF_INIT;
    if (!suspect || suspect->cause_count == 0)
        fail_msg("%s is %s", who, suspect ? "accused without a cause" : "not accused");
    assert_string_equal(rl_causes[suspect->causes[0].cause].id, cause);
    rl_fleet_slowdown_text(fleet, suspect, &text);
    assert_non_null(strstr(text.data, what));
    rl_buf_reset(&text);
    rl_fleet_causes_text(fleet, suspect, &text);
    assert_non_null(strstr(text.data, why));
    rl_buf_release(&text);
}

static const struct sample_machine switched = {.gpus = 8, .switched = true, .together = 0.9};

/* One bad pair, one way; a pair with 17 of 18 links; a GPU whose links are all slow: found and told apart, nobody else accused. */
static void planted_links_are_found_with_their_causes(void **state)
{
    static const struct fault faults[] = {{1, 2, 3, 0.9, true, 0}, {3, 0, 7, 17.0 / 18, false, 17}, {6, 5, RL_NONE, 0.8, false, 0}};
    size_t others = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct rl_fleet *fleet = fleet_of(&switched, 8, seed, faults, RL_COUNT(faults));
        assert_int_equal(fleet->compared, 0);
        assert_int_equal(fleet->links, 8 * (28 + 8));
        assert_true(fleet->slower_links >= 1 + 1 + 7);
        assert_int_equal(fleet->slower_count, fleet->slower_links);
        others += fleet->slower_links - (1 + 1 + 7);
        assert_cause(fleet, "r00n01 GPU 2 and GPU 3", "link", "GPU 2 to GPU 3 ", "the link itself");
        assert_cause(fleet, "r00n03 GPU 0 and GPU 7", "nvlinks", "GPU 7 to GPU 0 ", "17 NVLinks where the others have 18");
        assert_cause(fleet, "r00n06 GPU 5 and GPU 6", "link_end", "both ways at once ",
                     "of the other links of GPU 5 are also slow");
        assert_cause(fleet, "r00n06 GPU 1 and GPU 5", "link_end", "GPU 1 to GPU 5 ", "100");
        rl_fleet_free(fleet);
    }
    assert_true(others <= 1); /* of 1400: each of these fleets may accuse somebody with a chance of 5 % */
}

/* The slow pair of one node: its 28 pairs are enough to see it. */
static void one_node_is_enough(void **state)
{
    static const struct fault fault = {0, 4, 6, 0.9, false, 0};
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct rl_fleet *fleet = fleet_of(&switched, 1, seed, &fault, 1);
        assert_int_equal(fleet->slower_links, 1);
        assert_non_null(accused(fleet, "r00n00 GPU 4 and GPU 6"));
        rl_fleet_free(fleet);
    }
}

/* Of switched machines and of such with PCIe within halves and through the host between them, which differ by design. */
static void healthy_links_are_not_accused(void **state)
{
    static const struct sample_machine machines[] = {
        {.gpus = 8, .switched = true, .together = 0.9}, {.gpus = 8, .together = 0.5}, {.gpus = 4, .together = 0.5}};
    size_t accusations = 0, links = 0;
    (void)state;
    for (size_t i = 0; i < RL_COUNT(machines); i++)
        for (uint64_t seed = 1; seed <= 6; seed++)
            for (size_t nodes = 1; nodes <= 9; nodes += 4) {
                struct rl_fleet *fleet = fleet_of(&machines[i], nodes, seed, NULL, 0);
                accusations += fleet->slower_count;
                links += fleet->links;
                rl_fleet_free(fleet);
            }
    print_message("%zu of %zu healthy links accused\n", accusations, links);
    assert_true(accusations * 1000 <= links);
}

/* NVLinks from GPU to GPU, two of them to the neighbour and one to the others: each pair is held against the same pair of other
 * nodes, and four nodes are needed for that. */
static void straight_links_are_held_against_the_same_pair(void **state)
{
    (void)state;
    for (size_t nodes = 3; nodes <= 6; nodes += 3) {
        struct rl_fleet *fleet = rl_fleet_new(&(struct rl_fleet_options){0});
        for (size_t node = 0; node < nodes; node++) {
            const struct fault faults[] = {{node, 0, 1, 2, false, 2}, {node, 2, 3, 2, false, 2}, {2, 2, 3, 0.8, false, 0}};
            struct rl_capture *capture =
                node_of(&(struct sample_machine){.gpus = 4, .switched = true, .together = 1}, node, 1, faults, RL_COUNT(faults));
            for (size_t i = 0; i < capture->link_count; i++)
                capture->links[i].via = rl_capture_text(capture, capture->links[i].access ? "nvlink" : "pcie");
            add_node(fleet, capture, node);
        }
        rl_fleet_finish(fleet);
        assert_int_equal(fleet->slower_links, nodes == 3 ? 0 : 1);
        assert_int_equal(accused(fleet, "r00n02 GPU 2 and GPU 3") != NULL, nodes > 3);
        rl_fleet_free(fleet);
    }
}

/* The newer capture of a pair counts, whichever is given first. */
static void each_pair_counts_once(void **state)
{
    struct rl_fleet *fleet = rl_fleet_new(&(struct rl_fleet_options){0});
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rl_capture *capture = node_of(&switched, 0, 1 + (uint64_t)i, NULL, 0);
        struct rl_fleet_record **records;
        capture->session.started[3] = (char)('5' + i);
        size_t pairs = rl_fleet_links_new(capture, i ? "a.rlcap" : "b.rlcap", &records);
        for (size_t k = 0; k < pairs; k++)
            rl_fleet_add(fleet, records[k]);
        free(records);
        rl_capture_free(capture);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->record_count, 2 * 36);
    assert_int_equal(fleet->links, 36);
    for (size_t i = 0; i < fleet->record_count; i++)
        assert_int_equal(fleet->records[i]->use, *fleet->records[i]->path == 'a' ? RL_USE_COMPARED : RL_USE_OLDER);
    rl_fleet_free(fleet);
}

/* Links without identifiers are told apart by the ordinals of their ends. The greatest of them and RL_FLEET_HOST are further apart
 * than an int can say. */
static void ordinals_at_both_ends_of_their_range(void **state)
{
    static const int peers[] = {2147483647, RL_FLEET_HOST, 2147483647, RL_FLEET_HOST};
    struct rl_fleet *fleet = rl_fleet_new(&(struct rl_fleet_options){0});
    (void)state;

    for (size_t i = 0; i < RL_COUNT(peers); i++) {
        struct rl_capture *capture = node_of(&switched, 0, 1, NULL, 0);
        struct rl_fleet_record **records;
        size_t pairs = rl_fleet_links_new(capture, "a.rlcap", &records);
        assert_true(pairs > 0);
        for (size_t k = 1; k < pairs; k++)
            rl_fleet_record_free(records[k]);
        records[0]->uuid = records[0]->peer_uuid = "";
        records[0]->peer = peers[i];
        rl_fleet_add(fleet, records[0]);
        free(records);
        rl_capture_free(capture);
    }
    rl_fleet_finish(fleet);
    for (size_t i = 0; i < RL_COUNT(peers); i++) {
        int counted = 0;
        for (size_t k = 0; k < fleet->record_count; k++)
            counted += fleet->records[k]->peer == peers[i] && fleet->records[k]->use == RL_USE_COMPARED;
        if (counted != 1)
            fail_msg("links to %d: %d count", peers[i], counted);
    }
    rl_fleet_free(fleet);
}

/* What is alike by design has one name: between GPUs the way and, where it matters, the place; to the host the way alone. */
static void ways_by_hand(void **state)
{
    static const struct {
        const char *via, *topology, *peers, *host;
    } rows[] = {{"nvlink", "NODE", "NVLink", "to the host, NVLink"},
                {"nvswitch", "SYS", "NVLink, switched", "to the host, NVLink, switched"},
                {"pcie", "PXB", "PCIe, PXB", "to the host, PCIe"},
                {"pcie", NULL, "PCIe", "to the host, PCIe"},
                {"host", "SYS", "through the host, SYS", "to the host, through the host"},
                {"unknown", "SYS", "route unknown", "to the host, route unknown"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = rl_capture_new();
        struct rl_fleet_record **records;
        size_t hosts = 0;
        sample_machine_links(capture, &(struct sample_machine){.gpus = 2, .switched = true, .together = 1});
        for (size_t l = 0; l < capture->link_count; l++) {
            capture->links[l].via = rl_capture_text(capture, rows[i].via);
            capture->links[l].topology = rl_capture_text(capture, rows[i].topology);
        }
        const size_t count = rl_fleet_links_new(capture, "a.rlcap", &records);
        assert_int_equal(count, 3);
        for (size_t r = 0; r < count; r++) {
            const bool host = records[r]->peer == RL_FLEET_HOST;
            hosts += host;
            assert_string_equal(records[r]->links, host ? rows[i].host : rows[i].peers);
            assert_int_equal(records[r]->measure_count, host ? 4 : 3); /* there, back; both at once, or with all others */
            rl_fleet_record_free(records[r]);
        }
        assert_int_equal(hosts, 2);
        free(records);
        rl_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_links_are_found_with_their_causes),
        cmocka_unit_test(one_node_is_enough),
        cmocka_unit_test(healthy_links_are_not_accused),
        cmocka_unit_test(straight_links_are_held_against_the_same_pair),
        cmocka_unit_test(each_pair_counts_once),
        cmocka_unit_test(ordinals_at_both_ends_of_their_range),
        cmocka_unit_test(ways_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

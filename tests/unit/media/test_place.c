/* Placement of labels: geometry by hand, small cases with one right answer, and what must hold for a thousand random ones. */
#include "rl_test.h"

#include "core/mem.h"
#include "place.h"

/* ---- geometry ---- */

static void boxes_overlap(void **state)
{
    (void)state;
    struct rl_box a = {0, 0, 4, 2, 0};
    assert_true(rl_box_overlaps_box(&a, &(struct rl_box){1, 0.5, 4, 2, 0}));
    assert_true(rl_box_overlaps_box(&a, &(struct rl_box){0, 0, 1, 1, 30})); /* inside */
    assert_false(rl_box_overlaps_box(&a, &(struct rl_box){4, 0, 4, 2, 0})); /* touching */
    assert_false(rl_box_overlaps_box(&a, &(struct rl_box){0, 2.1, 4, 2, 0}));
    /* A square on its tip reaches sqrt(2) from its centre: along x it meets the side at x = 2 ... */
    assert_true(rl_box_overlaps_box(&a, &(struct rl_box){3.3, 0, 2, 2, 45}));
    assert_false(rl_box_overlaps_box(&a, &(struct rl_box){3.5, 0, 2, 2, 45}));
    /* ... but beyond the corner (2, 1) the bounding boxes overlap and the boxes do not: the edge x + y = 3 + 1.5 - sqrt(2). */
    assert_false(rl_box_overlaps_box(&a, &(struct rl_box){3, 1.5, 2, 2, 45}));
}

static void boxes_meet_circles_and_lines(void **state)
{
    (void)state;
    struct rl_box a = {0, 0, 4, 2, 0}, turned = {0, 0, 4, 2, 90};
    assert_true(rl_box_overlaps_circle(&a, &(struct rl_circle){2.5, 0, 1}));
    assert_false(rl_box_overlaps_circle(&a, &(struct rl_circle){3, 0, 1}));     /* touching */
    assert_false(rl_box_overlaps_circle(&a, &(struct rl_circle){2.8, 1.8, 1})); /* beyond the corner by 1.13 */
    assert_true(rl_box_overlaps_circle(&turned, &(struct rl_circle){0, 2.5, 1}));
    assert_false(rl_box_overlaps_circle(&turned, &(struct rl_circle){2.5, 0, 1}));
    assert_true(rl_box_overlaps_segment(&a, &(struct rl_segment){-5, -5, 5, 5}));
    assert_true(rl_box_overlaps_segment(&a, &(struct rl_segment){0, 0, 0.1, 0.1}));
    assert_false(rl_box_overlaps_segment(&a, &(struct rl_segment){-5, 1, 5, 1})); /* along the edge */
    assert_false(rl_box_overlaps_segment(&a, &(struct rl_segment){2, 3, 4, 0}));  /* past the corner */
    assert_false(rl_box_overlaps_segment(&a, &(struct rl_segment){3, 0, 5, 0}));  /* ends before */
    assert_true(rl_segments_cross(&(struct rl_segment){0, 0, 2, 2}, &(struct rl_segment){0, 2, 2, 0}));
    assert_false(rl_segments_cross(&(struct rl_segment){0, 0, 2, 2}, &(struct rl_segment){2, 2, 4, 0}));
    assert_true(rl_segment_meets_circle(&(struct rl_segment){0, 0, 10, 0}, &(struct rl_circle){5, 0.9, 1}));
    assert_false(rl_segment_meets_circle(&(struct rl_segment){0, 0, 10, 0}, &(struct rl_circle){11, 0, 1}));
}

static void bounds_of_a_turned_box(void **state)
{
    (void)state;
    struct rl_bounds b = rl_box_bounds(&(struct rl_box){10, 20, 4, 2, 90});
    assert_close(b.x0, 9, 1e-12);
    assert_close(b.x1, 11, 1e-12);
    assert_close(b.y0, 18, 1e-12);
    assert_close(b.y1, 22, 1e-12);
}

/* ---- small cases ---- */

static struct rl_place_candidate at(double x, double y, double cost)
{
    return (struct rl_place_candidate){.box = {x, y, 10, 10, 0}, .cost = cost};
}

static void the_cheapest_place_is_taken(void **state)
{
    (void)state;
    struct rl_place place;
    size_t chosen[1];
    rl_place_init(&place, 0, 0, 100, 100);
    rl_place_label(&place, 0, RL_PLACE_NO_MARK);
    rl_place_candidate(&place, 0, at(50, 50, 2));
    rl_place_candidate(&place, 0, at(20, 20, 1));
    rl_place_candidate(&place, 0, at(98, 50, 0)); /* leaves the frame */
    assert_int_equal(rl_place_solve(&place, chosen), 0);
    assert_int_equal(chosen[0], 1);
    rl_place_line(&place, 0, 20, 100, 20); /* a line below costs more than the other place */
    rl_place_solve(&place, chosen);
    assert_int_equal(chosen[0], 0);
    rl_place_mark(&place, 50, 56, 2); /* a mark forbids it: the line is the lesser evil */
    rl_place_solve(&place, chosen);
    assert_int_equal(chosen[0], 1);
    rl_place_mark(&place, 20, 20, 1);
    assert_int_equal(rl_place_solve(&place, chosen), 1);
    assert_true(chosen[0] == RL_PLACE_DROPPED);
    rl_place_release(&place);
}

/* The first label could stay where it likes best, but the second has no other place. */
static void a_label_makes_room(void **state)
{
    (void)state;
    struct rl_place place;
    size_t chosen[2];
    rl_place_init(&place, 0, 0, 100, 100);
    for (size_t i = 0; i < 2; i++)
        rl_place_label(&place, 5 - (double)i, RL_PLACE_NO_MARK);
    rl_place_candidate(&place, 0, at(50, 50, 0));
    rl_place_candidate(&place, 0, at(20, 20, 3));
    rl_place_candidate(&place, 1, at(52, 52, 0));
    assert_int_equal(rl_place_solve(&place, chosen), 0);
    assert_int_equal(chosen[0], 1);
    assert_int_equal(chosen[1], 0);
    rl_place_release(&place);
}

static void the_less_important_one_is_dropped(void **state)
{
    (void)state;
    for (size_t important = 0; important < 2; important++) {
        struct rl_place place;
        size_t chosen[2];
        rl_place_init(&place, 0, 0, 100, 100);
        for (size_t i = 0; i < 2; i++) {
            rl_place_label(&place, i == important, RL_PLACE_NO_MARK);
            rl_place_candidate(&place, i, at(50, 50, 0));
        }
        assert_int_equal(rl_place_solve(&place, chosen), 1);
        assert_int_equal(chosen[important], 0);
        assert_true(chosen[1 - important] == RL_PLACE_DROPPED);
        rl_place_release(&place);
    }
}

static void a_lone_mark_is_labelled_on_its_right(void **state)
{
    (void)state;
    struct rl_place place;
    size_t chosen[1];
    rl_place_init(&place, 0, 0, 200, 100);
    rl_place_label(&place, 0, rl_place_mark(&place, 100, 50, 3));
    rl_place_around(&place, 0, 40, 8);
    assert_int_equal(rl_place_solve(&place, chosen), 0);
    const struct rl_place_candidate *c = &place.labels[0].candidates[chosen[0]];
    assert_false(c->leader);
    assert_close(c->box.cy, 50, 1e-12);
    assert_true(c->box.cx - c->box.width / 2 > 103 && c->box.cx - c->box.width / 2 < 107);
    rl_place_release(&place);
}

/* In the right border of the frame there is no place to the right. */
static void a_mark_in_the_corner_is_labelled_inwards(void **state)
{
    (void)state;
    struct rl_place place;
    size_t chosen[1];
    rl_place_init(&place, 0, 0, 200, 100);
    rl_place_label(&place, 0, rl_place_mark(&place, 197, 97, 3));
    rl_place_around(&place, 0, 40, 8);
    assert_int_equal(rl_place_solve(&place, chosen), 0);
    struct rl_bounds b = rl_box_bounds(&place.labels[0].candidates[chosen[0]].box);
    assert_true(b.x1 <= 194 && b.y1 <= 100);
    rl_place_release(&place);
}

/* Eight marks in one spot: their labels need leaders, which start at the marks and end at the labels. */
static void crowded_marks_get_leaders(void **state)
{
    (void)state;
    struct rl_place place;
    size_t chosen[8], leaders = 0;
    rl_place_init(&place, 0, 0, 300, 200);
    for (int i = 0; i < 8; i++)
        rl_place_label(&place, 0, rl_place_mark(&place, 150 + i % 3, 100 + i % 2, 2));
    for (size_t i = 0; i < 8; i++)
        rl_place_around(&place, i, 60, 8);
    assert_int_equal(rl_place_solve(&place, chosen), 0);
    for (size_t i = 0; i < 8; i++) {
        const struct rl_place_candidate *c = &place.labels[i].candidates[chosen[i]];
        const struct rl_circle *mark = &place.marks[i];
        leaders += c->leader;
        if (!c->leader)
            continue;
        assert_close(hypot(c->line.x0 - mark->x, c->line.y0 - mark->y), 2, 1e-9);
        struct rl_bounds b = rl_box_bounds(&c->box);
        assert_true(c->line.x1 >= b.x0 - 1e-9 && c->line.x1 <= b.x1 + 1e-9 && c->line.y1 >= b.y0 - 1e-9 &&
                    c->line.y1 <= b.y1 + 1e-9);
    }
    assert_in_range(leaders, 1, 8);
    rl_place_release(&place);
}

/* A roof that rises by 3 over 4: its name has the same slope, clears it by the gap and keeps within its ends. */
static void a_name_runs_along_its_line(void **state)
{
    (void)state;
    struct rl_place place;
    struct rl_segment roof = {20, 20, 180, 140}; /* length 200 */
    size_t chosen[1];
    rl_place_init(&place, 0, 0, 200, 200);
    rl_place_line(&place, roof.x0, roof.y0, roof.x1, roof.y1);
    rl_place_label(&place, 0, RL_PLACE_NO_MARK);
    rl_place_along(&place, 0, roof, 50, 8, 1, 0.5);
    assert_int_equal(rl_place_solve(&place, chosen), 0);
    struct rl_box box = place.labels[0].candidates[chosen[0]].box;
    assert_close(box.angle, atan2(3, 4) * 180 / M_PI, 1e-12);
    /* Above the middle (100, 80) by gap and half the height, at a right angle: (-3/5, 4/5) * 5. */
    assert_close(box.cx, 97, 1e-9);
    assert_close(box.cy, 84, 1e-9);
    assert_false(rl_box_overlaps_segment(&box, &roof));
    rl_place_release(&place);
}

static void a_name_longer_than_its_line_has_no_place(void **state)
{
    (void)state;
    struct rl_place place;
    size_t chosen[1];
    rl_place_init(&place, 0, 0, 200, 200);
    rl_place_label(&place, 0, RL_PLACE_NO_MARK);
    rl_place_along(&place, 0, (struct rl_segment){50, 50, 90, 50}, 41, 8, 1, 0.5);
    assert_int_equal(rl_place_solve(&place, chosen), 1);
    rl_place_release(&place);
}

/* ---- any case ---- */

static uint64_t seed;
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static void random_place(struct rl_place *place, uint64_t number)
{
    seed = number * 2654435761u + 17;
    double width = uniform(100, 500), height = uniform(60, 300);
    rl_place_init(place, 0, 0, width, height);
    size_t roofs = (size_t)uniform(0, 4), marks = (size_t)uniform(0, number % 10 == 0 ? 60 : 20);
    for (size_t i = 0; i < roofs; i++) {
        struct rl_segment roof = {0, uniform(0, height / 2), width, uniform(height / 2, height)};
        rl_place_line(place, roof.x0, roof.y0, roof.x1, roof.y1);
        rl_place_along(place, rl_place_label(place, 100, RL_PLACE_NO_MARK), roof, uniform(20, width / 2), 8, 1, uniform(0, 1));
    }
    bool clustered = number % 3 == 0;
    for (size_t i = 0; i < marks; i++) {
        double x = clustered ? width / 2 + uniform(-20, 20) : uniform(0, width),
               y = clustered ? height / 2 + uniform(-20, 20) : uniform(0, height);
        rl_place_label(place, uniform(0, 1), rl_place_mark(place, x, y, uniform(1.5, 9)));
    }
    for (size_t i = roofs; i < place->label_count; i++)
        rl_place_around(place, i, uniform(5, width / 3), uniform(6, 10));
}

static void check_alone(const struct rl_place *place, size_t label, const struct rl_place_candidate *c)
{
    struct rl_bounds b = rl_box_bounds(&c->box);
    assert_true(b.x0 >= place->x0 - 1e-5 && b.y0 >= place->y0 - 1e-5 && b.x1 <= place->x1 + 1e-5 && b.y1 <= place->y1 + 1e-5);
    for (size_t m = 0; m < place->mark_count; m++) {
        assert_false(rl_box_overlaps_circle(&c->box, &place->marks[m]));
        size_t own = place->labels[label].own_mark;
        if (!c->leader || m == own || !rl_segment_meets_circle(&c->line, &place->marks[m]))
            continue;
        assert_true(hypot(place->marks[m].x - place->marks[own].x, place->marks[m].y - place->marks[own].y) <
                    place->marks[m].radius + place->marks[own].radius);
    }
}

static void check_pair(const struct rl_place_candidate *a, const struct rl_place_candidate *b)
{
    assert_false(rl_box_overlaps_box(&a->box, &b->box));
    if (a->leader)
        assert_false(rl_box_overlaps_segment(&b->box, &a->line));
    if (b->leader)
        assert_false(rl_box_overlaps_segment(&a->box, &b->line));
    if (a->leader && b->leader)
        assert_false(rl_segments_cross(&a->line, &b->line));
}

/* Overlap is tested here by sampling points of one box in the other as well, so that a fault in the solver's own test would show.
 */
static void check_by_samples(const struct rl_place_candidate *a, const struct rl_place_candidate *b)
{
    double t = a->box.angle * M_PI / 180, u = b->box.angle * M_PI / 180;
    for (int i = -4; i <= 4; i++) {
        for (int k = -4; k <= 4; k++) {
            double p = i / 4.0 * a->box.width * 0.499, q = k / 4.0 * a->box.height * 0.499;
            double dx = a->box.cx + p * cos(t) - q * sin(t) - b->box.cx, dy = a->box.cy + p * sin(t) + q * cos(t) - b->box.cy;
            bool in =
                fabs(dx * cos(u) + dy * sin(u)) < b->box.width * 0.499 && fabs(dy * cos(u) - dx * sin(u)) < b->box.height * 0.499;
            assert_false(in);
        }
    }
}

static void a_thousand_random_charts(void **state)
{
    (void)state;
    size_t labels = 0, dropped = 0;
    for (uint64_t number = 0; number < 1000; number++) {
        struct rl_place place;
        random_place(&place, number);
        size_t n = place.label_count, missing = 0;
        size_t *chosen = rl_calloc(n, sizeof *chosen), *again = rl_calloc(n, sizeof *again);
        size_t said = rl_place_solve(&place, chosen);
        rl_place_solve(&place, again);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(chosen[i], again[i]); /* the same every time */
            if (chosen[i] == RL_PLACE_DROPPED) {
                missing++;
                continue;
            }
            assert_true(chosen[i] < place.labels[i].count);
            const struct rl_place_candidate *c = &place.labels[i].candidates[chosen[i]];
            check_alone(&place, i, c);
            for (size_t k = 0; k < i; k++) {
                if (chosen[k] == RL_PLACE_DROPPED)
                    continue;
                check_pair(c, &place.labels[k].candidates[chosen[k]]);
                check_by_samples(c, &place.labels[k].candidates[chosen[k]]);
            }
        }
        assert_int_equal(missing, said);
        labels += n;
        dropped += missing;
        free(chosen);
        free(again);
        rl_place_release(&place);
    }
    /* Not by dropping everything: in these frames, some of them crowded, nine of ten labels find a place. */
    if (dropped * 10 > labels)
        fail_msg("%zu of %zu labels dropped", dropped, labels);
}

static void nothing_to_place(void **state)
{
    (void)state;
    struct rl_place place;
    size_t chosen[1];
    rl_place_init(&place, 0, 0, 10, 10);
    assert_int_equal(rl_place_solve(&place, chosen), 0);
    rl_place_label(&place, 0, RL_PLACE_NO_MARK); /* no candidates */
    assert_int_equal(rl_place_solve(&place, chosen), 1);
    rl_place_release(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_overlap),
        cmocka_unit_test(boxes_meet_circles_and_lines),
        cmocka_unit_test(bounds_of_a_turned_box),
        cmocka_unit_test(the_cheapest_place_is_taken),
        cmocka_unit_test(a_label_makes_room),
        cmocka_unit_test(the_less_important_one_is_dropped),
        cmocka_unit_test(a_lone_mark_is_labelled_on_its_right),
        cmocka_unit_test(a_mark_in_the_corner_is_labelled_inwards),
        cmocka_unit_test(crowded_marks_get_leaders),
        cmocka_unit_test(a_name_runs_along_its_line),
        cmocka_unit_test(a_name_longer_than_its_line_has_no_place),
        cmocka_unit_test(nothing_to_place),
        cmocka_unit_test(a_thousand_random_charts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

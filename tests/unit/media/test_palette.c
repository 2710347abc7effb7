/* Colours: what means different things is apart for who sees fewer colours; text stands out from paper.
 *
 * Dichromacy as by Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency"
 * (2009), severity 1, on linear sRGB; distances are those of CIE L*a*b* (1976). */
#include "rl_test.h"

#include <math.h>

#include "chart.h"
#include "core/mem.h"
#include "layout.h"

#define READABLE 4.5 /* contrast of text with paper (WCAG 2, 1.4.3) */

enum { NORMAL, PROTANOPIA, DEUTERANOPIA, TRITANOPIA, VISIONS };
static const char *const names[VISIONS] = {"normal vision", "protanopia", "deuteranopia", "tritanopia"};
static const double least[VISIONS] = {26, 20, 17.5, 16}; /* between two colours; 2.3 is just noticeable side by side */
static const double visions[VISIONS][3][3] = {
    [NORMAL] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [PROTANOPIA] = {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    [DEUTERANOPIA] = {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    [TRITANOPIA] = {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};

static double linear(uint8_t part)
{
    const double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double lab_part(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

struct lab {
    double l, a, b;
};

/* A colour as it is seen. */
static struct lab seen(struct rl_colour colour, int vision)
{
    const double from[] = {linear(colour.r), linear(colour.g), linear(colour.b)};
    double c[3];
    for (size_t i = 0; i < 3; i++) {
        const double *row = visions[vision][i];
        c[i] = fmin(fmax(row[0] * from[0] + row[1] * from[1] + row[2] * from[2], 0), 1);
    }
    const double x = lab_part((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
    const double y = lab_part(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = lab_part((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double distance(struct rl_colour one, struct rl_colour other, int vision)
{
    const struct lab a = seen(one, vision), b = seen(other, vision);
    return sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

static void assert_apart(const char *what, struct rl_colour one, struct rl_colour other)
{
    for (int vision = 0; vision < VISIONS; vision++) {
        const double found = distance(one, other, vision);
        if (found < least[vision])
            fail_msg("%s, %s: #%02x%02x%02x and #%02x%02x%02x are %.1f apart, at least %.0f", what, names[vision], one.r, one.g,
                     one.b, other.r, other.g, other.b, found, least[vision]);
    }
}

/* The simulation itself, on colours of which it is known: dichromats see red and green of one lightness alike, greys as they are.
 */
static void simulations_are_right(void **state)
{
    (void)state;
    const struct rl_colour red = {0xB0, 0x50, 0x40, 255}, green = {0x6B, 0x73, 0x3A, 255}, grey = {0x80, 0x80, 0x80, 255};
    const struct rl_colour black = {0, 0, 0, 255}, white = {255, 255, 255, 255};
    assert_true(distance(red, green, NORMAL) > 45);
    assert_true(distance(red, green, DEUTERANOPIA) < 0.4 * distance(red, green, NORMAL));
    for (int vision = 0; vision < VISIONS; vision++) {
        assert_true(fabs(seen(grey, vision).l - 53.6) < 0.2 && hypot(seen(grey, vision).a, seen(grey, vision).b) < 0.5);
        assert_true(fabs(distance(black, white, vision) - 100) < 0.2);
    }
}

static bool has_hue(struct rl_colour c)
{
    return c.r != c.g || c.g != c.b;
}

/* Limiters alone have hues, each its own, and a shape, so that colour is never the only carrier. */
static void limiters_are_apart(void **state)
{
    (void)state;
    for (enum rl_tone a = RL_TONE_DRAM; a <= RL_TONE_LINK; a++)
        for (enum rl_tone b = RL_TONE_DRAM; b < a; b++) {
            assert_apart("limiters", rl_tones[a].mark, rl_tones[b].mark);
            assert_int_not_equal(rl_tones[a].shape, rl_tones[b].shape);
        }
    for (int tone = 0; tone < RL_TONE_COUNT; tone++)
        assert_int_equal(has_hue(rl_tones[tone].mark), tone >= RL_TONE_DRAM && tone <= RL_TONE_LINK);
}

static double luminance(struct rl_colour c)
{
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

static void assert_readable(struct rl_colour c)
{
    const double contrast = 1.05 / (luminance(c) + 0.05);
    if (contrast < READABLE)
        fail_msg("text of #%02x%02x%02x: contrast %.1f with paper, at least %.1f", c.r, c.g, c.b, contrast, READABLE);
}

static void text_stands_out_from_paper(void **state)
{
    (void)state;
    for (int tone = 0; tone < RL_TONE_COUNT; tone++)
        assert_readable(rl_tones[tone].text);
    for (int style = 0; style < RL_STYLE_COUNT; style++)
        assert_readable(rl_styles[style].colour);
}

static bool is_colour(struct rl_colour colour, unsigned rgb)
{
    return ((unsigned)colour.r << 16 | (unsigned)colour.g << 8 | colour.b) == rgb;
}

/* Unknown is white and hatched, counter collection the grey of idle time and hatched, and nothing else is: in every chart and
 * table. */
static void hatching_has_two_meanings(void **state)
{
    (void)state;
    for (int tone = 0; tone < RL_TONE_COUNT; tone++)
        assert_int_equal(rl_tones[tone].hatched, tone == RL_TONE_UNKNOWN || tone == RL_TONE_COUNTED);
    assert_true(is_colour(rl_tone_area(RL_TONE_UNKNOWN), 0xFFFFFF));
    assert_true(is_colour(rl_tone_area(RL_TONE_COUNTED), 0xD9D9D9));
    assert_true(is_colour(rl_tone_area(RL_TONE_IDLE), 0xD9D9D9));
    assert_true(is_colour(rl_tones[RL_TONE_UNKNOWN].mark, 0x767676));
    assert_true(is_colour(rl_tone_area(RL_TONE_DRAM), 0x0072B2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_are_right),
        cmocka_unit_test(limiters_are_apart),
        cmocka_unit_test(text_stands_out_from_paper),
        cmocka_unit_test(hatching_has_two_meanings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* fleet_method.c - the last page: how GPUs are compared, and where the rules come from. */
#include "core/mem.h"
#include "fleet_doc.h"

static const struct {
    const char *head, *text;
} paragraphs[] = {
    {"What is compared",
     "Every measured ceiling and every median time of a kernel or variant, at its problem size. The difference of a GPU is the "
     "logarithm of its time over the median of the group (of the median rate over its rate), so that twice as slow and half as "
     "slow "
     "lie equally far from the middle; it is printed as a share of the rate: half the rate is 50 % slower."},
    {"The scale",
     "The median absolute deviation from the median, times 1.4826 and a factor for few values, so that it estimates a standard "
     "deviation and up to half of the GPUs may be outliers without moving it (Iglewicz and Hoaglin, How to Detect and Handle "
     "Outliers, 1993; Croux and Rousseeuw, Time-efficient algorithms for two highly robust estimators of scale, 1992). It is "
     "averaged with the typical scale of the figures of the same part of the card, which counts as four degrees of freedom and is "
     "taken to be at least 0.3 % (the moderated variance of Smyth, 2004): this helps where there are few GPUs, or GPUs that are "
     "all alike. It is never below the measurement's own uncertainty."},
    {"The limit",
     "A GPU stands apart when its difference is beyond the two-sided point of Student's t at 5 % divided by the number of looks at "
     "all GPUs of the group (Bonferroni): the chance that any GPU of a healthy group is reported is then at most 5 %, as long as "
     "differences are roughly normally distributed. The degrees of freedom are 37 % (the efficiency of the median absolute "
     "deviation) of the number of GPUs less one, plus four. Differences under 1 % do not count."},
    {"Parts", "Figures about one part of the card (device memory, L2, SMs, host link, others) are also judged together, by the "
              "median of a GPU's differences over them: the noise of single figures cancels out, and the state of the part "
              "remains."},
    {"Causes", "The state of the card as its capture records it is compared with what is usual in the group: clocks, reasons for "
               "lowered clocks, temperature, limits, ECC, MIG, link, driver. Whatever differs and can slow down the slow part is "
               "named; that is evidence, not proof. Where nothing differs, the report says so."},
    {"Links",
     "A pair of GPUs, or a GPU and the host, is judged like a GPU, by the rates of its links in each direction and in both at "
     "once. It is compared with all pairs connected in the same way, on its own node and on the others; where NVLinks run directly "
     "from GPU to GPU, with the same pair on other nodes, because the number of links differs by design. The link itself is named "
     "as the cause when the other links of both GPUs are as usual."},
    {"Nodes, racks, drivers",
     "GPUs of one node, rack or driver are compared with the rest of their group by the Mann-Whitney rank test, corrected for all "
     "such tests by Holm's method; differences that are significant at 1 % and at least 0.5 % are shown. Racks are taken from host "
     "names: the part before the last number, such as r07 in r07n12. Drivers that at least 8 GPUs share have medians of their own, "
     "so that a slower driver makes no GPU look slow."},
    {"Repeated captures", "If there are several captures of one GPU (by its UUID), the newest complete one counts; a copy of a "
                          "file counts once."},
};

static void draw(struct rl_document *doc, struct rl_section *section)
{
    (void)section;
    for (size_t i = 0; i < RL_COUNT(paragraphs); i++) {
        rl_layout_need(doc->layout, 50);
        rl_layout_subsection(doc->layout, paragraphs[i].head);
        rl_layout_text(doc->layout, RL_STYLE_BODY, paragraphs[i].text);
        rl_layout_skip(doc->layout, 6);
    }
}

const struct rl_page rl_fleet_page_method = {.draw = draw};

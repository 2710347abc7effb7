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
     "deviation and up to half of the GPUs may be wild without moving it (Iglewicz and Hoaglin, How to Detect and Handle Outliers, "
     "1993; Croux and Rousseeuw, Time-efficient algorithms for two highly robust estimators of scale, 1992). It is averaged with "
     "the "
     "typical scale of the figures of the same part of the card, which counts as four degrees of freedom and is taken to be at "
     "least "
     "0.3 % (the moderated variance of Smyth, 2004): this carries few GPUs, and GPUs that are all alike. It is never below the "
     "measurement's own uncertainty."},
    {"The limit",
     "A GPU stands apart when its difference is beyond the two-sided point of Student's t at 5 % divided by the number of looks at "
     "all "
     "GPUs of the group (Bonferroni): the chance that anybody in a healthy group is accused is then at most 5 %, as long as "
     "differences are distributed about normally. The degrees of freedom are 37 % of the GPUs less one, the efficiency of the "
     "median "
     "absolute deviation, plus four. Differences under 1 % do not count."},
    {"Parts", "Figures that speak of one part of the card (device memory, L2, SMs, host link, others) are also judged together, by "
              "the median of "
              "a GPU's differences over them: noise of single figures goes out, what the part does stays."},
    {"Causes", "The state of the card that its capture holds is compared with what is usual in the group: clocks, reasons for "
               "lowered clocks, "
               "temperature, limits, ECC, MIG, link, driver. What differs, and can slow down the part that is slow, is named; that "
               "is evidence, not "
               "proof. Where nothing differs, that is said."},
    {"Links",
     "Two GPUs, or a GPU and the host, with the links between them are judged as a GPU is, by their rates in each direction and in "
     "both at once. They are held against all others with links of the same way, of their node and of the others; where NVLinks "
     "go straight from GPU to GPU, against the same two GPUs of other nodes, because their number differs by design. A cause is "
     "said to be the link itself when the other links of both GPUs are as usual."},
    {"Nodes, racks, drivers",
     "GPUs of one node, rack or driver are held against the rest of their group by the rank test of Mann and Whitney, corrected "
     "for all "
     "such tests by Holm's method; shown is what is sure at 1 % and at least 0.5 %. Racks are read from host names: what stands "
     "before "
     "the last number, as in r07 of r07n12. Drivers that at least 8 GPUs share have medians of their own, so that a slower driver "
     "accuses no GPU."},
    {"Repeated captures", "Of captures of one GPU (by its UUID) the newest complete one counts; a copy of a file counts once."},
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

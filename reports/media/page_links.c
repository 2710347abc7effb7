/* page_links.c - the links between the GPUs of a machine: rates by both ends, kinds, what stands out. */

#include "page.h"
#include "results/results.h"
#include "view_table.h"

/* "GPU to GPU, NVLink: 45.2 GB/s (90 % of peak); ..." */
static const char *lead(struct rl_report *report, const struct rl_links *links)
{
    const char *text = "";
    for (size_t k = 0; k < links->kind_count && k < 4; k++) {
        const struct rl_link_kind *kind = &links->kinds[k];
        text = rl_words(report->doc, "%s%s%s, %s: %s", text, text[0] ? "; " : "", rl_link_ends[kind->ends], kind->label,
                        rl_words_value(report->doc, RL_UNIT_BYTE_PER_SECOND, kind->median, 3));
        if (rl_present(kind->share))
            text = rl_words(report->doc, "%s (%s of peak)", text, rl_words_value(report->doc, RL_UNIT_FRACTION, kind->share, 2));
    }
    return text[0] ? rl_words(report->doc, "%s. Each link alone, in one direction.", text) : "No link was measured.";
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_capture *capture = report->capture;
    const struct rl_links *links = report->subject->links;
    const struct view view = view_subject_view(report->subject, &view_record_links, links);
    size_t same = RL_SUM(size_t, i, capture->gpu_count, strcmp(capture->gpus[i].name, capture->gpus[0].name) == 0);
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "%zu x %s%s%s%s", same, rl_words_short(doc, rl_words_card(capture, 0), 60),
                    same < capture->gpu_count ? " and others" : "", capture->session.host ? " on " : "",
                    capture->session.host ? rl_words_short(doc, capture->session.host, 60) : "");
    rl_layout_skip(doc->layout, 4);
    rl_layout_text(doc->layout, RL_STYLE_LEAD, lead(report, links));
    rl_layout_skip(doc->layout, 8);
    rl_view_blocks(doc->layout, &view, true);
    rl_layout_skip(doc->layout, 10);
    rl_layout_text(
        doc->layout, RL_STYLE_NOTE,
        "cudaMemcpyPeerAsync with peer access where the driver allows it, cudaMemcpyAsync with pinned memory to and from the "
        "host, timed by CUDA events behind a gate that opens for all copies at once; the copy size with the highest rate counts. "
        "Peak: NVLinks times the rate of one in one direction (the makers' figures by version), or lanes times the PCIe rate "
        "after its line code; headers are not taken off. Kinds: links of the same route, version and number; for PCIe the topology "
        "as nvidia-smi names it (PIX, PXB: one or several switches; PHB: host bridge; NODE, SYS: within and between sockets). All "
        "at once: the bytes of all over the time of the slowest. The copied data was compared byte for byte before anything was "
        "timed.");
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return report->capture->link_count > 0;
}

const struct rl_page rl_page_links = {.count = how_many, .draw = draw};

/* links.h - rates and findings of the links between the GPUs of a machine, and between them and the host.
 *
 * A link is one direction between two ends. Its rate is that of the copy size with the highest median. Links of one *kind* (route,
 * number and version of NVLinks or PCIe lanes, topology) should be equal: each is compared with the median of its kind.
 */
#pragma once

#include "capture/capture.h"

enum { RL_LINK_LATENCY_BYTES = 64 }; /* largest copy that is used for the latency */

struct rl_link_result {
    const struct rl_link *of; /* of the capture */
    struct rl_value theory;   /* B/s, see links.def */
    struct rl_stats rate;     /* B/s alone; n = 0: not measured */
    uint64_t rate_bytes;      /* of the copies */
    struct rl_value share;    /* of theory */
    struct rl_stats both;     /* B/s, both directions added up; of the first link of a pair, n = 0 for the other */
    struct rl_stats together; /* B/s of this link while all GPUs use theirs to or from the host */
    struct rl_stats latency;  /* s, of a small copy in a chain of them */
    size_t kind;
    struct rl_value of_kind; /* rate over the median of its kind */
    unsigned found;          /* bits 1u << enum rl_link_rule of the findings that name it first */
};

enum rl_link_ends { RL_LINK_PEERS, RL_LINK_FROM_HOST, RL_LINK_TO_HOST };
extern const char *const rl_link_ends[]; /* "GPU to GPU", "host to GPU", "GPU to host" */

struct rl_link_kind {
    enum rl_link_ends ends;
    const char *label;       /* "18 x NVLink 4.0, switched", "PCIe 5 x16", "through the host's memory (SYS)" */
    size_t count;            /* links, */
    size_t measured;         /* and those with a rate */
    size_t slowest, fastest; /* links; RL_NONE when none is measured */
    struct rl_value theory, median, share;
    struct rl_value both, latency; /* medians over the links */
};

/* All GPUs at once, from or to the host. */
struct rl_link_total {
    const char *direction;    /* "from the host to all GPUs" */
    struct rl_stats together; /* B/s: all bytes over the time of the slowest; n = 0: not measured */
    struct rl_value alone;    /* sum of the rates of each alone */
    struct rl_value share;
};

enum rl_link_rule {
#define LINK_RULE(id, threshold, judges, advice, source) RL_LINK_RULE_##id,
#include "analysis/link_rules.def"
    RL_LINK_RULE_COUNT
};
struct rl_link_rule_info {
    const char *id;
    double threshold;
    const char *judges, *advice, *source;
};
extern const struct rl_link_rule_info rl_link_rules[RL_LINK_RULE_COUNT];

struct rl_link_finding {
    enum rl_link_rule rule;
    size_t link;      /* that it is about, or the first of them; RL_NONE: all */
    const char *text; /* "link GPU 2 to GPU 3 reaches 61 % of the median of its kind (...)" */
};

struct rl_links {
    const struct rl_capture *capture; /* borrowed */
    struct rl_arena arena;
    struct rl_link_result *links; /* one for each of the capture's */
    size_t *by_ends;              /* all links by where they begin, where they end, then in the order of the capture */
    struct rl_link_kind *kinds;
    size_t kind_count;
    struct rl_link_total from_host, to_host;
    struct rl_link_finding *findings;
    size_t finding_count, finding_cap;
};

/* Works it out; a capture without links gives one without anything. Free with rl_links_free. */
struct rl_links *rl_links_new(const struct rl_capture *capture);
/* Frees it; NULL is allowed. */
void rl_links_free(struct rl_links *links);

/* Whether a capture has only measurements of links. */
bool rl_capture_has_only_links(const struct rl_capture *capture);
/* The first link between two ends (RL_NONE: the host); RL_NONE when there is none. */
size_t rl_links_find(const struct rl_links *links, size_t from_gpu, size_t to_gpu);
/* "GPU 0 to GPU 1", "host to GPU 3"; appends. */
void rl_link_name(const struct rl_capture *capture, size_t link, struct rl_buf *out);

/* B/s of one NVLink in one direction. If the driver reports the rate on the wire, it decides, because some drivers report a later
 * version than the GPU has: the fastest row that it can carry. Missing for an unknown version. */
struct rl_value rl_nvlink_bytes_per_second(struct rl_value version, struct rl_value wire_rate);
/* B/s of a PCIe link in one direction after its line code; packet headers are not subtracted. */
struct rl_value rl_pcie_bytes_per_second(struct rl_value generation, struct rl_value width);

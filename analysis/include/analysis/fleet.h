/* fleet.h - many captures as one fleet: the distribution of every figure over the GPUs, outliers, and their causes.
 *
 *     for each capture: analysis -> rl_fleet_record_new() -> free analysis and capture -> rl_fleet_add()
 *     rl_fleet_finish() -> read -> rl_fleet_free()
 *
 * A record is a summary of one GPU in one capture, some kilobytes, so that the captures need not be in memory together. Records may
 * be made in any order and by several threads at once; only one thread at a time may add. Records are sorted by path, so the result
 * does not depend on the order of adding.
 *
 * Judging. GPUs are compared within a *group*: same model, tool version and kind of suite. A *measure* is a roof, or the time of a
 * variant or kernel class at one problem size; its *deviation* on a GPU is ln(time / median) or ln(median / rate) with the group's
 * median, so positive is slower. If at least RL_FLEET_STRATUM GPUs have the same driver, the median is that of the GPUs with this
 * driver.
 *
 * A measure's scale is the MAD of its deviations (analysis/robust.h), moderated by the typical scale of the measures of the same
 * part of the GPU, so that it is also valid for few GPUs and if the MAD is 0, and never below the measures' own uncertainty. The
 * median of a GPU's deviations over the measures of a part is judged in the same way; it averages out noise of single measures. A
 * GPU is an outlier if a deviation is beyond the limit that chance exceeds, over all tests of all GPUs of the group, with a
 * probability of at most `alpha`, and beyond `least`, the smallest deviation worth a ticket.
 */
#pragma once

#include "analysis/analysis.h"
#include "core/intern.h"

enum rl_fleet_part {
#define PART(id, label, plural) RL_PART_##id,
#include "analysis/fleet_parts.def"
    RL_PART_COUNT
};
struct rl_fleet_part_info {
    const char *id, *label, *plural;
};
extern const struct rl_fleet_part_info rl_fleet_parts[RL_PART_COUNT];

enum rl_fleet_evidence {
#define EVIDENCE(id, unit, label, source, argument) RL_EVIDENCE_##id,
#include "analysis/fleet_evidence.def"
    RL_FLEET_EVIDENCE_COUNT
};
struct rl_evidence_info {
    const char *id;
    enum rl_unit unit;
    const char *label;
};
extern const struct rl_evidence_info rl_evidences[RL_FLEET_EVIDENCE_COUNT];

enum rl_cause_how { RL_CAUSE_LOWER, RL_CAUSE_MORE, RL_CAUSE_OTHER };
enum rl_cause {
#define CAUSE(id, ...) RL_CAUSE_ID_##id,
#include "analysis/fleet_causes.def"
    RL_CAUSE_COUNT
};
struct rl_cause_info {
    const char *id;
    unsigned parts; /* bits: 1 << enum rl_fleet_part */
    enum rl_fleet_evidence evidence;
    enum rl_cause_how how;
    double amount;
    const char *words, *advice;
};
extern const struct rl_cause_info rl_causes[RL_CAUSE_COUNT];

/* ---- records ---- */

/* Which direction of the links between two ends a measure is of. */
enum rl_fleet_way {
    RL_WAY_NONE,     /* it is not of links */
    RL_WAY_FORTH,    /* from the GPU with the lower ordinal, or from the host */
    RL_WAY_BACK,     /* the other way */
    RL_WAY_BOTH,     /* both at once, added up */
    RL_WAY_TOGETHER, /* from the host, while all GPUs use their ways from it */
    RL_WAY_TOGETHER_BACK,
};

/* A measured quantity: a ceiling, or the time of a variant or kernel class. */
struct rl_fleet_key {
    const char *name; /* "DRAM", "coalescing / stride_1" */
    const char *id;   /* distinguishes: ceiling and number of configurations, or variant and problem size, or kernel and shape */
    bool ceiling;     /* greater is better; otherwise a time */
    enum rl_unit unit;
    enum rl_fleet_part part; /* in a fleet: that of most records */
    enum rl_fleet_way way;   /* of a link's */
};

struct rl_fleet_measure {
    uint32_t key;      /* in the record's keys; in a fleet, in the fleet's */
    uint16_t position; /* in the order of measuring */
    uint16_t part;     /* enum rl_fleet_part, as this capture has it */
    float noise;       /* standard error of the median, relative; 0: unknown */
    double value;      /* median, base unit, positive */
};

enum rl_fleet_use {
    RL_USE_COMPARED,
    RL_USE_DUPLICATE, /* the same file again */
    RL_USE_OLDER,     /* another capture of the same GPU is newer, or complete where this one is not */
    RL_USE_EMPTY,     /* nothing was measured */
};
const char *rl_fleet_use_name(enum rl_fleet_use use); /* "compared", "duplicate", "older capture of a GPU", "nothing measured" */

enum { RL_FLEET_HOST = -1 }; /* the peer of a GPU's links to the host */

/* One GPU in one capture, or two ends with links between them. Everything belongs to the record. */
struct rl_fleet_record {
    struct rl_arena arena, key_arena; /* the second until it is added */
    const char *path;
    const char *host, *node, *rack; /* host as recorded, "" unknown; node: without domain; rack: "" when the name carries none */
    const char *card, *uuid;        /* uuid: "" unknown */
    const char *driver, *tool_version, *started, *source;
    const char *links;     /* route of the links between two ends: "NVLink, switched"; "" for a GPU */
    const char *peer_uuid; /* of the other end: "" unknown */
    struct rl_sha256 sha256;
    int gpu;  /* ordinal in its session; of two GPUs the lower one */
    int peer; /* of links: the other GPU, or RL_FLEET_HOST */
    int end;  /* of slow links: the GPU at which most other slow links end */
    bool complete;
    size_t wrong, failed; /* variants with a wrong result; that failed */
    size_t planned;       /* variants in the capture, done or not */
    struct rl_value evidence[RL_FLEET_EVIDENCE_COUNT];
    struct rl_fleet_key *keys; /* only until it is added */
    struct rl_fleet_measure *measures;
    size_t measure_count;
    /* Set by rl_fleet_finish. */
    enum rl_fleet_use use;
    size_t of;                            /* duplicate or older: the record that counts */
    size_t group;                         /* RL_NONE: not compared */
    size_t driver_index;                  /* among the group's drivers */
    bool namesake;                        /* another compared record has the same node and ordinals */
    double part_deviation[RL_PART_COUNT]; /* NAN: fewer than half of the part's measures */
};

/* Makes the record of GPU `gpu` of an analysed capture, read from `path`. Free with rl_fleet_record_free unless it is added. */
struct rl_fleet_record *rl_fleet_record_new(const struct rl_analysis *analysis, size_t gpu, const char *path);
/* Frees a record that was not added to a fleet; NULL is allowed. */
void rl_fleet_record_free(struct rl_fleet_record *record);

/* The links of an analysed capture, one record for each two ends that were measured: rates forth, back and both ways. Ends are held
 * against others with links of the same way (NVLink, switched NVLink, PCIe at the same place of the topology, ...) wherever they
 * are; where NVLinks go straight from GPU to GPU, whose number differs by design, against the same two ordinals of other nodes. How
 * many NVLinks or lanes a link has is evidence, not what groups are made by: a link that lost some is slow. `*records` is
 * allocated, NULL when there are none; the caller adds or frees each and frees the array. Returns their number. */
size_t rl_fleet_links_new(const struct rl_capture *capture, const char *path, struct rl_fleet_record ***records);

/* Appends node and rack of a host name (any bytes). The node is the name without its domain. The rack is the part before the last
 * number of the node, up to the end of the previous number: "r07" of "r07n12", "rack3" of "rack3-node05"; the cabinet "x1000" of
 * "x1000c0s3b0n1"; nothing of "node12". */
void rl_fleet_parse_host(const char *host, struct rl_buf *node, struct rl_buf *rack);

/* ---- the fleet ---- */

enum {
    RL_FLEET_LEAST = 4,
    RL_FLEET_STRATUM = 8
}; /* fewest GPUs of a group that is judged; of a driver that is judged separately
    * */

/* A file that gave no record. */
struct rl_fleet_unread {
    const char *path, *why;
};

/* Distribution of one measure over a group. */
struct rl_fleet_spread {
    size_t key, group, count;
    double median, low, high, first, last; /* of the values: median, 5 % and 95 % quantiles, smallest, largest */
    double centre;                         /* of ln(time) or -ln(rate), over the group; */
    const double *driver_centre;           /* over those with each of the group's drivers; NAN: too few, the group's counts */
    double scale, floor;                   /* of the deviations; its lower bound, the measure's own uncertainty */
    double limit;                          /* deviation beyond which a GPU is an outlier; INFINITY: too few GPUs to judge */
};
struct rl_fleet_part_spread {
    size_t count, measures;
    double scale, limit;
};

/* GPUs, or links, that can be compared. */
struct rl_fleet_group {
    const char *card, *tool_version, *suite; /* suite: "88 times, 19 ceilings" */
    const char *links;                       /* as that of its records: "" for GPUs */
    size_t suite_id;
    size_t *records; /* indices, in order */
    size_t record_count;
    size_t incomplete;
    double looks;
    bool judged; /* false: fewer than RL_FLEET_LEAST GPUs */
    const char **drivers;
    size_t *driver_records; /* GPUs with each driver; from RL_FLEET_STRATUM on a driver is judged separately if there are several */
    size_t driver_count;
    struct rl_value usual[RL_FLEET_EVIDENCE_COUNT]; /* median; of counts the most common value */
    struct rl_fleet_part_spread part[RL_PART_COUNT];
};

/* Range of one setting in the captures of a group's GPUs: alike where `least` is `greatest`. */
struct rl_fleet_setting {
    enum rl_fleet_evidence of;
    struct rl_value usual; /* as the group's */
    double least, greatest;
    size_t other; /* number of GPUs whose value is known and not the usual one */
};

/* One figure of one GPU beyond the limit. */
struct rl_fleet_outlier {
    size_t record, key; /* key RL_NONE: the part as a whole */
    enum rl_fleet_part part;
    double deviation; /* positive: slower */
    double z;         /* over its scale */
    double limit;     /* of the deviation */
};

struct rl_fleet_cause {
    enum rl_cause cause;
    const char *id, *text, *advice;
};

/* An outlier GPU: one ticket. */
struct rl_fleet_suspect {
    size_t record;
    bool slower; /* false: faster than the others only, which is reported but is no fault */
    size_t wrong;
    unsigned parts;   /* bits of the parts in which it is slower (or faster) */
    double worst;     /* deviation of the worst part, or of the worst measure where no part is beyond its limit */
    size_t worst_key; /* RL_NONE: it is that of worst_part */
    enum rl_fleet_part worst_part;
    size_t outlier_count; /* measures beyond their limit in that direction */
    struct rl_fleet_cause causes[4];
    size_t cause_count;
};

struct rl_fleet_options {
    double alpha; /* probability of any outlier in a healthy group; 0: 0.05 */
    double least; /* smallest deviation of an outlier; 0: 0.01 */
};

struct rl_fleet {
    struct rl_arena arena;
    struct rl_fleet_options options;
    struct rl_fleet_record **records;
    size_t record_count, record_cap;
    struct rl_fleet_unread *unread;
    size_t unread_count, unread_cap;
    struct rl_fleet_key *keys;
    size_t key_count, key_cap;
    struct rl_fleet_group *groups; /* GPUs before links, largest first */
    size_t group_count, group_cap;
    struct rl_fleet_spread *spreads; /* by group, then key */
    size_t spread_count, spread_cap;
    struct rl_fleet_outlier *outliers; /* by record, then part and key */
    size_t outlier_count, outlier_cap;
    struct rl_fleet_suspect *suspects; /* slower ones first, the worst first */
    size_t suspect_count, suspect_cap;
    size_t slower_count, slower_links; /* GPUs and pairs of ends; the latter alone */
    size_t compared;                   /* GPUs, */
    size_t links;                      /* and pairs of ends with links between them */
    struct rl_intern ids;              /* of keys */
};

/* An empty fleet; free it with rl_fleet_free, which frees its records too. */
struct rl_fleet *rl_fleet_new(const struct rl_fleet_options *options);
/* Frees the fleet with its records; NULL is allowed. */
void rl_fleet_free(struct rl_fleet *fleet);
/* Takes the record over. */
void rl_fleet_add(struct rl_fleet *fleet, struct rl_fleet_record *record);
/* Notes a file that could not be read, and why. */
void rl_fleet_add_unread(struct rl_fleet *fleet, const char *path, const char *why);
/* Replaces names by numbers, before rl_fleet_finish: "node-3", "rack-1", "GPU-17", "capture-20"; equal names get equal numbers. */
void rl_fleet_redact(struct rl_fleet *fleet);
/* Judges the fleet. Nothing may be added afterwards. */
void rl_fleet_finish(struct rl_fleet *fleet);

/* Deviation of a record's measure in its group: positive is slower; NAN for a record that is not compared. */
double rl_fleet_deviation(const struct rl_fleet *fleet, const struct rl_fleet_record *record,
                          const struct rl_fleet_measure *measure);
/* The spread of a key in a group, or NULL. */
const struct rl_fleet_spread *rl_fleet_spread_of(const struct rl_fleet *fleet, size_t group, size_t key);
/* The measure of a key in a record, or NULL. */
const struct rl_fleet_measure *rl_fleet_measure_of(const struct rl_fleet_record *record, size_t key);
/* The settings and readings that the captures of a group say, in the order of analysis/fleet_evidence.def, without those that are
 * no setting of a GPU (its driver, by which GPUs are grouped; conclusions about links). `settings` has room for
 * RL_FLEET_EVIDENCE_COUNT. Returns their number. */
size_t rl_fleet_settings(const struct rl_fleet *fleet, const struct rl_fleet_group *group, struct rl_fleet_setting *settings);
/* "16 × NVIDIA H200", "28 links of NVIDIA H200 (NVLink, switched)": appends. */
void rl_fleet_group_text(const struct rl_fleet_group *group, struct rl_buf *out);
/* "2 of 16 GPUs and 1 of 56 links are slower than the others": appends; links only where there are some. */
void rl_fleet_summary_text(const struct rl_fleet *fleet, struct rl_buf *out);
/* "node r07n12 GPU 3", "r07n12 GPU 2 and GPU 3", or the file when the host is unknown; with the file's name behind it, in
 * brackets, where another GPU has the same node and ordinal: appends. */
void rl_fleet_record_text(const struct rl_fleet_record *record, struct rl_buf *out);
/* "device memory 3.1 % slower (7 of 23 figures beyond their limits)", the difference being that of the rate: what takes twice as
 * long is 50 % slower. Appends. */
void rl_fleet_slowdown_text(const struct rl_fleet *fleet, const struct rl_fleet_suspect *suspect, struct rl_buf *out);
/* The likely cause first, then others; that there is none in the capture. Nothing for a GPU that is only faster. Appends. */
void rl_fleet_causes_text(const struct rl_fleet *fleet, const struct rl_fleet_suspect *suspect, struct rl_buf *out);
/* A deviation as a share of the rate, positive slower: 1 - exp(-d), so that 0.5 is half the rate, twice the time. */
double rl_fleet_share(double deviation);

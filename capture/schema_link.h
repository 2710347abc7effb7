/* schema_link.h - columns of copies between GPUs, and rules over more than one of them. Private to capture/schema.c. */
#ifndef RL_CAPTURE_SCHEMA_LINK_H
#define RL_CAPTURE_SCHEMA_LINK_H

#include "schema_columns.h"

static const char *const ways[] = {"nvlink", "nvswitch", "c2c", "pcie", "host", "unknown", NULL};
static const char *const traffics[] = {"alone", "both ways", "together", NULL};

static const struct rl_column link_columns[] = {
    INDEX_OR_NONE(link, from_gpu, GPU),   INDEX_OR_NONE(link, to_gpu, GPU), WORD(link, via, ways),
    OPTIONAL_TEXT(link, topology),        OPTIONAL_TEXT(link, access),      VALUE(link, nvlinks, 0, 1024),
    VALUE(link, nvlink_version, 0, 1024), VALUE(link, nvlink_rate, 0, ANY), VALUE(link, pcie_generation, 0, 1024),
    VALUE(link, pcie_width, 0, 1024),     OPTIONAL_TEXT(link, failure),
};
static const struct rl_column link_run_columns[] = {
    INDEX(link_run, link, LINK),
    WORD(link_run, traffic, traffics),
    U64(link_run, bytes),
    U64(link_run, copies),
};
static const struct rl_column link_duration_columns[] = {
    OWNER("link_run", LINK_RUN),
    INTEGER("duration_ns", U64, 0, LARGEST, .offset = 0),
};

/* The fault of a link; NULL: none. */
static const char *link_rule(const struct rl_schema_row *row)
{
    const struct rl_link *link = row->element;
    return link->from_gpu == link->to_gpu ? "it begins where it ends" : NULL;
}

/* The same of copies over one. */
static const char *link_run_rule(const struct rl_schema_row *row)
{
    const struct rl_link_run *run = row->element;
    return run->bytes == 0 || run->copies == 0 ? "it copied nothing" : NULL;
}

#endif

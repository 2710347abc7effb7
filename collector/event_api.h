/* event_api.h - CUPTI's events and metrics, opened at run time: our own declarations of what is used of them (event_api.def).
 * CUPTI 13 has them no more. Private to the collector. */
#ifndef RL_COLLECTOR_EVENT_API_H
#define RL_COLLECTOR_EVENT_API_H

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/* CUpti_EventGroupSet: groups that are collected together, in one pass. */
struct rl_event_set {
    uint32_t numEventGroups;
    void **eventGroups;
};
/* CUpti_EventGroupSets: the passes of a list of events. */
struct rl_event_sets {
    uint32_t numSets;
    struct rl_event_set *sets;
};
/* CUpti_MetricValue; which member is meant, the metric's kind says. */
union rl_metric_value {
    double metricValueDouble;
    uint64_t metricValueUint64;
    int64_t metricValueInt64;
    double metricValuePercent; /* 57.5 is 57.5 % */
};
#ifndef EVENT_SETS
#define EVENT_SETS   struct rl_event_sets
#define EVENT_SET    struct rl_event_set
#define METRIC_VALUE union rl_metric_value
#endif

/* Numbers of CUPTI's enumerations. */
enum {
    RL_EVENT_MODE_KERNEL = 1,            /* CUPTI_EVENT_COLLECTION_MODE_KERNEL */
    RL_EVENT_DOMAIN_TOTAL_INSTANCES = 3, /* CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT */
    RL_EVENT_GROUP_DOMAIN = 0,           /* CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID */
    RL_EVENT_GROUP_ALL_INSTANCES = 1,    /* CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES */
    RL_EVENT_GROUP_COUNT = 3,            /* CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS */
    RL_EVENT_GROUP_EVENTS = 4,           /* CUPTI_EVENT_GROUP_ATTR_EVENTS */
    RL_EVENT_GROUP_INSTANCES = 5,        /* CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT */
    RL_METRIC_KIND = 4,                  /* CUPTI_METRIC_ATTR_VALUE_KIND */
    RL_METRIC_OF_DOUBLE = 0,             /* CUPTI_METRIC_VALUE_KIND_DOUBLE and so on */
    RL_METRIC_OF_UINT64 = 1,
    RL_METRIC_OF_PERCENT = 2,
    RL_METRIC_OF_INT64 = 4,
};
#define RL_EVENT_OVERFLOW UINT64_MAX /* CUPTI_EVENT_OVERFLOW */

struct rl_event_api {
#define EVENT_FUNCTION(name, parameters) int(*name) parameters;
#include "event_api.def"
#undef EVENT_FUNCTION
};
/* The functions; rl_event_open must have succeeded. */
extern struct rl_event_api rl_event;

/* Looks the functions up in the library that rl_cupti_open has opened. RL_UNSUPPORTED names what is missing. Thread-safe. */
enum rl_status rl_event_open(struct rl_err *err);

/* A call of one of them: RL_EVENT(err, cuptiEventGroupSetEnable, set). */
#define RL_EVENT(err, function, ...) rl_cupti_check((CUptiResult)rl_event.function(__VA_ARGS__), #function, (err))

#endif

/* guest.h - the program's own use of CUPTI: what it has asked for, and what it is given. Private to collector/inject.
 *
 *     intercept.c    how the program's calls of CUPTI come here
 *     guest.c        kinds of records that it wants, its buffers
 *     records.c      CUPTI's buffers: read for us, then for the program
 *     callbacks.c    the one subscriber of CUPTI, which both share
 *     several.c      one subscriber each, where CUPTI has that
 *     aside.c        counters, which only one of both can have
 *     shims.c        what those calls become
 *
 * CUPTI has one pair of buffer functions, one set of enabled kinds and one subscriber. All are ours, and we offer the program the
 * same interface: it receives the records of the kinds that it has enabled, in its own buffers, which are requested and completed
 * when CUPTI would do so: when they are full and when the program flushes. Other records do not reach it, and its buffers are never
 * used for ours. */
#pragma once

#include "inject.h"

/* ---- intercept.c ---- */

typedef void (*several_requested)(uint8_t **buffer, size_t *size, size_t *most, void *info);
typedef void (*several_completed)(uint8_t *buffer, size_t size, size_t valid, void *info);
/* Functions of others.def; NULL: CUPTI lacks it. */
struct other_api {
#define OTHER(name, parameters)              CUptiResult(*name) parameters;
#define OWNER(begin, end)                    CUptiResult (*begin)(void *), (*end)(void *);
#define SAMPLER                              OWNER
#define MOMENT(name)                         CUptiResult (*name)(void *);
#define SEVERAL(name, parameters, arguments) CUptiResult(*name) parameters;
#include "others.def"
};
extern struct other_api others;
/* The copy of CUPTI that the program loaded before us, which is the one to use; NULL: none. */
const char *intercept_loaded(void);
/* A function of ours that replaces one of CUPTI for the program, in whatever copy it calls, including copies that it loads later.
 */
struct shim {
    const char *name;
    const void *to;
    void **original; /* receives CUPTI's function */
};
/* Redirects the calls, once. False: they cannot be redirected. Requires rl_cupti_open. */
bool intercept_start(const struct shim *shims, size_t count);
/* Whether calls of another version of CUPTI are redirected, too. */
bool intercept_serves_others(void);
/* Resets the state in the child of a fork. */
void intercept_renew(void);
/* Whether a call comes from CUPTI itself or from us. */
bool intercept_is_own(const void *caller);

/* ---- guest.c ---- */

/* Whether the program records activities or has the counters: nothing is counted meanwhile. */
bool guest_is_at_work(void);
/* Whether the program has the counters: nothing is timed either. */
bool guest_has_counters(void);
/* The program acquires or releases the counters. */
void guest_take_counters(bool taken);
/* Changes the number of the program's uses of CUPTI by `change`; true: the first began, or the last ended. */
bool guest_works(int change);
/* Sets the program's buffer functions; both NULL: none any more. */
void guest_register(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed);
/* Whether the program has set buffer functions. */
bool guest_has_buffers(void);
/* The program enables or disables a kind for one context (its id) or all (0); launches made before keep their setting. */
void guest_record(CUpti_ActivityKind kind, uint32_t context, bool on);
/* Whether it records the kind now. */
bool guest_records(CUpti_ActivityKind kind);
/* Disables every kind that the program records; returns their number. */
int guest_record_nothing(void);
/* An API call of the program with this correlation id begins. If the program records and has no buffer, one is requested now, as
 * CUPTI does with the first record: Kineto reports an empty profile if no buffer was ever requested. */
void guest_note_call(uint32_t correlation);
/* Copies a delivered record into the program's buffer if the program wants it. Calls the program's functions. */
void guest_take(const CUpti_Activity *record, size_t bytes);
/* Completes the program's buffer as far as it is filled. */
void guest_hand_over(void);
/* Sets the period of that in milliseconds; 0: only when full. */
void guest_flush_period(uint32_t ms);
/* The period; 0: only when full. */
uint32_t guest_period_ms(void);
/* Completes the buffer if the period has passed. */
void guest_tick(void);
/* Records lost by CUPTI or for want of a buffer since the last call. */
size_t guest_dropped(void);
/* Adds records lost by CUPTI. */
void guest_drop(size_t count);
/* Sets the program's timestamp function. */
void guest_clock(uint64_t (*clock)(void));
/* Whether the program has set a timestamp function that records use; converts both times to CUPTI's own clock. */
bool guest_to_own_clock(uint64_t *start, uint64_t *end);
/* Resets the state in the child of a fork. */
void guest_renew(void);

/* ---- records.c ---- */

/* The reader of our records: called for each record, and after each buffer with the number lost before it. */
struct record_reader {
    void (*record)(const CUpti_Activity *record);
    void (*delivered)(bool any, size_t lost);
};
/* Registers our buffer functions with CUPTI, once; `reader` NULL: only the program reads. */
enum rl_status records_open(const struct record_reader *reader, struct rl_err *err);
/* Enables the kind for us. */
enum rl_status records_enable(CUpti_ActivityKind kind, struct rl_err *err);
/* Disables the kind for us; it stays enabled if the program records it. */
void records_disable(CUpti_ActivityKind kind);
/* Registers the buffer functions again after cuptiFinalize. */
enum rl_status records_open_again(struct rl_err *err);
/* Enables the kind for the program; returns CUPTI's result. */
CUptiResult records_enable_for_guest(CUpti_ActivityKind kind);
/* Disables the kind for the program; returns CUPTI's result. */
CUptiResult records_disable_for_guest(CUpti_ActivityKind kind);

/* ---- callbacks.c ---- */

/* Subscribes, once. */
enum rl_status callbacks_open(CUpti_CallbackFunc callback, struct rl_err *err);
/* Subscribes again after the program called cuptiFinalize, if callbacks_open succeeded before. */
void callbacks_open_again(void);
/* Unsubscribes if subscribed. */
void callbacks_close(void);
/* Enables a callback that we need. */
enum rl_status callbacks_enable(CUpti_CallbackDomain domain, CUpti_CallbackId id, struct rl_err *err);
/* Calls the program's callback if it has enabled this one. */
void callbacks_tell_guest(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data);
/* Whether this thread is inside the program's callback. */
bool callbacks_are_telling(void);
/* Subscribes after cuptiFinalize by the functions for several subscribers, with the callbacks that were enabled. */
bool callbacks_join(void);
/* Leaves CUPTI to the program after cuptiFinalize: subscribes the program as it was subscribed with us. */
void callbacks_hand_over(void);
/* CUPTI's handle for one that the program holds. */
CUpti_SubscriberHandle callbacks_native(CUpti_SubscriberHandle handle);
/* Whether we hold the subscription; otherwise CUPTI itself answers the program. */
bool callbacks_are_open(void);
/* The program's cuptiSubscribe; the next functions correspond to CUPTI's likewise. */
CUptiResult callbacks_subscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *data);
/* cuptiUnsubscribe. */
CUptiResult callbacks_unsubscribe(CUpti_SubscriberHandle handle);
/* cuptiEnableCallback. */
CUptiResult callbacks_switch(uint32_t enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id);
/* cuptiEnableDomain. */
CUptiResult callbacks_switch_domain(uint32_t enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain);
/* cuptiEnableAllDomains. */
CUptiResult callbacks_switch_all(uint32_t enable, CUpti_SubscriberHandle handle);
/* cuptiGetCallbackState. */
CUptiResult callbacks_state(uint32_t *enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id);
/* Ends the program's subscription, if any. */
void callbacks_forget_guest(void);

/* ---- several.c ---- */

/* Whether a program that subscribes with these parameters (CUpti_SubscriberParams, or NULL) may use the functions of others.def for
 * several subscribers. CUPTI does not allow mixing these with the single-subscriber functions that we started with. */
bool several_may_be_used(const void *parameters);
/* After cuptiFinalize and a subscription of the program that admits others: subscribes us and records as that subscriber. False:
 * the program excludes others, or this CUPTI does not support it. */
bool several_join(const void *parameters);

/* ---- aside.c ---- */

/* The program's uses of CUPTI that exclude ours. */
enum aside {
    ASIDE_RECORDS, /* it records activities, whose times must not come from launches that are delayed or counted */
    ASIDE_COUNTERS /* it has the hardware counters: kernels are not recorded either */
};
/* CUDA is initialised. */
void aside_start(void);
/* Called before the program's call: stops counting, and releases the counters if they are needed. */
void aside_begin(enum aside why);
/* Called after the program's call: `times` uses have ended; counting resumes when none is left. */
void aside_end(enum aside why, int times);
/* Leaves CUPTI to the program for good: our use of it ends, with a message. The capture is incomplete (ring_mark) unless
 * several_join begins anew. */
void aside_for_good(const char *why);
/* The process ends: reports uses that are still going on. */
void aside_finish(void);

/* ---- shims.c ---- */

/* Called before our first use of CUPTI. False: the program's calls cannot be redirected. */
bool shims_start(void);
/* Leaves activity records to the program, which began recording before its calls were redirected. */
void shims_leave_activities(void);

/* ---- patch.c: redirects calls of another library's function to ours ---- */

/* Overwrites the beginning of the function with a jump, so it does not matter how a caller obtained the address: by linking or
 * dlsym, before or after us. The overwritten instructions are copied to a trampoline, through which the original is called. Only
 * known prologues are patched (x86-64, as compilers emit them); other functions stay as they are. */

struct patch {
    void *entry;     /* NULL: no patch */
    const void *to;  /* the replacement, with the same parameters */
    void **original; /* receives the original function before any call reaches `to`; NULL: the original is not called any more */
};
/* Patches functions of one library: all, or none (false). Does not call malloc. One thread at a time. */
bool patch_all(const struct patch *patches, size_t count);
/* Whether calls of the function already reach `to`. */
bool patch_is_done(const void *entry, const void *to);

/* ---- our clock and that of activities; under `lock` ---- */

/* Measures the offset between the clocks. */
void clocks_look(void);
/* Keeps the current offset from now on: activity records may get another clock. */
void clocks_keep(void);
/* Whether the offset is known. */
bool clocks_known(void);
/* Converts a time of now_ns() to the clock of activity records, if the offset is known; 0 stays 0. */
uint64_t clocks_theirs(uint64_t ns);

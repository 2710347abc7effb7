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
 * CUPTI has one pair of functions for buffers, one set of kinds, one subscriber. All of it is ours, and the program has the same
 * once more, from us: it gets the records of the kinds that it has enabled, in its own buffers, which are requested and handed over
 * when CUPTI would do so: when they are full and when the program flushes. Records that it has not enabled do not reach it, and
 * its buffers are never ours. */
#pragma once

#include "inject.h"

/* ---- intercept.c ---- */

typedef void (*several_requested)(uint8_t **buffer, size_t *size, size_t *most, void *info);
typedef void (*several_completed)(uint8_t *buffer, size_t size, size_t valid, void *info);
/* Functions of others.def; NULL: CUPTI does not have it. */
struct other_api {
#define OTHER(name, parameters)              CUptiResult(*name) parameters;
#define OWNER(begin, end)                    CUptiResult (*begin)(void *), (*end)(void *);
#define SAMPLER                              OWNER
#define MOMENT(name)                         CUptiResult (*name)(void *);
#define SEVERAL(name, parameters, arguments) CUptiResult(*name) parameters;
#include "others.def"
#undef SEVERAL
#undef MOMENT
#undef SAMPLER
#undef OWNER
#undef OTHER
};
extern struct other_api others;
/* The copy of CUPTI that the program has loaded before us; NULL: none. It is the one to use. */
const char *intercept_loaded(void);
/* From now on the program's calls of CUPTI come to `shims`, whatever copy it calls, also of those that it loads later. False: they
 * cannot be led there. rl_cupti_open must have succeeded. */
struct shim {
    const char *name;
    const void *to;
    void **original; /* gets CUPTI's function */
};
/* Leads them there, once. */
bool intercept_start(const struct shim *shims, size_t count);
/* Whether calls of another version of CUPTI are led there, too. */
bool intercept_serves_others(void);
/* In the child of a fork. */
void intercept_renew(void);
/* Whether a call comes from CUPTI itself or from us. */
bool intercept_is_own(const void *caller);

/* ---- guest.c ---- */

/* The program records something, or has the counters: nothing is counted meanwhile. */
bool guest_is_at_work(void);
/* It has the counters: nothing is timed either. */
bool guest_has_counters(void);
/* It takes them, or gives them back. */
void guest_take_counters(bool taken);
/* One thing more (or less, -1) that the program has going; true: it is the first, or was the last. */
bool guest_works(int change);
/* Its functions for buffers; both NULL: none any more. */
void guest_register(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed);
/* Whether it has given any. */
bool guest_has_buffers(void);
/* The program begins or ends to record a kind, of one context (its id) or of all (0): what was launched before is not its, or still
 * is. */
void guest_record(CUpti_ActivityKind kind, uint32_t context, bool on);
/* Whether it records the kind now. */
bool guest_records(CUpti_ActivityKind kind);
/* Everything that it records is ended; returns how much that was. */
int guest_record_nothing(void);
/* A call of the program's with this correlation id has begun. Where the program records and has no buffer it is asked for one, as
 * CUPTI does with the first record: Kineto takes a profile for empty for which it was asked for none. */
void guest_note_call(uint32_t correlation);
/* A record that has come, of so many bytes: copied into a buffer of the program's if it wants it. Calls the program's functions. */
void guest_take(const CUpti_Activity *record, size_t bytes);
/* Its buffer is handed over, as far as it is filled. */
void guest_hand_over(void);
/* The same every so many milliseconds; 0: only when it is full. */
void guest_flush_period(uint32_t ms);
/* How often it wants them so; 0: only when they are full. */
uint32_t guest_period_ms(void);
/* Hands over what is due by that. */
void guest_tick(void);
/* Records that it wanted and had no buffer for, or that CUPTI lost, since the last call. */
size_t guest_dropped(void);
/* So many were lost by CUPTI. */
void guest_drop(size_t count);
/* The clock of its records, from now on. */
void guest_clock(uint64_t (*clock)(void));
/* Whether it has one, and times are by that; they are then changed to CUPTI's own. */
bool guest_to_own_clock(uint64_t *start, uint64_t *end);
/* In the child of a fork. */
void guest_renew(void);

/* ---- records.c ---- */

/* Who reads the records of this side: each one, and after each buffer how many were lost before it. */
struct record_reader {
    void (*record)(const CUpti_Activity *record);
    void (*delivered)(bool any, size_t lost);
};
/* Gives CUPTI the buffers, once; `reader` NULL: only the program reads. */
enum rl_status records_open(const struct record_reader *reader, struct rl_err *err);
/* This side records the kind. It goes on where the program records it, too. */
enum rl_status records_enable(CUpti_ActivityKind kind, struct rl_err *err);
/* This side records it no more. */
void records_disable(CUpti_ActivityKind kind);
/* CUPTI has been ended: it gets the buffers again. */
enum rl_status records_open_again(struct rl_err *err);
/* The same by the program: what CUPTI returns. */
CUptiResult records_enable_for_guest(CUpti_ActivityKind kind);
/* The program records it no more: what CUPTI returns. */
CUptiResult records_disable_for_guest(CUpti_ActivityKind kind);

/* ---- callbacks.c ---- */

/* Subscribes, once. */
enum rl_status callbacks_open(CUpti_CallbackFunc callback, struct rl_err *err);
/* CUPTI has been ended by the program: subscribes again, if it did. */
void callbacks_open_again(void);
/* Subscribes no more, if it did. */
void callbacks_close(void);
/* A callback that this side needs. */
enum rl_status callbacks_enable(CUpti_CallbackDomain domain, CUpti_CallbackId id, struct rl_err *err);
/* The program's callback, if it has one for that. */
void callbacks_tell_guest(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data);
/* Whether this thread is in the program's callback. */
bool callbacks_are_telling(void);
/* CUPTI has been ended, and rl_cupti has the functions for several subscribers: subscribes, with the callbacks that were on. */
bool callbacks_join(void);
/* CUPTI has been ended and is the program's from here on: it subscribes as it had with us. */
void callbacks_hand_over(void);
/* CUPTI's own handle for one that the program holds. */
CUpti_SubscriberHandle callbacks_native(CUpti_SubscriberHandle handle);
/* Whether the subscriber is ours; otherwise CUPTI itself is to answer the program. */
bool callbacks_are_open(void);
/* cuptiSubscribe by the program; the next ones are the functions of CUPTI alike. */
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
/* The program subscribes no more, if it did. */
void callbacks_forget_guest(void);

/* ---- several.c ---- */

/* Whether a program that subscribes with these parameters (CUpti_SubscriberParams, or NULL) may go on with functions of others.def
 * that are for several subscribers. CUPTI does not mix these with the ones that this side has begun with. */
bool several_may_be_used(const void *parameters);
/* CUPTI has been ended, and the program has subscribed so that others may: this side subscribes, and records as that subscriber.
 * False: the program has CUPTI for itself, or this CUPTI does not do it. */
bool several_join(const void *parameters);

/* ---- aside.c ---- */

/* Uses of CUPTI that the program has begun. */
enum aside {
    ASIDE_RECORDS, /* it records activities: their times are not to be those of launches that are held up or counted */
    ASIDE_COUNTERS /* it has the counters of the hardware: kernels are not recorded either */
};
/* CUDA is started. */
void aside_start(void);
/* Before the program's call: nothing is counted from here on, and where the counters are needed they are free. */
void aside_begin(enum aside why);
/* After the program's call: it is over so many times; when nothing is left, counting goes on. */
void aside_end(enum aside why, int times);
/* CUPTI is the program's from here on: our use of it ends, with a message. Unless it begins anew (several_join) the capture is
 * incomplete (ring_mark). */
void aside_for_good(const char *why);
/* The process ends: says what is still going on. */
void aside_finish(void);

/* ---- shims.c ---- */

/* Before this side does anything with CUPTI. False: the program's own use of it cannot be seen. */
bool shims_start(void);
/* The program's activities are its own: it had begun to record before this side could see it. */
void shims_leave_activities(void);

/* ---- patch.c: calls of another library's function are led to one of ours ---- */

/* A jump is written over the beginning of the function, so that it does not matter how a caller came by its address: by linking, by
 * dlsym, before us or after us. What stood there is copied to where the original is called from then on. Only beginnings that are
 * understood are touched (x86-64: what compilers put there); any other function stays as it is. */

struct patch {
    void *entry;     /* NULL: none */
    const void *to;  /* has the same parameters */
    void **original; /* gets the function as it was, before anybody arrives at `to`; NULL: the original is not called any more */
};
/* Patches functions of one library, all of them or (false) none. Takes no memory from malloc. One thread at a time. */
bool patch_all(const struct patch *patches, size_t count);
/* Whether calls of the function already arrive there. */
bool patch_is_done(const void *entry, const void *to);

/* stand_in_cupti.h - between the files of the stand-in CUPTI. Functions of CUPTI take at most four arguments in registers and
 * return an int, so one shape serves them all. */
#ifndef RL_TEST_STAND_IN_CUPTI_H
#define RL_TEST_STAND_IN_CUPTI_H

#include "cupti_api.h"
#include "stand_in.h"

typedef uintptr_t word;
struct stand_in_function {
    const char *name;
    int (*call)(word, word, word, word);
};
/* Those of stand_in_ranges.c, stand_in_pm.c, stand_in_pcs.c and stand_in_guests.c; the last one of each has no name. */
extern const struct stand_in_function stand_in_range_functions[], stand_in_pm_functions[], stand_in_pcs_functions[],
    stand_in_guest_functions[], stand_in_several_functions[];
/* One of stand_in_cupti.c. */
const struct stand_in_function *stand_in_find(const char *name);
/* Whether a callback is on; below 0: there is no such one, or subscriber. */
int stand_in_callback_state(word handle, word domain, word id);
/* The domain of the driver's calls has been enabled as a whole: what is switched off one by one since then stays so. */
extern atomic_uchar stand_in_domain_is_on;
/* Whether there is a subscriber, or buffers, of the first version: those of several (stand_in_several.c) are refused then. */
bool stand_in_has_first(void);
/* The same of several; none of the first version is allowed. */
bool stand_in_has_several(void);
/* Each of several, as of the first version: a call, an ended kernel's record, a flush; of a handle or callback that is not theirs:
 * -1. */
void stand_in_several_call(CUpti_CallbackId id, const CUpti_CallbackData *data);
void stand_in_several_record(const CUpti_ActivityKernel9 *record);
void stand_in_several_flush(void);
int stand_in_several_enable(word enable, word handle, word domain, word id);
int stand_in_several_unsubscribe(word handle);
/* Subscriber, buffers and kinds are as at the beginning. */
void stand_in_forget_clients(void);
/* What a record says of two moments, by the clock that the program has given CUPTI. */
void stand_in_record_times(uint64_t *start_ns, uint64_t *end_ns);
/* A kernel has ended: its instructions are sampled. */
void stand_in_pcs_note(const struct stand_in_launch *launch);
/* CUPTI has been ended. */
void stand_in_pcs_forget(void);
/* The module that every context has. */
const void *stand_in_pcs_module(size_t *size);
/* What $RL_REFUSE has the function return instead of what it does; 0: nothing. */
int stand_in_refused(const char *name);
/* A kernel has ended: whoever samples is to see it. */
void stand_in_pm_note(const struct stand_in_launch *launch);
/* Takes the counters of the hardware, for samples or for ranges; false: another process has them for the other. */
bool stand_in_pm_claim(bool samples);
bool stand_in_pm_is_claimed(void);
/* Gives them back. */
void stand_in_pm_give_back(void);
/* Values of a sample; false: it is none. */
bool stand_in_pm_evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params);
/* A launch while a range profiler is on: what it takes longer, and to which range it belongs; true: CUPTI waits for its end. */
bool stand_in_count(struct stand_in_launch *launch);
void stand_in_ranges_forget(CUcontext context);

#endif

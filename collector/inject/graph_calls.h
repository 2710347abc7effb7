/* graph_calls.h - callbacks of the driver's calls that make, change and destroy executable graphs; of the form that launches.c has
 * them in. */
#ifndef RL_INJECT_GRAPH_CALLS_H
#define RL_INJECT_GRAPH_CALLS_H

#include "counting.h"

/* Whether the call that returns has done what it was to do. */
static inline bool call_succeeded(const CUpti_CallbackData *data)
{
    return data->functionReturnValue && *(const CUresult *)data->functionReturnValue == CUDA_SUCCESS;
}

/* A graph was instantiated, without flags. */
void on_made_graph(const CUpti_CallbackData *data);
/* The same with flags: what the GPU may launch itself is left alone. */
void on_made_graph_with_flags(const CUpti_CallbackData *data);
/* The same with a structure of parameters. */
void on_made_graph_with_params(const CUpti_CallbackData *data);
/* Another graph has taken the place of the one that was instantiated. */
void on_updated_graph(const CUpti_CallbackData *data);
/* A kernel node was set, by the structure of CUDA 11. */
void on_set_graph_kernel(const CUpti_CallbackData *data);
/* The same by that of CUDA 12. */
void on_set_graph_kernel_v2(const CUpti_CallbackData *data);
/* A copy was set. */
void on_set_graph_copy(const CUpti_CallbackData *data);
/* A set of memory was set. */
void on_set_graph_set(const CUpti_CallbackData *data);
/* A graph within the graph was. */
void on_set_graph_child(const CUpti_CallbackData *data);
/* Something was set that is not followed. */
void on_changed_graph(const CUpti_CallbackData *data);
/* It is being destroyed. */
void on_gone_graph(const CUpti_CallbackData *data);

#endif

/* near.h - memory of the host that lies near a GPU. Private to the kernels.
 *
 * On machines with several processors a page lies on the node of the processor that asks for it. A copy from a far node is slower,
 * which says nothing of the GPU's link.
 */
#pragma once

#include <sched.h>
#include <stdbool.h>

/* Reads a list of processors as the kernel prints it, "0-31,64-95"; false, with nothing in `set`, for anything else. */
bool rl_cpu_list_parse(const char *list, cpu_set_t *set);
/* Binds this thread to those of its processors that are on the node of the PCI device ("0000:1B:00.0"), and remembers in `before`
 * where it was. False, with nothing changed, where the system does not tell, or leaves none of them. */
bool rl_numa_bind(const char *pci_bus_id, cpu_set_t *before);
/* Lets the thread run where it was. */
void rl_numa_restore(const cpu_set_t *before);

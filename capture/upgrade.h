/* upgrade.h - what captures of older versions say in words only, as typed facts (private to capture/ and its tests).
 *
 * Up to version 4 the largest error of a result, the configuration of a micro-benchmark, the axis of an experiment and the columns
 * of its tables stood in texts and names that this program had written. Here, and nowhere else, they are read back, so that
 * everything above sees the facts of version 5 whatever the version of the file is.
 */
#ifndef RL_CAPTURE_UPGRADE_H
#define RL_CAPTURE_UPGRADE_H

#include "capture/capture.h"

enum { RL_CAPTURE_TYPED = 5 }; /* the first version that has them as facts */

/* Fills in deviations, settings, forms, columns and pairs of a capture that has none. What cannot be told from the words stays
 * missing. */
void rl_capture_upgrade(struct rl_capture *capture);

#endif

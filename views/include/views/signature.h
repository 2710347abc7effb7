/* signature.h - who signed a capture, and what that is worth (rows are a struct rl_capture). */
#ifndef RL_VIEWS_SIGNATURE_H
#define RL_VIEWS_SIGNATURE_H

#include "views/view.h"

extern const struct view_record view_record_signature;

#endif

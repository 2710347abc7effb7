/* notes.h - oddities of the input, counted (private to import/). */
#ifndef RL_IMPORT_NOTES_H
#define RL_IMPORT_NOTES_H

#include "capture/capture.h"
#include "text.h"

enum rl_note {
#define NOTE(id, level, words) RL_NOTE_##id,
#include "notes.def"
#undef NOTE
    RL_NOTE_COUNT
};
enum { RL_NOTE_PLACES = 4 };

struct rl_notes {
    struct {
        size_t count, place_count;
        char *places[RL_NOTE_PLACES]; /* the first different ones */
    } of[RL_NOTE_COUNT];
};

/* Counts one more; `place` says where or what, "" when there is nothing to say. */
void rl_notes_add(struct rl_notes *notes, enum rl_note note, struct rl_text place);
/* An entry of the log for every note that was counted. */
void rl_notes_log(const struct rl_notes *notes, struct rl_capture *capture);
/* The words of the note; static. */
const char *rl_notes_words(enum rl_note note);
/* Frees the places. */
void rl_notes_release(struct rl_notes *notes);

#endif

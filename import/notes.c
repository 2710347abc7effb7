#include "targets.h"

enum { PLACE_BYTES = 120 };

static const struct {
    enum rl_log_level level;
    const char *words;
} rows[RL_NOTE_COUNT] = {
#define NOTE(id, level, words) {RL_LOG_##level, words},
#include "notes.def"
};

void rl_notes_add(struct rl_notes *notes, enum rl_note note, struct rl_text place)
{
    assert(note < RL_NOTE_COUNT);
    size_t *places = &notes->of[note].place_count;

    notes->of[note].count++;
    place.len = place.len < PLACE_BYTES ? place.len : PLACE_BYTES;
    if (place.len && *places < RL_NOTE_PLACES &&
        !RL_ANY(i, notes->of[note].place_count, rl_text_is(place, notes->of[note].places[i])))
        notes->of[note].places[(*places)++] = rl_strndup(place.at, place.len);
}

const char *rl_notes_words(enum rl_note note)
{
    assert(note < RL_NOTE_COUNT);
    return rows[note].words;
}

static void add_places(const struct rl_notes *notes, size_t note, struct rl_buf *text)
{
    const size_t count = notes->of[note].place_count;

    for (size_t i = 0; i < count; i++) {
        rl_buf_adds(text, i ? ", " : " (");
        rl_utf8_printable(text, notes->of[note].places[i], strlen(notes->of[note].places[i]));
    }
    if (count)
        rl_buf_adds(text, count == RL_NOTE_PLACES ? ", ...)" : ")");
}

void rl_notes_log(const struct rl_notes *notes, struct rl_capture *capture)
{
    for (size_t i = 0; i < RL_NOTE_COUNT; i++) {
        RL_SCRATCH text = RL_BUF_INIT;
        if (notes->of[i].count == 0)
            continue;
        rl_buf_addf(&text, "import: %s: %zu", rows[i].words, notes->of[i].count);
        add_places(notes, i, &text);
        rl_capture_log(capture, 0, rows[i].level, "%s", text.data);
    }
}

void rl_notes_release(struct rl_notes *notes)
{
    for (size_t i = 0; i < RL_NOTE_COUNT; i++)
        for (size_t j = 0; j < notes->of[i].place_count; j++)
            free(notes->of[i].places[j]);
    *notes = (struct rl_notes){0};
}

/* fonts.h - the font files of a document: where they are and which characters they have.
 *
 * A text is set in a *face* (regular, bold, monospaced). A face is a chain of fonts (rows of fonts.def): each character
 * takes the first font of the chain that has it, and a character that none has is shown as U+FFFD, which the last required font
 * always has.
 */
#pragma once

#include "core/core.h"

enum rl_font_id {
#define FONT(id, package, ...) RL_FONT_##id,
#include "fonts.def"
    RL_FONT_COUNT
};

enum rl_face { RL_FACE_REGULAR, RL_FACE_BOLD, RL_FACE_MONO, RL_FACE_COUNT };

struct rl_font_row {
    const char *family, *file, *folder, *package;
    bool optional; /* used when it is there */
};
extern const struct rl_font_row rl_font_rows[RL_FONT_COUNT];

struct rl_fonts;

/* Finds the files: in `font_dir` and below it when that is not NULL, else below ../share/rooflight/fonts next to the program, where
 * an archive has them, /usr/share/fonts and /usr/local/share/fonts.
 * RL_ABSENT names the missing file and the package to install; RL_FORMAT a file that is no TrueType font. Free with rl_fonts_free.
 */
enum rl_status rl_fonts_open(const char *font_dir, struct rl_fonts **fonts, struct rl_err *err);
/* Frees them; NULL is allowed. */
void rl_fonts_free(struct rl_fonts *fonts);

/* Path of a font's file; NULL when it is not there (optional fonts only). Owned by `fonts`. */
const char *rl_fonts_path(const struct rl_fonts *fonts, enum rl_font_id font);

/* The font that shows `*codepoint` in `face`. When no font has it (or it lies outside the Basic Multilingual Plane, which libharu
 * cannot encode, or it is a control character) `*codepoint` becomes U+FFFD. */
enum rl_font_id rl_fonts_pick(const struct rl_fonts *fonts, enum rl_face face, uint32_t *codepoint);

/* Heights of the regular face for a size of 1 pt: capitals, tallest and deepest letters (all positive). */
struct rl_font_heights {
    double capital, ascent, descent;
};
/* Those of the font of running text. */
struct rl_font_heights rl_fonts_heights(const struct rl_fonts *fonts);

/* signs.h - characters of our own texts that ASCII lacks, as string literals in UTF-8: defined once, so that a missing value is the
 * same dash everywhere. */
#ifndef RL_CORE_SIGNS_H
#define RL_CORE_SIGNS_H

#define RL_NO_BREAK_SPACE        "\xC2\xA0"
#define RL_NARROW_NO_BREAK_SPACE "\xE2\x80\xAF" /* between groups of digits */
#define RL_EN_DASH               "\xE2\x80\x93" /* for a value that is missing; between the ends of an interval */
#define RL_MINUS                 "\xE2\x88\x92"
#define RL_MICRO                 "\xC2\xB5"

#endif

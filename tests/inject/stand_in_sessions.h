/* stand_in_sessions.h - the images that the stand-ins of CUPTI 12.4 (stand_in_sessions.c) and of its host library
 * (stand_in_nvperf.c) hand to one another. */
#ifndef RL_TEST_STAND_IN_SESSIONS_H
#define RL_TEST_STAND_IN_SESSIONS_H

#include <stdint.h>

enum { CONFIG_MAGIC = 0x43464721, PREFIX_MAGIC = 0x50524621, IMAGE_MAGIC = 0x494d4721 };

/* A configuration. */
struct config_image {
    uint32_t magic, passes;
};
/* What a counter image is made from. */
struct prefix {
    uint32_t magic;
};
/* A counter image. Values are whole when each pass has been made and flushed. */
struct session_range {
    char name[32];
    double work;
};
struct session_image {
    uint32_t magic, room, count, whole;
    struct session_range ranges[];
};

#endif

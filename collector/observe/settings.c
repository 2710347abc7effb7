/* settings.c - see settings.def. */
#include "settings.h"

#include <fcntl.h>
#include <unistd.h>

static const struct {
    const char *variable;
    size_t offset;
    bool text;
    long otherwise;
} rows[] = {
#define TEXT_SETTING(variable, member, meaning)              {#variable, offsetof(struct rl_settings, member), true, 0},
#define NUMBER_SETTING(variable, member, otherwise, meaning) {#variable, offsetof(struct rl_settings, member), false, otherwise},
#include "settings.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

void rl_settings_init(struct rl_settings *settings)
{
    for (size_t i = 0; i < ROWS; i++) {
        char *member = (char *)settings + rows[i].offset;
        if (rows[i].text)
            *(const char **)(void *)member = NULL;
        else
            *(long *)(void *)member = rows[i].otherwise;
    }
}

bool rl_settings_read(struct rl_settings *settings, const char **wrong)
{
    rl_settings_init(settings);
    for (size_t i = 0; i < ROWS; i++) {
        char *member = (char *)settings + rows[i].offset, *end = NULL;
        const char *value = getenv(rows[i].variable);
        if (!value || !*value)
            continue;
        if (rows[i].text) {
            *(const char **)(void *)member = value;
            continue;
        }
        errno = 0;
        *(long *)(void *)member = strtol(value, &end, 10);
        if (errno || *end) {
            *wrong = rows[i].variable;
            return false;
        }
    }
    return true;
}

void rl_settings_keep(struct rl_settings *settings)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char **text = (const char **)(void *)((char *)settings + rows[i].offset);
        if (rows[i].text)
            *text = rl_strdup(*text);
    }
}

bool rl_settings_export(const struct rl_settings *settings)
{
    bool done = true;
    for (size_t i = 0; i < ROWS; i++) {
        const char *member = (const char *)settings + rows[i].offset, *text = NULL;
        char number[32];
        if (rows[i].text)
            text = *(const char *const *)(const void *)member;
        else if (*(const long *)(const void *)member != rows[i].otherwise) {
            snprintf(number, sizeof number, "%ld", *(const long *)(const void *)member);
            text = number;
        }
        done = (text ? setenv(rows[i].variable, text, 1) : unsetenv(rows[i].variable)) == 0 && done;
    }
    return done;
}

long rl_seccomp_filters(void)
{
    static const char name[] = "Seccomp_filters:";
    char text[4096];
    const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = 0;
    const char *line = strstr(text, name);
    return line ? strtol(line + sizeof name - 1, NULL, 10) : -1;
}

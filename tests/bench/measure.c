/* measure.c - what a command costs: a process that begins small, so that the peak memory is the command's own.
 *
 *   measure SECONDS COMMAND [ARG ...]     runs it with that limit of processor time and without its output; prints its status (-1:
 * killed), processor seconds and peak bytes, those of programs that it ran included
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(rlim_t seconds, char **command)
{
    const struct rlimit limit = {seconds, seconds};
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && setrlimit(RLIMIT_CPU, &limit) == 0)
        execv(command[0], command);
    perror(command[0]);
    _exit(127);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    if (argc < 3) {
        fprintf(stderr, "usage: measure SECONDS COMMAND [ARG ...]\n");
        return 2;
    }
    const pid_t child = fork();
    if (child == 0)
        run((rlim_t)strtoul(argv[1], NULL, 10), argv + 2);
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("measure");
        return 1;
    }
    printf("%d %.6f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
           usage.ru_maxrss * 1024);
    return 0;
}

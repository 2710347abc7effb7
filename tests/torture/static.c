/* static.c - a program without any shared library. */
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    printf("static\n");
    return 20 + argc;
}

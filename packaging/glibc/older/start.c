/* start.c - the start of a program, which glibc 2.34 has changed. */

typedef int main_function(int argc, char **argv, char **environment);
typedef void initializer(int argc, char **argv, char **environment);
extern initializer *const __preinit_array_start[] __attribute__((weak, visibility("hidden")));
extern initializer *const __preinit_array_end[] __attribute__((weak, visibility("hidden")));
extern initializer *const __init_array_start[] __attribute__((visibility("hidden")));
extern initializer *const __init_array_end[] __attribute__((visibility("hidden")));

int older_start(main_function *main, int argc, char **argv, main_function *init, void (*fini)(void), void (*loader_fini)(void), void *stack);
__asm__(".symver older_start,__libc_start_main@GLIBC_2.2.5");

/* Before 2.34 a program ran its constructors itself: its start files had this function, of which today's have none. */
static int construct(int argc, char **argv, char **environment)
{
    for (initializer *const *each = __preinit_array_start; each < __preinit_array_end; each++)
        (*each)(argc, argv, environment);
    for (initializer *const *each = __init_array_start; each < __init_array_end; each++)
        (*each)(argc, argv, environment);
    return 0;
}

/* Called by the start files. Destructors are run by the loader, then as now. */
int __libc_start_main(main_function *main, int argc, char **argv, main_function *init, void (*fini)(void), void (*loader_fini)(void), void *stack);
int __libc_start_main(main_function *main, int argc, char **argv, main_function *init, void (*fini)(void), void (*loader_fini)(void), void *stack)
{
    return older_start(main, argc, argv, init ? init : construct, fini, loader_fini, stack);
}

/* single_threaded.c - a flag of glibc 2.32 that libstdc++ asks. */

/* True only where the process has a single thread for certain, which is not known here: counts of references stay atomic. */
char __libc_single_threaded = 0;

/* descendants_library.c - a library that does nothing; the tests map it under the names of libraries that matter. */
int rl_nothing(void);
int rl_nothing(void)
{
    return 0;
}

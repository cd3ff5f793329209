/* Stands for an OpenMP runtime that has no interface for tools, or one that is too old for the recorder. */
#include <stddef.h>

#ifdef TOO_OLD
struct result {
    int (*initialize)(void *(*lookup)(const char *), int, void *);
};
__attribute__((weak)) struct result *ompt_start_tool(unsigned version, const char *runtime) { return NULL; }
static void *lookup(const char *name) { return NULL; }
#endif

void __kmpc_fork_call(void) {
#ifdef TOO_OLD
    struct result *tool = ompt_start_tool(0, "one of a test");
    if (tool)
        tool->initialize(lookup, 0, NULL);
#endif
}

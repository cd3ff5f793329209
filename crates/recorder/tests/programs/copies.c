/* Regions of two copies of an OpenMP runtime: the program's, and that of a library, which sees no symbols but its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static void region(void) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
}

#ifdef LIBRARY
void second(void) { region(); }
#else
int main(int argc, char **argv) {
    region();
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
    void (*second)(void) = library ? (void (*)(void))dlsym(library, "second") : NULL;
    if (second == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    second();
    region();
    return 0;
}
#endif

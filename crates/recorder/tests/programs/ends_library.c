/* A library that begins MPI when it is loaded, or ends it when it is unloaded, where the program's arguments say so
   ("library"). With a third argument it has threads at both times. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

static int ends_mpi, has_threads, sum;

static void work(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        sum++;
    }
}

__attribute__((constructor)) static void load(int argc, char **argv) {
    int initialized;
    has_threads = argc > 3;
    if (has_threads)
        work();
    if (!strcmp(argv[1], "library")) {
        void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
        void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
        enter("load");
        MPI_Initialized(&initialized);
        MPI_Init(NULL, NULL);
        leave("load");
    }
    ends_mpi = !strcmp(argv[2], "library");
}

__attribute__((destructor)) static void unload(void) {
    if (has_threads)
        work();
    if (ends_mpi) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
    }
}

int library(void) { return sum; }

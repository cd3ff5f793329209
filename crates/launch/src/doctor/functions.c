/* Prints those of its arguments that are names of functions of the MPI library, a line each. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int at;
    MPI_Init(&argc, &argv);
    for (at = 1; at < argc; at++) {
        if (dlsym(RTLD_DEFAULT, argv[at]) != NULL) {
            puts(argv[at]);
        }
    }
    MPI_Finalize();
    return 0;
}

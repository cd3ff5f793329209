/* Begins and ends MPI where its arguments say: in "main", in its "library", at its "exit", or "never". */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int library(void);

static void finalize(void) { MPI_Finalize(); }

int main(int argc, char **argv) {
    int initialized;
    library();
    if (!strcmp(argv[1], "main"))
        MPI_Init(&argc, &argv);
    MPI_Initialized(&initialized);
    if (initialized)
        MPI_Bcast(&initialized, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!strcmp(argv[2], "main"))
        MPI_Finalize();
    if (!strcmp(argv[2], "exit"))
        atexit(finalize);
    return 0;
}

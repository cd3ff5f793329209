/* Ends in one of the ways in which programs should not. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && !strcmp(argv[1], "abort"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == 1 && !strcmp(argv[1], "exit"))
        exit(3);
    if (rank == 1 && !strcmp(argv[1], "kill"))
        raise(SIGKILL);
    if (rank == 1 && !strcmp(argv[1], "full")) {
        /* The signal ends the program if the program itself writes that much. */
        struct rlimit little = {1024, 1024};
        setrlimit(RLIMIT_FSIZE, &little);
        for (int call = 0; call < 1000; call++)
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

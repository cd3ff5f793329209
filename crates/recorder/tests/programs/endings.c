/* Ends in one of the ways in which programs should not. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char *ending;
static int rank;
static volatile int *volatile nowhere;

static void handle_exit(void) { abort(); }

__attribute__((destructor)) static void unload(void) {
    if (rank == 1 && !strcmp(ending, "destructor"))
        *nowhere = 1;
}

int main(int argc, char **argv) {
    ending = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && !strcmp(ending, "abort"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == 1 && !strcmp(ending, "exit"))
        exit(3);
    if (rank == 1 && !strcmp(ending, "crash"))
        *nowhere = 1;
    if (rank == 1 && !strcmp(ending, "destructor"))
        return 0;
    if (rank == 1 && !strcmp(ending, "handler")) {
        atexit(handle_exit);
        exit(0);
    }
    if (rank == 1 && !strcmp(ending, "kill"))
        raise(SIGKILL);
    if (rank == 1 && !strcmp(ending, "full")) {
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

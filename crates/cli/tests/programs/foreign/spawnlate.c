/* Two processes, one of which comes 0.1 s late to MPI_Barrier, spawn two more, which end 0.5 s after them. Right: the trace
 * has two processes, the parents, and 0.1 s of waiting in MPI_Barrier. */
#include <mpi.h>
#include "work.h"

int main(int argc, char **argv) {
    MPI_Comm parent, spawned;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_disconnect(&parent);
        spin_ms(500);
        MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    if (rank == 0)
        spin_ms(100);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &spawned, MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&spawned);
    MPI_Finalize();
    return 0;
}

/* Calls that count in MPI_Count, new in MPI 4. 4 ranks. */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
    int rank, size, out[10] = {0}, in[10];
    MPI_Count counts[4] = {1, 2, 3, 4};
    MPI_Aint at[4] = {0, 1, 3, 6};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int above = (rank + 1) % size, below = (rank + size - 1) % size;
    MPI_Request q[2];
    MPI_Message message;
    MPI_Sendrecv_c(out, 2, MPI_INT, above, 1, in, 2, MPI_INT, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv_c(in, 3, MPI_INT, below, 2, MPI_COMM_WORLD, &q[0]);
    MPI_Isend_c(out, 3, MPI_INT, above, 2, MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Send_c(out, 1, MPI_INT, above, 3, MPI_COMM_WORLD);
    MPI_Mprobe(below, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv_c(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Bcast_c(out, 2, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gatherv_c(out, rank + 1, MPI_INT, in, counts, at, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Iallreduce_c(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}

/* Two properties at the same time in two halves of the ranks, as in figure 3.4 of the report. */
#include <ats.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, size, upper;
    double begin;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    set_base_comm(MPI_INT, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    if (upper) {
        late_broadcast(0.02, 0.2, 1, 2, half);
    } else {
        late_sender(0.02, 0.2, 2, half);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f\n", MPI_Wtime() - begin);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}

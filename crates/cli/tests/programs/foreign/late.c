/* Rank 0 sends 0.1 s late: the time at which it does. Right: 0.1 s of late sender in MPI_Recv of rank 1; on a busy machine,
   what rank 1 prints: the time from its call to that of rank 0. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    spin_ms(100);
    double sent = now();
    MPI_Send(&sent, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    double sent, begin = now();
    MPI_Recv(&sent, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%f\n", after(begin, sent));
  }
  MPI_Finalize();
  return 0;
}

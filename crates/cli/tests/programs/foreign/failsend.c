/* MPI_ERRORS_RETURN: sends that fail (count -1) on a channel where good ones follow.
   Rank 0: 3 failing sends at once, then 3 good ones, each 100 ms late.
   Right: 3 messages, 0.3 s of late sender in MPI_Recv of rank 1. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank, a[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < 3; i++)
      if (MPI_Send(a, -1, MPI_INT, 1, 1, MPI_COMM_WORLD) == MPI_SUCCESS)
        puts("?");
  for (int i = 0; i < 3; i++) {
    if (rank == 0) {
      spin_ms(100);
      MPI_Send(a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Recv(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}

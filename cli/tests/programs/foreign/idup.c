/* Ten MPI_Comm_idup at once, then messages on one of them, each 100 ms late, three times, with barriers between them.
   Right: 0.3 s of late sender, and no wait at the barriers. */
#include <mpi.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Comm c[10];
  MPI_Request q[10];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 10; i++)
    MPI_Comm_idup(MPI_COMM_WORLD, &c[i], &q[i]);
  MPI_Waitall(10, q, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 3; i++) {
    if (rank == 0) {
      spin_ms(100);
      MPI_Send(&value, 1, MPI_INT, 1, 0, c[4]);
    } else if (rank == 1) {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, c[4], MPI_STATUS_IGNORE);
    }
    MPI_Barrier(c[4]);
  }
  for (int i = 0; i < 10; i++)
    MPI_Comm_free(&c[i]);
  MPI_Finalize();
  return 0;
}

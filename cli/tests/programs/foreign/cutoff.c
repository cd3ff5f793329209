/* MPI_ERRORS_RETURN: the first receive is cut off (message of 40 bytes, buffer of 4) and says MPI_ERR_TRUNCATE; then 5
   good messages follow, same tag.
   Rank 0: cut-off message at once, then five messages each 20 ms apart. Rank 1 works before it receives the first, and
   after that 200 ms, so that the five are all there: no late sender. Then one more message, sent 100 ms late.
   Right: exactly one late sender of 0.1 s. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank, a[10] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Send(a, 10, MPI_INT, 1, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++) {
      spin_ms(20);
      MPI_Send(a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
  } else if (rank == 1) {
    spin_ms(10);
    int code = MPI_Recv(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("cut off: %d\n", code != MPI_SUCCESS);
    spin_ms(200);
    for (int i = 0; i < 5; i++)
      MPI_Recv(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    spin_ms(100);
    MPI_Send(a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

/* MPI_ERRORS_RETURN: an MPI_Waitall fails with one receive cut off, one complete and one that is not complete yet (its
   status says MPI_ERR_PENDING). Rank 0 sends the message of the third 100 ms after rank 1 has begun to wait for it by
   itself, and then once more on each channel, each 50 ms late.
   A message is the time at which it is sent. Right: 0.1 s + 3 * 0.05 s of late sender; on a busy machine, what rank 1
   prints: the sum of the times from its calls to those of rank 0. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank;
  double a[10] = {0}, b[3], begin, late = 0;
  MPI_Request q[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    MPI_Send(a, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(a, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    spin_ms(100);
    a[0] = now();
    MPI_Send(a, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
      MPI_Irecv(&b[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &q[i]);
    if (MPI_Waitall(3, q, MPI_STATUSES_IGNORE) == MPI_SUCCESS)
      puts("?");
    MPI_Barrier(MPI_COMM_WORLD);
    begin = now();
    MPI_Wait(&q[2], MPI_STATUS_IGNORE);
    late += after(begin, b[2]);
  }
  for (int i = 0; i < 3; i++) {
    if (rank == 0) {
      spin_ms(50);
      a[0] = now();
      MPI_Send(a, 1, MPI_DOUBLE, 1, i, MPI_COMM_WORLD);
    } else if (rank == 1) {
      begin = now();
      MPI_Recv(a, 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      late += after(begin, a[0]);
    }
  }
  if (rank == 1)
    printf("%f\n", late);
  MPI_Finalize();
  return 0;
}

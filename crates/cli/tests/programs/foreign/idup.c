/* Ten MPI_Comm_idup at once, then messages on one of them, each 100 ms late, three times, with barriers between them.
   A message is the time at which it is sent. Right: 0.3 s of late sender, and no wait at the barriers; on a busy machine,
   the late sender that rank 1 prints: the sum of the times from its calls to those of rank 0. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank;
  double sent, late = 0;
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
      sent = now();
      MPI_Send(&sent, 1, MPI_DOUBLE, 1, 0, c[4]);
    } else if (rank == 1) {
      double begin = now();
      MPI_Recv(&sent, 1, MPI_DOUBLE, 0, 0, c[4], MPI_STATUS_IGNORE);
      late += after(begin, sent);
    }
    MPI_Barrier(c[4]);
  }
  for (int i = 0; i < 10; i++)
    MPI_Comm_free(&c[i]);
  if (rank == 1)
    printf("%f\n", late);
  MPI_Finalize();
  return 0;
}

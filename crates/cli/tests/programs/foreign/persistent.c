/* Persistent requests: waited for while inactive, started one by one, freed while active, mixed with null ones. Three
   rounds, each 50 ms late.
   Right: 0.15 s of late sender in MPI_Waitall of rank 1; four messages. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank, x = 1, y, flag, index;
  MPI_Request q[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2) {
    q[2] = MPI_REQUEST_NULL;
    if (rank == 0)
      MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &q[0]);
    else
      MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(&y, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[1]);
    /* All are inactive. */
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    MPI_Testany(3, q, &index, &flag, MPI_STATUS_IGNORE);
    printf("inactive %d %d\n", flag, index == MPI_UNDEFINED);
    for (int i = 0; i < 3; i++) {
      if (rank == 0)
        spin_ms(50);
      MPI_Start(&q[0]);
      MPI_Start(&q[1]);
      MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    }
    MPI_Start(&q[0]);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

/* Receives completed by MPI_Test, Testany, Testall, Testsome in a polling loop; some polls are before completion. Four
   messages, each sent 20 ms late; nobody is blocked.
   Right: no late sender; four messages of 8 bytes. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank, flag, index, found, indices[3];
  long long v[4] = {0}, sent = 5;
  MPI_Request q, a[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Irecv(&v[0], 1, MPI_LONG_LONG, 0, 0, MPI_COMM_WORLD, &q);
    do {
      MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
      spin_ms(1);
    } while (!flag);
    MPI_Irecv(&v[1], 1, MPI_LONG_LONG, 0, 1, MPI_COMM_WORLD, &a[1]);
    do {
      MPI_Testany(3, a, &index, &flag, MPI_STATUS_IGNORE);
      spin_ms(1);
    } while (!flag);
    MPI_Irecv(&v[2], 1, MPI_LONG_LONG, 0, 2, MPI_COMM_WORLD, &a[2]);
    do {
      MPI_Testall(3, a, &flag, MPI_STATUSES_IGNORE);
      spin_ms(1);
    } while (!flag);
    MPI_Irecv(&v[3], 1, MPI_LONG_LONG, 0, 3, MPI_COMM_WORLD, &a[0]);
    do {
      MPI_Testsome(3, a, &found, indices, MPI_STATUSES_IGNORE);
      spin_ms(1);
    } while (found == 0);
    /* All are null now. */
    MPI_Testsome(3, a, &found, indices, MPI_STATUSES_IGNORE);
    MPI_Waitany(3, a, &index, MPI_STATUS_IGNORE);
    printf("undefined: %d %d\n", found == MPI_UNDEFINED, index == MPI_UNDEFINED);
    MPI_Request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE);
  } else if (rank == 0) {
    for (int i = 0; i < 4; i++) {
      spin_ms(20);
      MPI_Send(&sent, 1, MPI_LONG_LONG, 1, i, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}

/* MPI_ERRORS_RETURN: the first receive is cut off (message of 40 bytes, buffer of 8) and says MPI_ERR_TRUNCATE; then 5
   good messages follow, same tag.
   Rank 0: cut-off message at once, then five messages each 20 ms apart. Rank 1 works before it receives the first, and
   after that 200 ms, so that the five are all there: no late sender. Then one more message, sent 100 ms late.
   Right: exactly one late sender of 0.1 s; on a busy machine, what rank 1 prints: the sum of the times from its calls of
   MPI_Recv to those of MPI_Send that came later. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

static int calls;
static double called[7];

static int send(int count) {
  static double data[5];
  called[calls++] = now();
  return MPI_Send(data, count, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
}

static int receive(void) {
  double data;
  called[calls++] = now();
  return MPI_Recv(&data, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    send(5);
    for (int i = 0; i < 5; i++) {
      spin_ms(20);
      send(1);
    }
  } else if (rank == 1) {
    spin_ms(10);
    if (receive() == MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
    spin_ms(200);
    for (int i = 0; i < 5; i++) receive();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    spin_ms(100);
    send(1);
  } else if (rank == 1) {
    receive();
  }
  double sent[7], late = 0;
  for (int i = 0; i < 7; i++) sent[i] = called[i];
  MPI_Bcast(sent, 7, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 7; i++) late += after(called[i], sent[i]);
  if (rank == 1) printf("%f\n", late);
  MPI_Finalize();
  return 0;
}

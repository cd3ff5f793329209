/* Rank 0 sends 0.3 s late, then all exchange messages until something ends them: after 0.2 s `abort` and `kill` end
   the last rank, `finalize` lets all but rank 0 wait in MPI_Finalize. Right: 0.3 s of late sender in MPI_Recv of rank 1,
   however it ends; on a busy machine, as long as it writes into the file `measured`.
   With `handler` the program has a handler of its own for SIGTERM, which ends it with exit code 3 and leaves a file
   `handled` with the number of the rank. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "work.h"

static char handled[] = "handled0";

static void handle(int signal) {
  (void)signal;
  close(open(handled, O_CREAT | O_WRONLY, 0666));
  _exit(3);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  int rank, ranks, value = 0, other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  handled[sizeof handled - 2] += rank;
  if (!strcmp(how, "handler")) signal(SIGTERM, handle);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    spin_ms(300);
    MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    double begin = now();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    measured(now() - begin);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("endless\n"), fflush(stdout);
  if (!strcmp(how, "finalize") && rank > 0) return MPI_Finalize();
  for (double begin = now();; spin_ms(1)) {
    if (!strcmp(how, "finalize")) continue;
    if (rank == ranks - 1 && now() > begin + 0.2) {
      if (!strcmp(how, "abort")) abort();
      if (!strcmp(how, "kill")) raise(SIGKILL);
    }
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % ranks, 2, &other, 1, MPI_INT, (rank + ranks - 1) % ranks, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

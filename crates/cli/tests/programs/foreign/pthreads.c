/* Two threads on each rank, not of OpenMP, each with a communicator of its own: thread 1 of rank 0 sends 100 ms late, five
   times. Right: thread 1 of rank 1 waits 0.5 s in MPI_Recv for a late sender, in no wrong order; the first threads never wait,
   since the one that receives works longer than the one that sends. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include "work.h"

static MPI_Comm comm[2];
static int rank;

static void *run(void *number) {
  long thread = (long)number;
  int value = 0;
  for (int i = 0; i < 5; i++) {
    if (rank == 0) {
      spin_ms(thread ? 100 : 20);
      MPI_Send(&value, 1, MPI_INT, 1, (int)thread, comm[thread]);
    } else {
      if (!thread) spin_ms(40);
      MPI_Recv(&value, 1, MPI_INT, 0, (int)thread, comm[thread], MPI_STATUS_IGNORE);
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  int level;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level < MPI_THREAD_MULTIPLE) {
    printf("MPI has no MPI_THREAD_MULTIPLE\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
  pthread_create(&thread, 0, run, (void *)1);
  run((void *)0);
  pthread_join(thread, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

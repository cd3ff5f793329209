/* Requests posted by one thread and completed by another, which is there for communication. Rank 0 sends 50 ms late, five
   times; rank 1's first thread posts, its second thread waits. Right: 0.25 s of late sender on rank 1's second thread, and
   nothing wrong with the trace. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include "work.h"

static MPI_Request request;
static int value;
static sem_t posted, done;

static void *communicate(void *unused) {
  for (int i = 0; i < 5; i++) {
    sem_wait(&posted);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sem_post(&done);
  }
  return 0;
}

int main(int argc, char **argv) {
  int level, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sem_init(&posted, 0, 0);
  sem_init(&done, 0, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    pthread_t thread;
    pthread_create(&thread, 0, communicate, 0);
    for (int i = 0; i < 5; i++) {
      MPI_Irecv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
      sem_post(&posted);
      sem_wait(&done);
    }
    pthread_join(thread, 0);
  } else if (rank == 0) {
    for (int i = 0; i < 5; i++) {
      spin_ms(50);
      MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

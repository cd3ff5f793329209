/* A message of 6,000,000,000 bytes, which no int counts: two elements of a type. The memory of both ranks is the same 64 MiB
   over and over, so that the machine needs no more. Right: one message with all its bytes. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 64 << 20 };

static char *repeated(size_t bytes) {
  int file = memfd_create("piece", 0);
  char *begin = mmap(NULL, bytes + PIECE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (ftruncate(file, PIECE) || begin == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t at = 0; at < bytes; at += PIECE)
    if (mmap(begin + at, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
      MPI_Abort(MPI_COMM_WORLD, 2);
  return begin;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Datatype large;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_contiguous(1500000000, MPI_SHORT, &large);
  MPI_Type_commit(&large);
  char *data = repeated(6000000000);
  if (rank == 0) {
    memset(data, 7, PIECE);
    MPI_Send(data, 2, large, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(data, 2, large, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (data[0] != 7 || data[5999999999] != 7) MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}

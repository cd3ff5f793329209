/* Bytes of derived datatypes: rank 0 sends a vector (40 bytes), a struct (12), nothing (0), from MPI_BOTTOM (4), packed (8),
   resized (12), and none of a type of 3e9 bytes (0). Right: 7 messages with 76 bytes. */
#include <mpi.h>
#include <stddef.h>

struct pair {
  int a;
  double b;
};

static int data[64];

static void pass(int rank, void *at, int count, MPI_Datatype type) {
  if (rank == 0) {
    MPI_Send(at, count, type, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(at, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  int rank, position = 0, lengths[] = {1, 1};
  char packed[64];
  struct pair pair = {1, 2};
  MPI_Aint address, offsets[] = {offsetof(struct pair, a), offsetof(struct pair, b)};
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, vector, structure, nothing, absolute, resized, large;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_address(data, &address);
  MPI_Type_vector(10, 1, 2, MPI_INT, &vector);
  MPI_Type_create_struct(2, lengths, offsets, types, &structure);
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_create_hindexed(1, lengths, &address, MPI_INT, &absolute);
  MPI_Type_create_resized(MPI_INT, 0, 64, &resized);
  MPI_Type_contiguous(1500000000, MPI_SHORT, &large);
  MPI_Datatype *all[] = {&vector, &structure, &nothing, &absolute, &resized, &large};
  for (int i = 0; i < 6; i++) MPI_Type_commit(all[i]);
  MPI_Pack(data, 2, MPI_INT, packed, 64, &position, MPI_COMM_WORLD);
  pass(rank, data, 1, vector);
  pass(rank, &pair, 1, structure);
  pass(rank, data, 3, nothing);
  pass(rank, MPI_BOTTOM, 1, absolute);
  pass(rank, packed, position, MPI_PACKED);
  pass(rank, data, 3, resized);
  pass(rank, data, 0, large);
  MPI_Finalize();
  return 0;
}

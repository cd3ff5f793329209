// An exception leaves four regions of "inner" on each rank; threads of C++ send and receive; MPI is initialised and finalized
// by a static object. Right: the analysis says that 8 regions were left by an exception; the second barrier, after "outer" was
// left, is in no region; 3 messages.
#include <dlfcn.h>
#include <mpi.h>
#include <stdexcept>
#include <thread>
#include <vector>

typedef void (*Mark)(const char *);
static Mark enter = (Mark)dlsym(RTLD_DEFAULT, "ats_region_enter");
static Mark leave = (Mark)dlsym(RTLD_DEFAULT, "ats_region_leave");

static void inner(int depth) {
  if (enter) enter("inner");
  if (depth == 0) throw std::runtime_error("left");
  inner(depth - 1);
  if (leave) leave("inner");
}

struct World {
  World() {
    int level;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
  }
  ~World() { MPI_Finalize(); }
};
static World world;

int main() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (enter) enter("outer");
  try {
    inner(3);
  } catch (const std::runtime_error &) {
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (leave) leave("outer");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([=] {
      int value = i;
      if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
      } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    });
  }
  for (auto &thread : threads) thread.join();
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}

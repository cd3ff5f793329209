/* Parallel regions and locks that several functions lead to. Right are the call paths of the waits: the functions that lead to
 * a region are in those of all its threads, and those between a region and a lock are in them on the master and on workers. */
#include <omp.h>
#include <unistd.h>

static omp_lock_t lock;
static int begun;

#define OUT_OF_LINE __attribute__((noinline))
/* A call of it does not become a jump. */
#define STAY __asm__ volatile("" ::: "memory")

/* The thread `first` has the lock for 40 ms, and the other one waits. */
OUT_OF_LINE static void update(int first) {
  if (omp_get_thread_num() != first)
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) usleep(100);
  omp_set_lock(&lock);
  __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
  if (omp_get_thread_num() == first) usleep(40000);
  omp_unset_lock(&lock);
  STAY;
}

OUT_OF_LINE static void solve(int first) {
  begun = 0;
#pragma omp parallel num_threads(2)
  update(first);
  STAY;
}

OUT_OF_LINE static void coarse(void) { solve(0); STAY; }
OUT_OF_LINE static void fine(void) { solve(1); STAY; }

/* One thread of each team is 40 ms later than the other. */
OUT_OF_LINE static void inner(void) {
#pragma omp parallel num_threads(2)
  usleep(40000 * omp_get_thread_num());
  STAY;
}

OUT_OF_LINE static void nested(void) {
#pragma omp parallel num_threads(2)
  inner();
  STAY;
}

OUT_OF_LINE static void descend(int levels) {
  if (levels > 0) descend(levels - 1);
#pragma omp parallel num_threads(2)
  usleep(40000 * omp_get_thread_num());
  STAY;
}

int main(void) {
  omp_set_max_active_levels(2);
  omp_init_lock(&lock);
  coarse();
  fine();
  nested();
  descend(1);
}

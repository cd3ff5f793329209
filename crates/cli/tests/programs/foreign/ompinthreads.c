/* Two pthreads, each with two parallel regions of two threads, of which the first works 40 ms longer. Right: 2 x 2 x 0.04 s
   of waiting at the implicit barriers, and no limited parallelism: all four threads are in teams. */
#include <omp.h>
#include <pthread.h>
#include "work.h"
static void *run(void *unused) {
  for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
    spin_ms(omp_get_thread_num() ? 10 : 50);
  }
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  run(0);
  pthread_join(thread, 0);
  return 0;
}

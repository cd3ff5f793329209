/* Two pthreads, each with two parallel regions of two threads, of which the first works 40 ms longer. Right: 2 x 2 x 0.04 s
   of waiting at the implicit barriers, and no limited parallelism: all four threads are in teams. On a busy machine they wait as long as it
   prints. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include "work.h"
static void *run(void *waited) {
  for (int i = 0; i < 2; i++) {
    double done[2];
#pragma omp parallel num_threads(2)
    {
      spin_ms(omp_get_thread_num() ? 10 : 50);
      done[omp_get_thread_num()] = now();
    }
    double end = done[0] > done[1] ? done[0] : done[1];
    *(double *)waited += (end - done[0]) + (end - done[1]);
  }
  return 0;
}
int main(void) {
  pthread_t thread;
  double waited[2] = {0, 0};
  pthread_create(&thread, 0, run, waited);
  run(waited + 1);
  pthread_join(thread, 0);
  printf("%f\n", waited[0] + waited[1]);
  return 0;
}

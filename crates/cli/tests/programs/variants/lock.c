#define NOMPI
#define THREADS_ALONE
#include "variant.h"
static omp_lock_t lock;
static __attribute__((constructor)) void init(void){ omp_init_lock(&lock); }
STEP {
  #pragma omp parallel for num_threads(THREADS)
  FOR(i,4*THREADS) {
    work(MORE/4.0);
    omp_set_lock(&lock); /* waits */
    work(MORE/4.0);
    omp_unset_lock(&lock);
  }
}

#define NOMPI
#define THREADS_ALONE
#include "variant.h"
STEP {
  #pragma omp parallel for schedule(static) num_threads(THREADS) /* waits */
  FOR(i,4*THREADS) work(MORE/4.0*i/THREADS);
}

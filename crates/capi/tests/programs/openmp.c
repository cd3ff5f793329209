/* The report's example of section 3.1.5 for threads, as it stands there, with a function that notes who asks. */
#include <ats.h>
#include <stdio.h>

#define THREADS 3

static int asked[THREADS];

static double noting(int me, int sz, double sf, distr_t* dd) {
    (void)dd;
    if (sz == THREADS) asked[me] += 1;
    return sf * 0.001;
}

void imbalance_at_omp_barrier(distr_func_t df, distr_t* dd, int r) {
    int i;

    #pragma omp parallel private(i)
    {
        for (i=0; i<r; ++i) {
            par_do_omp_work(df, dd, 1.0);
            #pragma omp barrier
        }
    }
}

int main(void) {
    imbalance_at_omp_barrier(noting, NULL, 2);
    printf("asked: %d %d %d\n", asked[0], asked[1], asked[2]);
    return 0;
}

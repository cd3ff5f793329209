#include <ats.h>
#include <omp.h>

static void together(int elements, int rounds) {
    ats_enter(__func__);
    do_triad(elements, rounds, omp_get_num_threads());
    ats_leave(__func__);
}

static void alone(int elements, int rounds) {
    ats_enter(__func__);
    do_triad(elements, rounds, 1);
    ats_leave(__func__);
}

static void stream(int elements, int in_cache, int r) {
    const int size = in_cache && elements > 1024 ? 1024 : elements;
    const int rounds = size == 0 ? 0 : (elements + size - 1) / size;
    #pragma omp parallel
    {
        do_triad(size, 0, 1);
        #pragma omp barrier
        for (int i = 0; i < r; ++i) {
            together(size, rounds);
            #pragma omp barrier
            for (int turn = 0; turn < omp_get_num_threads(); ++turn) {
                /* In cache the turns are all the first one. */
                if (turn == (in_cache ? 0 : omp_get_thread_num())) {
                    alone(size, rounds);
                }
                #pragma omp barrier
            }
        }
    }
}

void bandwidth_saturation(int bytes, int r) {
    ats_enter(__func__);
    stream(bytes / 8, 0, r);
    ats_leave(__func__);
}

void bandwidth_saturation_balanced(int bytes, int r) {
    ats_enter(__func__);
    stream(bytes / 8, 1, r);
    ats_leave(__func__);
}

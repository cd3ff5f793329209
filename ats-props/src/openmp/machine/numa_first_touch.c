#include <ats.h>
#include <omp.h>

enum { MASTERS_NODE, READERS_NODE };

static void touch(int pages, int place, int home) {
    ats_enter(__func__);
    do_placed(pages, 0, place, home, READERS_NODE);
    ats_leave(__func__);
}

static void touched_by_master(int pages, int place, int home) {
    ats_enter(__func__);
    do_placed(pages, 1, place, home, READERS_NODE);
    ats_leave(__func__);
}

static void touched_by_each(int pages, int place) {
    ats_enter(__func__);
    do_placed(pages, 1, place, READERS_NODE, READERS_NODE);
    ats_leave(__func__);
}

static void read_often(int pages, int is_alone, int r) {
    const int home = is_alone ? MASTERS_NODE : READERS_NODE;
    #pragma omp parallel
    {
        const int me = omp_get_thread_num(), threads = omp_get_num_threads();
        if (!is_alone) {
            touch(pages, me, home);
        } else if (me == 0) {
            for (int place = 0; place < threads; ++place) {
                touch(pages, place, home);
            }
        }
        touch(pages, threads + me, READERS_NODE);
        for (int i = 0; i < r; ++i) {
            #pragma omp barrier
            touched_by_master(pages, me, home);
            #pragma omp barrier
            touched_by_each(pages, threads + me);
        }
    }
}

void numa_first_touch(int pages, int r) {
    ats_enter(__func__);
    read_often(pages, 1, r);
    ats_leave(__func__);
}

void numa_first_touch_balanced(int pages, int r) {
    ats_enter(__func__);
    read_often(pages, 0, r);
    ats_leave(__func__);
}

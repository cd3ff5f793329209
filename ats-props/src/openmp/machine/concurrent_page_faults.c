#include <ats.h>

static void touch(int pages, int is_fresh) {
    ats_enter(__func__);
    do_pages(pages, is_fresh);
    ats_cause("page_faults", is_fresh ? pages : 0);
    ats_leave(__func__);
}

static void touch_often(double work, int pages, int is_fresh, int r) {
    #pragma omp parallel
    {
        do_pages(pages, 1);
        for (int i = 0; i < r; ++i) {
            do_work(work);
            #pragma omp barrier
            touch(pages, is_fresh);
        }
    }
}

void concurrent_page_faults(double work, int pages, int r) {
    ats_enter(__func__);
    touch_often(work, pages, 1, r);
    ats_leave(__func__);
}

void concurrent_page_faults_balanced(double work, int pages, int r) {
    ats_enter(__func__);
    touch_often(work, pages, 0, r);
    ats_leave(__func__);
}

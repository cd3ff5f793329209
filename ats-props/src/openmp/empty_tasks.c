#include <ats.h>
#include <omp.h>

static void create(double work, int tasks, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(work);
        #pragma omp single
        for (int task = 0; task < tasks; ++task) {
            #pragma omp task
            {
            }
        }
    }
}

void empty_tasks(double work, int tasks, int r) {
    ats_enter(__func__);
    create(work, tasks, r);
    ats_leave(__func__);
}

void empty_tasks_balanced(double work, int tasks, int r) {
    (void)tasks;
    ats_enter(__func__);
    create(work, omp_get_max_threads(), r);
    ats_leave(__func__);
}

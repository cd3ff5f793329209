#include <ats.h>
#include <omp.h>

static void create(double work, double taskwork, int tasks, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(work);
        #pragma omp single
        for (int task = 0; task < tasks; ++task) {
            #pragma omp task
            do_work(taskwork);
        }
    }
}

void too_fine_grained_tasks(double work, double taskwork, int tasks, int r) {
    ats_enter(__func__);
    create(work, taskwork, tasks, r);
    ats_leave(__func__);
}

void too_fine_grained_tasks_balanced(double work, double taskwork, int tasks, int r) {
    const int threads = omp_get_max_threads();
    ats_enter(__func__);
    create(work, taskwork * tasks / threads, threads, r);
    ats_leave(__func__);
}

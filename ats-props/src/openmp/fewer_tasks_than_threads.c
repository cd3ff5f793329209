#include <ats.h>
#include <omp.h>

static void create(double before, double taskwork, int tasks, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(before);
        #pragma omp single
        {
            for (int task = 0; task < tasks; ++task) {
                #pragma omp task
                do_work(taskwork);
            }
            #pragma omp taskwait
        }
    }
}

void fewer_tasks_than_threads(double taskwork, int tasks, int r) {
    ats_enter(__func__);
    create(0.0, taskwork, tasks, r);
    ats_leave(__func__);
}

void fewer_tasks_than_threads_balanced(double taskwork, int tasks, int r) {
    ats_enter(__func__);
    create(taskwork * tasks / omp_get_max_threads(), 0.0, tasks, r);
    ats_leave(__func__);
}

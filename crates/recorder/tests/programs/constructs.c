/* Every construct of OpenMP that is recorded in a way of its own; calls and regions on threads. Any number of ranks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static volatile int sink;

static void mark(const char *function, const char *region) {
    void (*call)(const char *) = (void (*)(const char *))dlsym(RTLD_DEFAULT, function);
    if (call)
        call(region);
}

static void barriers(void) {
#pragma omp parallel
    {
        mark("ats_region_enter", "work");
        mark("ats_region_leave", "work");
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
    }
}

static void loops(void) {
#pragma omp parallel
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 4; i++)
            sink++;
#pragma omp for nowait
        for (int i = 0; i < 4; i++)
            sink++;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
            sink++;
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < 4; i++)
            sink++;
#pragma omp for ordered
        for (int i = 0; i < 4; i++) {
            sink++;
#pragma omp ordered
            sink++;
        }
    }
}

static void blocks(void) {
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            sink++;
#pragma omp section
            sink++;
#pragma omp section
            sink++;
        }
#pragma omp single
        sink++;
#pragma omp single nowait
        sink++;
#pragma omp master
        sink++;
    }
}

static void locks(void) {
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
    {
#pragma omp critical(name)
        sink++;
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock))
            ;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        while (!omp_test_nest_lock(&nest))
            ;
        omp_unset_nest_lock(&nest);
#pragma omp flush
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
}

static void tasks(void) {
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task
            sink++;
#pragma omp task
            sink++;
#pragma omp taskwait
        }
    }
}

static void reductions(void) {
    double sum = 0, rest = 0;
#pragma omp parallel reduction(+ : sum)
    {
        sum += 1;
#pragma omp for reduction(+ : rest)
        for (int i = 0; i < 4; i++)
            rest += i;
    }
    sink += sum + rest;
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    void (*parts[])(void) = {barriers, loops, blocks, locks, tasks, reductions};
    for (int part = 0; part < 6; part++) {
        parts[part]();
        /* The threads of a team that is gone would show these pauses as waiting. */
        usleep(20000);
    }
    MPI_Finalize();
    return 0;
}

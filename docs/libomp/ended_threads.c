/*
 * A thread that starts a region with tasks, and ends: libomp frees the memory of its tasks, though the threads of its
 * team still keep some of it. LLVM's runtime ends in "Assertion failure at kmp_alloc.cpp", or by a signal.
 *
 *     clang -fopenmp ended_threads.c -o ended_threads -lpthread && ./ended_threads
 */
#include <pthread.h>
#include <stdio.h>

static void* run_tasks(void* unused) {
    #pragma omp parallel num_threads(4)
    for (int task = 0; task < 100; ++task) {
        #pragma omp task
        { volatile int work = 0; while (work < 100) ++work; }
    }
    return unused;
}

int main(void) {
    for (int round = 0; round < 50; ++round) {
        pthread_t threads[3];
        for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, run_tasks, NULL);
        for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    }
    puts("ended well");
    return 0;
}

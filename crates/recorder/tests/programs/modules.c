/* A program that loads, calls and unloads the modules "alpha" and "beta" twice, and the modules themselves, which are
   built of this file with MODULE defined. They come to the same address. Then the main thread ends, and another one
   calls MPI. */
#ifdef MODULE
#include <mpi.h>

#if MODULE == 1
void step(int *sum) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    *sum += 1;
    MPI_Barrier(MPI_COMM_WORLD);
}
#else
void step(int *sum) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    *sum += 1;
    MPI_Barrier(MPI_COMM_WORLD);
}
#endif

#else
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static void *after_main(void *thread) {
    pthread_join(*(pthread_t *)thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(0);
}

int main(int argc, char **argv) {
    static pthread_t first;
    pthread_t second;
    int provided, sum = 0;
    void *address = NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int call = 0; call < 4; call++) {
        void *module = dlopen(argv[1 + call % 2], RTLD_NOW);
        void (*step)(int *) = (void (*)(int *))dlsym(module, "step");
        if (call && address != (void *)step)
            exit(3);
        address = (void *)step;
        step(&sum);
        dlclose(module);
    }
    first = pthread_self();
    pthread_create(&second, NULL, after_main, &first);
    pthread_exit(NULL);
}
#endif

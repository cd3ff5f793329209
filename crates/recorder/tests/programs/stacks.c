/* Calls of MPI_Barrier below recursion, in a frame of variable size, in a callback, and a call in a thread. 2 ranks. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile int kept;

static void meet(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    kept++;
}

static void halve(int rest) {
    if (rest > 1)
        halve(rest / 2);
    else
        meet();
    kept++;
}

static void sized(int bytes) {
    char *room = __builtin_alloca(bytes);
    memset(room, 1, bytes);
    meet();
    kept += room[bytes / 2];
}

static int compare(const void *one, const void *other) {
    (void)one, (void)other;
    meet();
    return kept > 0 ? 0 : 1;
}

static int bsearch_by(int (*by)(const void *, const void *)) {
    return by(&kept, &kept) + kept;
}

static void alone(void) {
    int flag;
    MPI_Initialized(&flag);
    kept += flag;
}

static void *beside(void *nothing) {
    alone();
    kept++;
    return nothing;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int round = 0; round < 2; round++)
        halve(4);
    for (int round = 1; round < 3; round++)
        sized(100 * round);
    kept += bsearch_by(compare);
    pthread_create(&thread, NULL, beside, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}

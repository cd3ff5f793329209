/* Teams of different sizes, one within another, without MPI; ends as its argument says. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int sink;
static int begun;

/* Returns when so many threads have been here, those of earlier meetings among them. */
static void meet(int all) {
    int here = 0;
#pragma omp atomic
    begun++;
    while (here < all) {
        usleep(100);
#pragma omp atomic read
        here = begun;
    }
}

int main(int argc, char **argv) {
    const char *ending = argc > 1 ? argv[1] : "return";
    omp_set_max_active_levels(2);
    for (int size = 1; size <= 4; size++) {
#pragma omp parallel num_threads(size)
        sink++;
        usleep(5000);
    }
#pragma omp parallel if (0)
    sink++;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(3)
        {
            /* All threads of the two inner teams, so that neither can use the other's. */
            meet(6);
#pragma omp barrier
        }
    }
    if (!strcmp(ending, "exit"))
        exit(3);
#pragma omp parallel num_threads(2)
    {
        if (!strcmp(ending, "exit in a region")) {
            meet(8);
#pragma omp master
            exit(4);
#pragma omp barrier
        }
        if (!strcmp(ending, "exit at once")) {
#pragma omp master
            exit(6);
#pragma omp barrier
        }
    }
    if (!strcmp(ending, "_exit"))
        _exit(5);
    return 0;
}

/* More events of threads than a chunk of the recorder's memory holds. */
int main(void) {
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 20000; i++) {
#pragma omp critical
        {
        }
    }
    for (int i = 0; i < 500; i++) {
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
        }
    }
    return 0;
}

/* rand_r: the state is an iteration's own, or one that a thread carries from iteration to iteration. */
/* expect-gpu: 1 */
/* expect-host: OMPC345 */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define N 4000
int a[N], b[N];
int main(void) {
  long hits = 0;
  #pragma omp parallel num_threads(4) reduction(+:hits)
  {
    unsigned seed = omp_get_thread_num() * 77u + 1;
    #pragma omp for schedule(static)
    for (int i = 0; i < N; i++) {
      float x = rand_r(&seed) / (float)RAND_MAX, y = rand_r(&seed) / (float)RAND_MAX;
      if (x * x + y * y < 1) hits++;
    }
  }
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    unsigned s = i * 2654435761u;
    a[i] = rand_r(&s) % 1000 + rand_r(&s) % 7;
  }
  long sum = 0;
  for (int i = 0; i < N; i++) sum += (long)a[i] * i;
  printf("%ld %ld\n", hits, sum);
}

/* OMPC309: threadprivate variables, which threads of a region may use; OMPC314: static storage inside the loop. */
static int mine;
static _Thread_local int also_mine;
#pragma omp threadprivate(mine)

void storage(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = mine;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = also_mine;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        static int weights[2] = {1, 2};
        a[i] = weights[i & 1];
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = mine;
}

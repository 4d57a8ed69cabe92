/* Data-sharing attributes: predetermined, explicit, implicit; shadowing; what is used only in the headers. */
struct pair { int x, y; };
int global;
extern int elsewhere;
static double table[8];

void sharing(int n, int from, double *a, struct pair p)
{
    int i, j, k = 0;
    const int limit = n;
    static int calls;
    register int fast = 3;
#pragma omp parallel for
    for (i = from; i < limit; i++) {
        int local = k;
        for (j = 0; j < 4; j++)
            a[i] += table[j] * local;
        {
            int n = fast;
            a[i] += n + global + elsewhere + calls + p.x;
        }
    }
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++)
        for (j = 0; j < 4; j++) {
            extern int elsewhere;
            a[i] += sizeof(double[n]) + elsewhere;
        }
#pragma omp parallel for
    for (int k = 0; k < 4; k++)
        a[k] = ({ int inner = k; inner; });
}

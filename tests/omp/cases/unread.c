/* OMPC310, OMPC316: what ompc cannot read, here GNU statement expressions. */
void unread(int n, double *a)
{
    int s = ({
        int inner = 0;
#pragma omp parallel for reduction(+:inner)
        for (int i = 0; i < n; i++)
            inner += i;
        inner;
    });
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = ({ int t = i; while (t > s) t--; t; });
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = s;
}

void read(int n, double *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

/* OpenMPC's own pragmas: above a construct, between it and its loop, around several, one inside another; and bad ones. */
static double w[10], a[100][100];
#pragma cuda gpurun

void asked(int n, double *p)
{
#pragma cuda gpurun threadblocksize(64) maxnumofblocks(8), constant(w) registerRO(n) noc2gmemtr(a)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = w[i % 10];
#pragma omp parallel for
#pragma cuda gpurun noconstant(w) noploopswap
    for (int i = 0; i < n; i++)
        p[i] = w[i % 10];
#pragma cuda gpurun threadblocksize(32) constant(w)
#pragma omp parallel
    {
#pragma cuda ainfo procname(asked) kernelid(1)
#pragma cuda gpurun threadblocksize(16 * 2 + 64) noconstant(w)
#pragma omp for
        for (int i = 0; i < n; i++)
            p[i] = w[i % 10];
    }
#pragma cuda cpurun
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] = 1;
    }
    if (n > 2)
#pragma cuda nogpurun
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] = 2;
#pragma cuda gpurun fast
#pragma cuda run
#pragma cuda gpurun constant(nothing)
#pragma cuda gpurun maxnumofblocks(n)
#pragma cuda gpurun threadblocksize
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = 3;
#pragma cuda cpurun
    p[0] = 1;
}

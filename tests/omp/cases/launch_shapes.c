/* `#pragma ompc`: what is asked of launches, and what no kernel is made for. */
#pragma ompc block(32)
void asked(int n, int *p)
{
#pragma ompc block(64, 4) rows(8) fills(2)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = 1;
#pragma ompc inner(0) order(2, 1) constant(1) readonly(0) shared(0)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = 1;
#pragma ompc tile(0), lanes(16)
#pragma ompc lanes(512) block(128) schedule(1)
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] = 2;
    }
#pragma ompc block(33)
#pragma ompc block(64, 8)
#pragma ompc block
#pragma ompc block(n)
#pragma ompc rows(3)
#pragma ompc fills(0)
#pragma ompc tile(8, 8)
#pragma ompc order(2)
#pragma ompc order(1, 3)
#pragma ompc inner(3)
#pragma ompc readonly(1)
#pragma ompc parallel for
#pragma ompc schedule(3)
#pragma ompc schedule(static)
#pragma ompc 4
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = 3;
}

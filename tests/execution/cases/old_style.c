/* Old-style definitions, implicit int, functions without prototypes. */
/* args: 25 */
/* expect-gpu: 2 */
/* flags: -std=gnu89 -fcommon */
extern int printf();
extern int atoi();
double table[100];
static fill(to, n, scale)
    double *to;
    int n;
    float scale;
{
    int i;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        to[i] = i * scale;
    return n;
}

main(argc, argv)
    int argc;
    char **argv;
{
    register int i, n = atoi(argv[1]);
    double s = 0;
    fill(table, n, 0.5);
#pragma omp parallel for reduction(+:s)
    for (i = 0; i < n; i++)
        s += table[i] * n;
    printf("%g\n", s);
    return 0;
}

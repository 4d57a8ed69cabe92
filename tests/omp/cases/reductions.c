/* Every operator; `-` is a sum; arrays, sections, user-defined operators and modifiers stay on the host. */
#pragma omp declare reduction(longest : int : omp_out = omp_out > omp_in ? omp_out : omp_in)

void reductions(int n, const int *a)
{
    int s = 0, d = 0, p = 1, lo = 0, hi = 0, x = 0, y = -1, z = 0, all = 1, any = 0;
    int table[4] = {0};
#pragma omp parallel for reduction(+ : s) reduction(- : d) reduction(* : p) reduction(min : lo) reduction(max : hi)
    for (int i = 0; i < n; i++) {
        s += a[i];
        d -= a[i];
        p *= a[i];
        lo = a[i] < lo ? a[i] : lo;
        hi = a[i] > hi ? a[i] : hi;
    }
#pragma omp parallel for reduction(|:x) reduction(&:y) reduction(^:z) reduction(&&:all) reduction(||:any)
    for (int i = 0; i < n; i++) {
        x |= a[i];
        y &= a[i];
        z ^= a[i];
        all = all && a[i];
        any = any || a[i];
    }
#pragma omp parallel for reduction(default, +: s, d)
    for (int i = 0; i < n; i++) {
        s += a[i];
        d += a[i];
    }
#pragma omp parallel for reduction(+: table)
    for (int i = 0; i < n; i++)
        table[a[i]]++;
#pragma omp parallel for reduction(+: table[0:2])
    for (int i = 0; i < n; i++)
        table[a[i]]++;
#pragma omp parallel for reduction(longest: s)
    for (int i = 0; i < n; i++)
        s = s > a[i] ? s : a[i];
#pragma omp parallel for reduction(task, +: s)
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma omp parallel for reduction(inscan, +: s)
    for (int i = 0; i < n; i++) {
        s += a[i];
#pragma omp scan inclusive(s)
        table[i] = s;
    }
}

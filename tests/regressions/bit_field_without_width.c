/* on device: 1
   A bit-field without width ends its unit: an ordinary member behind it stands at the next boundary of that type. */
#include <stdio.h>
struct Ended { char c; unsigned : 0; char d; };
struct Mixed { unsigned a : 3; int b : 5; unsigned long long c : 40; _Bool d : 1; unsigned : 0; signed char e; };
struct Twice { int a : 3; int : 5; int : 0; int b : 4; short : 0; char c; };
struct Wide { char a; int : 9; char b; long long : 0; char c; struct { short : 0; char x; } in; };
struct Ended ended[10]; struct Mixed mixed[10]; struct Twice twice[10]; struct Wide wide[10];
int main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < 10; i++) {
        ended[i].c = i; ended[i].d = 2 * i;
        mixed[i].a = i; mixed[i].b = i - 5; mixed[i].c = 1ull << 3 * i; mixed[i].d = i; mixed[i].e = -i;
        twice[i].a = i; twice[i].b = i - 3; twice[i].c = 7 * i;
        wide[i].a = i; wide[i].b = i + 1; wide[i].c = i + 2; wide[i].in.x = i + 3;
    }
    for (int i = 0; i < 10; i++)
        printf("%d %d %d %d %llu %d %d %d %d %d %d %d %d %d\n", ended[i].c, ended[i].d, mixed[i].a, mixed[i].b,
               (unsigned long long)mixed[i].c, mixed[i].d, mixed[i].e, twice[i].a, twice[i].b, twice[i].c, wide[i].a, wide[i].b,
               wide[i].c, wide[i].in.x);
    return 0;
}

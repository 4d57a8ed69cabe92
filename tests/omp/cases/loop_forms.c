/* Every canonical form with integer variables; the bound converts to the variable's type as gcc does. */
#include <stddef.h>

extern void use(long);
static int file_scope;

void forms(int n, int s, size_t big, unsigned u, short narrow)
{
    int i;
#pragma omp parallel for
    for (i = 0; i < n; i++) ;
#pragma omp parallel for
    for (i = 0; n > i; ++i) ;
#pragma omp parallel for
    for (i = 1; i <= n; i += 2) ;
#pragma omp parallel for
    for (i = n - 1; i >= 0; i--) ;
#pragma omp parallel for
    for (i = n; 0 < i; --i) ;
#pragma omp parallel for
    for (i = n; i > 0; i -= 3) ;
#pragma omp parallel for
    for (i = n; i > 0; i += -3) ;
#pragma omp parallel for
    for (i = 0; i < n; i -= -1) ;
#pragma omp parallel for
    for (i = 0; i != n; i++) ;
#pragma omp parallel for
    for (i = n; i != 0; i -= 1) ;
#pragma omp parallel for
    for (i = 0; i < n; i = i + 4) ;
#pragma omp parallel for
    for (i = 0; i < n; i = s + i) ;
#pragma omp parallel for
    for (i = n; i >= 0; i = i - s) ;
#pragma omp parallel for
    for (i = 0; i < n; i += s * 2) ;
#pragma omp parallel for
    for (i = n; i > 0; i += s) ;
#pragma omp parallel for
    for (int k = 0; k < (int)big; k++) ;
#pragma omp parallel for
    for (int k = 0; k < big; k++) ;
#pragma omp parallel for
    for (size_t k = 0; k < big; k++) ;
#pragma omp parallel for
    for (size_t k = 0; k < n; k++) ;
#pragma omp parallel for
    for (long k = 0; k < n; k++) ;
#pragma omp parallel for
    for (unsigned k = u; k > 0; k--) ;
#pragma omp parallel for
    for (short k = 0; k < narrow; k++) ;
#pragma omp parallel for
    for (unsigned char k = 0; k < 200; k++) ;
#pragma omp parallel for
    for (char k = 'a'; k <= 'z'; k++) ;
#pragma omp parallel for
    for (long long k = 0; k < 10LL; k++) ;
#pragma omp parallel for
    for (unsigned long long k = 0; k < 10; k++) ;
#pragma omp parallel for
    for (file_scope = 0; (long)file_scope < n; file_scope++) ;
#pragma omp parallel for
    for (n = 0; n < 5; n++) ;
}

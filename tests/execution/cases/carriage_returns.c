/* Lines that end with CR LF; tabs; no end of line at the end of the file. */
/* args: 40 */
/* expect-gpu: 2 */
#include <stdio.h>
#include <stdlib.h>
#define LINES \
	2
static double a[100];
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	double s = 0;
	#pragma omp parallel for \
		schedule(static)
	for (int i = 0; i < n; i++)
		a[i] = i * LINES;
#	pragma omp parallel for reduction(+:s)
	for (int i = 0; i < n; i++)
	{
		s += a[i];	/* a tab */
	}
	printf("%g %d\n", s, __LINE__);
	return 0;
}
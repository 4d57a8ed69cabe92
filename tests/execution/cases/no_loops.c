/* A program without parallel loops. */
/* args: */
/* args: a b */
/* expect-gpu: 0 */
#include <stdio.h>
int main(int argc, char **argv)
{
    fprintf(stderr, "to standard error\n");
    printf("%d%s", argc, argc > 1 ? argv[1] : "");
    return 40 + argc;
}

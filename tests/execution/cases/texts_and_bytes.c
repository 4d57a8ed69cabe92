/* The C library's functions on bytes and texts: whole objects, rows, blocks of the heap, variables of the loop's own, a
   float's bits; a function of the program's own that is called like one. */
/* args: 40 */
/* args: 1 */
/* expect-gpu: 8 */
/* expect-host: OMPC361 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };
struct Entry { int number; double v[3]; char name[12]; };
static double a[MOST][16], b[MOST][16];
static struct Entry entries[MOST], copies[MOST];
static char words[MOST][16], lines[MOST][24];
static int order[MOST];

static char *strchr_of(char *text, int c) { while (*text && *text != c) text++; return text; }

static void bytes(int n, double *heap, double *copy)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) memcpy(b[i], a[i], sizeof b[i]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) memcpy(copy + i * 8, &heap[i * 8], 8 * sizeof *copy);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        memset(&copies[i], 255, sizeof copies[i]);
        memcpy(&copies[i], &entries[i], sizeof(struct Entry));
        copies[i].number++;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float f = i;
        unsigned u;
        double row[16];
        memcpy(&u, &f, sizeof u);
        memset(row, 0, sizeof row);
        memcpy(row + 1, a[i], 15 * sizeof(double));
        order[i] = (int)(u >> 20) + memcmp(a[i], b[i], 16) + memcmp(row, a[i], 2 * sizeof *row);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i % 2) memmove(&a[i][0], &a[i][1], 15 * sizeof(double));
        else memmove(a[i] + 3, a[i], 13 * sizeof(double));
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double row[16];
        memmove(row, a[i], sizeof row);
        a[i][0] += row[1];
    }
}

static int texts(int n)
{
    int least = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        char line[40];
        strcpy(line, words[i]);
        strcat(line, words[(i + 1) % n]);
        strncat(line, words[i], 2);
        strncpy(lines[i], line, sizeof lines[i]);
        order[i] += (int)(strlen(line) + strnlen(words[i], 3));
    }
    #pragma omp parallel for reduction(+: least)
    for (int i = 0; i < n; i++) {
        int rank = 0;
        for (int j = 0; j < n; j++) {
            int c = strcmp(words[j], words[i]);
            rank += c < 0 || (c == 0 && j < i);
            least += strncmp(words[i], words[j], 1) > 0;
        }
        order[i] += rank * 100 + atoi(words[i] + 1) + (atol(words[i]) != 0);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) *strchr_of(lines[i], '2') = '#';
    return least;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : MOST;
    double *heap = malloc(n * 8 * sizeof *heap), *copy = malloc(n * 8 * sizeof *heap);
    unsigned h = 0;
    for (int i = 0; i < n * 8; i++) heap[i] = i * 0.5;
    for (int i = 0; i < n; i++) {
        sprintf(words[i], "%c%+d", 'a' + i * 7 % 26, i % 3 ? i * i : -i);
        for (int j = 0; j < 16; j++) a[i][j] = i * j;
        entries[i].number = i;
        strcpy(entries[i].name, words[i]);
    }
    bytes(n, heap, copy);
    h = texts(n);
    for (int i = 0; i < n; i++) {
        h = h * 31 + order[i] + copies[i].number;
        for (int j = 0; j < 24; j++) h = h * 31 + lines[i][j];
        for (int j = 0; j < 16; j++) h = h * 7 + (unsigned)(a[i][j] + b[i][j] + copy[i * 8 + j % 8]);
    }
    printf("%u %s %s %s\n", h, lines[0], lines[n - 1], copies[n - 1].name);
    free(heap);
    free(copy);
    return 0;
}

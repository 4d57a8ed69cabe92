/* Which team, and which of its threads, runs an iteration follows from the directives: numbers of leagues in kernels. */
/* args: 1000 3 */
/* args: 5 7 */
/* args: 1 2 */
/* args: 0 2 */
/* expect-gpu: 22 */
/* expect-host: OMPC355 OMPC339 OMPC339 OMPC339 OMPC339 OMPC339 OMPC339 OMPC339 OMPC339 OMPC339 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int team[40][50], thread[2000], league[2000], size[2000];
static double x[2000], sum[64];
static int most[64];

static void show(const char *what)
{
    long all = 0;
    for (int k = 0; k < 2000; k++)
        all = (all * 31 + team[k / 50][k % 50] * 7 + thread[k] * 5 + league[k] * 3 + size[k]) % 1000003;
    double s = 0;
    for (int k = 0; k < 64; k++)
        s += sum[k] * (k + 1) + most[k];
    printf("%s %ld %.10g\n", what, all, s);
    memset(team, 0, sizeof team);
    memset(thread, 0, sizeof thread);
    memset(league, 0, sizeof league);
    memset(size, 0, sizeof size);
    memset(sum, 0, sizeof sum);
    memset(most, 0, sizeof most);
}

#define NOTE(k)                                                                                                        \
    do {                                                                                                               \
        team[(k) / 50][(k) % 50] = omp_get_team_num();                                                                 \
        thread[k] = omp_get_thread_num();                                                                              \
        league[k] = omp_get_num_teams() + 1;                                                                           \
        size[k] = omp_get_num_threads() * 2;                                                                           \
    } while (0)

static int on_a_device(int k)
{
    return omp_is_initial_device() == 1 ? -k : 1000 + k;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100, c = argc > 2 ? atoi(argv[2]) : 4;
    unsigned char narrow = (unsigned char)c;
    for (int k = 0; k < 2000; k++)
        x[k] = k % 17 * 0.5;

    /* a target construct has one team, of one thread, unless it says otherwise */
#pragma omp target teams distribute
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("one");

#pragma omp target simd
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("simd");

#pragma omp target parallel for num_threads(3)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("no teams");

#pragma omp target parallel for schedule(static, c)
    for (int k = n - 1; k >= 0; k -= 3)
        NOTE(k);
    show("no teams, chunks");

    /* blocks, of which the first ones may be longer; chunks in turn */
#pragma omp target teams distribute num_teams(c)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("blocks");

#pragma omp target teams distribute num_teams(narrow + 1) dist_schedule(static, c)
    for (int k = n; k > 0; k -= 2)
        NOTE(k);
    show("chunks");

#pragma omp target teams distribute num_teams(3) dist_schedule(static, 4)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("chunks of four");

    /* threads share the block of their team, or each chunk of it */
#pragma omp target teams distribute parallel for num_teams(c) dist_schedule(static)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("blocks of blocks");

#pragma omp target teams distribute parallel for num_teams(c) num_threads(3) dist_schedule(static, 5)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("blocks of chunks");

#pragma omp target teams distribute parallel for num_teams(c) num_threads(3) dist_schedule(static, 7) schedule(static, 2)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("chunks of chunks");

#pragma omp target teams distribute parallel for simd num_teams(5) num_threads(2) schedule(static, c)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("chunks of blocks");

#pragma omp target teams distribute parallel for num_teams(3) thread_limit(c)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("limited");

#pragma omp teams distribute parallel for num_teams(3) num_threads(2)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("teams of the host");

#pragma omp target teams distribute parallel for collapse(2) num_teams(c)
    for (int k = 0; k < n / 50; k++)
        for (int j = 0; j < 50; j++)
            NOTE(50 * k + j);
    show("two loops");

    /* teams share the outer loop, the threads of each the inner one */
#pragma omp target teams distribute num_teams(c)
    for (int k = 0; k < n / 50; k++)
#pragma omp parallel for num_threads(3)
        for (int j = 0; j < 50; j++)
            NOTE(50 * k + j);
    show("a loop for each");

    /* what a number leads to */
#pragma omp target teams distribute num_teams(8) map(tofrom : sum)
    for (int k = 0; k < n; k++)
        sum[omp_get_team_num()] += x[k];
    show("sums");

#pragma omp target teams distribute parallel for num_teams(4) num_threads(8) map(tofrom : most, sum)
    for (int k = 0; k < n; k++) {
        const int me = omp_get_team_num() * 8 + omp_get_thread_num();
        sum[me] += 0.25;
        if ((int)x[k] > most[me])
            most[me] = (int)x[k];
    }
    show("most");

    /* a part of the iterations, by the team that has them */
#pragma omp target teams distribute num_teams(3) map(tofrom : team, league)
    for (int k = 0; k < n; k++)
        if (omp_get_team_num() == 1)
            team[k / 50][k % 50] = 2;
    show("of one team");

    /* only how many */
#pragma omp target teams distribute parallel for num_teams(c)
    for (int k = 0; k < n; k++)
        thread[k] = 100 * omp_get_num_teams() + k;
    show("how many");

    /* a team's thread has what its iterations leave */
    int last[16] = {0};
#pragma omp target teams distribute num_teams(4) map(tofrom : last, thread)
    for (int k = 0; k < n; k++) {
        thread[k] = last[omp_get_team_num()];
        last[omp_get_team_num()] = k;
    }
    show("one after the other");

    /* in constructs that the iteration's own thread runs; numbers of clauses in a table of the function's own */
    int teams = 0, of_teams = 0, table[3] = {2, c, 3}, pointed_at[2] = {2, 3};
#pragma omp target teams distribute num_teams(3) map(tofrom : teams, of_teams)
    for (int k = 0; k < n; k++) {
#pragma omp atomic write
        teams = omp_get_num_teams();
#pragma omp atomic
        of_teams += omp_get_team_num();
    }
    printf("%d %d\n", teams, of_teams);
    for (int at = 0; at < 3; at++) {
#pragma omp target teams distribute parallel for num_teams(table[at]) num_threads(table[2 - at])
        for (int k = 0; k < n; k++)
            NOTE(k);
        show("a table");
    }
#pragma omp target teams distribute parallel for num_teams(2)
    for (int k = 0; k < n; k++)
        thread[k] = omp_is_initial_device() ? k : on_a_device(k);
    show("initial device");

    /* a table that changes meanwhile, or to which a pointer leads */
#pragma omp target teams distribute parallel for num_teams(2) num_threads(table[1]) map(tofrom : table)
    for (int k = 0; k < n; k++) {
        size[k] = omp_get_num_threads() > 0;
        if (k == n - 1)
            table[1] = 2;
    }
    int *pointer = pointed_at;
#pragma omp target teams distribute parallel for num_teams(2) num_threads(pointed_at[1])
    for (int k = 0; k < n; k++)
        size[k] += omp_get_num_threads() > pointer[0];
    pointed_at[1] = 2;
#pragma omp target teams distribute num_teams(1) map(tofrom : pointed_at)
    for (int k = 0; k < n; k++) {
#pragma omp parallel for num_threads(pointed_at[1])
        for (int j = 0; j < 2; j++) {
            if (j == 0)
                size[k] += 10 * omp_get_num_threads();
            if (j == 1)
                pointer[1] = 3; /* from the second region on */
        }
    }
    show("other tables");

    /* numbers that are not known here */
#pragma omp teams distribute
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("as many as the host likes");

#pragma omp target teams distribute num_teams(2 : 3)
    for (int k = 0; k < n; k++)
        NOTE(k);
    show("from two to three");

#pragma omp target teams distribute parallel for num_teams(2) num_threads(3) schedule(guided)
    for (int k = 0; k < n; k++)
        thread[k] = omp_get_thread_num() >= 0;
    show("guided");

    int own = 3;
#pragma omp target teams distribute parallel for num_teams(2) schedule(static, own) firstprivate(own)
    for (int k = 0; k < n; k++)
        thread[k] = omp_get_thread_num() * 0 + own;
    show("a chunk of a copy");

#pragma omp target teams distribute num_teams(2)
    for (int k = 0; k < n / 50; k++)
#pragma omp parallel for num_threads(k % 3 + 1)
        for (int j = 0; j < 50; j++)
            NOTE(50 * k + j);
    show("another number for each");

    /* asked by the threads of a loop inside */
#pragma omp target teams distribute num_teams(2)
    for (int k = 0; k < n / 50; k++) {
        team[k][0] = 1;
#pragma omp parallel for num_threads(2)
        for (int j = 1; j < 50; j++)
            team[k][j] = omp_get_num_threads() + omp_get_thread_num();
    }
    show("inside");
    return 0;
}

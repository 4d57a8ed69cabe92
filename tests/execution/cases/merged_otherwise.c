/* What the threads of a region have added up by hand, and then merge in ways in which it matters which thread has what. */
/* expect-gpu: 11 */
#include <omp.h>
#include <stdio.h>
#define N 1000

struct own { int count; };
static int a[N], counter, places[1];

static void bump(void)
{
    counter++;
}

static void step(void)
{
    places[0]++;
}

static void into_own_variables(void)
{
    int busy = 0, off[8] = {0}, more[8] = {0}, total = 0;
#pragma omp parallel num_threads(4)
    {
        int count = 0, mine = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            count += 1;
        mine += count;
        off[omp_get_thread_num()] = mine;
        if (mine > 0)
#pragma omp atomic
            busy++;
    }
#pragma omp parallel num_threads(4)
    {
        int count = 0;
        struct own my = {0};
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            count += 1;
        my.count += count;
        more[omp_get_thread_num()] = my.count;
    }
#pragma omp parallel num_threads(4)
    {
        unsigned char part = 0, mine = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            part += i % 2;
        mine += part;
#pragma omp atomic
        total += mine;
    }
    printf("%d %d %d %d %d %d\n", busy, off[0], off[3], more[0], more[3], total);
}

static void in_turn(void)
{
    int x[8] = {0}, y[8] = {0}, z[8] = {0}, next = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
    {
        int count = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            count += 1;
#pragma omp critical
        {
            x[counter] += count;
            bump();
        }
    }
#pragma omp parallel num_threads(4)
    {
        int count = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            count += 1;
#pragma omp critical
        {
            y[places[0]] += count;
            step();
        }
    }
#pragma omp parallel num_threads(4)
    {
        int count = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            count += 1;
        omp_set_lock(&lock);
        z[next] += count;
        next++;
        omp_unset_lock(&lock);
    }
    for (int k = 0; k < 5; k++)
        printf("%d %d %d\n", x[k], y[k], z[k]);
}

static void converted(void)
{
    long most = -1, wider = 0;
    int narrow = 300, low = 0, cut = 0;
#pragma omp parallel num_threads(4)
    {
        int part = -100;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            if (a[i] > part)
                part = a[i];
#pragma omp critical
        if ((unsigned)part > most)
            most = (unsigned)part;
    }
#pragma omp parallel num_threads(4)
    {
        int part = -1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            if (a[i] + 187 > part)
                part = a[i] + 187;
#pragma omp critical
        if (part > (signed char)narrow)
            narrow = part;
    }
#pragma omp parallel num_threads(4)
    {
        int part = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            part += 1;
#pragma omp critical
        low = (unsigned char)low + part;
    }
#pragma omp parallel num_threads(4)
    {
        int part = 0;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < N; i++)
            part += i < 4;
#pragma omp critical
        cut += part * 0.5;
    }
    /* a conversion that keeps each value keeps the greatest, too */
#pragma omp parallel num_threads(4)
    {
        int part = -100;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            if (a[i] > part)
                part = a[i];
#pragma omp critical
        if ((long)part > wider)
            wider = part;
    }
    printf("%ld %d %d %d %ld\n", most, narrow, low, cut, wider);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i % 13 + 1;
    into_own_variables();
    in_turn();
    converted();
    return 0;
}

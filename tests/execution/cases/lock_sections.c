/* Sections between omp_set_lock and omp_unset_lock that are operations: of one lock, of one for each element or for some
   of them, in records, in called functions. The others stay, with their locks. */
/* args: 2000 */
/* args: 3 */
/* expect-gpu: 11 */
/* expect-host: OMPC349 OMPC349 OMPC349 OMPC349 OMPC349 OMPC349 OMPC349 OMPC349 OMPC348 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 2000
#define BINS 32

struct bin { omp_lock_t *lock; long count; double weight; };

static omp_lock_t the_lock, locks[BINS];
static omp_nest_lock_t nested;
static struct bin bins[BINS];
static long hist[BINS], other[BINS], sum, list[N];
static int v[N], to[N], listed;

static void note(int k, long value)
{
    omp_set_lock(&locks[k]);
    hist[k] += value;
    omp_unset_lock(&locks[k]);
}

static void add(struct bin *bin, double weight)
{
    omp_set_lock(bin->lock);
    bin->count++;
    bin->weight += weight;
    omp_unset_lock(bin->lock);
}

static void add_under(void *lock, long *place, long value)
{
    omp_set_lock(lock);
    *place += value;
    omp_unset_lock(lock);
}

static void sums(int n)
{
    long s = 0, least = 1000, most = -1;
    int at = -1;
    omp_lock_t own, *pointer = &own;
    omp_init_lock(&own);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        omp_set_lock(&own);
        s += v[i];
        omp_unset_lock(&own);
    }
    #pragma omp parallel for firstprivate(pointer)
    for (int i = 0; i < n; i++) {
        if (v[i] % 3 == 0) {
            omp_set_lock(pointer);
            if (v[i] < least)
                least = v[i];
            omp_unset_lock(pointer);
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        omp_set_nest_lock(&nested);
        if (v[i] > most || (v[i] == most && i < at)) {
            most = v[i];
            at = i;
        }
        omp_unset_nest_lock(&nested);
        omp_set_lock(&the_lock);
        int slot = listed++;
        list[slot] = v[i];
        omp_unset_lock(&the_lock);
    }
    omp_destroy_lock(&own);
    long all = 0;
    for (int i = 0; i < listed; i++)
        all += list[i];
    printf("%ld %ld %ld %d %d %ld\n", s, least, most, at, listed, all);
}

static void elements(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = to[i];
        omp_set_lock(&locks[k]);
        hist[k] += v[i];
        omp_unset_lock(&locks[k]);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        omp_set_lock(&locks[to[i] % 4]);
        hist[to[i]] -= 1;
        other[to[i]] += 2;
        omp_unset_lock(&locks[to[i] % 4]);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        note(to[i], v[i] / 2);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct bin *bin = bins + to[i];
        omp_set_lock(bin->lock);
        bin->count += i;
        omp_unset_lock(bin->lock);
        omp_set_lock(bins[v[i] % BINS].lock);
        bins[v[i] % BINS].weight += 0.5;
        omp_unset_lock(bins[v[i] % BINS].lock);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        add(&bins[to[i]], 0.25);
}

static void in_one_region(int n)
{
    long here = 0;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            omp_set_lock(&the_lock);
            here += i;
            omp_unset_lock(&the_lock);
        }
        #pragma omp for collapse(2)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < n; j++) {
                omp_set_lock(&the_lock);
                { long more = here % 1 + v[j]; sum += more; }
                omp_unset_lock(&the_lock);
            }
    }
    #pragma omp target teams distribute parallel for map(tofrom: sum)
    for (int i = 0; i < n; i++) {
        omp_set_lock(&the_lock);
        sum += v[i];
        omp_unset_lock(&the_lock);
    }
    printf("%ld %ld\n", here, sum);
}

static void left_on_the_host(int n)
{
    long s = 0, last = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* another element than the lock's */
        omp_set_lock(&locks[to[i]]);
        hist[to[i]] += other[0] * 0 + 1;
        sum += 0 * i;
        omp_unset_lock(&locks[to[i]]);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)  /* a lock that a parameter chooses */
        add_under(&the_lock, &hist[to[i]], 3);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* a jump */
        omp_set_lock(&the_lock);
        if (v[i] == 7) {
            omp_unset_lock(&the_lock);
            continue;
        }
        s += v[i];
        omp_unset_lock(&the_lock);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* locks inside of locks */
        omp_set_lock(&the_lock);
        omp_set_lock(&locks[0]);
        s += 1;
        omp_unset_lock(&locks[0]);
        omp_unset_lock(&the_lock);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* waits by trying again */
        while (!omp_test_lock(&the_lock))
            ;
        s += 1;
        omp_unset_lock(&the_lock);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* given back in another block */
        omp_set_lock(&the_lock);
        if (i >= 0) {
            s += 2;
            omp_unset_lock(&the_lock);
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* what is declared inside is used behind */
        omp_set_lock(&the_lock);
        long before = s++;
        omp_unset_lock(&the_lock);
        list[before % N] = 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* each thread takes a lock of its own choice */
        omp_lock_t *lock = i % 2 ? &the_lock : &the_lock;
        omp_set_lock(lock);
        s += 1;
        omp_unset_lock(lock);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {  /* no operation on one object */
        omp_set_lock(&the_lock);
        if (s > 100) {
            s -= 1;
            last += 1;
        }
        omp_unset_lock(&the_lock);
    }
    printf("%ld %ld\n", s, last);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    omp_init_lock(&the_lock);
    omp_init_nest_lock(&nested);
    for (int k = 0; k < BINS; k++) {
        omp_init_lock(&locks[k]);
        bins[k].lock = &locks[k];
    }
    for (int i = 0; i < n; i++) {
        v[i] = (i * 7919) % 1009;
        to[i] = (i * 31 + i / 7) % BINS;
    }
    sums(n);
    elements(n);
    in_one_region(n);
    left_on_the_host(n);
    for (int k = 0; k < BINS; k++)
        printf("%ld %ld %ld %g\n", hist[k], other[k], bins[k].count, bins[k].weight);
}

/* Every form of atomic on every arithmetic type of 1 to 8 bytes: elements, scalars, members, through pointers, in functions. */
/* args: 1000 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 7 */
#include <stdio.h>
#include <stdlib.h>

#define EACH(use) use(signed char, sc) use(unsigned char, uc) use(short, ss) use(unsigned short, us) use(int, si) \
    use(unsigned, ui) use(long, sl) use(unsigned long, ul) use(float, fl) use(double, db)
#define ATOMIC(...) _Pragma(#__VA_ARGS__)

/* Sums of floating numbers are exact here, so that their order does not show. */
#define DECLARE(T, t)                                                                    \
    static T t##_sum[3], t##_less, t##_times = 1, t##_least = 100, t##_most, t##_same;   \
    static T t##_slots[2000];                                                            \
    static void t##_add(T *to, int i) { ATOMIC(omp atomic) *to += i % 5; }
EACH(DECLARE)
static struct {
    char before;
#define MEMBER(T, t) T t;
    EACH(MEMBER)
    _Bool flag, all;
} box;

#define UPDATE(T, t)                                                                     \
    ATOMIC(omp atomic) t##_sum[i % 3] += i % 5;                                          \
    ATOMIC(omp atomic update seq_cst) t##_less = t##_less - 1;                           \
    ATOMIC(omp atomic hint(0)) t##_times *= i % 100 == 7 ? 3 : 1;                        \
    ATOMIC(omp atomic relaxed) box.t = 1 + box.t;                                        \
    ATOMIC(omp atomic) --*(&box.t + 0);                                                  \
    t##_add(&box.t, i);

#define BITS(T, t)                                                                       \
    ATOMIC(omp atomic) t##_sum[0] |= i % 16;                                             \
    ATOMIC(omp atomic) t##_less &= ~(i % 8);                                             \
    ATOMIC(omp atomic) t##_same = i ^ t##_same;                                          \
    ATOMIC(omp atomic) box.t ^= i;
#define EACH_INTEGER(use) use(signed char, sc) use(unsigned char, uc) use(short, ss) use(unsigned short, us) \
    use(int, si) use(unsigned, ui) use(long, sl) use(unsigned long, ul)

#define SELECT(T, t)                                                                     \
    ATOMIC(omp atomic compare) if (low < t##_least) { t##_least = low; }                 \
    ATOMIC(omp atomic compare) t##_most = low > t##_most ? low : t##_most;               \
    ATOMIC(omp atomic compare) if (t##_same == 5) { t##_same = 6; }                      \
    ATOMIC(omp atomic write) box.t = low * 0 + 3;

/* Operations that do not commute, in a loop of one iteration. */
#define ONE(T, t)                                                                        \
    ATOMIC(omp atomic) t##_same = 107 - t##_same;                                        \
    ATOMIC(omp atomic) t##_same /= 2;                                                    \
    ATOMIC(omp atomic) t##_same = 99 / t##_same;                                         \
    ATOMIC(omp atomic) t##_same += 1.75;                                                 \
    ATOMIC(omp atomic) t##_same *= 2.5f;                                                 \
    ATOMIC(omp atomic) t##_less -= 200;
#define SHIFT(T, t)                                                                      \
    ATOMIC(omp atomic) t##_sum[1] <<= 3;                                                 \
    ATOMIC(omp atomic) t##_sum[1] >>= 1;                                                 \
    ATOMIC(omp atomic) t##_sum[2] = 3 << (t##_sum[2]);

/* Each value before (after) is seen once: the slots show it. */
#define CAPTURE(T, t)                                                                    \
    { int slot, r; T v, w, out = 0;                                                       \
      ATOMIC(omp atomic capture) v = box.t++;                                            \
      slot = (int)v & 127, t##_slots[slot]++;                                            \
      ATOMIC(omp atomic capture) w = t##_less += 0;                                      \
      ATOMIC(omp atomic capture) { v = t##_same; t##_same = 9; }                         \
      ATOMIC(omp atomic capture) { t##_same = t##_same * 1; r = t##_same; }              \
      t##_slots[130] = w == t##_less, t##_slots[131] = r == 9;                           \
      ATOMIC(omp atomic compare capture) { v = t##_most; if (t##_most == 77) { t##_most = 78; } } \
      t##_slots[132] = v;                                                                \
      ATOMIC(omp atomic compare capture) { if (t##_least > low) { t##_least = low; } v = t##_least; } \
      t##_slots[133] = v == low;                                                         \
      ATOMIC(omp atomic compare capture) if (t##_most == 77) { t##_most = 78; } else { out = t##_most; } \
      t##_slots[134] = out;                                                              \
      ATOMIC(omp atomic compare capture fail(relaxed) seq_cst) { r = t##_most == 40; if (r) { t##_most = 50; } } \
      t##_slots[135] += r;                                                               \
      ATOMIC(omp atomic compare capture weak) { r = t##_most == 41; if (r) { t##_most = 42; } else { out = t##_most; } } \
      t##_slots[136] = r, t##_slots[137] = out;                                          \
      ATOMIC(omp atomic read acquire) out = t##_most;                                    \
      t##_slots[138] = out; }

#define SHOW(T, t)                                                                       \
    printf(#T " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", (double)t##_sum[0], (double)t##_sum[1], \
           (double)t##_sum[2], (double)t##_less, (double)t##_times, (double)t##_least, (double)t##_most, \
           (double)t##_same, (double)box.t);
#define SLOTS(T, t)                                                                      \
    for (int k = 0; k < 140; k++) if (t##_slots[k]) printf("%d:%g ", k, (double)t##_slots[k]);

static void show(void) { EACH(SHOW) printf("%d %d\n", box.flag, box.all); }

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    box.all = 1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        EACH(UPDATE)
    }
    show();
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        EACH_INTEGER(BITS)
        ATOMIC(omp atomic) box.flag |= i == 7;
        ATOMIC(omp atomic) box.all &= i < 500;
    }
    show();
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int low = i % 90 + 5;
        EACH(SELECT)
    }
    show();
#define RESET(T, t) t##_sum[1] = 5, t##_sum[2] = 2;
    EACH(RESET)
    for (int one = 0; one < 2; one++) {
        #pragma omp parallel for
        for (int i = 0; i < one; i++) {
            EACH(ONE) EACH_INTEGER(SHIFT)
        }
    }
    show();
    #pragma omp parallel for
    for (int i = 0; i < (n > 1 ? 1 : n); i++) {
        int low = 3;
        EACH(CAPTURE)
    }
    show();
    EACH(SLOTS)
    int count = 0, *seen = calloc(n + 1, sizeof *seen), last = 0;
    double total = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int slot, mine = 5;
        #pragma omp atomic capture
        slot = count++;
        seen[slot]++;
        #pragma omp atomic
        mine += slot;       /* the thread's own: nothing to be indivisible */
        if (mine != slot + 5)
            seen[0] = 100;
        if (i % 2)
            #pragma omp atomic
            total += i;
        else
            #pragma omp atomic capture
            { slot = last; last = i; }
    }
    for (int i = 0; i < n; i++) if (seen[i] != 1) printf("slot %d: %d\n", i, seen[i]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) {
            #pragma omp atomic
            seen[(i * j) % n] += j;
        }
    long sum = 0;
    for (int i = 0; i < n; i++) sum += seen[i] * (i % 7);
    printf("%d %ld %g %d\n", count, sum, total, last % 2);
    free(seen);
    return 0;
}

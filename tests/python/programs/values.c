/* Values of all types between Python and C. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct body {
    double position[3];
    float mass;
    int id;
};
typedef struct {
    char tag;
    struct body body;
    short grid[2][3];
} sample;
struct flags {
    unsigned int a : 3, b : 5;
    int rest;
};
struct opaque;
enum color { RED, GREEN = 5, BLUE };

int count = 3;
const double limit = 2.5;
double table[2][3] = {{1, 2, 3}, {4, 5, 6}};
struct body sun = {{0, 0, 0}, 5.0f, 1};
char *message = "text";
_Bool ready;
static int hidden = 9;

// The value
// and one.
int plus_one(int x) { return x + 1 + 0 * hidden; }

_Bool as_bool(_Bool x) { return x; }
char as_char(char x) { return x; }
signed char as_signed_char(signed char x) { return x; }
unsigned char as_unsigned_char(unsigned char x) { return x; }
short as_short(short x) { return x; }
unsigned short as_unsigned_short(unsigned short x) { return x; }
unsigned int as_unsigned_int(unsigned int x) { return x; }
long as_long(long x) { return x; }
unsigned long as_unsigned_long(unsigned long x) { return x; }
long long as_long_long(long long x) { return x; }
size_t as_size(size_t x) { return x; }
float as_float(float x) { return x; }
double as_double(double x) { return x; }
long double as_long_double(long double x) { return x; }
enum color as_color(enum color x) { return x; }
void nothing(void) {}

/*
 * Moves a body.
 *   by: how far
 */
struct body
moved(struct body b, double by)
{
    b.position[0] += by;
    return b;
}

void move(struct body *b, double by) { b->position[0] += by; }
int sum_of_grid(const sample *s, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 6; j++)
            sum += s[i].grid[j / 3][j % 3] + s[i].tag;
    return sum;
}
struct flags with_a(struct flags f, int a)
{
    f.a = a;
    return f;
}
size_t length(const char *text) { return text == NULL ? 0 : strlen(text); }
void fill(char *text, int n) { memset(text, 'x', n); }
double first(const double *x) { return x == NULL ? -1 : x[0]; }
void *same(void *p) { return p; }
struct opaque *same_opaque(struct opaque *p) { return p; }
const char *a_text(void) { return message; }
int call(int (*function)(int), int x) { return function(x); }
int lambda(int in, int unused, int from) { return in * from + 0 * unused; }
double sum_of_rows(double *const *rows, int n, int m)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += rows[i][j];
    return sum;
}
int fixed(float t[3][4], int n, int b[n + 1], const short c[]) { return t[2][3] + b[n] + c[0]; }
double imaginary(double _Complex *z) { return __imag__ z[0]; }
double _Complex conjugate(double _Complex z) { return ~z; }
int print(const char *format, ...) { return format[0]; }
int dirname(int x) { return x * 2; } /* libc has one, too */
int twice_dirname(int x) { return dirname(x); }
typedef struct {
    int cells;
} field;
static field only = {3};
field *field_new(int cells)
{
    only.cells = cells;
    return cells > 0 ? &only : NULL;
}
const field *field_read(void) { return &only; }
void field_step(field *f) { f->cells++; }
int field_cells(const field *f) { return f->cells; }
field *current = &only;

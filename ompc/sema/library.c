/* What kernels run instead of the C library's functions on bytes and texts (C11 7.24, 7.22.1.2) and of rand_r (POSIX; with
   glibc's numbers), and what those of CUDA do that write behind a pointer (7.12.6.4, 7.12.6.12). Comparisons return the
   difference of the first bytes that differ, as glibc does; the exponent of an infinity and of NaN is 0, as glibc and
   CUDA have it. size_t is unsigned long. */

void *memcpy(void *to, const void *from, unsigned long count)
{
    unsigned char *target = (unsigned char *)to;
    const unsigned char *source = (const unsigned char *)from;
    for (unsigned long i = 0; i < count; i++)
        target[i] = source[i];
    return to;
}

void *memmove(void *to, const void *from, unsigned long count)
{
    unsigned char *target = (unsigned char *)to;
    const unsigned char *source = (const unsigned char *)from;
    if (target < source) {
        for (unsigned long i = 0; i < count; i++)
            target[i] = source[i];
    } else {
        for (unsigned long i = count; i > 0; i--)
            target[i - 1] = source[i - 1];
    }
    return to;
}

void *memset(void *to, int value, unsigned long count)
{
    unsigned char *target = (unsigned char *)to;
    for (unsigned long i = 0; i < count; i++)
        target[i] = (unsigned char)value;
    return to;
}

int memcmp(const void *left, const void *right, unsigned long count)
{
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;
    for (unsigned long i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

unsigned long strlen(const char *text)
{
    unsigned long length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

unsigned long strnlen(const char *text, unsigned long most)
{
    unsigned long length = 0;
    while (length < most && text[length] != 0)
        length++;
    return length;
}

int strcmp(const char *left, const char *right)
{
    unsigned long i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int strncmp(const char *left, const char *right, unsigned long most)
{
    for (unsigned long i = 0; i < most; i++) {
        if (left[i] != right[i])
            return (unsigned char)left[i] - (unsigned char)right[i];
        if (left[i] == 0)
            return 0;
    }
    return 0;
}

char *strcpy(char *to, const char *from)
{
    unsigned long i = 0;
    for (; from[i] != 0; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}

char *strncpy(char *to, const char *from, unsigned long count)
{
    unsigned long i = 0;
    for (; i < count && from[i] != 0; i++)
        to[i] = from[i];
    for (; i < count; i++)
        to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from)
{
    unsigned long end = 0, i = 0;
    while (to[end] != 0)
        end++;
    for (; from[i] != 0; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

char *strncat(char *to, const char *from, unsigned long most)
{
    unsigned long end = 0, i = 0;
    while (to[end] != 0)
        end++;
    for (; i < most && from[i] != 0; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

long atol(const char *text)
{
    unsigned long value = 0, most = 0x7fffffffffffffff;
    unsigned long i = 0;
    int negative, full = 0;
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    negative = text[i] == '-';
    if (text[i] == '-' || text[i] == '+')
        i++;
    if (negative)
        most++;
    for (; text[i] >= '0' && text[i] <= '9'; i++) {
        unsigned long digit = (unsigned long)(text[i] - '0');
        if (value > (most - digit) / 10)
            full = 1;
        value = full ? most : value * 10 + digit;
    }
    return (long)(negative ? 0 - value : value);
}

long long atoll(const char *text)
{
    return atol(text);
}

int atoi(const char *text)
{
    return (int)atol(text);
}

double frexp(double value, int *exponent)
{
    *exponent = 0;
    if (value == 0 || !(value - value == 0))
        return value + value;
    *exponent = __builtin_ilogb(value) + 1;
    return __builtin_scalbn(value, -*exponent);
}

float frexpf(float value, int *exponent)
{
    *exponent = 0;
    if (value == 0 || !(value - value == 0))
        return value + value;
    *exponent = __builtin_ilogbf(value) + 1;
    return __builtin_scalbnf(value, -*exponent);
}

double modf(double value, double *whole)
{
    *whole = __builtin_trunc(value);
    return __builtin_copysign(value == *whole ? 0 : value - *whole, value);
}

float modff(float value, float *whole)
{
    *whole = __builtin_truncf(value);
    return __builtin_copysignf(value == *whole ? 0 : value - *whole, value);
}

int rand_r(unsigned int *seed)
{
    unsigned int next = *seed * 1103515245u + 12345u;
    unsigned int high = next / 65536u % 2048u;
    next = next * 1103515245u + 12345u;
    unsigned int middle = next / 65536u % 1024u;
    next = next * 1103515245u + 12345u;
    *seed = next;
    return (int)((high << 20) ^ (middle << 10) ^ (next / 65536u % 1024u));
}

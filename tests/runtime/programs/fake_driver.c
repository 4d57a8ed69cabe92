/* libcuda.so.1 of a machine that does not exist: its driver is of version FAKE_VERSION, and cuInit answers FAKE_INIT. */
#include <stdlib.h>
#include <string.h>

static int number(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? 0 : atoi(text);
}

int cuInit(unsigned flags)
{
    (void)flags;
    return number("FAKE_INIT");
}

int cuDriverGetVersion(int *version)
{
    *version = number("FAKE_VERSION");
    return 0;
}

static int nothing(void)
{
    return 999; /* CUDA_ERROR_UNKNOWN */
}

static int found(const char *name, void **function)
{
    *function = (void *)nothing;
    if (strcmp(name, "cuInit") == 0)
        *function = (void *)cuInit;
    if (strcmp(name, "cuDriverGetVersion") == 0)
        *function = (void *)cuDriverGetVersion;
    return 0;
}

int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long flags, int *status)
{
    (void)version, (void)flags;
    if (status != NULL)
        *status = 0;
    if (strcmp(name, "cuGetProcAddress") == 0) {
        *function = (void *)cuGetProcAddress_v2;
        return 0;
    }
    return found(name, function);
}

int cuGetProcAddress(const char *name, void **function, int version, unsigned long flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

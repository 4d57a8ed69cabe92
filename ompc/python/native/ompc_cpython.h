// ompc_cpython.h: the part of CPython's stable ABI that calls use (https://docs.python.org/3/c-api/stable.html).
//
// Declared here because Python's own headers are a package of their own on most systems, and a library must load without it.
// Nothing depends on how an object is laid out: that differs between versions.

#ifndef OMPC_CPYTHON_H
#define OMPC_CPYTHON_H

#include <stddef.h>
#include <sys/types.h>

typedef ssize_t Py_ssize_t;
typedef struct _object PyObject;
typedef struct _typeobject PyTypeObject;
typedef struct PyThreadState PyThreadState;
typedef PyObject *(*ompc_fast_function)(PyObject *self, PyObject *const *arguments, Py_ssize_t count);

typedef struct {
    const char *ml_name;
    ompc_fast_function ml_meth;
    int ml_flags;
    const char *ml_doc;
} PyMethodDef;
#define METH_FASTCALL 0x0080

typedef struct { // PEP 3118; part of the stable ABI since 3.11, and the same since 3.0
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;
#define PyBUF_WRITABLE 0x0001
#define PyBUF_C_CONTIGUOUS (0x0020 | 0x0010 | 0x0008)

extern PyObject _Py_NoneStruct, _Py_NotImplementedStruct, _Py_TrueStruct, _Py_FalseStruct;
extern PyTypeObject PyFloat_Type, PyLong_Type;

void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
PyObject *PyObject_Type(PyObject *object);
int PyType_IsSubtype(PyTypeObject *type, PyTypeObject *base);
PyObject *PyObject_GetAttr(PyObject *object, PyObject *name);
PyObject *PyObject_CallObject(PyObject *callable, PyObject *arguments);
int PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
void PyBuffer_Release(Py_buffer *view);

void PyErr_Clear(void);
PyObject *PyErr_Occurred(void);

PyObject *PyLong_FromLongLong(long long value);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long value);
PyObject *PyLong_FromUnsignedLong(unsigned long value);
long long PyLong_AsLongLongAndOverflow(PyObject *object, int *overflow);
unsigned long long PyLong_AsUnsignedLongLong(PyObject *object);
PyObject *PyNumber_Index(PyObject *object);
PyObject *PyFloat_FromDouble(double value);
double PyFloat_AsDouble(PyObject *object);

PyObject *PyUnicode_InternFromString(const char *text);
int PyUnicode_Compare(PyObject *left, PyObject *right);
PyObject *PyBytes_FromStringAndSize(const char *text, Py_ssize_t size);
PyObject *PyDict_GetItem(PyObject *dictionary, PyObject *key);
Py_ssize_t PyTuple_Size(PyObject *tuple);
PyObject *PyTuple_GetItem(PyObject *tuple, Py_ssize_t at);
PyObject *PyTuple_New(Py_ssize_t size);
int PyTuple_SetItem(PyObject *tuple, Py_ssize_t at, PyObject *item);
Py_ssize_t PyList_Size(PyObject *list);
PyObject *PyList_GetItem(PyObject *list, Py_ssize_t at);
int PyList_Append(PyObject *list, PyObject *item);
int PyList_SetSlice(PyObject *list, Py_ssize_t begin, Py_ssize_t end, PyObject *items);

PyObject *PyCFunction_NewEx(PyMethodDef *definition, PyObject *self, PyObject *module);
PyObject *PyCapsule_New(void *pointer, const char *name, void (*destructor)(PyObject *));
void *PyCapsule_GetPointer(PyObject *capsule, const char *name);

unsigned long PyThread_get_thread_ident(void);
PyThreadState *PyEval_SaveThread(void);
void PyEval_RestoreThread(PyThreadState *state);

#endif

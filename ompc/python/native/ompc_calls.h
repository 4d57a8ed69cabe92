// ompc_calls.h: calls of C functions from Python whose arguments need nothing said about them.
//
// An entry of a function converts the arguments, tells the runtime of their memory, and calls. It takes only what is certainly
// right: numbers that fit, arrays of exactly the wanted elements, shape and order, device memory that nothing but loops touches,
// while no other call is under way. All else it declines (NotImplemented) before anything has happened, and Python's own way
// (ompc/python/library.py) checks it again and does it, or says what is wrong. So no message is worded here, and a check that
// is missing here is a mistake, while one that is too strict costs time alone.
//
// The lock of the interpreter is held but while C runs: that is what makes "no other call is under way" and the entry into the
// list of calls (calls.py) one step.

#ifndef OMPC_CALLS_H
#define OMPC_CALLS_H

#include "ompc_cpython.h"
#include "ompc_library.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OMPC_MOST_PARAMETERS = 24, OMPC_MOST_DIMENSIONS = 8, OMPC_MOST_DTYPES = 4 };

enum ompc_kind { OMPC_VOID, OMPC_BOOL, OMPC_SIGNED, OMPC_UNSIGNED, OMPC_FLOAT, OMPC_DOUBLE, OMPC_POINTER };

union ompc_value {
    long long integer;
    double number;
    void *pointer;
};

// A length that the prototype states of a dimension; not known: any will do.
struct ompc_length {
    int is_known;
    long long value;
};

// `least`, `most`: of an integer. Of a pointer: `rank` is the number of lengths, 0: any shape; `kept`: only loops on the device
// touch the array; `written`: the function may write there.
struct ompc_parameter {
    enum ompc_kind kind;
    long long least, most;
    int rank, kept, written;
};

// `in_stream` is called with a stream behind the arguments. `lengths` evaluates those of a pointer from the integers among the
// arguments; 0: they are too large.
struct ompc_function {
    PyMethodDef method, in_stream;
    int count;
    const struct ompc_parameter *parameters;
    enum ompc_kind result;
    void (*call)(void (*code)(void), const union ompc_value *values, union ompc_value *result);
    int (*lengths)(int parameter, const union ompc_value *values, struct ompc_length *lengths);
};

// A type of elements that Python has accepted for a parameter. `names`: those of its members, which can be renamed later.
struct ompc_dtype {
    PyObject *dtype, *names, *typestr;
    Py_ssize_t itemsize, alignment;
};

// What entries of one library share. `used`: the calls under way, of all libraries; `left` is called when one ends for which
// others wait, `failed` makes the exceptions. `home`: that of the arrays that `to_device` has made. `takes_gpu`: arrays of CUDA's.
struct ompc_library {
    PyObject *array_types[2], *device_type, *integer_type, *floating_type;
    PyObject *used, *left, *failed, *home;
    const char *(*begin)(const struct ompc_library_call *);
    const char *(*end)(const struct ompc_library_call *);
    int takes_gpu;
};

struct ompc_entry {
    const struct ompc_function *function;
    const struct ompc_library *library;
    void (*code)(void);
    struct ompc_dtype dtypes[OMPC_MOST_PARAMETERS][OMPC_MOST_DTYPES];
    int dtype_counts[OMPC_MOST_PARAMETERS];
};

// Memory of one argument, or of several that overlap. As `_Range` of calls.py.
struct ompc_range {
    uint64_t begin, end;
    int written, kept, is_device;
};

struct ompc_call {
    const struct ompc_entry *entry;
    union ompc_value values[OMPC_MOST_PARAMETERS];
    Py_buffer views[OMPC_MOST_PARAMETERS];
    int view_count;
    struct ompc_range ranges[OMPC_MOST_PARAMETERS];
    int range_count, has_null;
    int device_arguments[OMPC_MOST_PARAMETERS], device_count;
    void *streams[OMPC_MOST_PARAMETERS + 1];
    int stream_count, waits;
    struct ompc_borrowed_buffer buffers[OMPC_MOST_PARAMETERS + 1];
};

static struct {
    PyObject *dtype, *names, *interface, *own_interface, *home;
    PyObject *data, *shape, *strides, *typestr, *mask, *stream;
} ompc_names;

static inline int ompc_is_a(PyTypeObject *type, PyObject *base)
{
    return PyType_IsSubtype(type, (PyTypeObject *)base);
}

// The type outlives the reference: the object has one.
static inline PyTypeObject *ompc_type(PyObject *object)
{
    PyObject *const type = PyObject_Type(object);
    Py_DecRef(type);
    return (PyTypeObject *)type;
}

static int ompc_take_integer(const struct ompc_entry *entry, const struct ompc_parameter *parameter, PyObject *given, union ompc_value *value)
{
    PyTypeObject *const type = ompc_type(given);
    int overflow = 0;
    long long number = 0;
    if (PyType_IsSubtype(type, &PyLong_Type)) {
        number = PyLong_AsLongLongAndOverflow(given, &overflow);
    } else if (ompc_is_a(type, entry->library->integer_type)) {
        PyObject *const index = PyNumber_Index(given);
        if (index == NULL)
            return 0;
        number = PyLong_AsLongLongAndOverflow(index, &overflow);
        Py_DecRef(index);
    } else {
        return 0;
    }
    if (overflow != 0)
        return 0;
    value->integer = parameter->kind == OMPC_BOOL ? number != 0 : number;
    return parameter->kind == OMPC_BOOL || (parameter->least <= number && number <= parameter->most);
}

static int ompc_take_number(const struct ompc_entry *entry, const struct ompc_parameter *parameter, PyObject *given, union ompc_value *value)
{
    PyTypeObject *const type = ompc_type(given);
    const struct ompc_library *const library = entry->library;
    if (!PyType_IsSubtype(type, &PyFloat_Type) && !PyType_IsSubtype(type, &PyLong_Type) && !ompc_is_a(type, library->integer_type) &&
        !ompc_is_a(type, library->floating_type))
        return 0;
    value->number = PyFloat_AsDouble(given);
    if (value->number == -1 && PyErr_Occurred() != NULL)
        return 0;
    const double stored = parameter->kind == OMPC_FLOAT ? (double)(float)value->number : value->number;
    return !isinf(stored);
}

static const struct ompc_dtype *ompc_known_dtype(const struct ompc_entry *entry, int parameter, PyObject *dtype)
{
    for (int i = 0; i < entry->dtype_counts[parameter]; i++) {
        const struct ompc_dtype *const known = &entry->dtypes[parameter][i];
        if (known->dtype != dtype)
            continue;
        PyObject *const names = PyObject_GetAttr(dtype, ompc_names.names);
        Py_DecRef(names);
        return names == known->names ? known : NULL;
    }
    return NULL;
}

static int ompc_has_shape(const struct ompc_call *call, int parameter, const Py_ssize_t *shape, int rank)
{
    const struct ompc_function *const function = call->entry->function;
    if (function->parameters[parameter].rank == 0)
        return 1;
    struct ompc_length lengths[OMPC_MOST_DIMENSIONS];
    if (rank != function->parameters[parameter].rank || !function->lengths(parameter, call->values, lengths))
        return 0;
    for (int i = 0; i < rank; i++)
        if (lengths[i].is_known && (i == 0 ? shape[i] < lengths[i].value : shape[i] != lengths[i].value))
            return 0;
    return 1;
}

static void ompc_add_range(struct ompc_call *call, int parameter, uint64_t begin, uint64_t bytes, int is_device)
{
    const struct ompc_parameter *const wanted = &call->entry->function->parameters[parameter];
    call->ranges[call->range_count++] = (struct ompc_range){begin, begin + bytes, wanted->written, wanted->kept, is_device};
}

static int ompc_take_array(struct ompc_call *call, int parameter, PyObject *given)
{
    PyObject *const dtype = PyObject_GetAttr(given, ompc_names.dtype);
    if (dtype == NULL)
        return 0;
    const struct ompc_dtype *const known = ompc_known_dtype(call->entry, parameter, dtype);
    Py_DecRef(dtype);
    const int flags = PyBUF_C_CONTIGUOUS | (call->entry->function->parameters[parameter].written ? PyBUF_WRITABLE : 0);
    Py_buffer *const view = &call->views[call->view_count];
    if (known == NULL || PyObject_GetBuffer(given, view, flags) != 0)
        return 0;
    call->view_count++;
    const uint64_t address = (uintptr_t)view->buf;
    if (view->len == 0 || address % (uint64_t)known->alignment != 0 || !ompc_has_shape(call, parameter, view->shape, view->ndim))
        return 0;
    call->values[parameter].pointer = view->buf;
    ompc_add_range(call, parameter, address, (uint64_t)view->len, 0);
    return 1;
}

// An integer of a dictionary or a tuple. Booleans are integers.
static int ompc_integer_of(PyObject *object, unsigned long long *found)
{
    if (object == NULL || !PyType_IsSubtype(ompc_type(object), &PyLong_Type))
        return 0;
    *found = PyLong_AsUnsignedLongLong(object);
    return !(*found == (unsigned long long)-1 && PyErr_Occurred() != NULL);
}

static int ompc_is_none(PyObject *object)
{
    return object == NULL || object == &_Py_NoneStruct;
}

static int ompc_add_stream(struct ompc_call *call, PyObject *given)
{
    unsigned long long stream = 0;
    if (ompc_is_none(given))
        return 1;
    if (!ompc_integer_of(given, &stream))
        return 0;
    void *const wanted = (void *)(uintptr_t)(stream == 0 ? 1 : stream);
    for (int i = 0; i < call->stream_count; i++)
        if (call->streams[i] == wanted)
            return 1;
    call->streams[call->stream_count++] = wanted;
    return 1;
}

// The size in bytes of an array that is as it is wanted; 0: it is not, or has none.
static uint64_t ompc_size_of_shape(const struct ompc_call *call, int parameter, PyObject *shape, Py_ssize_t itemsize)
{
    const Py_ssize_t rank = PyTuple_Size(shape);
    Py_ssize_t lengths[OMPC_MOST_DIMENSIONS];
    uint64_t bytes = (uint64_t)itemsize;
    if (rank < 0 || rank > OMPC_MOST_DIMENSIONS)
        return 0;
    for (Py_ssize_t i = 0; i < rank; i++) {
        unsigned long long length = 0;
        if (!ompc_integer_of(PyTuple_GetItem(shape, i), &length) || __builtin_mul_overflow(bytes, length, &bytes) || bytes > INT64_MAX)
            return 0;
        lengths[i] = (Py_ssize_t)length;
    }
    return ompc_has_shape(call, parameter, lengths, (int)rank) ? bytes : 0;
}

// `found`: as __cuda_array_interface__ is described by Numba, version 3.
static int ompc_take_interface(struct ompc_call *call, int parameter, PyObject *found, int is_own)
{
    const struct ompc_parameter *const wanted = &call->entry->function->parameters[parameter];
    PyObject *const typestr = PyDict_GetItem(found, ompc_names.typestr), *const shape = PyDict_GetItem(found, ompc_names.shape);
    PyObject *const data = PyDict_GetItem(found, ompc_names.data), *const stream = PyDict_GetItem(found, ompc_names.stream);
    if (typestr == NULL || shape == NULL || data == NULL || stream == NULL || PyTuple_Size(data) != 2)
        return 0;
    if (!ompc_is_none(PyDict_GetItem(found, ompc_names.strides)) || !ompc_is_none(PyDict_GetItem(found, ompc_names.mask)))
        return 0;
    unsigned long long address = 0, is_readonly = 0;
    if (!ompc_integer_of(PyTuple_GetItem(data, 0), &address) || !ompc_integer_of(PyTuple_GetItem(data, 1), &is_readonly))
        return 0;
    if (is_readonly != 0 && wanted->written)
        return 0;
    uint64_t bytes = 0;
    for (int i = 0; bytes == 0 && i < call->entry->dtype_counts[parameter]; i++) {
        const struct ompc_dtype *const known = &call->entry->dtypes[parameter][i];
        if (known->typestr != NULL && PyUnicode_Compare(known->typestr, typestr) == 0)
            bytes = ompc_size_of_shape(call, parameter, shape, known->itemsize);
    }
    if (bytes == 0 || !ompc_add_stream(call, stream))
        return 0;
    call->waits |= !is_own && ompc_is_none(stream);
    call->values[parameter].pointer = (void *)(uintptr_t)address;
    call->device_arguments[call->device_count++] = parameter;
    ompc_add_range(call, parameter, address, bytes, 1);
    return 1;
}

// Of one of our own, from the same library; of all others, what they say of themselves.
static PyObject *ompc_interface_of(const struct ompc_library *library, PyObject *given)
{
    if ((PyObject *)ompc_type(given) != library->device_type)
        return library->takes_gpu ? PyObject_GetAttr(given, ompc_names.interface) : NULL;
    PyObject *const home = PyObject_GetAttr(given, ompc_names.home);
    Py_DecRef(home);
    return home == library->home ? PyObject_GetAttr(given, ompc_names.own_interface) : NULL;
}

static int ompc_take_pointer(struct ompc_call *call, int parameter, PyObject *given)
{
    const struct ompc_library *const library = call->entry->library;
    PyObject *const type = (PyObject *)ompc_type(given);
    if (given == &_Py_NoneStruct) {
        call->values[parameter].pointer = NULL;
        call->has_null = 1;
        return 1;
    }
    if (type == library->array_types[0] || type == library->array_types[1])
        return ompc_take_array(call, parameter, given);
    if (library->begin == NULL || !call->entry->function->parameters[parameter].kept)
        return 0;
    PyObject *const found = ompc_interface_of(library, given);
    const int is_taken = found != NULL && ompc_take_interface(call, parameter, found, type == library->device_type);
    if (found != NULL)
        Py_DecRef(found);
    return is_taken;
}

// Numbers first: lengths are made of them.
static int ompc_take(struct ompc_call *call, PyObject *const *given)
{
    const struct ompc_function *const function = call->entry->function;
    for (int i = 0; i < function->count; i++) {
        const struct ompc_parameter *const parameter = &function->parameters[i];
        if (parameter->kind == OMPC_FLOAT || parameter->kind == OMPC_DOUBLE) {
            if (!ompc_take_number(call->entry, parameter, given[i], &call->values[i]))
                return 0;
        } else if (parameter->kind != OMPC_POINTER && !ompc_take_integer(call->entry, parameter, given[i], &call->values[i])) {
            return 0;
        }
    }
    for (int i = 0; i < function->count; i++)
        if (function->parameters[i].kind == OMPC_POINTER && !ompc_take_pointer(call, i, given[i]))
            return 0;
    return 1;
}

static int ompc_is_before(const struct ompc_range *one, const struct ompc_range *other)
{
    return one->is_device != other->is_device ? one->is_device < other->is_device : one->begin < other->begin;
}

// Those that overlap become one.
static void ompc_merge(struct ompc_call *call)
{
    struct ompc_range *const ranges = call->ranges;
    for (int i = 1; i < call->range_count; i++) {
        const struct ompc_range each = ranges[i];
        int at = i;
        for (; at > 0 && ompc_is_before(&each, &ranges[at - 1]); at--)
            ranges[at] = ranges[at - 1];
        ranges[at] = each;
    }
    int count = 0;
    for (int i = 0; i < call->range_count; i++) {
        struct ompc_range *const last = count > 0 ? &ranges[count - 1] : NULL;
        if (last == NULL || last->is_device != ranges[i].is_device || last->end <= ranges[i].begin) {
            ranges[count++] = ranges[i];
            continue;
        }
        last->end = last->end < ranges[i].end ? ranges[i].end : last->end;
        last->written |= ranges[i].written;
        last->kept &= ranges[i].kept;
    }
    call->range_count = count;
}

static void ompc_fill_buffers(struct ompc_call *call)
{
    for (int i = 0; i < call->range_count; i++) {
        const struct ompc_range *const range = &call->ranges[i];
        void *const begin = (void *)(uintptr_t)range->begin;
        call->buffers[i] = (struct ompc_borrowed_buffer){.host = range->is_device ? NULL : begin,
                                                         .bytes = range->end - range->begin,
                                                         .device = range->is_device ? begin : NULL,
                                                         .kept = range->kept,
                                                         .written = range->written};
    }
    if (call->has_null)
        call->buffers[call->range_count] = (struct ompc_borrowed_buffer){.written = 1};
}

// What stands for the addresses of device memory.
static void ompc_move_device_arguments(struct ompc_call *call)
{
    for (int i = 0; i < call->device_count; i++) {
        union ompc_value *const value = &call->values[call->device_arguments[i]];
        const uint64_t address = (uintptr_t)value->pointer;
        for (int k = 0; k < call->range_count; k++) {
            const struct ompc_range *const range = &call->ranges[k];
            if (!range->is_device || address < range->begin || address >= range->end)
                continue;
            value->pointer = (char *)call->buffers[k].host + (address - range->begin);
            break;
        }
    }
}

// The list of the calls under way has this one, and no other. NULL: there are others, or no memory.
static PyObject *ompc_enter(struct ompc_call *call)
{
    PyObject *const used = call->entry->library->used;
    if (PyList_Size(used) != 0)
        return NULL;
    PyObject *const ranges = PyBytes_FromStringAndSize((const char *)call->ranges, (Py_ssize_t)(sizeof call->ranges[0] * (size_t)call->range_count));
    PyObject *const thread = PyLong_FromUnsignedLong(PyThread_get_thread_ident());
    PyObject *const call_under_way = PyTuple_New(2);
    if (ranges == NULL || thread == NULL || call_under_way == NULL)
        return NULL;
    PyTuple_SetItem(call_under_way, 0, thread);
    PyTuple_SetItem(call_under_way, 1, ranges);
    if (PyList_Append(used, call_under_way) != 0)
        return NULL;
    return call_under_way;
}

static void ompc_leave(const struct ompc_call *call, PyObject *call_under_way)
{
    PyObject *const used = call->entry->library->used;
    for (Py_ssize_t i = PyList_Size(used) - 1; i >= 0; i--)
        if (PyList_GetItem(used, i) == call_under_way) {
            PyList_SetSlice(used, i, i + 1, NULL);
            break;
        }
    Py_DecRef(call_under_way);
    if (PyList_Size(used) != 0) {
        PyObject *const nothing = PyTuple_New(0);
        PyObject *const done = PyObject_CallObject(call->entry->library->left, nothing);
        Py_DecRef(nothing);
        if (done != NULL)
            Py_DecRef(done);
    }
}

static PyObject *ompc_result(enum ompc_kind kind, union ompc_value value)
{
    PyObject *constant = &_Py_NoneStruct;
    switch (kind) {
    case OMPC_SIGNED: return PyLong_FromLongLong(value.integer);
    case OMPC_UNSIGNED: return PyLong_FromUnsignedLongLong((unsigned long long)value.integer);
    case OMPC_FLOAT:
    case OMPC_DOUBLE: return PyFloat_FromDouble(value.number);
    case OMPC_POINTER:
        if (value.pointer != NULL)
            return PyLong_FromUnsignedLongLong((uintptr_t)value.pointer);
        break;
    case OMPC_BOOL: constant = value.integer != 0 ? &_Py_TrueStruct : &_Py_FalseStruct; break;
    case OMPC_VOID: break;
    }
    Py_IncRef(constant);
    return constant;
}

// calls.failed(function, text, has_run) raises.
static PyObject *ompc_fail(const struct ompc_call *call, const char *text, int has_run)
{
    PyObject *const arguments = PyTuple_New(3), *const flag = has_run ? &_Py_TrueStruct : &_Py_FalseStruct;
    Py_IncRef(flag);
    PyTuple_SetItem(arguments, 0, PyUnicode_InternFromString(call->entry->function->method.ml_name));
    PyTuple_SetItem(arguments, 1, PyBytes_FromStringAndSize(text, (Py_ssize_t)strlen(text)));
    PyTuple_SetItem(arguments, 2, flag);
    PyObject *const result = PyObject_CallObject(call->entry->library->failed, arguments);
    Py_DecRef(arguments);
    return result;
}

static PyObject *ompc_run(struct ompc_call *call, PyObject *call_under_way)
{
    const struct ompc_library *const library = call->entry->library;
    const struct ompc_function *const function = call->entry->function;
    const size_t buffers = (size_t)(call->range_count + call->has_null);
    const struct ompc_library_call told = {call->buffers, buffers, call->streams, (size_t)call->stream_count, call->waits};
    union ompc_value result = {0};
    const char *why = NULL, *overrun = NULL;
    PyThreadState *const state = PyEval_SaveThread();
    if (library->begin != NULL)
        why = library->begin(&told);
    if (why == NULL) {
        ompc_move_device_arguments(call);
        function->call(call->entry->code, call->values, &result);
        if (library->begin != NULL)
            overrun = library->end(&told);
    }
    PyEval_RestoreThread(state);
    ompc_leave(call, call_under_way);
    if (PyErr_Occurred() != NULL)
        return NULL;
    if (why != NULL || overrun != NULL)
        return ompc_fail(call, why != NULL ? why : overrun, why == NULL);
    return ompc_result(function->result, result);
}

// `self` is the capsule of an entry, `stream` the handle of one, or NULL.
static PyObject *ompc_try(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *stream)
{
    struct ompc_call call;
    call.entry = PyCapsule_GetPointer(self, NULL);
    call.view_count = call.range_count = call.has_null = call.device_count = call.stream_count = call.waits = 0;
    PyObject *result = NULL, *call_under_way = NULL;
    if (count == call.entry->function->count && ompc_add_stream(&call, stream) && ompc_take(&call, arguments)) {
        ompc_merge(&call);
        ompc_fill_buffers(&call);
        call.waits &= ompc_is_none(stream); // else all comes behind, or in, that one
        call_under_way = ompc_enter(&call);
    }
    if (call_under_way != NULL) {
        result = ompc_run(&call, call_under_way);
    } else {
        PyErr_Clear();
        result = &_Py_NotImplementedStruct;
        Py_IncRef(result);
    }
    for (int i = 0; i < call.view_count; i++)
        PyBuffer_Release(&call.views[i]);
    return result;
}

static PyObject *ompc_call(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    return ompc_try(self, arguments, count, NULL);
}

static PyObject *ompc_call_in_stream(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    return ompc_try(self, arguments, count - 1, arguments[count - 1]);
}

static void ompc_release_entry(PyObject *capsule)
{
    struct ompc_entry *const entry = PyCapsule_GetPointer(capsule, NULL);
    for (int i = 0; i < entry->function->count; i++)
        for (int k = 0; k < entry->dtype_counts[i]; k++) {
            Py_DecRef(entry->dtypes[i][k].dtype);
            Py_DecRef(entry->dtypes[i][k].names);
            if (entry->dtypes[i][k].typestr != NULL)
                Py_DecRef(entry->dtypes[i][k].typestr);
        }
    free(entry);
}

// ---------------------------------------------------------------- what Python calls (ompc/python/entries.py)

__attribute__((visibility("default"))) void ompc_entries_begin(void)
{
    ompc_names.dtype = PyUnicode_InternFromString("dtype");
    ompc_names.names = PyUnicode_InternFromString("names");
    ompc_names.interface = PyUnicode_InternFromString("__cuda_array_interface__");
    ompc_names.own_interface = PyUnicode_InternFromString("_interface");
    ompc_names.home = PyUnicode_InternFromString("_home");
    ompc_names.data = PyUnicode_InternFromString("data");
    ompc_names.shape = PyUnicode_InternFromString("shape");
    ompc_names.strides = PyUnicode_InternFromString("strides");
    ompc_names.typestr = PyUnicode_InternFromString("typestr");
    ompc_names.mask = PyUnicode_InternFromString("mask");
    ompc_names.stream = PyUnicode_InternFromString("stream");
}

static PyObject *ompc_new_entry(struct ompc_function *function, const struct ompc_library *library, void (*code)(void))
{
    struct ompc_entry *const entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        abort();
    entry->function = function;
    entry->library = library;
    entry->code = code;
    PyObject *const capsule = PyCapsule_New(entry, NULL, ompc_release_entry);
    PyObject *const made = PyTuple_New(2);
    PyTuple_SetItem(made, 0, PyCFunction_NewEx(&function->method, capsule, NULL));
    PyTuple_SetItem(made, 1, PyCFunction_NewEx(&function->in_stream, capsule, NULL));
    Py_DecRef(capsule);
    return made;
}

// Such elements are right for a parameter. `typestr` is None where others have the same. More than a few are not remembered.
__attribute__((visibility("default"))) void ompc_entry_accept(PyObject *capsule, int parameter, PyObject *dtype, PyObject *names, PyObject *typestr,
                                                              Py_ssize_t itemsize, Py_ssize_t alignment)
{
    struct ompc_entry *const entry = PyCapsule_GetPointer(capsule, NULL);
    if (entry->dtype_counts[parameter] == OMPC_MOST_DTYPES)
        return;
    Py_IncRef(dtype);
    Py_IncRef(names);
    if (typestr != &_Py_NoneStruct)
        Py_IncRef(typestr);
    const struct ompc_dtype known = {dtype, names, typestr == &_Py_NoneStruct ? NULL : typestr, itemsize, alignment};
    entry->dtypes[parameter][entry->dtype_counts[parameter]++] = known;
}

#endif

"""C functions with OpenMP loops as functions of Python: `ompc.load` and `ompc.compile_string`.

load.py         finds out what is in the files, builds the shared object, and loads it
prototypes.py   which functions and variables there are, with their C types
borrowed_buffers.py      which arrays only loops on the device touch
values.py       C types as ctypes and NumPy know them, and values in between
addresses.py    pointers that C returns
arrays.py       arrays of NumPy and of the device, checked against C types
comments.py     which comment documents a function
documentation.py  what `help` says
exporters.py    arrays of others, by __cuda_array_interface__ and __dlpack__
entries.py      calls whose arguments C converts (native/), so that they are quick
stubs.py        types for type checkers
magic.py        %%ompc in IPython
calls.py        what a call tells the runtime; which calls wait for each other
library.py      what the user sees
"""

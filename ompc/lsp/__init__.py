"""The language server: what `ompc explain` says of a C file, in an editor, while it is written.

    answers.py    what is asked of a file, and what is told of it
    unsaved.py    the editor's texts, as files that a compiler can read, and paths in answers back again
    analysis.py   what is said of one file: messages, loops, changes that bring a loop to the GPU
    workers.py    processes of their own for that, which can be ended at any time
    projects.py   with which options a file is compiled
    protocol.py   answers as the protocol has them
    server.py     which file is asked about when, and what the editor is told

Source: Language Server Protocol Specification 3.17, microsoft.github.io/language-server-protocol.
"""

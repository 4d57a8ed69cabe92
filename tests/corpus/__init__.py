"""Programs that nobody here wrote: what builds with gcc is built with ompc, and the two are compared.

    python -m tests.corpus FOLDER... --markdown coverage.md            only translate
    python -m tests.corpus FOLDER... --run --jobs 8                    build and compare too
    python -m tests.corpus FOLDER... --run --target cuda               on a machine with a GPU

Nothing of the folders is kept. Read in this order:

    suites.py        a folder -> its files with OpenMP, and its programs (which files, flags and arguments)
    records.py       what is found out about a file and about a program; as JSON
    translating.py   one file -> its loops, where each is, and why; or the traceback
    building.py      one program -> gcc's executable, and ompc's
    running.py       an executable, with limits on its time and its output
    comparing.py     outputs of gcc's program -> what in them means something -> is ompc's output the same?
    checking.py      one program through all of that
    sweep.py         all files and programs, several at once
    tables.py        totals, shares per directive and clause; as Markdown
"""

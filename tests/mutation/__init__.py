"""Mutation testing: is there a program for each legality check that goes wrong without it?

    checks.py        what a check is: a function of ompc, and what it answers when it is disabled
    of_forms.py, of_rewrites.py, of_memory.py, of_analyses.py   the table
    disabling.py     a function answers something else, in this process, for a while
    observing.py     which checks of a program answer something else than they would if they were disabled
    trying.py        random programs, and execution cases, with a check disabled
    campaign.py      many checks at once, in processes of their own

`python -m tests.mutation --help` runs it. Nothing in ompc knows of it.
"""

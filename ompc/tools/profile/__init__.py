"""What a translated program spent its time on, from the ledger that it wrote.

    ledger.py    the ledger's file as typed data
    table.py     that as text
    chart.py     and as the thesis' stacked bars

The ledger is written by the runtime (ompc/runtime/observe/ompc_ledger_file.cc); what its numbers mean is in
docs/profile.md.
"""

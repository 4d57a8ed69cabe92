"""The readiness report: how far a program is on its way to the device, for people, editors and code review.

`gather.py` makes the facts of the translations, `suggestions.py` what could bring more loops to the device, each
suggestion checked by applying it; `page.py` writes them as one HTML file, `sarif.py` as SARIF, `records.py` as JSON.
See docs/report.md.
"""

# SPDX-License-Identifier: MIT OR Apache-2.0
"""The pages: charts (chart.py), the report in HTML (page.py), parts of the READMEs (readme.py)."""

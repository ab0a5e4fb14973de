# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the laboratory shows: charts (chart.py), the HTML page (page.py), the table of lab/README.md (readme.py)."""

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Archives of captures on engines of data. Each is a module of its own, which needs the package of
that engine: `wiresum.duckdb`, `wiresum.spark`.
"""

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Archives of captures on DuckDB, Ray and Spark.

Each engine is a module of its own, which needs the package of that engine: `wiresum.duckdb`,
`wiresum.ray` and `wiresum.spark`.
"""

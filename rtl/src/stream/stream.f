// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by run.py lint, from the files of src/stream.
wiresum_sum_stream.sv

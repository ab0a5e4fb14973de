// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by run.py lint, from the files of src/stream.
wiresum_queue.sv
wiresum_sum_stream.sv
wiresum_update.sv

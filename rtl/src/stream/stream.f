// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by run.py lint, from the files of src/stream and src/engine.
wiresum_frame_buffer.sv
wiresum_header_unit.sv
wiresum_headers.sv
wiresum_place.sv
wiresum_port.sv
wiresum_queue.sv
wiresum_rx_check.sv
wiresum_rx_pass.sv
wiresum_sum_stream.sv
wiresum_tx_insert.sv
wiresum_update.sv

// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by run.py lint, from the files of src/stream and src/engine.
../stream/wiresum_frame_buffer.sv
../stream/wiresum_header_unit.sv
../stream/wiresum_headers.sv
../stream/wiresum_place.sv
../stream/wiresum_port.sv
../stream/wiresum_queue.sv
../stream/wiresum_rx_check.sv
../stream/wiresum_rx_pass.sv
../stream/wiresum_sum_stream.sv
../stream/wiresum_tx_insert.sv
../stream/wiresum_update.sv
wiresum_engine.sv
wiresum_engine_copier.sv
wiresum_engine_fetch.sv
wiresum_engine_interrupt.sv
wiresum_engine_reader.sv
wiresum_engine_receiver.sv
wiresum_engine_registers.sv
wiresum_engine_writer.sv

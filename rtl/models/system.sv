// SPDX-License-Identifier: MIT OR Apache-2.0
// The engine between its two models: the processor's bus and the memory controller's port. The
// inputs set the models. `engine_cycles` counts from the cycle in which bit 0 of INPUT first reads
// 1 to the cycle in which ready first reads 1.
module system #(
    parameter logic [3:0] BURSTS = 4'b1111
) (
    input logic clk,
    input logic rst,
    input logic engine_rst, // the engine alone; the memory does not notice

    input  logic        fast,
    input  logic        cmd_valid,
    input  logic        cmd_read,
    input  logic [31:0] cmd_address,
    input  logic [ 3:0] cmd_be,
    input  logic [31:0] cmd_data,
    output logic        cmd_busy,
    output logic        cmd_done,
    output logic        cmd_error,
    output logic [31:0] cmd_result,

    input logic [ 7:0] cfg_latency,
    input logic [ 7:0] cfg_gap,
    input logic [15:0] cfg_refresh_every,
    input logic [ 7:0] cfg_refresh_takes,
    input logic [ 7:0] cfg_random_ack,
    input logic [ 7:0] cfg_random_start,
    input logic [ 7:0] cfg_random_pause,
    input logic [31:0] cfg_seed,
    input logic        cfg_dead,
    input logic [ 1:0] cfg_fifo_latency,

    input logic        poke,
    input logic [13:0] poke_index,
    input logic [63:0] poke_data,

    output logic [ 4:0] violations,
    output logic [31:0] bursts,
    output logic [31:0] words,
    output logic [31:0] engine_cycles,
    output logic        ready
);
  logic [31:0] plb_abus, plb_wrdbus, sl_rddbus;
  logic
      plb_pavalid,
      plb_rnw,
      sl_addrack,
      sl_wrdack,
      sl_wrcomp,
      sl_wrerr,
      sl_rddack,
      sl_rdcomp,
      sl_rderr;
  logic [3:0] plb_be, plb_size;
  logic [ 2:0] plb_type;
  logic [31:0] npi_addr;
  logic [63:0] npi_rdfifo_data;
  logic [ 3:0] npi_size;
  logic npi_addrreq, npi_addrack, npi_rdfifo_pop, npi_rdfifo_flush, npi_rdfifo_empty;
  logic running;

  plb_master i_master (
      .busy (cmd_busy),
      .done (cmd_done),
      .error(cmd_error),
      .data (cmd_result),
      .*
  );
  tcoe #(
      .BURSTS(BURSTS)
  ) i_engine (
      .rst(rst || engine_rst),
      .npi_rdfifo_latency(cfg_fifo_latency),
      .*
  );
  npi_memory i_memory (
      .npi_rdfifo_latency(cfg_fifo_latency),
      .*
  );

  assign ready = i_engine.i_registers.ready;
  always_ff @(posedge clk) begin
    if (rst || engine_rst) begin
      running <= 1'b0;
      engine_cycles <= 32'd0;
    end else if (i_engine.i_registers.start) begin
      running <= 1'b1;
      engine_cycles <= 32'd1;
    end else if (running) begin
      if (ready) running <= 1'b0;
      else engine_cycles <= engine_cycles + 1'b1;
    end
  end
endmodule

// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by rtl/run.py lint, from rtl/src/engine/wiresum_engine.rdl.
// The engine's registers on AXI4-Lite. An access to an address without a register, a write to a
// register that software cannot write, and a write of less than a word have SLVERR and no effect.
//
// `clear` gives all registers their reset values; an access under way still ends. Timing: a write
// shows two cycles after the later of its two handshakes, and is answered then. A read is answered
// two cycles after its handshake. All outputs are registers, or depend on registers alone.
module wiresum_engine_registers (
    input logic clk,
    input logic rst,   // synchronous, active high
    input logic clear, // the values alone

    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 7:0] s_axil_awaddr,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [ 7:0] s_axil_araddr,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    input logic [3:0] capability_beat,
    input logic [3:0] capability_burst,
    input logic [6:0] capability_address,
    input logic capability_copy,
    output logic ctrl_enable,
    output logic ctrl_reset,
    input logic status_busy,
    input logic status_fetch_error,
    input logic status_completion_error,
    input logic status_tail_error,
    output logic interrupt_completion,
    input logic interrupt_completion_set,
    output logic interrupt_error,
    input logic interrupt_error_set,
    output logic interrupt_enable_completion,
    output logic interrupt_enable_error,
    output logic [15:0] coalesce_count,
    output logic [15:0] coalesce_cycles,
    output logic [24:0] ring_low_low,
    output logic [31:0] ring_high_high,
    output logic [24:0] completion_low_low,
    output logic [31:0] completion_high_high,
    output logic [3:0] ring_size_log2,
    output logic [15:0] tail_position,
    output logic tail_position_written,
    input logic [15:0] head_position,
    input logic jobs_count_increment,
    input logic job_errors_count_increment,
    input logic beats_count_increment,
    input logic cycles_count_increment
);
  logic [31:0] jobs_count;
  logic [31:0] job_errors_count;
  logic [31:0] beats_count;
  logic [31:0] cycles_count;

  // A write waits in these until both its halves are there, and the answer before it is taken.
  logic have_address, have_data, whole, fire, write, right;
  logic [ 5:0] index;
  logic [31:0] data;
  assign s_axil_awready = !have_address;
  assign s_axil_wready = !have_data;
  assign fire = have_address && have_data && (!s_axil_bvalid || s_axil_bready);
  assign write = fire && whole;
  always_comb
    case (index)
      3, 5, 6, 7, 8, 9, 10, 11, 12, 13: right = whole;
      default: right = 1'b0;
    endcase
  always_ff @(posedge clk) begin
    if (s_axil_awvalid && s_axil_awready) index <= s_axil_awaddr[7:2];
    if (s_axil_wvalid && s_axil_wready) begin
      data  <= s_axil_wdata;
      whole <= s_axil_wstrb == 4'hF;
    end
    have_address <= (s_axil_awvalid || have_address) && !fire && !rst;
    have_data <= (s_axil_wvalid || have_data) && !fire && !rst;
    if (fire) s_axil_bresp <= right ? 2'b00 : 2'b10;
    s_axil_bvalid <= (fire || s_axil_bvalid && !s_axil_bready) && !rst;
  end

  // A read.
  logic have_read, read, known;
  logic [ 5:0] read_index;
  logic [31:0] read_data;
  assign s_axil_arready = !have_read;
  assign read = have_read && (!s_axil_rvalid || s_axil_rready);
  always_comb begin
    known = 1'b1;
    read_data = 32'd0;
    case (read_index)
      0: read_data = 32'h57534531;
      1: read_data = {16'h0001, 16'h0001};
      2:
      read_data = {16'd0, capability_copy, capability_address, capability_burst, capability_beat};
      3: read_data = {30'd0, ctrl_reset, ctrl_enable};
      4:
      read_data = {
        28'd0, status_tail_error, status_completion_error, status_fetch_error, status_busy
      };
      5: read_data = {30'd0, interrupt_error, interrupt_completion};
      6: read_data = {30'd0, interrupt_enable_error, interrupt_enable_completion};
      7: read_data = {coalesce_cycles, coalesce_count};
      8: read_data = {ring_low_low, 7'd0};
      9: read_data = ring_high_high;
      10: read_data = {completion_low_low, 7'd0};
      11: read_data = completion_high_high;
      12: read_data = {28'd0, ring_size_log2};
      13: read_data = {16'd0, tail_position};
      14: read_data = {16'd0, head_position};
      16: read_data = jobs_count;
      17: read_data = job_errors_count;
      18: read_data = beats_count;
      19: read_data = cycles_count;
      default: known = 1'b0;
    endcase
  end
  always_ff @(posedge clk) begin
    if (s_axil_arvalid && s_axil_arready) read_index <= s_axil_araddr[7:2];
    have_read <= (s_axil_arvalid || have_read) && !read && !rst;
    if (read) begin
      s_axil_rdata <= read_data;
      s_axil_rresp <= known ? 2'b00 : 2'b10;
    end
    s_axil_rvalid <= (read || s_axil_rvalid && !s_axil_rready) && !rst;
  end

  // The values.
  always_ff @(posedge clk) begin
    if (write && index == 3) ctrl_enable <= data[0];
    if (write && index == 3) ctrl_reset <= ctrl_reset | data[1];
    if (write && index == 5) interrupt_completion <= interrupt_completion & ~data[0];
    if (interrupt_completion_set) interrupt_completion <= 1'b1;
    if (write && index == 5) interrupt_error <= interrupt_error & ~data[1];
    if (interrupt_error_set) interrupt_error <= 1'b1;
    if (write && index == 6) interrupt_enable_completion <= data[0];
    if (write && index == 6) interrupt_enable_error <= data[1];
    if (write && index == 7) coalesce_count <= data[15:0];
    if (write && index == 7) coalesce_cycles <= data[31:16];
    if (write && index == 8) ring_low_low <= data[31:7];
    if (write && index == 9) ring_high_high <= data[31:0];
    if (write && index == 10) completion_low_low <= data[31:7];
    if (write && index == 11) completion_high_high <= data[31:0];
    if (write && index == 12) ring_size_log2 <= data[3:0];
    if (write && index == 13) tail_position <= data[15:0];
    tail_position_written <= write && index == 13;
    if (jobs_count_increment) jobs_count <= jobs_count + 1'b1;
    if (job_errors_count_increment) job_errors_count <= job_errors_count + 1'b1;
    if (beats_count_increment) beats_count <= beats_count + 1'b1;
    if (cycles_count_increment) cycles_count <= cycles_count + 1'b1;
    if (rst || clear) begin
      ctrl_enable <= 1'h0;
      ctrl_reset <= 1'h0;
      interrupt_completion <= 1'h0;
      interrupt_error <= 1'h0;
      interrupt_enable_completion <= 1'h0;
      interrupt_enable_error <= 1'h0;
      coalesce_count <= 16'h0001;
      coalesce_cycles <= 16'h0000;
      ring_low_low <= 25'h0000000;
      ring_high_high <= 32'h00000000;
      completion_low_low <= 25'h0000000;
      completion_high_high <= 32'h00000000;
      ring_size_log2 <= 4'h0;
      tail_position <= 16'h0000;
      jobs_count <= 32'h00000000;
      job_errors_count <= 32'h00000000;
      beats_count <= 32'h00000000;
      cycles_count <= 32'h00000000;
      tail_position_written <= 1'b0;
    end
  end

  logic [3:0] unused;
  assign unused = {s_axil_awaddr[1:0], s_axil_araddr[1:0]};
endmodule

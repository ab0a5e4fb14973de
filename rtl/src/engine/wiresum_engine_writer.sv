// SPDX-License-Identifier: MIT OR Apache-2.0
// The completions: writes each job's result to memory, in order, as 8 bytes in one beat.
//
// The completion of the i-th job since the reset, from 0 on, lies at base + 8 * (i modulo 2^size),
// little-endian:
//   0  the sum, 16 bits, in memory order     2  status, 16 bits     4  the descriptor's tag
// Status: bit 0 the phase, which is 1 in the first lap of the ring, 0 in the second, and so on, so
// software sees by it that the completion is there; bit 1 SLVERR, bit 2 DECERR of a read; bit 3 an
// invalid descriptor. The sum of a job with an error has no meaning.
//
// `sent` comes before the completion can be seen, so software that sees it finds the descriptors'
// places free. `retire` comes when memory has answered. An answer with an error is `failed`, which
// stays until a reset; no completion follows it. Up to
// sixteen completions are under way. Timing: the address and the data stand one cycle after the
// result, and follow one another without a dead cycle. `stop` takes no result; what stands stays
// until it is taken.
module wiresum_engine_writer #(
    parameter int DATA_WIDTH = 64,
    parameter int ADDR_WIDTH = 64
) (
    input logic clk,
    input logic rst,  // synchronous, active high
    input logic stop,

    input logic [ADDR_WIDTH-1:0] base,  // a multiple of 128
    input logic [           3:0] size,

    input  logic        s_result_valid,
    output logic        s_result_ready,
    input  logic [15:0] s_result_sum,
    input  logic [ 2:0] s_result_errors,
    input  logic [31:0] s_result_tag,
    input  logic [15:0] s_result_number,

    output logic                    m_axi_awvalid,
    input  logic                    m_axi_awready,
    output logic [  ADDR_WIDTH-1:0] m_axi_awaddr,
    output logic                    m_axi_wvalid,
    input  logic                    m_axi_wready,
    output logic [  DATA_WIDTH-1:0] m_axi_wdata,
    output logic [DATA_WIDTH/8-1:0] m_axi_wstrb,
    input  logic                    m_axi_bvalid,
    output logic                    m_axi_bready,
    input  logic [             1:0] m_axi_bresp,

    output logic        sent,          // a completion leaves
    output logic [15:0] sent_head,     // the number behind its job's last descriptor
    output logic        retire,        // memory has it
    output logic        retire_error,  // the job had an error
    output logic        failed,
    output logic        idle
);
  localparam int Words = DATA_WIDTH / 64;
  localparam int WordBits = Words > 1 ? $clog2(Words) : 1;
  localparam int LaneBits = $clog2(DATA_WIDTH / 8);

  // A completion, and its place.
  logic take, room;
  logic [15:0] job, masked, status;  // the number of the job
  logic [63:0] completion;
  logic [ADDR_WIDTH-1:0] address;
  logic [WordBits-1:0] word;
  assign s_result_ready = !stop && !failed && room
      && (!m_axi_awvalid || m_axi_awready) && (!m_axi_wvalid || m_axi_wready);
  assign take = s_result_valid && s_result_ready;
  assign masked = job & ~(16'hFFFF << size);
  assign address = base + {{ADDR_WIDTH - 19{1'b0}}, masked, 3'd0};
  assign status = {12'd0, s_result_errors, !job[size]};
  assign completion = {s_result_tag, status, s_result_sum[7:0], s_result_sum[15:8]};
  assign word = Words > 1 ? WordBits'(masked) : 0;
  always_ff @(posedge clk) begin
    if (rst) job <= 16'd0;
    else if (take) job <= job + 1'b1;
    if (take) begin
      m_axi_awaddr <= {address[ADDR_WIDTH-1:LaneBits], {LaneBits{1'b0}}};
      m_axi_wdata  <= {Words{completion}};
      for (int i = 0; i < Words; i++) m_axi_wstrb[8*i+:8] <= {8{word == WordBits'(i)}};
    end
    m_axi_awvalid <= (take || m_axi_awvalid && !m_axi_awready) && !rst;
    m_axi_wvalid  <= (take || m_axi_wvalid && !m_axi_wready) && !rst;
  end

  logic unused;  // completions are aligned, and any error is one
  assign unused = ^{address[LaneBits-1:0], m_axi_bresp[0]};

  // The answers.
  logic answer, had_error;
  logic [4:0] owed;
  assign answer = m_axi_bvalid && m_axi_bready;
  wiresum_queue #(
      .WIDTH(1)
  ) order (
      .clk,
      .rst,
      .reserve(take),
      .ready(room),
      .push(take),
      .push_data(s_result_errors != 0),
      .m_valid(m_axi_bready),
      .m_ready(m_axi_bvalid),
      .m_data(had_error)
  );
  always_ff @(posedge clk) begin
    retire <= answer && !m_axi_bresp[1] && !failed && !rst;
    sent <= take && !rst;
    sent_head <= s_result_number + 1'b1;
    retire_error <= had_error;
    failed <= (failed || answer && m_axi_bresp[1]) && !rst;
    owed <= rst ? 5'd0 : owed + {4'd0, take} - {4'd0, answer};
    idle <= rst || owed == 0 && !take;
  end
endmodule

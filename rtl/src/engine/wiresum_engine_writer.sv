// SPDX-License-Identifier: MIT OR Apache-2.0
// The writes: the bursts of copies, and each job's result, in order, as 8 bytes in one beat.
//
// The completion of the i-th job since the reset, from 0 on, lies at base + 8 * (i modulo 2^size),
// little-endian:
//   0  the sum, 16 bits, in memory order     2  status, 16 bits     4  the descriptor's tag
// Status: bit 0 the phase, which is 1 in the first lap of the ring, 0 in the second, and so on, so
// software sees by it that the completion is there; bit 1 SLVERR, bit 2 DECERR of a read; bit 3 an
// invalid descriptor; bit 4 SLVERR, bit 5 DECERR of the copy. The sum of a job has no meaning with
// bits 1 to 3.
//
// The completion of a job that is copied leaves when memory has answered all bursts of the copy. A
// burst and its beats come from wiresum_engine_copier; its last one of a job says so. A null burst
// writes nothing, and only says that. A completion goes before a burst that waits.
//
// `sent` comes before the completion can be seen, so software that sees it finds the descriptors'
// places free. `retire` comes when memory has answered. An answer with an error is `failed`, which
// stays until a reset; no completion follows it, and no burst. PLACES completions and bursts, and
// one more, may be under way. Timing: the address and the data stand one cycle after the result or
// the beat, and follow one another without a dead cycle. `stop` takes no result and no burst; what
// is offered stays until it is taken, and the beats of a burst that has begun still leave.
module wiresum_engine_writer #(
    parameter int DATA_WIDTH = 64,
    parameter int ADDR_WIDTH = 64,
    parameter int PLACES = 16  // a power of two: completions and bursts that may be under way
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
    input  logic        s_result_copied,
    input  logic [31:0] s_result_tag,
    input  logic [15:0] s_result_number,

    input  logic                  s_burst_valid,
    output logic                  s_burst_ready,
    input  logic                  s_burst_null,
    input  logic                  s_burst_last,
    input  logic [ADDR_WIDTH-1:0] s_burst_address,
    input  logic [           7:0] s_burst_length,

    input  logic                    s_beat_valid,
    output logic                    s_beat_ready,
    input  logic [  DATA_WIDTH-1:0] s_beat_data,
    input  logic [DATA_WIDTH/8-1:0] s_beat_strobes,
    input  logic                    s_beat_last,

    output logic                    m_axi_awvalid,
    input  logic                    m_axi_awready,
    output logic [  ADDR_WIDTH-1:0] m_axi_awaddr,
    output logic [             7:0] m_axi_awlen,
    output logic                    m_axi_wvalid,
    input  logic                    m_axi_wready,
    output logic [  DATA_WIDTH-1:0] m_axi_wdata,
    output logic [DATA_WIDTH/8-1:0] m_axi_wstrb,
    output logic                    m_axi_wlast,
    input  logic                    m_axi_bvalid,
    output logic                    m_axi_bready,
    input  logic [             1:0] m_axi_bresp,

    output logic        sent,          // a completion leaves
    output logic [15:0] sent_head,     // the number after its job's last descriptor
    output logic        retire,        // memory has it
    output logic        retire_error,  // the job had an error
    output logic        failed,
    output logic        idle
);
  localparam int Words = DATA_WIDTH / 64;
  localparam int WordBits = Words > 1 ? $clog2(Words) : 1;
  localparam int LaneBits = $clog2(DATA_WIDTH / 8);

  // A completion, and its place.
  logic take, room, open, wanted, copy_done, address_free, data_free;
  logic take_burst, take_beat, bursting;  // a burst's beats still come
  logic [1:0] copy_errors;
  logic [15:0] job, masked, status;  // the number of the job
  logic [63:0] completion;
  logic [ADDR_WIDTH-1:0] address;
  logic [WordBits-1:0] word;
  assign address_free = !m_axi_awvalid || m_axi_awready;
  assign data_free = !m_axi_wvalid || m_axi_wready;
  assign open = !stop && !failed && room && address_free;
  assign wanted = s_result_valid && (!s_result_copied || copy_done);
  assign s_result_ready = open && data_free && !bursting && (!s_result_copied || copy_done);
  assign take = s_result_valid && s_result_ready;
  assign s_burst_ready = open && !wanted && (!bursting || take_beat && s_beat_last);
  assign take_burst = s_burst_valid && s_burst_ready;
  assign s_beat_ready = bursting && data_free;
  assign take_beat = s_beat_valid && s_beat_ready;
  assign masked = job & ~(16'hFFFF << size);
  assign address = base + {{ADDR_WIDTH - 19{1'b0}}, masked, 3'd0};
  assign status = {10'd0, s_result_copied ? copy_errors : 2'd0, s_result_errors, !job[size]};
  assign completion = {s_result_tag, status, s_result_sum[7:0], s_result_sum[15:8]};
  assign word = Words > 1 ? WordBits'(masked) : 0;
  always_ff @(posedge clk) begin
    if (rst) job <= 16'd0;
    else if (take) job <= job + 1'b1;
    if (take) begin
      m_axi_awaddr <= {address[ADDR_WIDTH-1:LaneBits], {LaneBits{1'b0}}};
      m_axi_awlen  <= 8'd0;
      m_axi_wdata  <= {Words{completion}};
      for (int i = 0; i < Words; i++) m_axi_wstrb[8*i+:8] <= {8{word == WordBits'(i)}};
      m_axi_wlast <= 1'b1;
    end
    if (take_burst && !s_burst_null) begin
      m_axi_awaddr <= s_burst_address;
      m_axi_awlen  <= s_burst_length;
    end
    if (take_beat) begin
      m_axi_wdata <= s_beat_data;
      m_axi_wstrb <= s_beat_strobes;
      m_axi_wlast <= s_beat_last;
    end
    m_axi_awvalid <= (take || take_burst && !s_burst_null || !address_free) && !rst;
    m_axi_wvalid <= (take || take_beat || !data_free) && !rst;
    bursting <= (take_burst && !s_burst_null || bursting && !(take_beat && s_beat_last)) && !rst;
  end

  logic unused;  // completions are aligned, and any error is one
  assign unused = ^{address[LaneBits-1:0], m_axi_bresp[0]};

  // The answers. A null burst has none.
  logic answer, order_valid, order_copy, order_null, order_done, copy_ends;
  logic order_flag;  // of a completion: it has an error; of a burst: it is a job's last one
  logic [1:0] errors, errors_now;  // of the copy of a job, so far
  localparam int OwedBits = $clog2(PLACES) + 1;
  logic [OwedBits-1:0] owed;
  assign answer = m_axi_bvalid && m_axi_bready;
  wiresum_queue #(
      .WIDTH (3),
      .PLACES(PLACES)
  ) order (
      .clk,
      .rst,
      .reserve(take || take_burst),
      .ready(room),
      .push(take || take_burst),
      .push_data({take_burst, take_burst && s_burst_null, take ? status[5:1] != 0 : s_burst_last}),
      .m_valid(order_valid),
      .m_ready(order_done),
      .m_data({order_copy, order_null, order_flag})
  );
  assign m_axi_bready = order_valid && !order_null;
  assign order_done = m_axi_bvalid || order_null;
  assign errors_now = errors | {m_axi_bresp == 2'b11, m_axi_bresp == 2'b10} & {2{answer}};
  assign copy_ends = order_valid && order_done && order_copy && order_flag;
  always_ff @(posedge clk) begin
    if (order_valid && order_done && order_copy) errors <= errors_now & {2{!copy_ends}};
    if (rst) errors <= 2'b00;
  end

  // What became of the jobs' copies: at most as many as results have places for.
  logic unused_ready;
  wiresum_queue #(
      .WIDTH (2),
      .PLACES(PLACES)
  ) copies (
      .clk,
      .rst,
      .reserve(copy_ends),
      .ready(unused_ready),
      .push(copy_ends),
      .push_data(errors_now),
      .m_valid(copy_done),
      .m_ready(take && s_result_copied),
      .m_data(copy_errors)
  );
  always_ff @(posedge clk) begin
    retire <= answer && !order_copy && !m_axi_bresp[1] && !failed && !rst;
    sent <= take && !rst;
    sent_head <= s_result_number + 1'b1;
    retire_error <= order_flag;
    failed <= (failed || answer && !order_copy && m_axi_bresp[1]) && !rst;
    owed <= rst ? '0 : owed + OwedBits'(take || take_burst) - OwedBits'(order_valid && order_done);
    idle <= rst || owed == 0 && !take && !take_burst;
  end
endmodule

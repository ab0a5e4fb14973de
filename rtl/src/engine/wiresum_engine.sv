// SPDX-License-Identifier: MIT OR Apache-2.0
// The memory-to-memory engine: sums of data in memory (RFC 1071), asked for by descriptors in a
// ring in memory, answered by completions in another ring. Software writes descriptors, then one
// register, TAIL; it reads no register.
//
// AXI4 master: INCR bursts of whole beats, which never cross 4 KiB, all with ID 0, so memory
// answers them in order. So many may be outstanding that a memory of LATENCY_CYCLES delivers a beat
// a cycle: its latency from a read's address to the first beat, and from a write's last beat to the
// answer. AXI4-Lite slave: the registers, of wiresum_engine.rdl. wiresum_engine_fetch.sv has the
// descriptors' format, wiresum_engine_writer.sv the completions'.
//
// A job is a descriptor, or several in a row: all except the last one have MORE. Its pieces lie
// anywhere and have any length, odd or even; the sum covers their bytes in a row. Each piece
// may be copied in the same pass, to an address of any alignment. An error of memory counts for the
// job whose data it hits. After an error of the rings themselves the engine stops until a reset by
// CTRL.RESET, which keeps the rules of the bus.
//
// Timing: a beat of data a cycle. The registers take two cycles for the doorbell; the first
// request follows two cycles later; a job's data are asked for seven cycles after its descriptor's
// last beat; its completion is there ten cycles after its last beat at 64 bits.
module wiresum_engine #(
    parameter int DATA_WIDTH = 64,  // 64, 128, 256, 512, 1024
    parameter int ADDR_WIDTH = 64,  // 32 to 64
    parameter int LATENCY_CYCLES = 64,  // of the memory, 1 to 4096
    // Of the longest burst: a power of two, at most 4096.
    parameter int BURST_BYTES = DATA_WIDTH < 128 ? 512 : 4 * DATA_WIDTH,
    // Longest bursts that wait between a read and its copy: a power of two from 2 on; 0: none. The
    // beats that are asked for have places, and three bursts on their way to the target have, too.
    parameter int COPY_BURSTS = 1 << $clog2(
        (LATENCY_CYCLES + 15) / (BURST_BYTES * 8 / DATA_WIDTH) + 4
    ),
    parameter int ID_WIDTH = 1,
    parameter logic [3:0] AR_CACHE = 4'b0011,  // of reads: AxCACHE
    parameter logic [3:0] AW_CACHE = 4'b0011,  // of writes
    parameter logic [2:0] PROT = 3'b000  // of both: AxPROT
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 7:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
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
    input  logic [ 2:0] s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    output logic                    m_axi_arvalid,
    input  logic                    m_axi_arready,
    output logic [    ID_WIDTH-1:0] m_axi_arid,
    output logic [  ADDR_WIDTH-1:0] m_axi_araddr,
    output logic [             7:0] m_axi_arlen,
    output logic [             2:0] m_axi_arsize,
    output logic [             1:0] m_axi_arburst,
    output logic [             3:0] m_axi_arcache,
    output logic [             2:0] m_axi_arprot,
    input  logic                    m_axi_rvalid,
    output logic                    m_axi_rready,
    input  logic [    ID_WIDTH-1:0] m_axi_rid,
    input  logic [  DATA_WIDTH-1:0] m_axi_rdata,
    input  logic [             1:0] m_axi_rresp,
    input  logic                    m_axi_rlast,
    output logic                    m_axi_awvalid,
    input  logic                    m_axi_awready,
    output logic [    ID_WIDTH-1:0] m_axi_awid,
    output logic [  ADDR_WIDTH-1:0] m_axi_awaddr,
    output logic [             7:0] m_axi_awlen,
    output logic [             2:0] m_axi_awsize,
    output logic [             1:0] m_axi_awburst,
    output logic [             3:0] m_axi_awcache,
    output logic [             2:0] m_axi_awprot,
    output logic                    m_axi_wvalid,
    input  logic                    m_axi_wready,
    output logic [  DATA_WIDTH-1:0] m_axi_wdata,
    output logic [DATA_WIDTH/8-1:0] m_axi_wstrb,
    output logic                    m_axi_wlast,
    input  logic                    m_axi_bvalid,
    output logic                    m_axi_bready,
    input  logic [    ID_WIDTH-1:0] m_axi_bid,
    input  logic [             1:0] m_axi_bresp,

    output logic irq  // high while a bit of INTERRUPT is set and enabled
);
  localparam int LaneBits = $clog2(DATA_WIDTH / 8);
  localparam int NoteWidth = 16 + 32 + 16;  // a descriptor's number, tag and seed
  localparam int CopyBeats = COPY_BURSTS * BURST_BYTES * 8 / DATA_WIDTH;
  // Jobs, and bursts, that may be under way: at most a job in eight cycles, with its descriptor.
  localparam int Places = LATENCY_CYCLES > 128 ? 1 << $clog2(LATENCY_CYCLES / 8) : 16;
  localparam int Tickets = LATENCY_CYCLES > 64 ? 1 << $clog2(LATENCY_CYCLES / 4) : 16;

  // What is the same for all bursts.
  assign m_axi_arid = 0;
  assign m_axi_arsize = 3'(LaneBits);
  assign m_axi_arburst = 2'b01;
  assign m_axi_arcache = AR_CACHE;
  assign m_axi_arprot = PROT;
  assign m_axi_awid = 0;
  assign m_axi_awsize = 3'(LaneBits);
  assign m_axi_awburst = 2'b01;
  assign m_axi_awcache = AW_CACHE;
  assign m_axi_awprot = PROT;

  // The registers, and the reset that they ask for: once the bus owes nothing.
  logic clear, core_rst, enable, stop, busy, pending, reader_idle, writer_idle, quiet;
  logic fetch_error, completion_error, tail_error, tail_written;
  logic irq_completion, irq_error, irq_completion_enable, irq_error_enable;
  logic [15:0] count, cycles, tail, head;
  logic [24:0] ring_low, completion_low;
  logic [31:0] ring_high, completion_high;
  logic [3:0] size;
  logic announce, sent, retire, retire_error, data_beat;
  logic [2:0] errors_before;
  assign quiet = reader_idle && writer_idle;
  assign clear = stop && quiet;
  assign core_rst = rst || clear;
  always_ff @(posedge clk) begin
    busy <= (pending || !quiet) && !core_rst;
    errors_before <= core_rst ? 3'd0 : {fetch_error, completion_error, tail_error};
    irq <= (irq_completion && irq_completion_enable || irq_error && irq_error_enable) && !core_rst;
  end
  wiresum_engine_registers registers (
      .clk,
      .rst,
      .clear,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_awaddr,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_bresp,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_araddr,
      .s_axil_rvalid,
      .s_axil_rready,
      .s_axil_rdata,
      .s_axil_rresp,
      .capability_beat(4'(LaneBits)),
      .capability_burst(4'($clog2(BURST_BYTES))),
      .capability_address(7'(ADDR_WIDTH)),
      .capability_copy(COPY_BURSTS != 0),
      .ctrl_enable(enable),
      .ctrl_reset(stop),
      .status_busy(busy),
      .status_fetch_error(fetch_error),
      .status_completion_error(completion_error),
      .status_tail_error(tail_error),
      .interrupt_completion(irq_completion),
      .interrupt_completion_set(announce),
      .interrupt_error(irq_error),
      .interrupt_error_set(({fetch_error, completion_error, tail_error} & ~errors_before) != 0),
      .interrupt_enable_completion(irq_completion_enable),
      .interrupt_enable_error(irq_error_enable),
      .coalesce_count(count),
      .coalesce_cycles(cycles),
      .ring_low_low(ring_low),
      .ring_high_high(ring_high),
      .completion_low_low(completion_low),
      .completion_high_high(completion_high),
      .ring_size_log2(size),
      .tail_position(tail),
      .tail_position_written(tail_written),
      .head_position(head),
      .jobs_count_increment(retire),
      .job_errors_count_increment(retire && retire_error),
      .beats_count_increment(data_beat),
      .cycles_count_increment(busy)
  );

  // Descriptors.
  logic fetch_valid, fetch_ready, fetch_beat;
  logic [ADDR_WIDTH-1:0] fetch_address;
  logic descriptor_valid, descriptor_ready;
  logic [ADDR_WIDTH-1:0] source, target;
  logic [31:0] length, tag;
  logic [15:0] seed, flags, number, sent_head;
  logic [63:0] ring, completions;
  assign ring = {ring_high, ring_low, 7'd0};
  assign completions = {completion_high, completion_low, 7'd0};
  logic misplaced;
  if (ADDR_WIDTH < 64) begin : g_narrow
    assign misplaced = (ring | completions) >> ADDR_WIDTH != 0;
  end else begin : g_wide
    assign misplaced = 1'b0;
  end
  wiresum_engine_fetch #(
      .DATA_WIDTH(DATA_WIDTH),
      .ADDR_WIDTH(ADDR_WIDTH),
      .PLACES(Places)
  ) fetch (
      .clk,
      .rst(core_rst),
      .enable(enable && !stop),
      .base(ring[ADDR_WIDTH-1:0]),
      .size,
      .misplaced,
      .doorbell(tail_written),
      .doorbell_tail(tail),
      .sent,
      .sent_head,
      .head,
      .pending,
      .overrun(tail_error),
      .halted(fetch_error),
      .m_fetch_valid(fetch_valid),
      .m_fetch_ready(fetch_ready),
      .m_fetch_address(fetch_address),
      .s_beat_valid(fetch_beat),
      .s_beat_data(m_axi_rdata),
      .s_beat_error(m_axi_rresp[1]),
      .m_descriptor_valid(descriptor_valid),
      .m_descriptor_ready(descriptor_ready),
      .m_descriptor_source(source),
      .m_descriptor_target(target),
      .m_descriptor_length(length),
      .m_descriptor_seed(seed),
      .m_descriptor_flags(flags),
      .m_descriptor_tag(tag),
      .m_descriptor_number(number)
  );

  logic unused;
  assign unused = ^{s_axil_awprot, s_axil_arprot, m_axi_rid, m_axi_bid, ring, completions, target};

  // Requests.
  logic piece_valid, piece_ready, empty, invalid, first, last, swap, copy, copied;
  logic copy_valid, copy_ready, copy_null, copy_last, freed;
  logic reserve, reserve_ready, ticket_valid, ticket_ready, ticket_fetch, ticket_last;
  logic [LaneBits-1:0] piece_begin, piece_end, turn;
  logic [NoteWidth-1:0] note;
  wiresum_engine_reader #(
      .DATA_WIDTH (DATA_WIDTH),
      .ADDR_WIDTH (ADDR_WIDTH),
      .BURST_BYTES(BURST_BYTES),
      .NOTE_WIDTH (NoteWidth),
      .COPY_BEATS (CopyBeats)
  ) reader (
      .clk,
      .rst(core_rst),
      .stop,
      .s_fetch_valid(fetch_valid),
      .s_fetch_ready(fetch_ready),
      .s_fetch_address(fetch_address),
      .s_descriptor_valid(descriptor_valid),
      .s_descriptor_ready(descriptor_ready),
      .s_descriptor_source(source),
      .s_descriptor_target(target[LaneBits-1:0]),
      .s_descriptor_length(length),
      .s_descriptor_flags(flags),
      .s_descriptor_note({number, tag, seed[7:0], seed[15:8]}),
      .m_piece_valid(piece_valid),
      .m_piece_ready(piece_ready),
      .m_piece_empty(empty),
      .m_piece_invalid(invalid),
      .m_piece_first(first),
      .m_piece_last(last),
      .m_piece_swap(swap),
      .m_piece_begin(piece_begin),
      .m_piece_end(piece_end),
      .m_piece_copy(copy),
      .m_piece_copied(copied),
      .m_piece_turn(turn),
      .m_piece_note(note),
      .m_copy_valid(copy_valid),
      .m_copy_ready(copy_ready),
      .m_copy_null(copy_null),
      .m_copy_last(copy_last),
      .freed,
      .reserve,
      .reserve_ready,
      .m_ticket_valid(ticket_valid),
      .m_ticket_ready(ticket_ready),
      .m_ticket_fetch(ticket_fetch),
      .m_ticket_last(ticket_last),
      .m_axi_arvalid,
      .m_axi_arready,
      .m_axi_araddr,
      .m_axi_arlen
  );

  // Data.
  logic result_valid, result_ready, result_copied, copy_beat;
  logic [LaneBits-1:0] copy_turn;
  logic [15:0] sum, result_number;
  logic [31:0] result_tag;
  logic [ 2:0] errors;
  wiresum_engine_receiver #(
      .DATA_WIDTH(DATA_WIDTH),
      .NOTE_WIDTH(NoteWidth + 1),
      .TICKETS(Tickets),
      .PLACES(Places)
  ) receiver (
      .clk,
      .rst(core_rst),
      .s_ticket_valid(ticket_valid),
      .s_ticket_ready(ticket_ready),
      .s_ticket_fetch(ticket_fetch),
      .s_ticket_last(ticket_last),
      .s_piece_valid(piece_valid),
      .s_piece_ready(piece_ready),
      .s_piece_empty(empty),
      .s_piece_invalid(invalid),
      .s_piece_first(first),
      .s_piece_last(last),
      .s_piece_swap(swap),
      .s_piece_begin(piece_begin),
      .s_piece_end(piece_end),
      .s_piece_copy(copy),
      .s_piece_turn(turn),
      .s_piece_note({copied, note}),
      .reserve,
      .reserve_ready,
      .m_axi_rvalid,
      .m_axi_rready,
      .m_axi_rdata,
      .m_axi_rresp,
      .m_axi_rlast,
      .m_fetch_valid(fetch_beat),
      .data_beat,
      .copy_beat,
      .copy_turn,
      .idle(reader_idle),
      .m_result_valid(result_valid),
      .m_result_ready(result_ready),
      .m_result_sum(sum),
      .m_result_errors(errors),
      .m_result_note({result_copied, result_number, result_tag})
  );

  // Copies.
  logic burst_valid, burst_ready, burst_null, burst_last, beat_valid, beat_ready, beat_last;
  logic [ADDR_WIDTH-1:0] burst_address;
  logic [7:0] burst_length;
  logic [DATA_WIDTH-1:0] beat_data;
  logic [DATA_WIDTH/8-1:0] beat_strobes;
  if (COPY_BURSTS != 0) begin : g_copier
    wiresum_engine_copier #(
        .DATA_WIDTH (DATA_WIDTH),
        .ADDR_WIDTH (ADDR_WIDTH),
        .BURST_BYTES(BURST_BYTES),
        .PLACES     (CopyBeats),
        .PIECES     (Places)
    ) copier (
        .clk,
        .rst(core_rst),
        .s_piece_valid(copy_valid),
        .s_piece_ready(copy_ready),
        .s_piece_null(copy_null),
        .s_piece_last(copy_last),
        .s_piece_begin(source[LaneBits-1:0]),
        .s_piece_target(target),
        .s_piece_length(length),
        .s_beat_valid(copy_beat),
        .s_beat_data(m_axi_rdata),
        .s_beat_turn(copy_turn),
        .freed,
        .m_burst_valid(burst_valid),
        .m_burst_ready(burst_ready),
        .m_burst_null(burst_null),
        .m_burst_last(burst_last),
        .m_burst_address(burst_address),
        .m_burst_length(burst_length),
        .m_beat_valid(beat_valid),
        .m_beat_ready(beat_ready),
        .m_beat_data(beat_data),
        .m_beat_strobes(beat_strobes),
        .m_beat_last(beat_last)
    );
  end else begin : g_no_copier
    logic unused_copies;
    assign unused_copies = ^{
      copy_valid, copy_null, copy_last, copy_beat, copy_turn, burst_ready, beat_ready
    };
    assign copy_ready = 1'b1;
    assign freed = 1'b0;
    assign burst_valid = 1'b0;
    assign burst_null = 1'b0;
    assign burst_last = 1'b0;
    assign burst_address = '0;
    assign burst_length = 8'd0;
    assign beat_valid = 1'b0;
    assign beat_data = '0;
    assign beat_strobes = '0;
    assign beat_last = 1'b0;
  end

  // Completions, and the copies' way to memory.
  wiresum_engine_writer #(
      .DATA_WIDTH(DATA_WIDTH),
      .ADDR_WIDTH(ADDR_WIDTH),
      .PLACES(Places)
  ) writer (
      .clk,
      .rst(core_rst),
      .stop,
      .base(completions[ADDR_WIDTH-1:0]),
      .size,
      .s_result_valid(result_valid),
      .s_result_ready(result_ready),
      .s_result_sum(sum),
      .s_result_errors(errors),
      .s_result_tag(result_tag),
      .s_result_number(result_number),
      .s_result_copied(result_copied),
      .s_burst_valid(burst_valid),
      .s_burst_ready(burst_ready),
      .s_burst_null(burst_null),
      .s_burst_last(burst_last),
      .s_burst_address(burst_address),
      .s_burst_length(burst_length),
      .s_beat_valid(beat_valid),
      .s_beat_ready(beat_ready),
      .s_beat_data(beat_data),
      .s_beat_strobes(beat_strobes),
      .s_beat_last(beat_last),
      .m_axi_awvalid,
      .m_axi_awready,
      .m_axi_awaddr,
      .m_axi_awlen,
      .m_axi_wvalid,
      .m_axi_wready,
      .m_axi_wdata,
      .m_axi_wstrb,
      .m_axi_wlast,
      .m_axi_bvalid,
      .m_axi_bready,
      .m_axi_bresp,
      .sent,
      .sent_head,
      .retire,
      .retire_error,
      .failed(completion_error),
      .idle(writer_idle)
  );
  wiresum_engine_interrupt coalescing (
      .clk,
      .rst(core_rst),
      .count,
      .cycles,
      .completion(retire),
      .announce
  );
endmodule

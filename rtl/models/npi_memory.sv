// SPDX-License-Identifier: MIT OR Apache-2.0
// A memory at the 64-bit native port (NPI) of Xilinx's multiport memory controller (MPMC), read
// side only, with that port's rules.
//
// Rules of the MPMC data sheet (Xilinx DS643):
//   - A request stays unchanged until it is acknowledged.
//   - A burst of 8, 64, 128 or 256 bytes starts at a multiple of its length.
//   - A port has at most two transactions pending; the acknowledge of a third waits.
//   - The row is closed after each transaction: each burst has the same gap (cfg_gap) after it.
//   - The read FIFO holds 1024 bytes.
//   - A popped word shows 0, 1 or 2 cycles later, as the latency lines say.
// Assumptions, where the data sheet is silent or depends on the memory: flush drops the words that
// the FIFO holds and the words that arrive during the flush; a burst that has begun pauses for at
// most PAUSES cycles in all; refresh comes between bursts.
//
// Latencies are inputs, so one build serves all experiments. A broken rule of the port sets its bit
// of `violations` until the next reset.
module npi_memory #(
    parameter int WORD_BITS = 14,  // 2^14 words of 8 bytes; addresses wrap
    parameter int PAUSES    = 64
) (
    input logic clk,
    input logic rst,

    input logic [ 7:0] cfg_latency,        // from the start of a burst to its first word
    input logic [ 7:0] cfg_gap,            // a burst keeps the memory busy for its words and this
    input logic [15:0] cfg_refresh_every,  // cycles; 0: never
    input logic [ 7:0] cfg_refresh_takes,
    input logic [ 7:0] cfg_random_ack,     // masks of random extra cycles
    input logic [ 7:0] cfg_random_start,
    input logic [ 7:0] cfg_random_pause,   // chance, of 256, that a word pauses for a cycle
    input logic [31:0] cfg_seed,           // taken at reset
    input logic        cfg_dead,           // neither acknowledges nor delivers

    input logic                 poke,        // the tests write the memory through these
    input logic [WORD_BITS-1:0] poke_index,
    input logic [         63:0] poke_data,

    input  logic [31:0] npi_addr,
    input  logic        npi_addrreq,
    output logic        npi_addrack,
    input  logic [ 3:0] npi_size,
    output logic [63:0] npi_rdfifo_data,
    input  logic        npi_rdfifo_pop,
    input  logic        npi_rdfifo_flush,
    output logic        npi_rdfifo_empty,
    input  logic [ 1:0] npi_rdfifo_latency,

    // Broken rules, from bit 0: size or alignment; request changed; pop of nothing; overflow; pop
    // while flushing.
    output logic [4:0] violations,
    output logic [31:0] bursts,  // acknowledged since reset
    output logic [31:0] words  // popped since reset
);
  logic [63:0] mem[1<<WORD_BITS]  /*verilator public_flat_rw*/;
  logic [63:0] fifo[128];
  logic [6:0] wr, rd;
  logic [7:0] held;

  logic [31:0] x, x1, x2, random;
  logic [ 7:0] ack_wait;
  logic        asked;
  logic [31:0] asked_addr;
  logic [ 3:0] asked_size;

  // Pending transactions, older first.
  logic [1:0] valid, started;
  logic [WORD_BITS-1:0] at0, at1;
  logic [5:0] left0, left1;
  logic [8:0] timer0, timer1;
  logic [7:0] paused;

  logic [9:0] busy;
  logic [15:0] refresh;
  logic refresh_due;

  logic [5:0] size_words;
  logic aligned, push, pause, popped1;
  logic [63:0] shown1, shown2;

  always_comb begin
    case (npi_size)
      4'd0: size_words = 6'd1;
      4'd3: size_words = 6'd8;
      4'd4: size_words = 6'd16;
      4'd5: size_words = 6'd32;
      default: size_words = 6'd0;
    endcase
    aligned = size_words != 0 && npi_addr[2:0] == 0 && ((npi_addr[8:3] & (size_words - 1'b1)) == 0);
  end

  assign x1 = x ^ (x << 13);
  assign x2 = x1 ^ (x1 >> 17);
  assign random = x2 ^ (x2 << 5);

  assign pause = random[31:24] < cfg_random_pause && paused < PAUSES[7:0];
  assign push = valid[0] && started[0] && timer0 == 0 && !pause && !cfg_dead;
  assign npi_rdfifo_empty = held == 0;

  // A word that has not been popped reads as random bits.
  always_comb begin
    case (npi_rdfifo_latency)
      2'd0: npi_rdfifo_data = npi_rdfifo_empty ? {2{random}} : fifo[rd];
      2'd1: npi_rdfifo_data = shown1;
      default: npi_rdfifo_data = shown2;
    endcase
  end

  always_ff @(posedge clk) begin
    if (poke) mem[poke_index] <= poke_data;

    x <= random;
    shown1 <= npi_rdfifo_pop ? fifo[rd] : {2{random}};
    popped1 <= npi_rdfifo_pop;
    shown2 <= popped1 ? shown1 : {2{~random}};

    // The request side.
    npi_addrack <= npi_addrreq && !npi_addrack && ack_wait == 0 && valid != 2'b11 && !cfg_dead;
    if (npi_addrreq && ack_wait != 0) ack_wait <= ack_wait - 1'b1;
    asked <= npi_addrreq && !npi_addrack;
    asked_addr <= npi_addr;
    asked_size <= npi_size;
    if (asked && (!npi_addrreq || asked_addr != npi_addr || asked_size != npi_size))
      violations[1] <= 1'b1;

    // The memory: one burst after the other, each with its gap; latencies overlap.
    if (busy != 0) busy <= busy - 1'b1;
    if (timer0 != 0) timer0 <= timer0 - 1'b1;
    if (timer1 != 0) timer1 <= timer1 - 1'b1;
    if (cfg_refresh_every != 0) begin
      refresh <= refresh == 0 ? cfg_refresh_every - 1'b1 : refresh - 1'b1;
      if (refresh == 0) refresh_due <= 1'b1;
    end
    if (busy == 0) begin
      if (refresh_due) begin
        refresh_due <= 1'b0;
        busy <= {2'd0, cfg_refresh_takes};
      end else if (valid[0] && !started[0]) begin
        started[0] <= 1'b1;
        timer0 <= {1'b0, cfg_latency} + {1'b0, random[7:0] & cfg_random_start};
        busy <= {4'd0, left0} + {2'd0, cfg_gap} - 1'b1;
      end else if (valid[1] && !started[1]) begin
        started[1] <= 1'b1;
        timer1 <= {1'b0, cfg_latency} + {1'b0, random[7:0] & cfg_random_start};
        busy <= {4'd0, left1} + {2'd0, cfg_gap} - 1'b1;
      end
    end

    if (valid[0] && started[0] && timer0 == 0 && pause) paused <= paused + 1'b1;
    if (push) begin
      at0   <= at0 + 1'b1;
      left0 <= left0 - 1'b1;
      if (left0 == 1) begin
        // The younger burst moves up; it may start in the same cycle.
        paused <= 8'd0;
        valid <= {1'b0, valid[1]};
        at0 <= at1;
        left0 <= left1;
        started <= {1'b0, started[1]};
        timer0 <= timer1 == 0 ? 9'd0 : timer1 - 1'b1;
        if (busy == 0 && !refresh_due && valid[1] && !started[1]) begin
          started <= 2'b01;
          timer0  <= {1'b0, cfg_latency} + {1'b0, random[7:0] & cfg_random_start};
        end
      end
    end
    if (npi_addrack && npi_addrreq) begin
      if (!aligned) violations[0] <= 1'b1;
      ack_wait <= random[15:8] & cfg_random_ack;
      bursts   <= bursts + 1'b1;
      if (!valid[0] || (push && left0 == 1 && !valid[1])) begin
        valid[0]   <= 1'b1;
        started[0] <= 1'b0;
        at0        <= npi_addr[3+:WORD_BITS];
        left0      <= size_words;
      end else begin
        valid[1] <= 1'b1;
        started[1] <= 1'b0;
        at1 <= npi_addr[3+:WORD_BITS];
        left1 <= size_words;
      end
    end

    // The read FIFO.
    if (push) fifo[wr] <= mem[at0];
    if (npi_rdfifo_pop) words <= words + 1'b1;
    if (npi_rdfifo_pop && npi_rdfifo_empty) violations[2] <= 1'b1;
    if (push && held == 8'd128) violations[3] <= 1'b1;
    if (npi_rdfifo_pop && npi_rdfifo_flush) violations[4] <= 1'b1;
    if (npi_rdfifo_flush) begin
      wr   <= 7'd0;
      rd   <= 7'd0;
      held <= 8'd0;
    end else begin
      if (push) wr <= wr + 1'b1;
      if (npi_rdfifo_pop) rd <= rd + 1'b1;
      held <= held + {7'd0, push} - {7'd0, npi_rdfifo_pop};
    end

    if (rst) begin
      x <= cfg_seed == 0 ? 32'd1 : cfg_seed;
      {wr, rd, held, paused} <= '0;
      {ack_wait, asked, npi_addrack, valid, started} <= '0;
      {busy, refresh, refresh_due} <= '0;
      {violations, bursts, words} <= '0;
    end
  end
endmodule

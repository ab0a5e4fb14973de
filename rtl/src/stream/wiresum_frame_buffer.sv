// SPDX-License-Identifier: MIT OR Apache-2.0
// Holds each frame of an AXI4-Stream until its note is there: what has been computed from the
// frame, and has to be known when its first beat leaves. Part of wiresum_tx_insert and
// wiresum_rx_pass, whose notes come after a frame's end, and of wiresum_rx_check, whose notes come
// after its headers.
//
// Each frame has one note, in order, which comes after its first beat, and stays until it is taken
// with the frame's last beat. A frame that fills the buffer before its end and without a note
// passes without, with m_axis_long in each beat: so does each of more than BEATS beats whose note
// waits for its end. Its note is dropped when it comes, and the next frame waits for that.
//
// Timing: a beat a cycle, a frame a beat. s_axis_tready is a register. m_axis_tvalid depends on
// s_note_valid within a cycle, and not on m_axis_tready. A reset drops all beats.
//
// Shape: the memory's own output register is followed by another one, because block memories are
// slow, and because the reader has to know a beat's tlast before it takes the beat.
module wiresum_frame_buffer #(
    parameter int DATA_WIDTH = 64,
    parameter int KEEP_WIDTH = DATA_WIDTH / 8,
    parameter int USER_WIDTH = 1,               // what goes along with each beat
    parameter int BEATS      = 256,             // a power of two, at least 4
    parameter bit LONG       = 1                // 0: each note comes before the buffer is full
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic [DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic                  s_axis_tlast,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,

    input  logic s_note_valid,
    output logic s_note_ready,

    output logic [DATA_WIDTH-1:0] m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic                  m_axis_tlast,
    output logic [USER_WIDTH-1:0] m_axis_tuser,
    output logic                  m_axis_long
);
  localparam int Bits = $clog2(BEATS);
  localparam int Width = DATA_WIDTH + KEEP_WIDTH + USER_WIDTH + 1;

`ifndef __ICARUS__
  if (BEATS < 4 || BEATS != 1 << Bits) begin : g_beats
    $error("BEATS is not a power of two, or less than 4");
  end
`endif

  // The memory, and the two registers after it. A beat keeps its place until it is taken.
  (* no_rw_check *)
  // no place is read while it is written, which Yosys cannot know
  logic [Width-1:0] places[BEATS];
  logic [Width-1:0] read, head;
  logic [Bits:0] write_at, fetch_at;  // the top bits differ if the memory is full
  logic read_valid, head_valid, accept, fetch, move, take;
  assign accept = s_axis_tvalid && s_axis_tready;
  assign fetch  = write_at != fetch_at && (!read_valid || move);
  assign move   = read_valid && (!head_valid || take);
  always_ff @(posedge clk) begin
    if (accept)
      places[write_at[Bits-1:0]] <= {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
    if (fetch) read <= places[fetch_at[Bits-1:0]];
    if (move) head <= read;
    if (rst) begin
      write_at   <= '0;
      fetch_at   <= '0;
      read_valid <= 1'b0;
      head_valid <= 1'b0;
    end else begin
      if (accept) write_at <= write_at + 1'b1;
      if (fetch) fetch_at <= fetch_at + 1'b1;
      read_valid <= fetch || read_valid && !move;
      head_valid <= move || head_valid && !take;
    end
  end

  // How many beats are held, and how many of them end a frame.
  logic [Bits:0] held, held_next, ends;
  logic end_comes, end_goes, fills;
  assign held_next = held + (Bits + 1)'(accept) - (Bits + 1)'(take);
  assign fills = held[Bits] || (&held[Bits-1:0]) && accept;
  assign end_comes = accept && s_axis_tlast;
  assign end_goes = take && m_axis_tlast;
  always_ff @(posedge clk) begin
    held <= rst ? '0 : held_next;
    ends <= rst ? '0 : ends + (Bits + 1)'(end_comes) - (Bits + 1)'(end_goes);
    s_axis_tready <= (take || !fills) && !rst;  // whether held_next[Bits] is 0, without its adder
  end

  // A frame goes with its note, or for want of places: then all that are held are its first ones.
  // That is known a cycle late, but stays true until a beat of the frame is taken.
  logic passing, dropping, full;  // in mid-frame without a note; the note has still to come
  assign m_axis_tvalid = head_valid && (passing || !dropping && (s_note_valid || full));
  assign m_axis_long = passing || !s_note_valid;
  assign {m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata} = head;
  assign take = m_axis_tvalid && m_axis_tready;
  assign s_note_ready = dropping || end_goes && !passing;
  always_ff @(posedge clk) begin
    full <= held[Bits] && ends == 0 && !rst && LONG;
    if (take) passing <= m_axis_long && !m_axis_tlast;
    if (end_goes && m_axis_long) dropping <= 1'b1;
    else if (s_note_valid) dropping <= 1'b0;
    if (rst || !LONG) begin
      passing  <= 1'b0;
      dropping <= 1'b0;
    end
  end
endmodule

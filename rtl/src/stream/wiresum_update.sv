// SPDX-License-Identifier: MIT OR Apache-2.0
// The checksum of data in which some 16-bit words change, without the data (RFC 1624): what address
// translation needs. Word i is was[16i+15:16i], and now[16i+15:16i] takes its place. Words that do
// not change, zero or not, may be given as they are. Numbers are the values of big-endian words.
//
// With c the checksum, m the sum of the words that were, m' of those that are, the result is
// ~(~c + ~m + m'), equation 3 of RFC 1624. Where all words were zero, ~m is left out: it would be
// -0, and make the checksum 0x0000 of data of zeros. The result is then the checksum of the changed
// data, except where these are zero and the old ones are not: it is 0x0000 there, not 0xFFFF.
//
// `udp` is for a field in which 0x0000 means that there is no checksum (RFC 768): 0x0000 stays, and
// a result of 0x0000 becomes 0xFFFF. `id` comes back with the result.
//
// Timing: an update a cycle. Unless results wait, a result is there log2(WORDS), rounded up, + 8
// cycles after its command. wiresum_queue.sv says how many wait. A reset drops all.
module wiresum_update #(
    parameter int WORDS    = 3,  // words that change, 1 to 16: three for an address and a port
    parameter int ID_WIDTH = 8
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic                s_update_valid,
    output logic                s_update_ready,
    input  logic [        15:0] s_update_checksum,
    input  logic [16*WORDS-1:0] s_update_was,
    input  logic [16*WORDS-1:0] s_update_now,
    input  logic                s_update_udp,
    input  logic [ID_WIDTH-1:0] s_update_id,

    output logic                m_update_valid,
    input  logic                m_update_ready,
    output logic [        15:0] m_update_checksum,
    output logic [ID_WIDTH-1:0] m_update_id
);
  localparam int Levels = $clog2(WORDS);
  localparam int Padded = 1 << Levels;
  localparam int Last = Levels + 5;

`ifndef __ICARUS__
  if (WORDS < 1 || WORDS > 16) begin : g_words_limit
    $error("WORDS is not from 1 to 16");
  end
`endif

  logic accept;
  assign accept = s_update_valid && s_update_ready;

  // What goes along: the sum that the old checksum stands for, and what becomes of the result.
  logic [Last:0] valid, none, udp;
  logic [Last:0][ID_WIDTH-1:0] id;
  logic [Levels+2:0][15:0] whole;
  always_ff @(posedge clk) begin
    valid[0] <= accept && !rst;
    none[0] <= s_update_udp && s_update_checksum == 16'd0;
    udp[0] <= s_update_udp;
    id[0] <= s_update_id;
    whole[0] <= ~s_update_checksum;
    for (int l = 1; l <= Last; l++) begin
      valid[l] <= valid[l-1] && !rst;
      none[l] <= none[l-1];
      udp[l] <= udp[l-1];
      id[l] <= id[l-1];
    end
    for (int l = 1; l <= Levels + 2; l++) whole[l] <= whole[l-1];
  end

  // The trees: level 0 has the words, level l sums of 2^l of them, side by side.
  for (genvar l = 0; l <= Levels; l++) begin : g_level
    localparam int Bits = 16 + l;
    logic [(Padded >> l)*Bits-1:0] was, now;
    if (l == 0) begin : g_words
      always_ff @(posedge clk) begin
        was <= {{16 * (Padded - WORDS) {1'b0}}, s_update_was};
        now <= {{16 * (Padded - WORDS) {1'b0}}, s_update_now};
      end
    end else begin : g_sums
      always_ff @(posedge clk)
        for (int i = 0; i < Padded >> l; i++) begin
          was[i*Bits+:Bits] <= {1'b0, g_level[l-1].was[2*i*(Bits-1)+:Bits-1]}
              + {1'b0, g_level[l-1].was[(2*i+1)*(Bits-1)+:Bits-1]};
          now[i*Bits+:Bits] <= {1'b0, g_level[l-1].now[2*i*(Bits-1)+:Bits-1]}
              + {1'b0, g_level[l-1].now[(2*i+1)*(Bits-1)+:Bits-1]};
        end
    end
  end

  // Two folds of both, then the equation, then two folds of that. No second fold carries.
  logic [19:0] was_total, now_total;
  logic [16:0] was_once, now_once, reduced, once;
  logic [15:0] was_sum, minus, plus, plus_then, sum;
  logic [17:0] total;
  logic any;
  assign was_total = {{4 - Levels{1'b0}}, g_level[Levels].was};
  assign now_total = {{4 - Levels{1'b0}}, g_level[Levels].now};
  assign was_sum   = was_once[15:0] + {15'd0, was_once[16]};
  always_ff @(posedge clk) begin
    was_once <= {1'b0, was_total[15:0]} + {13'd0, was_total[19:16]};
    now_once <= {1'b0, now_total[15:0]} + {13'd0, now_total[19:16]};
    any <= was_total != 20'd0;
    minus <= any ? ~was_sum : 16'd0;
    plus <= now_once[15:0] + {15'd0, now_once[16]};
    reduced <= {1'b0, whole[Levels+2]} + {1'b0, minus};
    plus_then <= plus;
    total <= {1'b0, reduced} + {2'b0, plus_then};
    once <= {1'b0, total[15:0]} + {15'd0, total[17:16]};
  end
  assign sum = once[15:0] + {15'd0, once[16]};

  logic zero;  // the checksum is 0x0000
  logic [15:0] result;
  assign zero   = once == 17'h0FFFF;
  assign result = none[Last] ? 16'h0000 : udp[Last] && zero ? 16'hFFFF : ~sum;
  wiresum_queue #(
      .WIDTH(16 + ID_WIDTH)
  ) results (
      .clk,
      .rst,
      .reserve(accept),
      .ready(s_update_ready),
      .push(valid[Last]),
      .push_data({id[Last], result}),
      .m_valid(m_update_valid),
      .m_ready(m_update_ready),
      .m_data({m_update_id, m_update_checksum})
  );
endmodule

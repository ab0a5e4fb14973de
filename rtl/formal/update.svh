// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_update with two words; prove.py puts them before its `endmodule`. Each
// command goes along the stages, and what leaves them is the result by the definition. That the
// definition is the checksum of the changed data, is `update` of lemmas.sv; that no result is lost
// or out of order after the stages, is the proof of queue.
function automatic logic [15:0] add(input logic [15:0] x, input logic [15:0] y);
  logic [16:0] wide;
  wide = {1'b0, x} + {1'b0, y};
  add  = wide[15:0] + {15'd0, wide[16]};
endfunction
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

logic [6:0][15:0] f_old;
logic [3:0][31:0] f_was, f_now;
logic [6:0] f_udp;
logic [6:0][ID_WIDTH-1:0] f_id;

// The terms of the equation, and after stage 3 the same, which go along. The plain sum of two is
// their sum except for the end-around carry, which f_sum adds as `add` does.
logic [3:0][15:0] f_part, f_less, f_plus;
logic [6:4][15:0] f_added;
logic [6:4][16:0] f_reduced;
logic [15:0] f_sum;
always_comb
  for (int l = 0; l <= 3; l++) begin
    f_part[l] = add(f_was[l][15:0], f_was[l][31:16]);
    f_less[l] = f_part[l] == 0 ? 16'd0 : ~f_part[l];
    f_plus[l] = add(f_now[l][15:0], f_now[l][31:16]);
  end
assign f_sum = add(f_reduced[6][15:0] + {15'd0, f_reduced[6][16]}, f_added[6]);

always @(posedge clk) begin
  was_reset <= 1'b1;
  f_old[0]  <= s_update_checksum;
  f_was[0]  <= s_update_was;
  f_now[0]  <= s_update_now;
  f_udp[0]  <= s_update_udp;
  f_id[0]   <= s_update_id;
  for (int l = 1; l <= 6; l++) begin
    f_old[l] <= f_old[l-1];
    f_udp[l] <= f_udp[l-1];
    f_id[l]  <= f_id[l-1];
  end
  for (int l = 1; l <= 3; l++) begin
    f_was[l] <= f_was[l-1];
    f_now[l] <= f_now[l-1];
  end
  for (int l = 4; l <= 6; l++) begin
    f_reduced[l] <= l == 4 ? {1'b0, ~f_old[3]} + {1'b0, f_less[3]} : f_reduced[l-1];
    f_added[l]   <= l == 4 ? f_plus[3] : f_added[l-1];
  end

  if (was_reset) begin
    // property along: what goes along is the command's.
    for (int l = 0; l <= 6; l++)
    if (valid[l]) begin
      assert (none[l] == (f_udp[l] && f_old[l] == 0));
      assert (udp[l] == f_udp[l] && id[l] == f_id[l]);
    end
    for (int l = 0; l <= 3; l++) if (valid[l]) assert (whole[l] == ~f_old[l]);
    // property trees: the words are added, all of them.
    if (valid[0]) assert (g_level[0].was == f_was[0] && g_level[0].now == f_now[0]);
    if (valid[1]) begin
      assert (g_level[1].was == {1'b0, f_was[1][15:0]} + {1'b0, f_was[1][31:16]});
      assert (g_level[1].now == {1'b0, f_now[1][15:0]} + {1'b0, f_now[1][31:16]});
    end
    // property folds: their sums, of which only the sum of zeros is zero.
    if (valid[2]) begin
      assert (was_sum == f_part[2] && any == (f_part[2] != 0));
      assert (!now_once[16] || now_once[15:0] != '1);
      assert (now_once[15:0] + {15'd0, now_once[16]} == f_plus[2]);
    end
    // property equation: the terms of RFC 1624.
    if (valid[3]) assert (minus == f_less[3] && plus == f_plus[3]);
    if (valid[4]) begin
      assert (reduced == f_reduced[4] && reduced != '1);
      assert (plus_then == f_added[4]);
    end
    if (valid[5]) assert (total == {1'b0, f_reduced[5]} + {2'b0, f_added[5]} && f_reduced[5] != '1);
    // property result: the sum, complemented; UDP's rule.
    if (valid[6]) begin
      assert (sum == f_sum);
      assert (zero == (f_sum == '1));
      assert (result == (f_udp[6] && f_old[6] == 0 ? 16'h0000
          : f_udp[6] && f_sum == '1 ? 16'hFFFF : ~f_sum));
    end
    // property each: a command that is taken leaves the stages once, and none after a reset.
    if ($past(rst)) begin
      assert (valid == 0);
    end else begin
      assert (valid == {$past(valid[Last-1:0]), $past(accept)});
    end

    // Each of these happens.
    cover (valid[6] && f_udp[6] && result == 16'hFFFF && f_old[6] == 16'h1234);
    cover (valid[6] && !f_udp[6] && result == 16'h0000 && f_reduced[6] != 17'h0FFFF);
    cover (valid[6] && none[6] && f_added[6] != 0);
  end
end

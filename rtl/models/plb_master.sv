// SPDX-License-Identifier: MIT OR Apache-2.0
// The processor's side of the processor local bus. Each command is one single 32-bit transfer that
// takes as long as the paper measured it.
//
// Timing: the master takes a command when cmd_valid is high and busy is low. `done` is high for one
// cycle, `cost` cycles later. The costs come from the paper's table 1, in hundredths of a cycle.
// The fraction of one access is carried to the next, so the mean is exact. The paper does not say
// when in an access the slave sees the request; in this model it is at the end. With `fast`, a
// transfer takes only the cycles that the slave takes. A slave that does not acknowledge within 16
// cycles causes a bus time-out, an error.
module plb_master #(
    parameter int COST_WRITE_ADDRESS = 48224,
    parameter int COST_WRITE_BYTES   = 44339,
    parameter int COST_WRITE_INPUT   = 44393,
    parameter int COST_READ_OUTPUT   = 27249,
    parameter int COST_READ_CHECKSUM = 27307
) (
    input logic clk,
    input logic rst,
    input logic fast,

    input  logic        cmd_valid,
    input  logic        cmd_read,
    input  logic [31:0] cmd_address,
    input  logic [ 3:0] cmd_be,
    input  logic [31:0] cmd_data,
    output logic        busy,
    output logic        done,
    output logic        error,        // with done
    output logic [31:0] data,         // with done

    output logic [31:0] plb_abus,
    output logic        plb_pavalid,
    output logic        plb_rnw,
    output logic [ 3:0] plb_be,
    output logic [ 3:0] plb_size,
    output logic [ 2:0] plb_type,
    output logic [31:0] plb_wrdbus,
    input  logic        sl_addrack,
    input  logic        sl_wrdack,
    input  logic        sl_wrcomp,
    input  logic        sl_wrerr,
    input  logic [31:0] sl_rddbus,
    input  logic        sl_rddack,
    input  logic        sl_rdcomp,
    input  logic        sl_rderr
);
  localparam int Handshake = 8;  // more than any answer of the slave takes

  logic [31:0] cost, fraction, whole, waited;
  logic [4:0] unanswered;
  logic answered, acknowledged;

  always_comb begin
    case (cmd_address[4:2])
      3'd0: cost = COST_WRITE_ADDRESS;
      3'd1: cost = COST_WRITE_BYTES;
      3'd2: cost = COST_WRITE_INPUT;
      3'd3: cost = COST_READ_OUTPUT;
      default: cost = COST_READ_CHECKSUM;
    endcase
  end

  assign plb_size = 4'd0;
  assign plb_type = 3'd0;

  always_ff @(posedge clk) begin
    done <= 1'b0;
    if (!busy) begin
      if (cmd_valid) begin
        busy <= 1'b1;
        plb_abus <= cmd_address;
        plb_rnw <= cmd_read;
        plb_be <= cmd_be;
        plb_wrdbus <= cmd_data;
        answered <= 1'b0;
        acknowledged <= 1'b0;
        unanswered <= 5'd0;
        error <= 1'b0;
        waited <= 32'd1;
        whole <= fast ? 32'd0 : (fraction + cost) / 100;
        fraction <= fast ? fraction : (fraction + cost) % 100;
      end
    end else begin
      waited <= waited + 1'b1;
      if (!acknowledged && !plb_pavalid && waited + Handshake >= whole) plb_pavalid <= 1'b1;
      if (plb_pavalid) begin
        unanswered <= unanswered + 1'b1;
        if (sl_addrack) begin
          plb_pavalid  <= 1'b0;
          acknowledged <= 1'b1;
        end else if (unanswered == 5'd16) begin
          plb_pavalid <= 1'b0;
          acknowledged <= 1'b1;
          answered <= 1'b1;
          error <= 1'b1;
        end
      end
      if (sl_wrdack && sl_wrcomp) begin
        answered <= 1'b1;
        error <= sl_wrerr;
      end
      if (sl_rddack && sl_rdcomp) begin
        answered <= 1'b1;
        error <= sl_rderr;
        data <= sl_rddbus;
      end
      if (answered && waited + 1 >= whole) begin
        busy <= 1'b0;
        done <= 1'b1;
      end
    end
    if (rst) begin
      busy <= 1'b0;
      done <= 1'b0;
      plb_pavalid <= 1'b0;
      fraction <= 32'd0;
    end
  end
endmodule

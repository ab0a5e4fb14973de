(* SPDX-License-Identifier: MIT OR Apache-2.0 *)
(* WP takes a pointer to void for one to char, and casts it to no other type. So a machine is needed
   whose char is uint8_t, as it is on AArch64. No function that is proved has a char. *)
let () =
  File.new_machdep "aarch64" { Machdeps.gcc_x86_64 with Cil_types.char_is_unsigned = true }

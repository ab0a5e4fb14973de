// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes the module and its JavaScript for browsers, as the program `wasm-bindgen` does. That
//! program also has a runner of tests, whose crates no registry need have in the pinned versions.

use std::env;

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let words: Vec<_> = env::args().skip(1).collect();
    let [module, folder] = &words[..] else {
        bail!("usage: wiresum-bindgen MODULE FOLDER");
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .web(true)?
        .input_path(module)
        .out_name("wiresum")
        .typescript(true)
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
        .generate(folder)
        .with_context(|| format!("{module}: wasm-bindgen cannot read it"))
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures and outputs that JavaScript holds.

use std::io::{self, Read, Write};

use send_wrapper::SendWrapper;
use wasm_bindgen::prelude::*;
use wiresum_packet::fix::{Change, Output};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** A capture that the module reads, from its first byte to its last. */
export interface Source {
  readonly name: string;
  /** Copies bytes from `offset` on into `into`, and returns how many; 0 is the end. */
  read(offset: number, into: Uint8Array): number;
}

/** Where an output goes. The bytes are valid during the call alone. */
export interface Target {
  write(bytes: Uint8Array): void;
  /** Changes bytes that were written before. */
  patch(position: number, bytes: Uint8Array): void;
}
";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Source")]
    pub type Source;
    #[wasm_bindgen(method, getter)]
    fn name(this: &Source) -> String;
    #[wasm_bindgen(method, catch)]
    fn read(this: &Source, offset: f64, into: &mut [u8]) -> Result<u32, JsValue>;

    #[wasm_bindgen(typescript_type = "Target")]
    pub type Target;
    #[wasm_bindgen(method, catch)]
    fn write(this: &Target, bytes: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn patch(this: &Target, position: f64, bytes: &[u8]) -> Result<(), JsValue>;

    #[wasm_bindgen(js_name = String)]
    fn text(value: &JsValue) -> String;
}

fn error(value: JsValue) -> io::Error {
    io::Error::other(text(&value))
}

/// Reads a source. The module has one thread, so the value never leaves it.
pub(crate) struct Reader {
    source: SendWrapper<Source>,
    offset: u64,
}

impl Reader {
    pub(crate) fn new(source: Source) -> Reader {
        Reader {
            source: SendWrapper::new(source),
            offset: 0,
        }
    }

    /// The name that outputs show.
    pub(crate) fn name(&self) -> String {
        self.source.name()
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(self.offset as f64, into).map_err(error)?;
        self.offset += u64::from(read);
        Ok(read as usize)
    }
}

/// Writes to a target.
pub(crate) struct Writer(SendWrapper<Target>);

impl Writer {
    pub(crate) fn new(target: Target) -> Writer {
        Writer(SendWrapper::new(target))
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(error)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for Writer {
    fn write(&mut self, bytes: &[u8], _: &[Change]) -> io::Result<()> {
        self.0.write(bytes).map_err(error)
    }

    fn patch(&mut self, change: &Change) -> io::Result<()> {
        let patched = self.0.patch(change.position as f64, change.new_bytes());
        patched.map_err(error)
    }
}

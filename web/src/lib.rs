// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module of the page and of the npm package. Verdicts, outputs and repairs are the same as of
//! the program: this crate only carries bytes and texts between JavaScript and `wiresum-cli`.

mod hexdump;
mod host;

use std::ffi::OsString;
use std::num::NonZeroUsize;

use wasm_bindgen::prelude::*;
use wiresum_cli::verify::{self, Captures, Filter, Filtered};
use wiresum_cli::{FixOptions, Jobs, explain, shown};
use wiresum_packet::fix::Repairs;
use wiresum_packet::{Capture, Cause, fix};

use host::{Reader, Writer};

pub use host::{Source, Target};

/// The error of a function here: the text is for a person.
fn told(error: impl Into<anyhow::Error>) -> JsError {
    JsError::new(&shown(&format!("{:#}", error.into())))
}

/// The name of the kernel that computes the sums.
#[wasm_bindgen]
pub fn kernel_name() -> String {
    wiresum::kernel::in_use().name().to_owned()
}

/// The name of a file for a person: with escapes for characters that would reorder the text around
/// them, or are invisible.
#[wasm_bindgen(js_name = shown)]
pub fn shown_name(name: &str) -> String {
    shown(name)
}

/// The counts of a capture, as JSON: its object in `verify --json`.
#[wasm_bindgen]
pub fn count(source: Source) -> Result<String, JsError> {
    let reader = Reader::new(source);
    verify::count(&reader.name(), reader).map_err(told)
}

/// Captures that are verified one after the other, with the outputs of the program.
#[wasm_bindgen]
pub struct Verification {
    captures: Captures,
    filtered: Filtered,
}

#[wasm_bindgen]
impl Verification {
    /// No captures yet, and room for so many rows of wrong checksums.
    #[wasm_bindgen(constructor)]
    pub fn new(room: usize) -> Verification {
        Verification {
            captures: Captures::default(),
            filtered: Filtered::new(Filter::default(), room),
        }
    }

    /// Reads a capture to its end. Returns whether it could be read; if not, the outputs say why.
    pub fn read(&mut self, source: Source) -> Result<bool, JsError> {
        let reader = Reader::new(source);
        let name = reader.name();
        self.filtered.begin(&name);
        let read = self.captures.read(&name, reader, &mut self.filtered);
        read.map_err(told)
    }

    /// The page of `verify --html`.
    pub fn html(&self) -> Result<String, JsError> {
        self.captures.html().map_err(told)
    }

    /// The JSON of `verify --json`.
    pub fn json(&self) -> Result<String, JsError> {
        self.captures.json().map_err(told)
    }

    /// The first `most` wrong checksums that a filter finds, as JSON.
    pub fn rows(&self, filter: &str, most: usize) -> Result<String, JsError> {
        rows(&self.filtered, filter, most)
    }
}

/// A search in captures that have more wrong checksums than a [`Verification`] holds: only those
/// that the filter finds take room.
#[wasm_bindgen]
pub struct Search(Filtered);

#[wasm_bindgen]
impl Search {
    #[wasm_bindgen(constructor)]
    pub fn new(filter: &str, room: usize) -> Result<Search, JsError> {
        let filter = serde_json::from_str(filter).map_err(told)?;
        Ok(Search(Filtered::new(filter, room)))
    }

    pub fn read(&mut self, source: Source) -> Result<bool, JsError> {
        let reader = Reader::new(source);
        let name = reader.name();
        self.0.begin(&name);
        verify::tell(&name, reader, &mut self.0).map_err(told)
    }

    pub fn rows(&self, filter: &str, most: usize) -> Result<String, JsError> {
        rows(&self.0, filter, most)
    }
}

fn rows(filtered: &Filtered, filter: &str, most: usize) -> Result<String, JsError> {
    let filter = serde_json::from_str(filter).map_err(told)?;
    filtered.json(&filter, most).map_err(told)
}

/// The text of `explain` for one frame.
#[wasm_bindgen(js_name = explain)]
pub fn explain_frame(source: Source, frame: f64) -> Result<String, JsError> {
    let reader = Reader::new(source);
    explain::frame_of(&reader.name(), reader, frame as u64).map_err(told)
}

/// What a repair did.
#[wasm_bindgen(getter_with_clone)]
pub struct Repaired {
    /// The table of `fix`.
    pub table: String,
    /// The JSON of `fix --json`.
    pub json: String,
}

/// Repairs a capture: writes the bytes of `wiresum fix IN OUT` to the target, uncompressed. Without
/// causes, every bad checksum is repaired.
#[wasm_bindgen(js_name = fix)]
pub fn fix_capture(
    source: Source,
    out: &str,
    causes: Vec<String>,
    target: Target,
) -> Result<Repaired, JsError> {
    let is_cause =
        |key: &str| key == Repairs::ILLEGAL || Cause::ALL.iter().any(|cause| cause.key() == key);
    if let Some(unknown) = causes.iter().find(|key| !is_cause(key)) {
        return Err(JsError::new(&format!("no cause is called {unknown:?}")));
    }
    let reader = Reader::new(source);
    let options = FixOptions {
        input: reader.name().into(),
        out: Some(OsString::from(out)),
        only: causes,
        dry_run: false,
        in_place: false,
        undo: None,
        force: false,
        json: true,
        jobs: Jobs::at_most(Some(NonZeroUsize::MIN)),
    };
    let name = reader.name();
    let failed = |error: anyhow::Error| told(error.context(name.clone()));
    let capture = Capture::open(reader).map_err(|error| failed(error.into()))?;
    let wanted = |key: &str| options.only.is_empty() || options.only.iter().any(|only| only == key);
    let mut writer = Writer::new(target);
    let repairs = fix(capture, NonZeroUsize::MIN, wanted, &mut writer);
    let repairs = repairs.map_err(|error| failed(error.into()))?;
    Ok(Repaired {
        table: wiresum_cli::fix::table(&options, &repairs).map_err(told)?,
        json: wiresum_cli::fix::counts(&options, &repairs).map_err(told)?,
    })
}

/// Writes the rows of `verify --csv` to the target.
#[wasm_bindgen]
pub fn csv(sources: Vec<Source>, target: Target) -> Result<(), JsError> {
    let readers = sources.into_iter().map(Reader::new);
    let captures = readers.map(|reader| (reader.name(), reader));
    verify::csv(Box::new(Writer::new(target)), captures).map_err(told)
}

/// Makes a capture of frames in hexadecimal, in the format pcapng.
#[wasm_bindgen]
pub fn hexdump(text: &str) -> Result<Vec<u8>, JsError> {
    hexdump::capture(text).map_err(|error| JsError::new(&error))
}

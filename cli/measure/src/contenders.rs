// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contenders: the library, its kernels, the yardsticks, and the rivals that a caller adds.

use anyhow::bail;

use crate::ffi::{self, Copier, Summer};
use crate::report::{Entry, Role};
use crate::verify;

/// A function to measure, or a pair of them.
#[derive(Clone)]
pub struct Contender {
    pub name: String,
    pub role: Role,
    pub sum: Option<Summer>,
    pub copy: Option<Copier>,
    /// Its version, for example. The run adds the mistake that it finds.
    pub note: String,
}

impl Contender {
    /// A function that a user would pick instead of wiresum's.
    #[must_use]
    pub fn rival(name: &str, sum: Summer, note: &str) -> Contender {
        Contender {
            name: name.to_owned(),
            role: Role::Rival,
            sum: Some(sum),
            copy: None,
            note: note.to_owned(),
        }
    }

    /// Verifies the contender.
    pub(crate) fn entry(&self) -> Entry {
        let mut entry = Entry {
            name: self.name.clone(),
            role: self.role,
            verified: None,
            note: self.note.clone(),
        };
        let mut mistakes = Vec::new();
        if let (Some(summer), true) = (self.sum, self.role != Role::Yardstick) {
            mistakes.extend(verify::sum(summer).err());
            entry.verified = Some(true);
        }
        if let Some(copier) = self.copy {
            let sums = self.role != Role::Yardstick;
            mistakes.extend(verify::copy(copier, sums).err());
            entry.verified = Some(true);
        }
        if let Some(mistake) = mistakes.into_iter().next() {
            entry.verified = Some(false);
            entry.note = match entry.note.as_str() {
                "" => mistake,
                note => format!("{note}; {mistake}"),
            };
        }
        entry
    }
}

/// The yardstick of a mix in DRAM.
pub(crate) const TOUCH: &str = "touch one line";

/// The library, the kernels of these names (all that the CPU supports if there is no name), and the
/// yardsticks.
pub(crate) fn contenders(names: &[String]) -> anyhow::Result<Vec<Contender>> {
    let kernels = ffi::kernels();
    let known: Vec<_> = kernels.iter().map(|&(name, ..)| name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!(
            "there is no kernel \"{name}\" that this CPU supports; there are {}",
            known.join(", ")
        );
    }
    let mut all = vec![
        Contender {
            name: "wiresum".to_owned(),
            role: Role::Library,
            sum: Some(Summer::LIBRARY),
            copy: Some(Copier::LIBRARY),
            note: format!(
                "the public functions, which use {} and fold",
                ffi::kernel_in_use()
            ),
        },
        Contender {
            name: "wiresum_partial".to_owned(),
            role: Role::Library,
            sum: Some(Summer::partial()),
            copy: None,
            note: "the public function that leaves the fold to its caller, as Linux' \
                   csum_partial, the vectorized loops and the kernels do"
                .to_owned(),
        },
    ];
    all.push(Contender {
        name: "wiresum_sum, by pointer".to_owned(),
        role: Role::Library,
        sum: Some(Summer::by_pointer()),
        copy: None,
        note: "the public function through a pointer, as each rival is called; it folds".to_owned(),
    });
    for (name, sum, copy) in kernels {
        if names.is_empty() || names.iter().any(|asked| asked == name) {
            all.push(Contender {
                name: name.to_owned(),
                role: Role::Kernel,
                sum: Some(sum),
                copy: Some(copy),
                note: String::new(),
            });
        }
    }
    all.extend(yardsticks());
    Ok(all)
}

fn yardsticks() -> Vec<Contender> {
    let yardstick = |name: &str, sum, copy, note: &str| Contender {
        name: name.to_owned(),
        role: Role::Yardstick,
        sum,
        copy,
        note: note.to_owned(),
    };
    let about = "loads every aligned vector that holds a byte of the data, and does no more";
    let loads = Summer::loads().into_iter();
    let mut all: Vec<_> = loads
        .map(|(name, load)| yardstick(name, Some(load), None, about))
        .collect();
    let about = "loads as many vectors as the longest data of the mix touch, without a branch \
                 that depends on the length";
    let unbranched = Summer::unbranched_loads(0).into_iter();
    all.extend(unbranched.map(|(name, _)| yardstick(name, None, None, about)));
    let memcpy = Some(Copier::memcpy());
    all.push(yardstick("memcpy", None, memcpy, "of the C library"));
    let about = "loads the first byte of every packet";
    all.push(yardstick(TOUCH, None, None, about));
    all
}

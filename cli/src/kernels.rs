// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum kernels`, and the environment variable that selects a kernel.

use std::env;
use std::io::Write;

use anyhow::{anyhow, bail};
use wiresum::kernel::{self, Kernel};

use crate::outcome::Outcome;

/// The environment variable that names a kernel.
pub(crate) const VARIABLE: &str = "WIRESUM_KERNEL";

/// Selects the kernel that the environment variable names. Without the variable, the library
/// selects the best one.
pub(crate) fn choose() -> anyhow::Result<()> {
    let Some(name) = env::var_os(VARIABLE) else {
        return Ok(());
    };
    let name = name.to_string_lossy();
    let kernel = kernel::by_name(&name).ok_or_else(|| {
        anyhow!(
            "there is no kernel \"{name}\"; the kernels are {}",
            names(kernel::all())
        )
    })?;
    let Some(supported) = kernel.supported() else {
        let usable = names(kernel::all().filter(|kernel| kernel.is_supported()));
        bail!("this CPU does not support {kernel}; it supports {usable}");
    };
    supported.make_default();
    Ok(())
}

fn names(kernels: impl Iterator<Item = Kernel>) -> String {
    kernels.map(Kernel::name).collect::<Vec<_>>().join(", ")
}

pub(crate) fn run() -> anyhow::Result<Outcome> {
    let width = kernel::all()
        .map(|kernel| kernel.name().len())
        .max()
        .unwrap_or(0);
    let mut out = anstream::stdout().lock();
    for kernel in kernel::all() {
        let (supported, style) = if kernel.is_supported() {
            ("supported", anstyle::Style::new())
        } else {
            ("not supported", anstyle::Style::new().dimmed())
        };
        let in_use = if kernel == kernel::in_use() {
            "in use"
        } else {
            ""
        };
        let line = format!("{kernel:width$}  {supported:13}  {in_use}");
        writeln!(out, "{style}{}{style:#}", line.trim_end())?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

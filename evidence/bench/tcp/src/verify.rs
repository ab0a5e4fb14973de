// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verifies the stacks: payloads in every variant and test, damaged segments that every checksum
//! must reject, and the number that no checksum of 16 bits can see.

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF};

use crate::damage::{Damage, sums_are_right};
use crate::network::Faults;
use crate::offload;
use crate::stacks::Stack;
use crate::traffic::{self, Test};
use crate::variants::{VARIANTS, Variant};

/// Each test with little data, its payload compared byte by byte by `traffic::run`.
pub fn payloads(stacks: &mut [Box<dyn Stack>]) -> Result<()> {
    for test in Test::ALL {
        for (variant, stack) in VARIANTS.iter().zip(stacks.iter_mut()) {
            let amount = if test.is_stream() { 2 << 20 } else { 500 };
            let run = traffic::run(stack.as_mut(), test, amount, true)
                .with_context(|| format!("{}, {}", variant.name(), test.name()))?;
            if test.is_stream() {
                ensure!(
                    run.deepest_input > 1 && run.deepest.unacknowledged > 0,
                    "{}: queues were never filled",
                    variant.name()
                );
            }
        }
        println!(
            "payload  {:<12} right in all {} variants",
            test.name(),
            VARIANTS.len()
        );
    }
    Ok(())
}

#[derive(Clone, Debug, Serialize)]
pub struct Rejection {
    pub variant: String,
    pub damage: Damage,
    pub frames: u64,
    pub damaged: u64,
    pub undetectable: u64,
    pub rejected_by_checksum: u64,
    pub rejected_by_format: u64,
    pub rejected_silently: u64,
}

/// A run over a bad network: the payload arrives all the same, and no damaged segment is accepted.
pub fn bad_network(
    variant: &Variant,
    stack: &mut dyn Stack,
    test: Test,
    amount: u64,
    faults: &Faults,
) -> Result<Rejection> {
    let world = stack.world();
    world.network.borrow_mut().faults = faults.clone();
    let ran = traffic::run(stack, test, amount, false);
    world.network.borrow_mut().faults = Faults::default();
    let context = || format!("{} on a bad network: {faults:?}", variant.name());
    ran.with_context(context)?;
    let (counts, rejected) = (world.network.borrow().counts, *world.rejected.borrow());
    ensure!(
        rejected.accepted == 0,
        "{}: {} damaged segments were accepted",
        context(),
        rejected.accepted
    );
    ensure!(
        rejected.total() == counts.damaged - counts.undetectable,
        "{}: {} segments were damaged, and {} rejected",
        context(),
        counts.damaged - counts.undetectable,
        rejected.total()
    );
    Ok(Rejection {
        variant: variant.name(),
        damage: faults.damage,
        frames: counts.frames,
        damaged: counts.damaged,
        undetectable: counts.undetectable,
        rejected_by_checksum: rejected.by_checksum,
        rejected_by_format: rejected.by_format,
        rejected_silently: rejected.silently,
    })
}

/// Runs every variant with checksums, with every model of damage, on a network that also drops,
/// duplicates and reorders.
pub fn rejections(stacks: &mut [Box<dyn Stack>], amount: u64) -> Result<Vec<Rejection>> {
    let mut rows = Vec::new();
    for (variant, stack) in VARIANTS
        .iter()
        .zip(stacks.iter_mut())
        .filter(|(variant, _)| !variant.is_off())
    {
        for damage in Damage::ALL {
            let faults = Faults {
                corrupt: 0.1,
                drop: 0.01,
                duplicate: 0.02,
                reorder: 0.02,
                damage,
                damage_from: 0,
            };
            rows.push(bad_network(
                variant,
                stack.as_mut(),
                Test::Mixed,
                amount,
                &faults,
            )?);
        }
        let of_variant = &rows[rows.len() - Damage::ALL.len()..];
        let total = |count: fn(&Rejection) -> u64| of_variant.iter().map(count).sum::<u64>();
        let rejected =
            total(|row| row.rejected_by_checksum + row.rejected_by_format + row.rejected_silently);
        ensure!(
            rejected > 100,
            "{}: only {rejected} damaged segments reached it, which shows nothing",
            variant.name()
        );
        println!(
            "damage   {:<19} {} frames, {} damaged: {} rejected by checksum, {} by format, \
             {} without a word; {} that no 16-bit sum sees",
            variant.name(),
            total(|row| row.frames),
            total(|row| row.damaged),
            total(|row| row.rejected_by_checksum),
            total(|row| row.rejected_by_format),
            total(|row| row.rejected_silently),
            total(|row| row.undetectable),
        );
    }
    Ok(rows)
}

/// With checksums off, damage must come through, and the comparison of payloads must see it: else
/// the comparison would show nothing. Comes last, as it leaves the stacks with an open connection.
pub fn controls(stacks: &mut [Box<dyn Stack>]) -> Result<()> {
    for (variant, stack) in VARIANTS
        .iter()
        .zip(stacks.iter_mut())
        .filter(|(variant, _)| variant.is_off())
    {
        let faults = Faults {
            corrupt: 0.1,
            damage: Damage::Bit,
            damage_from: 40,
            ..Faults::default()
        };
        match bad_network(variant, stack.as_mut(), Test::Bulk, 1 << 20, &faults) {
            Err(error) if format!("{error:#}").contains("the payload is not what was sent") => {
                println!(
                    "control  {:<19} takes damaged segments, and the comparison notices",
                    variant.name()
                );
            }
            Err(error) => return Err(error),
            Ok(_) => bail!(
                "{} has no checksums, and damage did not come through",
                variant.name()
            ),
        }
    }
    Ok(())
}

#[derive(Clone, Debug, Serialize)]
pub struct Unseen {
    pub damage: Damage,
    pub packets: u64,
    pub unseen: u64,
    pub expected: f64,
    /// The probability of a count at least as far from the expected one.
    pub p: f64,
}

/// Damages many packets of random data after their IPv4 header, and counts those whose sums stay
/// right. wiresum's verdict must equal the verdict of the plain loop each time.
pub fn against_theory(packets: u64, seed: u64) -> Result<Vec<Unseen>> {
    const LEN: usize = 576;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut bare = vec![0; LEN];
    random.fill(&mut bare);
    bare[0] = 0x45;
    bare[2..4].copy_from_slice(&(LEN as u16).to_be_bytes());
    bare[6..8].copy_from_slice(&[0x40, 0]);
    bare[9] = 6;
    let (mut packet, mut damaged, mut received) = (vec![0; LEN], vec![0; LEN], vec![0; LEN]);
    let mut rows = Vec::new();
    for damage in Damage::ALL {
        let (mut changed, mut unseen) = (0, 0);
        for number in 0..packets {
            if number % 64 == 0 {
                random.fill(&mut bare[20..]);
                bare[36..38].fill(0);
                offload::transmit(&mut packet, &bare);
            }
            damaged.copy_from_slice(&packet);
            if damage.apply(&mut damaged, 20, &mut random) {
                changed += 1;
                let right = sums_are_right(&damaged);
                unseen += u64::from(right);
                ensure!(
                    offload::receive(&mut received, &damaged) == right,
                    "wiresum and RFC 1071's loop disagree about a packet"
                );
            }
        }
        let theory = damage.theory((LEN - 20) / 2);
        let p = two_sided(changed, unseen, theory)?;
        ensure!(
            p > 1e-6,
            "{}: {unseen} of {changed} were not seen, where theory says {theory:.3e}; p = {p:.1e}, \
             seed {seed}",
            damage.name()
        );
        println!(
            "theory   {:<27} {unseen} of {changed} damaged packets keep their sum; expected {:.1} \
             (p = {p:.2})",
            damage.name(),
            theory * changed as f64
        );
        rows.push(Unseen {
            damage,
            packets: changed,
            unseen,
            expected: theory * changed as f64,
            p,
        });
    }
    Ok(rows)
}

fn two_sided(trials: u64, count: u64, probability: f64) -> Result<f64> {
    let binomial = Binomial::new(probability, trials)?;
    let at_most = binomial.cdf(count);
    let at_least = if count == 0 {
        1.0
    } else {
        binomial.sf(count - 1)
    };
    Ok((2.0 * at_most.min(at_least)).min(1.0))
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The modules of each crate depend on each other in one direction: their `crate::` paths form no
//! cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the text without its comments: a link in a comment is no dependency.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a source file");
    let code = text.lines().map(|line| line.split("//").next());
    code.flatten().collect::<Vec<_>>().join("\n")
}

/// Returns the text of all files of a module: `name.rs`, or every file below the folder `name`.
fn code_of_module(src: &Path, name: &str) -> String {
    let file = src.join(name).with_extension("rs");
    if file.exists() {
        code(&file)
    } else {
        code_below(&src.join(name))
    }
}

fn code_below(folder: &Path) -> String {
    let files = fs::read_dir(folder).expect("the folder of a module");
    let code = files.map(|file| {
        let path = file.expect("a file").path();
        match path.is_dir() {
            true => code_below(&path),
            false => code(&path),
        }
    });
    code.collect::<Vec<_>>().join("\n")
}

/// Returns the first name of each path in a `use` list such as `{a::B, c::{D, E}, F}`, or in a
/// path such as `a::B`.
fn first_names(text: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let Some(list) = text.strip_prefix('{') else {
        return vec![&text[..name(text)]];
    };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let path = list[start..at].trim();
                names.extend((!path.is_empty()).then(|| &path[..name(path)]));
                start = at + 1;
                if c == '}' {
                    return names;
                }
            }
            _ => {}
        }
    }
    panic!("a list without an end: {text}");
}

/// Returns the graph: each module of `lib.rs`, and the modules that its `crate::` paths lead to. A
/// name that `lib.rs` exports leads to the module that defines the name.
fn graph(of: &str) -> Graph {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let src = root.expect("the root").join(of).join("src");
    let root = code(&src.join("lib.rs"));
    let statements = || root.split(';').map(str::trim);
    let modules: Vec<_> = statements()
        .filter_map(|line| line.rsplit_once("mod ").map(|(_, name)| name))
        .collect();
    let exported: BTreeMap<_, _> = statements()
        .filter_map(|line| line.strip_prefix("pub use ")?.split_once("::"))
        .flat_map(|(module, names)| {
            first_names(names)
                .into_iter()
                .map(move |name| (name, module))
        })
        .collect();
    let edges = |&module: &&str| {
        let code = code_of_module(&src, module);
        let paths = code
            .match_indices("crate::")
            .map(|(at, path)| at + path.len());
        let names: Vec<_> = paths.flat_map(|at| first_names(&code[at..])).collect();
        let leads_to = names.into_iter().map(|name| {
            let of_module = modules.contains(&name).then_some(name);
            let module = of_module.or_else(|| exported.get(name).copied());
            module.unwrap_or_else(|| panic!("crate::{name} leads to no module"))
        });
        let others = leads_to.filter(|other| *other != module);
        (module.to_owned(), others.map(str::to_owned).collect())
    };
    modules.iter().map(edges).collect()
}

/// Removes each module whose dependencies have all been removed, until none is left to remove. The
/// modules that remain are on a cycle, or depend on one.
fn without_cycle(mut graph: Graph) -> Graph {
    loop {
        let leaves: Vec<_> = graph
            .iter()
            .filter(|(_, others)| !others.iter().any(|other| graph.contains_key(other)))
            .map(|(module, _)| module.clone())
            .collect();
        if leaves.is_empty() {
            return graph;
        }
        for leaf in leaves {
            graph.remove(&leaf);
        }
    }
}

/// The crates with modules. The types of the crate `wiresum` convert into each other.
const CRATES: [&str; 4] = ["packet", "cli", "cli/measure", "python"];

#[test]
fn modules_form_no_cycle() {
    let packet = graph("packet");
    assert!(packet["verdict"].contains("cause"), "{packet:#?}");
    assert!(packet["walk"].contains("capture"), "{packet:#?}");
    let cli = graph("cli");
    assert!(cli["args"].contains("plan"), "{cli:#?}");
    for name in CRATES {
        let graph = graph(name);
        assert!(graph.values().any(|others| !others.is_empty()), "{name}");
        let rest = without_cycle(graph);
        assert!(
            rest.is_empty(),
            "these modules of {name} form a cycle: {rest:#?}"
        );
    }
}

#[test]
fn a_cycle_is_found() {
    let mut graph = graph("packet");
    let edge = |graph: &mut Graph, from: &str, to: &str| {
        let others = graph.get_mut(from).expect("a module");
        others.insert(to.to_owned());
    };
    edge(&mut graph, "walk", "verdict");
    let rest = without_cycle(graph);
    assert!(rest.contains_key("walk") && rest.contains_key("verdict"));
}

#[test]
fn names_of_a_use_list() {
    assert_eq!(first_names("walk::{Field, Found};"), ["walk"]);
    assert_eq!(first_names("{a::{B, C}, D,\n    e::F};"), ["a", "D", "e"]);
}

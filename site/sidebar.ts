// SPDX-License-Identifier: MIT OR Apache-2.0
// The pages in the order of the sidebar, by reader.
import type { StarlightUserConfig } from "@astrojs/starlight/types";

type Sidebar = NonNullable<StarlightUserConfig["sidebar"]>;

const group = (label: string, ...items: Sidebar): Sidebar[number] => ({
  label,
  items,
  collapsed: true,
});
const page = (label: string, slug: string): Sidebar[number] => ({ label, slug });

export const sidebar: Sidebar = [
  { label: "Drop a capture", link: "/" },
  page("About wiresum", "about"),
  { label: "Install", link: "/install/" },
  page("How it compares", "compare"),
  group(
    "I see bad checksums",
    page("What to do", "guides/bad-checksums"),
    page("Why a checksum is bad", "packet/causes"),
    page("The program wiresum", "cli"),
    page("What it reads", "packet"),
    page("In a browser", "web"),
    page("Example captures", "examples"),
  ),
  group(
    "I write a stack",
    page("Where to begin", "guides/stack"),
    page("In C", "guides/stack/c"),
    page("In Rust", "guides/stack/rust"),
    page("lwIP", "guides/stack/lwip"),
    page("smoltcp", "guides/stack/smoltcp"),
    page("DPDK", "guides/stack/dpdk"),
    page("Zephyr", "guides/stack/zephyr"),
    page("eBPF", "bpf"),
    page("The C library", "c"),
    { label: "C API", link: "/api/c/" },
    page("The binary interface", "c/abi"),
    page("The Go module", "go"),
    page("The Rust crate", "rust"),
    { label: "Rust API", link: "/api/rust/wiresum/" },
    page("The contract", "spec/checksum"),
  ),
  group(
    "I use Python",
    page("A guide in Python", "python/guide"),
    page("The Python package", "python"),
    page("Archives of captures", "python/archives"),
  ),
  group(
    "I use JavaScript",
    page("A guide in JavaScript", "guides/javascript"),
    page("The npm package", "web/npm"),
    page("The page in a browser", "web"),
  ),
  group(
    "I have an archive",
    page("Where to begin", "guides/archive"),
    page("Archives of captures", "python/archives"),
    page("How fast captures are verified", "evidence/bench/captures"),
    page("How fast archives are verified", "evidence/bench/archives"),
  ),
  group(
    "I build hardware",
    page("Where to begin", "guides/hardware"),
    page("The blocks and engines", "rtl"),
  ),
  group(
    "I care about kernels",
    page("Where to begin", "guides/kernels"),
    page("How kernels work", "c/kernels"),
    page("The benchmarks", "evidence/bench"),
    page("Instructions", "evidence/bench/results/instructions"),
    page("What TCP gains", "evidence/bench/tcp"),
    page("A run of that benchmark", "evidence/bench/results/tcp/intel-emerald-rapids"),
    page("Its instructions", "evidence/bench/results/tcp/instructions"),
  ),
  {
    label: "Machines on record",
    items: [{ autogenerate: { directory: "machines" } }],
    collapsed: true,
  },
  group(
    "Tested and proved",
    page("Where to begin", "guides/trust"),
    page("What is tested", "evidence"),
    page("Proofs of the kernels", "evidence/proof"),
    page("Proof of the scalar code", "evidence/proof/scalar"),
  ),
  group(
    "Five documents",
    page("The laboratory", "evidence/lab"),
    page("IBM, AIX 3.2", "evidence/lab/aix"),
    page("Edwards, eCos", "evidence/lab/ecos"),
    page("Freescale, AltiVec", "evidence/lab/freescale"),
    page("IBM, AltiVec", "evidence/lab/altivec"),
    page("LACCEI, offload engine", "evidence/lab/tcoe"),
  ),
  group(
    "The project",
    page("Design", "docs/design"),
    page("Contributing", "docs/contributing"),
    page("What comes from elsewhere", "docs/dependencies"),
    page("Releases", "docs/releases"),
    page("Changelog", "docs/changelog"),
    page("This site", "site"),
  ),
];

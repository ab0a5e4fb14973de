# SPDX-License-Identifier: MIT OR Apache-2.0
# For nixpkgs: the program, the C library, the manual pages and the completions.
{
  lib,
  cmake,
  fetchurl,
  installShellFiles,
  python3,
  rustPlatform,
}:

rustPlatform.buildRustPackage {
  pname = "wiresum";
  version = "@VERSION@";

  src = fetchurl {
    url = "https://github.com/wiresum/wiresum/releases/download/v@VERSION@/wiresum-@VERSION@.tar.gz";
    hash = "@SRI@";
  };
  cargoLock.lockFile = ./Cargo.lock;

  nativeBuildInputs = [
    cmake
    installShellFiles
    python3
  ];
  dontUseCmakeConfigure = true;

  buildType = "dist";
  buildFeatures = [
    "bench"
    "parquet"
  ];
  buildAndTestSubdir = "cli";

  postBuild = ''
    cargo run --offline --profile dist -p wiresum-cli --features bench,parquet,pages \
      --example pages -- pages
    python3 c/manual.py pages/man3
    cmake -S c -B build/c -DWIRESUM_TESTS=OFF -DCMAKE_INSTALL_PREFIX=$out \
      -DCMAKE_INSTALL_LIBDIR=lib
    cmake --build build/c
  '';

  postInstall = ''
    cmake --install build/c
    install -m 644 bpf/wiresum_bpf.h $out/include
    installManPage pages/man1/*.1 pages/man3/*.3
    installShellCompletion pages/completions/{wiresum.bash,wiresum.fish,_wiresum}
  '';

  meta = {
    description = "Internet checksum (RFC 1071): a C library, and a program that judges captures";
    homepage = "https://github.com/wiresum/wiresum";
    changelog = "https://github.com/wiresum/wiresum/blob/v@VERSION@/docs/CHANGELOG.md";
    license = with lib.licenses; [
      mit
      asl20
    ];
    mainProgram = "wiresum";
    platforms = lib.platforms.unix;
  };
}

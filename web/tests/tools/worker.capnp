# SPDX-License-Identifier: MIT OR Apache-2.0
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "wiresum.wasm", wasm = embed "wiresum.wasm"),
    (name = "checksum.wasm", wasm = embed "checksum.wasm"),
  ],
  compatibilityDate = "2026-11-01"
);

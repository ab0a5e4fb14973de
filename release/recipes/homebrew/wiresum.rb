# SPDX-License-Identifier: MIT OR Apache-2.0
# Homebrew's formula: the program, the C library, the manual pages and the completions.
class Wiresum < Formula
  desc "Verifies and repairs the Internet checksums of packet captures"
  homepage "https://github.com/wiresum/wiresum"
  url "https://github.com/wiresum/wiresum/releases/download/v@VERSION@/wiresum-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "cmake" => :build
  depends_on "rust" => :build
  uses_from_macos "python" => :build

  def install
    features = "bench,parquet"
    profile = ["--profile", "dist", "--locked"]
    system "cargo", "run", *profile, "-p", "wiresum-cli", "--features", "#{features},pages",
           "--example", "pages", "--", "pages"
    system "cargo", "install", *profile, "--features", features, "--root", prefix, "--path", "cli"
    man1.install Dir["pages/man1/*.1"]
    bash_completion.install "pages/completions/wiresum.bash" => "wiresum"
    zsh_completion.install "pages/completions/_wiresum"
    fish_completion.install "pages/completions/wiresum.fish"

    system "cmake", "-S", "c", "-B", "build/c", "-DWIRESUM_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build/c"
    system "cmake", "--install", "build/c"
    system "python3", "c/manual.py", "pages/man3"
    man3.install Dir["pages/man3/*.3"]
    include.install "bpf/wiresum_bpf.h"
    pkgshare.install "examples/office.pcapng"
  end

  test do
    capture = pkgshare/"office.pcapng"
    assert_match "142 bad checksums", shell_output("#{bin}/wiresum verify #{capture}", 1)
    (testpath/"use.c").write <<~C
      #include <wiresum.h>
      int main(void) { return wiresum_value(wiresum_sum("\\x00\\x01\\xf2\\x03", 4)) != 0xf204; }
    C
    system ENV.cc, "use.c", "-I#{include}", "-L#{lib}", "-lwiresum", "-o", "use"
    system "./use"
  end
end

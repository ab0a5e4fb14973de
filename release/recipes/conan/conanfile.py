# SPDX-License-Identifier: MIT OR Apache-2.0
"""Conan's recipe of the C library. `conan create . -o ...`; WIRESUM_SOURCE is an archive that is
here already, instead of the one of the release."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rm, rmdir, unzip


class Wiresum(ConanFile):
    name = "wiresum"
    version = "@VERSION@"
    description = "The Internet checksum (RFC 1071), correct for every input and fast"
    license = "MIT OR Apache-2.0"
    url = "https://github.com/wiresum/wiresum"
    homepage = url
    topics = ("checksum", "network", "rfc1071", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def configure(self):
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        name = f"wiresum-{self.version}.tar.gz"
        if archive := os.environ.get("WIRESUM_SOURCE"):
            unzip(self, archive, strip_root=True)
        else:
            url = f"{self.homepage}/releases/download/v{self.version}/{name}"
            get(self, url, sha256="@SHA256@", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["WIRESUM_TESTS"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder="c")
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE-*", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in ("share", "lib/cmake", "lib/pkgconfig"):
            rmdir(self, os.path.join(self.package_folder, folder))
        lib = os.path.join(self.package_folder, "lib")
        for pattern in ("*.a", "*static.lib") if self.options.shared else ("*.so*", "*.dylib"):
            rm(self, pattern, lib)

    def package_info(self):
        static_of_msvc = self.settings.os == "Windows" and not self.options.shared
        self.cpp_info.libs = ["wiresum_static" if static_of_msvc else "wiresum"]
        self.cpp_info.set_property("cmake_file_name", "wiresum")
        self.cpp_info.set_property("cmake_target_name", "wiresum::wiresum")
        self.cpp_info.set_property("pkg_config_name", "wiresum")
        if self.options.shared:
            self.cpp_info.defines = ["WIRESUM_SHARED"]

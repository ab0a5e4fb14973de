# SPDX-License-Identifier: MIT OR Apache-2.0
vcpkg_download_distfile(ARCHIVE
  URLS "https://github.com/wiresum/wiresum/releases/download/v${VERSION}/wiresum-${VERSION}.tar.gz"
  FILENAME "wiresum-${VERSION}.tar.gz"
  SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}/c" OPTIONS -DWIRESUM_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/wiresum)
vcpkg_fixup_pkgconfig()

# CMakeLists.txt installs both libraries, and vcpkg has one of them.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  file(GLOB unwanted
    "${CURRENT_PACKAGES_DIR}/lib/*.so*" "${CURRENT_PACKAGES_DIR}/debug/lib/*.so*"
    "${CURRENT_PACKAGES_DIR}/lib/*.dylib" "${CURRENT_PACKAGES_DIR}/debug/lib/*.dylib")
  file(REMOVE_RECURSE ${unwanted} "${CURRENT_PACKAGES_DIR}/bin" "${CURRENT_PACKAGES_DIR}/debug/bin")
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")

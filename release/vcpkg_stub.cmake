# SPDX-License-Identifier: MIT OR Apache-2.0
# The functions of vcpkg that the port calls, each with what it does for a port of CMake: for
# release.test_artifacts, on a machine without vcpkg. OUT is a folder, ARCHIVE_HERE the archive.
set(CURRENT_PACKAGES_DIR "${OUT}/packages")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

function(vcpkg_download_distfile variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILENAME;SHA512" "URLS")
  file(SHA512 "${ARCHIVE_HERE}" digest)
  if(NOT digest STREQUAL arg_SHA512 OR NOT arg_URLS MATCHES "/${arg_FILENAME}$")
    message(FATAL_ERROR "${arg_URLS} is not ${ARCHIVE_HERE}")
  endif()
  set(${variable} "${ARCHIVE_HERE}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION "${OUT}/src")
  file(GLOB top "${OUT}/src/*")
  set(${variable} "${top}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
  run("${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${OUT}/build" ${arg_OPTIONS}
    -DBUILD_SHARED_LIBS=${shared} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib
    "-DCMAKE_C_FLAGS_RELEASE=-O1" "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}")
endfunction()

function(vcpkg_cmake_install)
  run("${CMAKE_COMMAND}" --build "${OUT}/build")
  run("${CMAKE_COMMAND}" --install "${OUT}/build")
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/wiresum-config.cmake")
    message(FATAL_ERROR "${arg_CONFIG_PATH} has no wiresum-config.cmake")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  foreach(file IN LISTS arg_FILE_LIST)
    file(READ "${file}" text)
    file(APPEND "${CURRENT_PACKAGES_DIR}/share/copyright" "${text}")
  endforeach()
endfunction()

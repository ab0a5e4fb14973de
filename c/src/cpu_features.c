/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Detection of CPU features. An x86 CPU answers every program (CPUID). On other CPUs the operating
 * system says:
 *
 *     Linux              getauxval; on RISC-V first riscv_hwprobe, by its system call
 *     FreeBSD, OpenBSD   elf_aux_info
 *     Apple              sysctlbyname
 *     Windows            IsProcessorFeaturePresent
 *     others, none       nothing: the features are those that the compiler was told to assume
 *                        (-march, -mcpu), and wiresum_use_kernel accepts every kernel
 *
 * These functions are the only symbols that the library takes from another one, and only in hosted
 * builds for a CPU other than x86. getauxval is not a weak symbol: a weak reference finds nothing
 * in a static libc.a, and the library would silently choose a slower kernel.
 */
#include "cpu_features.h"

/* A build of the tests may hide features of the CPU from the library, to see what the library does
   on a CPU without them, or add features whose instructions it emulates. */
#if !defined(WIRESUM_HIDE_CPU_FEATURES)
#  define WIRESUM_HIDE_CPU_FEATURES 0u
#endif
#if !defined(WIRESUM_ADD_CPU_FEATURES)
#  define WIRESUM_ADD_CPU_FEATURES 0u
#endif

#if WIRESUM_X86

/* Intel SDM: volume 2A for CPUID; volume 1, sections 14.3 and 15.2, for the state that the
   operating system must save. */
#  include <cpuid.h>

/* A test of the detection answers for the CPU. */
#  if !defined(WIRESUM_CPUID)
#    define WIRESUM_CPUID __get_cpuid_count
#    define WIRESUM_XCR0  xcr0

/* Returns the register XCR0. The caller has seen OSXSAVE. The intrinsic would need a target
   attribute. */
static uint64_t xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}
#  endif

/* Bits of leaf 7, subleaf 1, which older versions of cpuid.h lack. */
enum { AVXVNNI_EAX = 1 << 4, VNNI_INT16_EDX = 1 << 10 };

static unsigned detected(void)
{
    unsigned a, b, c, d, features = 0;

    if (!WIRESUM_CPUID(1, 0, &a, &b, &c, &d))
        return 0;
    if (d & bit_SSE2)
        features |= WIRESUM_CPU_SSE2;
    /* Family 6, model 85 of any stepping: Skylake-SP, Cascade Lake, Cooper Lake.
       c/kernels/README.md has the figures. */
    if ((a & 0x0FFF0FF0) == 0x00050650)
        features |= WIRESUM_CPU_SLOWS_AT_512;
    if (!(c & bit_OSXSAVE))
        return features;
    const uint64_t saved = WIRESUM_XCR0();
    const bool ymm_saved = (saved & 0x06) == 0x06; /* SSE and AVX state */
    const bool zmm_saved = (saved & 0xE6) == 0xE6; /* and opmask, upper ZMM, ZMM16 to ZMM31 */

    if (!WIRESUM_CPUID(7, 0, &a, &b, &c, &d))
        return features;
    const unsigned subleaves = a;
    if (ymm_saved && (b & bit_AVX2) && (b & bit_BMI2))
        features |= WIRESUM_CPU_AVX2;
    if ((features & WIRESUM_CPU_AVX2) && zmm_saved && (b & bit_AVX512F) && (b & bit_AVX512BW)
        && (b & bit_AVX512VL)) {
        features |= WIRESUM_CPU_AVX512;
        if (c & bit_AVX512VNNI)
            features |= WIRESUM_CPU_AVX512VNNI;
    }
    if ((features & WIRESUM_CPU_AVX2) && subleaves >= 1 && WIRESUM_CPUID(7, 1, &a, &b, &c, &d)) {
        if (a & AVXVNNI_EAX)
            features |= WIRESUM_CPU_AVXVNNI;
        if (d & VNNI_INT16_EDX)
            features |= WIRESUM_CPU_VNNI_INT16;
    }
    return features;
}

unsigned wiresum_cpu_features(void)
{
    return (detected() & ~WIRESUM_HIDE_CPU_FEATURES) | WIRESUM_ADD_CPU_FEATURES;
}

/* Leaf 4 (Intel SDM volume 2A, CPUID) and leaf 8000001D (AMD APM volume 3) have the same form. A
   CPU of one vendor has zeros in the leaf of the other. */
static size_t largest_cache(void)
{
    static const unsigned leaves[] = { 4, 0x8000001D };
    size_t largest = 0;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned index = 0; index < 8; index++) {
            unsigned a, b, c, d;
            enum { NONE = 0, INSTRUCTIONS = 2 };
            if (!WIRESUM_CPUID(leaves[i], index, &a, &b, &c, &d) || (a & 31) == NONE)
                break;
            const size_t size =
                (size_t)((b >> 22) + 1) * ((b >> 12 & 1023) + 1) * ((b & 4095) + 1) * (c + 1);
            if ((a & 31) != INSTRUCTIONS && size > largest)
                largest = size;
        }
    }
    return largest;
}

static size_t around_caches_from; /* 0 before the first call; all threads find the same number */

size_t wiresum_copy_around_caches_from(void)
{
    size_t from = __atomic_load_n(&around_caches_from, __ATOMIC_RELAXED);
    if (from == 0) {
        const size_t largest = largest_cache();
        from = largest ? largest / 4 * 3 : SIZE_MAX;
        __atomic_store_n(&around_caches_from, from, __ATOMIC_RELAXED);
    }
    return from;
}

#else

/* Returns the features that the compiler was told to assume for every CPU of this build. */
static unsigned assumed(void)
{
    unsigned features = 0;
#  if defined(__ARM_NEON)
    features |= WIRESUM_CPU_NEON;
#  endif
#  if defined(__ARM_FEATURE_SVE)
    features |= WIRESUM_CPU_SVE;
#  endif
#  if defined(__ALTIVEC__)
    features |= WIRESUM_CPU_ALTIVEC;
#  endif
#  if defined(__VSX__) && defined(_ARCH_PWR8)
    features |= WIRESUM_CPU_VSX;
#  endif
#  if defined(__riscv_vector) || defined(__riscv_v)
    features |= WIRESUM_CPU_RISCV_V;
#  endif
#  if defined(__VX__)
    features |= WIRESUM_CPU_S390X_VX;
#  endif
#  if defined(__loongarch_sx)
    features |= WIRESUM_CPU_LSX;
#  endif
    return features;
}

/* ASK: there is an operating system, and the features of this CPU are of use. */
#  if __STDC_HOSTED__                                                                 \
      && (defined(__aarch64__) || defined(__arm__) || WIRESUM_PPC || defined(__riscv) \
          || defined(__s390x__) || defined(__loongarch64))
#    define ASK 1
#  else
#    define ASK 0
#  endif

/* ---- Linux, FreeBSD, OpenBSD: the auxiliary vector, with the same bits on each of them ---- */

#  if ASK && (defined(__linux__) || defined(__FreeBSD__) || defined(__OpenBSD__))

#    if defined(__linux__)

enum { HWCAP = 16, HWCAP2 = 26 };

unsigned long getauxval(unsigned long type);

static unsigned long auxiliary(int type)
{
    return getauxval((unsigned long)type);
}

#    else

enum { HWCAP = 25, HWCAP2 = 26 };

int elf_aux_info(int type, void *value, int size);

static unsigned long auxiliary(int type)
{
    unsigned long value = 0;
    return elf_aux_info(type, &value, (int)sizeof value) == 0 ? value : 0;
}

#    endif

#    if defined(__aarch64__)

static unsigned detected(void)
{
    return auxiliary(HWCAP) & 1ul << 22 ? WIRESUM_CPU_SVE : 0; /* HWCAP_SVE */
}

#    elif defined(__arm__)

static unsigned detected(void)
{
    return auxiliary(HWCAP) & 1ul << 12 ? WIRESUM_CPU_NEON : 0; /* HWCAP_NEON */
}

#    elif defined(__powerpc__)

static unsigned detected(void)
{
    const unsigned long has = auxiliary(HWCAP);
    unsigned features = 0;
    if (has & 0x10000000) /* PPC_FEATURE_HAS_ALTIVEC */
        features |= WIRESUM_CPU_ALTIVEC;
    if ((has & 0x00000080)
        && (auxiliary(HWCAP2) & 0x80000000)) /* PPC_FEATURE_HAS_VSX, PPC_FEATURE2_ARCH_2_07 */
        features |= WIRESUM_CPU_VSX;
    return features;
}

#    elif defined(__riscv)

/* Linux 6.5 and later have riscv_hwprobe: bit 2 of its key 4 (IMA_EXT_0) means version 1.0 of V. An
   older Linux returns an error, and then the hwcap bit decides. Some vendors' kernels set that bit
   for version 0.7 too; this library must not run there. */
static unsigned detected(void)
{
#      if defined(__linux__)
    struct {
        int64_t key;
        uint64_t value;
    } pair = { 4, 0 };
    register long number __asm__("a7") = 258;
    register long result __asm__("a0") = (long)&pair;
    register long count __asm__("a1") = 1, cpu_count __asm__("a2") = 0, cpus __asm__("a3") = 0,
                        flags __asm__("a4") = 0;
    __asm__ volatile("ecall"
                     : "+r"(result)
                     : "r"(number), "r"(count), "r"(cpu_count), "r"(cpus), "r"(flags)
                     : "memory");
    if (result == 0 && pair.key == 4)
        return pair.value & 4 ? WIRESUM_CPU_RISCV_V : 0;
#      endif
    return auxiliary(HWCAP) & 1ul << ('v' - 'a') ? WIRESUM_CPU_RISCV_V : 0;
}

#    elif defined(__s390x__)

static unsigned detected(void)
{
    return auxiliary(HWCAP) & 1ul << 11 ? WIRESUM_CPU_S390X_VX : 0; /* HWCAP_S390_VXRS */
}

#    elif defined(__loongarch64)

static unsigned detected(void)
{
    return auxiliary(HWCAP) & 1ul << 4 ? WIRESUM_CPU_LSX : 0; /* HWCAP_LOONGARCH_LSX */
}

#    endif

/* ---- Apple: a system lacks the features whose names it does not know ---- */

#  elif ASK && defined(__APPLE__)

int sysctlbyname(const char *name, void *old, size_t *old_size, void *is, size_t is_size);

static bool has(const char *name)
{
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

static unsigned detected(void)
{
#    if defined(__aarch64__)
    return has("hw.optional.arm.FEAT_SVE") ? WIRESUM_CPU_SVE : 0;
#    else
    return has("hw.optional.neon") ? WIRESUM_CPU_NEON : 0;
#    endif
}

/* ---- Windows ---- */

#  elif ASK && defined(_WIN32)

__declspec(dllimport) int __stdcall IsProcessorFeaturePresent(unsigned long feature);

static unsigned detected(void)
{
    unsigned features = 0;
    if (IsProcessorFeaturePresent(19)) /* PF_ARM_NEON_INSTRUCTIONS_AVAILABLE */
        features |= WIRESUM_CPU_NEON;
    if (IsProcessorFeaturePresent(46)) /* PF_ARM_SVE_INSTRUCTIONS_AVAILABLE */
        features |= WIRESUM_CPU_SVE;
    return features;
}

/* ---- other systems, or none: nothing says ---- */

#  else

static unsigned detected(void)
{
    return WIRESUM_CPU_UNKNOWN;
}

#  endif

unsigned wiresum_cpu_features(void)
{
    return ((assumed() | detected()) & ~WIRESUM_HIDE_CPU_FEATURES) | WIRESUM_ADD_CPU_FEATURES;
}

#endif

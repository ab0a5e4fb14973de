/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Made by rtl/run.py lint, from rtl/src/engine/wiresum_engine.rdl.
 * docs/rtl.md describes the registers. A name is a byte offset; with _SHIFT or
 * _MASK it is the place of a field's lowest bit, or the field's bits in place. */
#ifndef WIRESUM_ENGINE_REGISTERS_H
#define WIRESUM_ENGINE_REGISTERS_H

#define WIRESUM_ENGINE_ID                                0x00u
#define WIRESUM_ENGINE_ID_VALUE_SHIFT                    0
#define WIRESUM_ENGINE_ID_VALUE_MASK                     0xFFFFFFFFu
#define WIRESUM_ENGINE_ID_VALUE_VALUE                    0x57534531u
#define WIRESUM_ENGINE_VERSION                           0x04u
#define WIRESUM_ENGINE_VERSION_MINOR_SHIFT               0
#define WIRESUM_ENGINE_VERSION_MINOR_MASK                0x0000FFFFu
#define WIRESUM_ENGINE_VERSION_MINOR_VALUE               0x1u
#define WIRESUM_ENGINE_VERSION_MAJOR_SHIFT               16
#define WIRESUM_ENGINE_VERSION_MAJOR_MASK                0xFFFF0000u
#define WIRESUM_ENGINE_VERSION_MAJOR_VALUE               0x1u
#define WIRESUM_ENGINE_CAPABILITY                        0x08u
#define WIRESUM_ENGINE_CAPABILITY_BEAT_SHIFT             0
#define WIRESUM_ENGINE_CAPABILITY_BEAT_MASK              0x0000000Fu
#define WIRESUM_ENGINE_CAPABILITY_BURST_SHIFT            4
#define WIRESUM_ENGINE_CAPABILITY_BURST_MASK             0x000000F0u
#define WIRESUM_ENGINE_CAPABILITY_ADDRESS_SHIFT          8
#define WIRESUM_ENGINE_CAPABILITY_ADDRESS_MASK           0x00007F00u
#define WIRESUM_ENGINE_CAPABILITY_COPY_SHIFT             15
#define WIRESUM_ENGINE_CAPABILITY_COPY_MASK              0x00008000u
#define WIRESUM_ENGINE_CTRL                              0x0Cu
#define WIRESUM_ENGINE_CTRL_ENABLE_SHIFT                 0
#define WIRESUM_ENGINE_CTRL_ENABLE_MASK                  0x00000001u
#define WIRESUM_ENGINE_CTRL_RESET_SHIFT                  1
#define WIRESUM_ENGINE_CTRL_RESET_MASK                   0x00000002u
#define WIRESUM_ENGINE_STATUS                            0x10u
#define WIRESUM_ENGINE_STATUS_BUSY_SHIFT                 0
#define WIRESUM_ENGINE_STATUS_BUSY_MASK                  0x00000001u
#define WIRESUM_ENGINE_STATUS_FETCH_ERROR_SHIFT          1
#define WIRESUM_ENGINE_STATUS_FETCH_ERROR_MASK           0x00000002u
#define WIRESUM_ENGINE_STATUS_COMPLETION_ERROR_SHIFT     2
#define WIRESUM_ENGINE_STATUS_COMPLETION_ERROR_MASK      0x00000004u
#define WIRESUM_ENGINE_STATUS_TAIL_ERROR_SHIFT           3
#define WIRESUM_ENGINE_STATUS_TAIL_ERROR_MASK            0x00000008u
#define WIRESUM_ENGINE_INTERRUPT                         0x14u
#define WIRESUM_ENGINE_INTERRUPT_COMPLETION_SHIFT        0
#define WIRESUM_ENGINE_INTERRUPT_COMPLETION_MASK         0x00000001u
#define WIRESUM_ENGINE_INTERRUPT_ERROR_SHIFT             1
#define WIRESUM_ENGINE_INTERRUPT_ERROR_MASK              0x00000002u
#define WIRESUM_ENGINE_INTERRUPT_ENABLE                  0x18u
#define WIRESUM_ENGINE_INTERRUPT_ENABLE_COMPLETION_SHIFT 0
#define WIRESUM_ENGINE_INTERRUPT_ENABLE_COMPLETION_MASK  0x00000001u
#define WIRESUM_ENGINE_INTERRUPT_ENABLE_ERROR_SHIFT      1
#define WIRESUM_ENGINE_INTERRUPT_ENABLE_ERROR_MASK       0x00000002u
#define WIRESUM_ENGINE_COALESCE                          0x1Cu
#define WIRESUM_ENGINE_COALESCE_COUNT_SHIFT              0
#define WIRESUM_ENGINE_COALESCE_COUNT_MASK               0x0000FFFFu
#define WIRESUM_ENGINE_COALESCE_CYCLES_SHIFT             16
#define WIRESUM_ENGINE_COALESCE_CYCLES_MASK              0xFFFF0000u
#define WIRESUM_ENGINE_RING_LOW                          0x20u
#define WIRESUM_ENGINE_RING_LOW_LOW_SHIFT                7
#define WIRESUM_ENGINE_RING_LOW_LOW_MASK                 0xFFFFFF80u
#define WIRESUM_ENGINE_RING_HIGH                         0x24u
#define WIRESUM_ENGINE_RING_HIGH_HIGH_SHIFT              0
#define WIRESUM_ENGINE_RING_HIGH_HIGH_MASK               0xFFFFFFFFu
#define WIRESUM_ENGINE_COMPLETION_LOW                    0x28u
#define WIRESUM_ENGINE_COMPLETION_LOW_LOW_SHIFT          7
#define WIRESUM_ENGINE_COMPLETION_LOW_LOW_MASK           0xFFFFFF80u
#define WIRESUM_ENGINE_COMPLETION_HIGH                   0x2Cu
#define WIRESUM_ENGINE_COMPLETION_HIGH_HIGH_SHIFT        0
#define WIRESUM_ENGINE_COMPLETION_HIGH_HIGH_MASK         0xFFFFFFFFu
#define WIRESUM_ENGINE_RING_SIZE                         0x30u
#define WIRESUM_ENGINE_RING_SIZE_LOG2_SHIFT              0
#define WIRESUM_ENGINE_RING_SIZE_LOG2_MASK               0x0000000Fu
#define WIRESUM_ENGINE_TAIL                              0x34u
#define WIRESUM_ENGINE_TAIL_POSITION_SHIFT               0
#define WIRESUM_ENGINE_TAIL_POSITION_MASK                0x0000FFFFu
#define WIRESUM_ENGINE_HEAD                              0x38u
#define WIRESUM_ENGINE_HEAD_POSITION_SHIFT               0
#define WIRESUM_ENGINE_HEAD_POSITION_MASK                0x0000FFFFu
#define WIRESUM_ENGINE_JOBS                              0x40u
#define WIRESUM_ENGINE_JOBS_COUNT_SHIFT                  0
#define WIRESUM_ENGINE_JOBS_COUNT_MASK                   0xFFFFFFFFu
#define WIRESUM_ENGINE_JOB_ERRORS                        0x44u
#define WIRESUM_ENGINE_JOB_ERRORS_COUNT_SHIFT            0
#define WIRESUM_ENGINE_JOB_ERRORS_COUNT_MASK             0xFFFFFFFFu
#define WIRESUM_ENGINE_BEATS                             0x48u
#define WIRESUM_ENGINE_BEATS_COUNT_SHIFT                 0
#define WIRESUM_ENGINE_BEATS_COUNT_MASK                  0xFFFFFFFFu
#define WIRESUM_ENGINE_CYCLES                            0x4Cu
#define WIRESUM_ENGINE_CYCLES_COUNT_SHIFT                0
#define WIRESUM_ENGINE_CYCLES_COUNT_MASK                 0xFFFFFFFFu

#endif

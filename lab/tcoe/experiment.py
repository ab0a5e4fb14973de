# SPDX-License-Identifier: MIT OR Apache-2.0
"""A place: the FPGA paper is rerun with this project's own engine, in work of its own."""

from ..claims import Document

DOCUMENT = Document(
    key="tcoe",
    title="Design and implementation of a TCP checksum offload engine based on the multiport memory controller and the processor local bus",
    authors="Christian Valerio-Regalado, Alfonso Avila-Ortega, Tecnológico de Monterrey", year="undated",
    about="Hardware: rebuilt in rtl/, with the paper's tables beside ours; its claims have no rows here yet.",
    pending=True,
)

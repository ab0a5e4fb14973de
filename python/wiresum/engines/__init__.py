# SPDX-License-Identifier: MIT OR Apache-2.0
"""Archives of captures: what engines need to read captures in parts, on many machines."""

# SPDX-License-Identifier: GPL-2.0-only
"""The model of the Pentium's pipes: docs/pipeline.md."""

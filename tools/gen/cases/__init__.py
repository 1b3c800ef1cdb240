# SPDX-License-Identifier: Apache-2.0
"""Data of tools/gen/test_gen.py."""

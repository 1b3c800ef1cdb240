# SPDX-License-Identifier: Apache-2.0
# Generated from fpga/vitis/cards.toml by make gen. Do not edit.

CARDS := u50 u200 u250 u280 u280-ddr
XPLATFORM_u50 := xilinx_u50_gen3x16_xdma_5_202210_1
XPLATFORM_u200 := xilinx_u200_gen3x16_xdma_2_202110_1
XPLATFORM_u250 := xilinx_u250_gen3x16_xdma_4_1_202210_1
XPLATFORM_u280 := xilinx_u280_gen3x16_xdma_1_202211_1
XPLATFORM_u280-ddr := xilinx_u280_gen3x16_xdma_1_202211_1

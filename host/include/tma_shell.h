/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/shell.rdl by make gen. Do not edit. */
/*
 * tma_shell - byte addresses and fields of the registers that a card has in front of those of the engine, which
 * tma_regs.h has. For back ends.
 */
#ifndef TMA_SHELL_H
#define TMA_SHELL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Control. As of ap_ctrl_hs. The engine takes its work from rings, so a start has nothing to do
 * and is done at once. */
#define TMA_SHELL_CTRL 0x000u
#define TMA_SHELL_CTRL_RESET 0x00000004u
#define TMA_SHELL_CTRL_AP_START_SHIFT 0 /* start; reads 0 */
#define TMA_SHELL_CTRL_AP_START_MASK 0x00000001u
#define TMA_SHELL_CTRL_AP_DONE_SHIFT 1 /* there was a start; cleared by reading */
#define TMA_SHELL_CTRL_AP_DONE_MASK 0x00000002u
#define TMA_SHELL_CTRL_AP_IDLE_SHIFT 2 /* the engine's: nothing is queued or in flight */
#define TMA_SHELL_CTRL_AP_IDLE_MASK 0x00000004u
#define TMA_SHELL_CTRL_AP_READY_SHIFT 3 /* as ap_done */
#define TMA_SHELL_CTRL_AP_READY_MASK 0x00000008u

/* Global interrupt enable. For the interrupts of ap_ctrl_hs; the engine's has masks of its own. */
#define TMA_SHELL_GIE 0x004u
#define TMA_SHELL_GIE_ENABLE_SHIFT 0 /* interrupts on */
#define TMA_SHELL_GIE_ENABLE_MASK 0x00000001u

/* Interrupt enable. What sets ISR. */
#define TMA_SHELL_IER 0x008u
#define TMA_SHELL_IER_AP_DONE_SHIFT 0 /* a start is done */
#define TMA_SHELL_IER_AP_DONE_MASK 0x00000001u
#define TMA_SHELL_IER_AP_READY_SHIFT 1 /* the same */
#define TMA_SHELL_IER_AP_READY_MASK 0x00000002u

/* Interrupt status. Writing 1 clears. */
#define TMA_SHELL_ISR 0x00Cu
#define TMA_SHELL_ISR_AP_DONE_SHIFT 0 /* a start was done */
#define TMA_SHELL_ISR_AP_DONE_MASK 0x00000001u
#define TMA_SHELL_ISR_AP_READY_SHIFT 1 /* the same */
#define TMA_SHELL_ISR_AP_READY_MASK 0x00000002u

/* Pointer arguments. The kernel's argument of each global port, which XRT wants to have one and
 * nobody writes: nothing is behind the address, an access is refused. */
#define TMA_SHELL_ARGUMENT_COUNT 4u
#define TMA_SHELL_ARGUMENT(i) (0x7C0u + 0x8u * (i))
#define TMA_SHELL_ARGUMENT_LO(i) (TMA_SHELL_ARGUMENT(i) + 0x00u)
#define TMA_SHELL_ARGUMENT_HI(i) (TMA_SHELL_ARGUMENT(i) + 0x04u)

/* Shell. Tells software that there is a shell. */
#define TMA_SHELL_SHELL 0x7E0u
#define TMA_SHELL_SHELL_RESET 0x31534D54u

/* Refusals. Accesses that engine or shell have refused, modulo 2^32. The host gets OKAY, of a
 * read 0. */
#define TMA_SHELL_REFUSALS 0x7E4u

/* Shared memory address. The word that SMEM_DATA is. Bits 1:0 read 0. */
#define TMA_SHELL_SMEM_ADDRESS 0x7F0u
#define TMA_SHELL_SMEM_ADDRESS_OFFSET_SHIFT 2 /* offset in the shared memory of the CTA */
#define TMA_SHELL_SMEM_ADDRESS_OFFSET_MASK 0x00FFFFFCu
#define TMA_SHELL_SMEM_ADDRESS_CTA_SHIFT 24 /* CTA */
#define TMA_SHELL_SMEM_ADDRESS_CTA_MASK 0xFF000000u

/* Shared memory data. The word at SMEM_ADDRESS, through the external port of the CTA; then
 * SMEM_ADDRESS is 4 more. Outside of shared memory it is refused. */
#define TMA_SHELL_SMEM_DATA 0x7F4u

/* Shared memory strobe. Bytes that a write of SMEM_DATA writes. */
#define TMA_SHELL_SMEM_STROBE 0x7F8u
#define TMA_SHELL_SMEM_STROBE_RESET 0x0000000Fu
#define TMA_SHELL_SMEM_STROBE_BYTES_SHIFT 0 /* a bit per byte */
#define TMA_SHELL_SMEM_STROBE_BYTES_MASK 0x0000000Fu

#ifdef __cplusplus
}
#endif

#endif

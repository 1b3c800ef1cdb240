/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The back end "rtl": the Verilated engine in this process, with AXI memory and protocol checks.
 *
 * tma_open() finds it by its name where libtma_rtl.so is installed, and programs need nothing of this.
 * It is for those that are linked with it, by -ltma_rtl:
 *
 *	static const struct tma_backend *const backends[] = { &tma_backend_rtl, NULL };
 *	struct tma_options options = { .size = sizeof(options), .backend = "rtl",
 *				       .backends = backends };
 */
#ifndef TMA_BACKEND_RTL_H
#define TMA_BACKEND_RTL_H

struct tma_backend;

#ifdef __cplusplus
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

extern const struct tma_backend tma_backend_rtl;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

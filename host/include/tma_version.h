/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_version - the version of libtma, which these headers belong to. The build takes it from here.
 *
 * Before 1.0.0 a new minor version may change what programs rely on. The engine's interface has a
 * version of its own: TMA_ABI_MAJOR.
 */
#ifndef TMA_VERSION_H
#define TMA_VERSION_H

#define TMA_VERSION_MAJOR 0
#define TMA_VERSION_MINOR 1
#define TMA_VERSION_PATCH 0

/* Versions as numbers, in their order. */
#define TMA_VERSION_NUMBER(major, minor, patch) ((major) << 16 | (minor) << 8 | (patch))
#define TMA_VERSION                             TMA_VERSION_NUMBER(TMA_VERSION_MAJOR, TMA_VERSION_MINOR, TMA_VERSION_PATCH)

#endif

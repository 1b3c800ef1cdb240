/* SPDX-License-Identifier: Apache-2.0 */
/* stable - the handshake rule: valid stays, and its payload with it, until ready. */
#ifndef WAVECHECK_STABLE_H
#define WAVECHECK_STABLE_H

#include "wavecheck/dump.h"

struct stable;

struct stable *stable_new(const struct dump *d);
void stable_free(struct stable *s);
void stable_reset(struct stable *s);

/** Look at a sample; @p broken is told of each port that moved while it had to wait. */
void stable_check(struct stable *s,
                  void (*broken)(void *arg, enum port port, unsigned unit, const char *text), void *arg);

#endif

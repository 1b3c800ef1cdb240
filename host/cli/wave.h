/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wave - whether a waveform (FST) has been written. What writes them tells nobody when a disk is full.
 */
#ifndef WAVE_H
#define WAVE_H

/** Before the run: can a waveform be written there? Its writer goes back in the file, so it must be a regular one,
 * which is made or cut short. NULL is allowed. @return 0, or CLI_USAGE: why not has been said */
int wave_begin(const char *tool, const char *path);

/**
 * After its writer has closed it: is all of it there? NULL is allowed.
 *
 * @param status  that the tool would end with
 * @return status; CLI_USAGE if the file is not whole, which has been said then
 */
int wave_end(const char *tool, const char *path, int status);

#endif

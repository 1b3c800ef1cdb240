/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_reduce_env.h"

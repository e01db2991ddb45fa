// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - the tracepoints' bodies.
 */
#include "looplt.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

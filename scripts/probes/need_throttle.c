// SPDX-License-Identifier: GPL-2.0-only
/* since 2.6: PF_LESS_THROTTLE; 5.8 calls it PF_LOCAL_THROTTLE (a37b0715ddf3) */
#include <linux/sched.h>

#if !defined(PF_LOCAL_THROTTLE) && !defined(PF_LESS_THROTTLE)
#error "neither PF_LOCAL_THROTTLE nor PF_LESS_THROTTLE"
#endif

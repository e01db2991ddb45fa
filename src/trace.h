/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * looplt - tracepoints, looplt:<object>_<event>.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM looplt

#if !defined(LOOPLT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LOOPLT_TRACE_H

#include <linux/tracepoint.h>

#include "looplt.h"

/*
 * The device is an int and not a __string(): __assign_str() lost an argument
 * in 6.10, and a plain field needs no shim.
 */
DECLARE_EVENT_CLASS(looplt_cmd,
	TP_PROTO(struct looplt_cmd *cmd, int err),
	TP_ARGS(cmd, err),
	TP_STRUCT__entry(
		__field(int, index)
		__field(unsigned int, op)
		__field(u64, sector)
		__field(unsigned int, bytes)
		__field(unsigned int, done)
		__field(int, err)
	),
	TP_fast_assign(
		struct request *rq = blk_mq_rq_from_pdu(cmd);

		__entry->index = cmd->lane->lo->index;
		__entry->op = (__force unsigned int)req_op(rq);
		__entry->sector = blk_rq_pos(rq);
		__entry->bytes = blk_rq_bytes(rq);
		__entry->done = cmd->done;
		__entry->err = err;
	),
	TP_printk("looplt%d op=%u sector=%llu bytes=%u done=%u err=%d",
		  __entry->index, __entry->op, __entry->sector,
		  __entry->bytes, __entry->done, __entry->err)
);

/* A thread has taken the command and is about to call the backing file. */
DEFINE_EVENT(looplt_cmd, looplt_cmd_start,
	TP_PROTO(struct looplt_cmd *cmd, int err), TP_ARGS(cmd, err));

/* The request is about to end. */
DEFINE_EVENT(looplt_cmd, looplt_cmd_done,
	TP_PROTO(struct looplt_cmd *cmd, int err), TP_ARGS(cmd, err));

#endif /* LOOPLT_TRACE_H */

/* Outside the guard: this part is read once per pass. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>

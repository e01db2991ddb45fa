# SPDX-License-Identifier: GPL-2.0-only
#
# From balance_dirty_pages events: how many, for how many milliseconds in all,
# and how many came although the disk had less dirty than the share up to which
# PF_LOCAL_THROTTLE exempts.  That share, (wb_thresh + wb_bg_thresh) / 2, is
# freerun * bdi_setpoint / setpoint with freerun = 2 * setpoint - limit; 64
# pages are the error of per-CPU counters (wb_stat_error() in the kernel).

function value(name,	rest)
{
	rest = $0
	if (!sub(".* " name "=", "", rest))
		return 0
	sub(" .*", "", rest)
	return rest + 0
}

{
	if (value("pause") > 0)
		paused += value("pause")
	setpoint = value("setpoint")
	share = (2 * setpoint - value("limit")) * value("(bdi|wb)_setpoint")
	if (setpoint && value("(bdi|wb)_dirty") + 64 < share / setpoint)
		below++
}

END {
	print NR, paused + 0, below + 0
}

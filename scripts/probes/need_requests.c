// SPDX-License-Identifier: GPL-2.0-only
/* since 5.1: requests by bio_vec, ended with a blk_status_t (d18d917459c0) */
#include <linux/blk-mq.h>

blk_status_t looplt_probe(struct request *rq, struct bio_vec *bv, int err);
blk_status_t looplt_probe(struct request *rq, struct bio_vec *bv, int err)
{
	struct req_iterator iter;
	struct bio_vec v;

	blk_mq_start_request(rq);
	rq_for_each_bvec(v, rq, iter)
		bv[0] = v;
	blk_mq_end_request(rq, errno_to_blk_status(err));
	return BLK_STS_OK;
}

// SPDX-License-Identifier: GPL-2.0-only
/* since 5.0: I/O on a file from bio_vecs, by ->read_iter (aa563d7bca6e) */
#include <linux/bvec.h>
#include <linux/falloc.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/uio.h>

ssize_t looplt_probe(struct file *file, struct kiocb *iocb, struct bio_vec *bv);
ssize_t looplt_probe(struct file *file, struct kiocb *iocb, struct bio_vec *bv)
{
	struct iov_iter iter;
	int err;

	iov_iter_bvec(&iter, 0, bv, 1, bv->bv_len);
	err = vfs_fallocate(file, FALLOC_FL_ZERO_RANGE, 0, 512);
	if (!err)
		err = vfs_fsync(file, 1);
	if (err)
		return err;
	return file->f_op->write_iter ? file->f_op->write_iter(iocb, &iter) :
					file->f_op->read_iter(iocb, &iter);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * looplt-losetup - what its files share.
 */
#ifndef LOSETUP_H
#define LOSETUP_H

#include "cli.h"

/* losetup_disk.c */
struct loop {
	char node[128];
	char *file;
	dev_t devno;
	uint64_t offset;
	uint64_t sizelimit;
	uint64_t block_size;
	bool autoclear;
	bool partscan;
	bool read_only;
	bool dio;
	bool asked;		/* the rest is known */
	dev_t back_dev;
	uint64_t back_ino;
	char ref[LOOPLT_NAME_SIZE];
};

const char *loop_name(const struct loop *l);
bool loop_named(struct loop *l, const char *text);
/* False: nothing is attached. */
bool loop_fill(struct loop *l);
void loop_free(struct loop *l);
int loop_open(const char *node, int flags);
/* Those with something attached, sorted by name. */
int loop_all(struct loop **loops);
void loop_free_all(struct loop *loops, int n);
bool loop_shows(const struct loop *l, const char *file);

/* losetup_list.c */
struct losetup_list {
	bool table;		/* or losetup's old lines */
	bool json;
	bool raw;
	bool no_headings;
	bool all_columns;
	const char *columns;
};

/* False: there is no such column; said. */
bool losetup_columns_ok(const struct losetup_list *list);
void losetup_print(const struct losetup_list *list, const struct loop *loops, int n);
void losetup_print_columns(void);

/* losetup_attach.c */
struct losetup_attach {
	struct attach attach;
	const char *disk;	/* NULL: a free one of looplt */
	const char *file;
	bool no_overlap;
	bool show;
};

int losetup_attach(struct losetup_attach *s);

#endif /* LOSETUP_H */

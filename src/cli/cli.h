/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * looplt CLI - what its files share.
 *
 * Data goes to stdout, messages to stderr as "looplt: <subject>: <what>".
 * Exit status: 0 done, 1 refused, 2 usage.
 */
#ifndef CLI_H
#define CLI_H

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "../../include/uapi/looplt.h"

#define PRINTF_LIKE(text, first) __attribute((format(printf, text, first)))

enum { CLI_DONE = 0, CLI_REFUSED = 1, CLI_USAGE = 2 };

/* message.c: who says it, if it is not looplt. */
void message_as(const char *name);
void message(const char *format, ...) PRINTF_LIKE(1, 2);
int refuse(const char *format, ...) PRINTF_LIKE(1, 2);
int usage_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* Ends the program if p is NULL, else returns it. */
void *need_memory(void *p);

/* text.c: length of the UTF-8 sequence at s, or 0 if it is none. */
int utf8_length(const char *s);
/* What vprintf() would print, to be freed. */
char *text_format(const char *format, va_list args) PRINTF_LIKE(1, 0);
/* A copy, to be freed, in which nothing steers a terminal. */
char *text_safe(const char *text);
size_t text_width(const char *text);

/* size.c: true if text is a number of bytes, with a suffix as losetup's. */
bool parse_size(const char *text, uint64_t *bytes);
/* True if text is a decimal number from 0 to max. */
bool parse_number(const char *text, unsigned long max, unsigned long *number);
/* "8:1" */
bool parse_devno(const char *text, unsigned int *major_nr, unsigned int *minor_nr);
/* "1.5G"; at most 16 bytes. */
void format_size(char *text, uint64_t bytes);

/* json.c */
struct json {
	FILE *out;
	int depth;
	bool first;
	bool joined;		/* a list of objects as util-linux writes it */
};

void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
/* A value of NULL is written as null. */
void json_string(struct json *j, const char *key, const char *value);
void json_number(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);

/* path.c: a path of PATH_MAX bytes; tests put a root before it. */
const char *path_of(char *path, const char *format, ...) PRINTF_LIKE(2, 3);
/* Contents of a small file without the newline, to be freed, or NULL. */
char *path_read(const char *path);
/* True if a line of the file has the text; the newline counts. */
bool path_lists(const char *path, const char *text);
/* Last component of a link's target, to be freed, or NULL. */
char *path_link(const char *path);

/* clock.c */
uint64_t clock_ms(void);
void clock_pause(void);

/* control.c: the control node, or -1 with errno set. */
int control_open(void);
/* The same, but loads the module if need be, and says what is in the way. */
int control_need(void);
int control_attach(int control, struct looplt_attach *a);
int control_info(int control, int index, struct looplt_info *info);
int control_detach(int control, struct looplt_detach *d);

/* module.c */
bool module_loaded(void);
int module_load(void);
/* True if a file of the running kernel's modules has the text. */
bool module_listed(const char *list, const char *text);
/* Says why the control node can't be opened, and what to do. */
void module_explain(int open_errno);
/* Runs a program of the system's; all it says, cut to size; 0 if it succeeds. */
int program_run(const char *const *argv, char *said, size_t size);

/* signature.c: true if the kernel takes signed modules only. */
bool signature_enforced(void);
/* Who signed the installed module, to be freed, or NULL. */
char *signature_signer(void);
/* The certificate of the key that DKMS and "make sign" use, to be freed. */
char *signature_certificate(void);
/* Says why the kernel refuses the module, and what to do. */
void signature_explain(void);

/* device.c: disks by name, number and sysfs. */
#define DEVICE_NODE_SIZE 32
/* What the module calls its disks: "looplt", or "loop" in drop-in mode. */
const char *device_prefix(void);
/* "looplt3", until the next call. */
const char *device_name(int index);
bool device_parse(const char *text, int *index);
/* "looplt3", "looplt3p1": is it the disk, or a partition of it? */
bool device_includes(int index, const char *name);
bool device_includes_devno(int index, unsigned int major_nr, unsigned int minor_nr);
void device_node(char *node, int index);
/* Value of an attribute below the disk in /sys/block, to be freed, or NULL. */
char *device_attr(int index, const char *attr);
bool device_exists(int index);
/* Indexes of all disks, sorted, to be freed; -1 on error. */
int device_all(int **indexes);
/* The names of the disk's partitions, as scandir() returns them. */
int device_partitions(int index, struct dirent ***partitions);

/* disk.c: what there is to know; with control -1, from sysfs alone. */
bool disk_info(int control, int index, struct looplt_info *info);
bool disk_uses(const struct looplt_info *info, const struct stat *st);
const char *io_mode_name(unsigned int mode);
const char *state_name(unsigned int state);
/* False if it is not the name of a mode. */
bool io_mode_parse(const char *name, unsigned int *mode);

/* attach.c */
struct attach {
	struct looplt_attach a;
	bool ref;
	bool json;
};

/* An option by its long name; value NULL: it has none. */
int attach_option(struct attach *r, const char *name, const char *value);
int attach_open(struct attach *r, const char *path);
/* On success the disk and its node are there. */
int attach_bind(struct attach *r, int control, const char *path);

/* operand.c: a command line's DISK; errors are said. */
int operand_disk(const char *text, int *index);
/* DISK or FILE: how many disks, in a list to be freed; -1: said. */
int operand_disks(int control, const char *text, int **indexes);

/* node.c */
int node_ensure(const char *node, unsigned int major_nr, unsigned int minor_nr);
/* Name of a group, to be freed, or NULL. */
char *node_group_name(gid_t gid);

/* holders.c: one line on who has the disk open, to be freed. */
char *holders_describe(int index);

/* mounts.c: calls found() for each mount of the disk; pid 0: our own. */
void mounts_each(int index, int pid, void (*found)(void *data, const char *dir),
		 void *data);

/* columns.c */
enum column_type { COLUMN_TEXT, COLUMN_NUMBER, COLUMN_FLAG, COLUMN_LIST };

struct row {
	struct looplt_info info;
	bool asked;		/* the kernel, not only sysfs */
	char *back_file;
	char **mounts;
	size_t nr_mounts;
};

struct value {
	const char *text;	/* NULL: there is none */
	uint64_t number;
	char buf[DEVICE_NODE_SIZE];
};

struct column {
	const char *name;
	enum column_type type;
	bool bound;		/* has a value only while a file is attached */
	void (*get)(struct value *v, const struct row *r);
};

extern const struct column columns[];
extern const size_t nr_columns;
bool row_fill(struct row *r, int control, int index);
void row_free(struct row *r);
/* False: the row has no value there. */
bool row_value(const struct row *r, const struct column *c, struct value *v);

/* explain.c: why an attach failed, and what to do. */
int explain_attach(int err, const struct looplt_attach *a, int control,
		   const char *path);

/* What the program is under its other names. */
int mount_helper(int argc, char **argv);
int losetup_main(int argc, char **argv);

/* One file per command. */
int cmd_attach(int argc, char **argv);
int cmd_detach(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_set(int argc, char **argv);
int cmd_resize(int argc, char **argv);
int cmd_wait(int argc, char **argv);
int cmd_dropin(int argc, char **argv);
int cmd_doctor(int argc, char **argv);

#endif /* CLI_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * looplt CLI - what its files share.
 *
 * Data goes to stdout, messages to stderr as "looplt: <subject>: <what>".
 * Exit status: 0 done, 1 refused, 2 usage.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "../../include/uapi/looplt.h"

enum { CLI_DONE = 0, CLI_REFUSED = 1, CLI_USAGE = 2 };

/* message.c */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
int refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* size.c: true if text is a number of bytes, with a suffix as losetup's. */
bool parse_size(const char *text, uint64_t *bytes);
/* True if text is a decimal number from 0 to max. */
bool parse_number(const char *text, unsigned long max, unsigned long *number);

/* json.c */
struct json {
	FILE *out;
	int depth;
	bool first;
};

void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
void json_string(struct json *j, const char *key, const char *value);
void json_number(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

/* control.c: -1 and errno set, or a file descriptor, loading the module. */
int control_open(void);
int control_info(int control, int index, struct looplt_info *info);
int control_detach(int control, struct looplt_detach *d);

/* module.c */
int module_load(void);
/* Says why the control node can't be opened, and what to do. */
void module_explain(int open_errno);

/* device.c */
#define DEVICE_PATH_SIZE 64
bool device_parse(const char *text, int *index);
void device_path(char *path, int index);
/* Value of an attribute below /sys/block/looplt<index>/; NULL if none. */
char *device_attr(int index, const char *attr);
bool device_exists(int index);
/* Indexes of all disks, sorted, to be freed; -1 on error. */
int device_all(int **indexes);

/* holders.c: one line on who has the disk open, to be freed. */
char *holders_describe(int index);
/* First place where the disk or a partition is mounted, to be freed. */
char *holders_mountpoint(int index);

/* One file per command. */
int cmd_attach(int argc, char **argv);
int cmd_detach(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_set(int argc, char **argv);
int cmd_resize(int argc, char **argv);
int cmd_wait(int argc, char **argv);

/* list.c */
const char *io_mode_name(unsigned int mode);
/* False if it is not the name of a mode. */
bool io_mode_parse(const char *name, unsigned int *mode);

#endif /* CLI_H */

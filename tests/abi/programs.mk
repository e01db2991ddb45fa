# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of the ABI run in the guest: programs, static, so that any
# suite has what they need, and a module that makes kernel functions fail.

CC	?= cc
KVER	?= $(shell uname -r)
KDIR	?= /lib/modules/$(KVER)/build
WARN	:= -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wshadow
WERROR	:= $(if $(CI),-Werror)
out	:= ../../build/abi
progs	:= $(addprefix $(out)/,calls rounds storm)

all: $(progs) $(out)/inject.ko

$(out)/%: %.c ../../include/uapi/looplt.h
	@mkdir -p $(@D)
	$(CC) $(WARN) $(WERROR) -O2 -static -o $@ $<

$(out)/inject.ko: inject/inject.c
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)/inject' modules
	cp inject/inject.ko $@

clean:
	rm -rf $(out)

.PHONY: all clean

# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of the ABI run in the guest: a module that makes kernel
# functions fail.

KVER	?= $(shell uname -r)
KDIR	?= /lib/modules/$(KVER)/build
out	:= ../../build/abi

$(out)/inject.ko: inject/inject.c
	@mkdir -p $(@D)
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)/inject' modules
	cp inject/inject.ko $@

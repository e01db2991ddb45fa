# SPDX-License-Identifier: GPL-2.0-only
#
# The front door, for people and for DKMS.  Kbuild and src/Kbuild are what the
# kernel's build system reads; this file never is, whatever KERNELRELEASE says.

KVER	?= $(shell uname -r)
KDIR	?= /lib/modules/$(KVER)/build
PREFIX	?= /usr
VERSION	:= $(shell sed -n 's/^\#define LOOPLT_VERSION[^"]*"\(.*\)"/\1/p' \
		include/uapi/looplt.h)
PROBES	:= src/generated/probes.h
STAMP	:= src/generated/stamp

all: modules cli

help:
	@echo 'modules        src/looplt.ko for KVER (now $(KVER)) or KDIR'
	@echo 'cli            src/cli/looplt, static'
	@echo 'demo           measure the double throttle and its cure in a guest'
	@echo 'bench          measure the I/O engine beside file and stock driver'
	@echo 'check          run the tests in a guest (KERNELS="6.1 6.12", TESTS=...)'
	@echo 'check-matrix   build for all kernels and flavours, run tests on each'
	@echo 'lint           checkpatch, sparse, shellcheck and our own rules'
	@echo 'check-packages Debian packages, RPM packages, install and uninstall'
	@echo 'check-dkms     packages and DKMS in systems of SUITES, in guests'
	@echo 'install        module, CLI and man page (DESTDIR, PREFIX)'
	@echo 'uninstall      remove what install installed, with the same variables'
	@echo 'sign           sign the module for Secure Boot (MODULE, SIGN_KEY, SIGN_CERT)'
	@echo 'deb, rpm       packages, in build/deb and build/rpm'
	@echo 'dkms-install   register the sources with DKMS and build them'
	@echo 'clean          what modules and cli made'

# Rewritten when the kernel, its configuration or the compiler is another one.
$(STAMP): FORCE
	@mkdir -p $(@D)
	@{ echo '$(KDIR)'; $(CC) --version | head -n 1; \
	   cksum < '$(KDIR)/include/generated/autoconf.h' || \
	   cksum < '$(KDIR)/.config'; } > $@.new 2>/dev/null; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(PROBES): $(STAMP) scripts/probe-kernel $(wildcard scripts/probes/*)
	@test -e '$(KDIR)/Makefile' || { \
	echo 'looplt: no kernel headers in $(KDIR)'; \
	echo 'looplt: install linux-headers-$(KVER), or set KVER or KDIR'; \
	exit 1; }
	scripts/probe-kernel '$(KDIR)' $@
	@touch $@

modules: $(PROBES)
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)' modules

cli:
	$(MAKE) -C src/cli looplt

demo:
	tests/lab/demo $(DEMO_ARGS)

bench:
	tests/lab/bench $(BENCH_ARGS)

check:
	tests/run $(addprefix --kernel ,$(KERNELS)) $(CHECK_ARGS) $(TESTS)

check-matrix:
	tests/matrix $(MATRIX_ARGS)

lint:
	scripts/lint

# kbuild would sign with the distribution's key, which is not here, and leaves
# depmod out where there is no System.map.
install: modules cli
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)' INSTALL_MOD_PATH='$(DESTDIR)' \
		INSTALL_MOD_DIR=updates CONFIG_MODULE_SIG_ALL= modules_install
	$(if $(DESTDIR),,depmod '$(KVER)')
	$(MAKE) -C src/cli install DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)'

uninstall: cli
	scripts/uninstall '$(DESTDIR)' '$(PREFIX)' '$(KVER)'

sign:
	scripts/sign '$(KDIR)' $(MODULE)

dkms-install:
	scripts/dkms-install $(VERSION)

deb rpm:
	scripts/$@

check-packages:
	tests/packages/run

check-dkms:
	tests/dkms/run $(SUITES)

clean:
	-test ! -e '$(KDIR)/Makefile' || $(MAKE) -C '$(KDIR)' M='$(CURDIR)' clean
	rm -rf src/generated
	$(MAKE) -C src/cli clean

FORCE:
.PHONY: all help modules cli demo bench check check-matrix check-packages \
	check-dkms lint install uninstall sign dkms-install deb rpm clean FORCE

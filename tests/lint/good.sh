# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A tree, in the current directory, that no rule has anything to say about.

spdx='SPDX-License-Identifier: GPL-2.0-only'

good_tree()
{
	mkdir -p include/uapi src/cli scripts/probes tests/area tests/lib
	good_build
	good_module
	good_scripts
}

good_build()
{
	cat > Makefile <<END
# $spdx
modules:
	make -C /lib/modules/\$(KVER)/build M=\$(CURDIR) modules
END
	printf '# %s\n%s\n' "$spdx" 'obj-m += src/' > Kbuild
	cat > src/Kbuild <<END
# $spdx
obj-m := looplt.o
looplt-y += main.o
END
	printf '# %s\nPACKAGE_VERSION="1.2.3"\n' "$spdx" > dkms.conf
	printf 'See \x60src/main.c\x60 and \x60main.c\x60.\n' > README.md
}

good_module()
{
	cat > include/uapi/looplt.h <<END
/* $spdx WITH Linux-syscall-note */
#define LOOPLT_VERSION	"1.2.3"
END
	cat > src/main.c <<END
// $spdx
#include <linux/module.h>

static int looplt_value;

static int __init looplt_init(void)
{
	looplt_value = 1;	/* see https://example.org */
	pr_debug("value %d from http://example.org\n", looplt_value);
	return 0;
}

static void __exit looplt_exit(void)
{
}

module_init(looplt_init);
module_exit(looplt_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("nothing");
END
	cat > src/compat.h <<END
/* $spdx */
#ifdef LOOPLT_HAVE_THING
#define LOOPLT_THING	1
#endif
END
	cat > scripts/probes/thing.c <<END
// $spdx
/* since 5.15: a thing (123456789abc) */
END
	cat > src/cli/main.c <<END
// $spdx
#include <stdio.h>

int main(void)
{
	return puts("hello") == EOF;
}
END
	printf '.\\" %s\n.TH LOOPLT 8 "" "looplt 1.2.3"\n' "$spdx" \
		> src/cli/looplt.8
}

good_scripts()
{
	cat > scripts/tool <<END
#!/bin/bash
# $spdx
set -euo pipefail
echo "\$0"
END
	cat > tests/lib/common.sh <<END
# shellcheck shell=bash
# $spdx
set -euo pipefail
END
	cat > tests/area/works <<END
#!/bin/bash
# $spdx
#
# test:  it works
# needs: root
# time:  quick

# shellcheck source=../lib/common.sh
. "\$(dirname "\$0")/../lib/common.sh"
END
	chmod +x scripts/tool tests/area/works
}

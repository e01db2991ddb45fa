# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bad_RULE: faults of the kind RULE looks for.  What the rule must say of them
# goes to expect.  Words that are themselves faults are put together here.
# shellcheck disable=SC2034	# the self-test reads expect

bad_spdx()
{
	sed -i 1d src/main.c
	sed -i 2d scripts/tool
	expect=(src/main.c: scripts/tool:)
}

bad_whitespace()
{
	printf 'int a; \n' >> src/main.c
	printf 'b' >> README.md
	expect=('src/main.c:21:' README.md:)
}

bad_conflicts()
{
	printf '%.0s<' {1..7} >> README.md
	echo ' mine' >> README.md
	expect=(README.md:2:)
}

bad_todo()
{
	echo "/* TO""DO: the rest */" >> src/main.c
	echo "# FIX""ME later" >> scripts/tool
	expect=(src/main.c:21: scripts/tool:5:)
}

bad_machine()
{
	echo "cd $PWD/src" >> scripts/tool
	echo "cd $(dirname "$PWD")" >> tests/area/works
	echo "Clone to \`/ho""me/joe/looplt\`." >> README.md
	expect=(scripts/tool:5: tests/area/works:10: README.md:2:)
}

bad_mirrors()
{
	echo "wget http://deb"".debian.org/debian" >> scripts/tool
	echo "wget http://snapshot"".debian.org" >> tests/area/works
	expect=(scripts/tool:5: tests/area/works:10:)
}

bad_file_length()
{
	printf '\n%.0s' {1..481} >> src/main.c
	printf ':\n%.0s' {1..197} >> scripts/tool
	sed '2i/* long: this one may be */' src/main.c > src/other.c
	expect=('src/main.c: 501' scripts/tool:)
}

bad_kernel_version()
{
	echo "#if LINUX_VERSION""_CODE > 1" >> src/compat.h
	echo "EXTRA_""CFLAGS += -O3" >> src/Kbuild
	expect=(src/compat.h:5: src/Kbuild:4:)
}

bad_compat_only()
{
	echo '#ifdef LOOPLT_HAVE_THING' >> src/main.c
	expect=(src/main.c:21:)
}

bad_probes()
{
	sed 2d scripts/probes/thing.c > scripts/probes/unused.c
	echo '#ifdef LOOPLT_HAVE_NOTHING' >> src/compat.h
	expect=('unused.c: src/compat.h does not' 'unused.c: line 2'
		LOOPLT_HAVE_NOTHING)
}

bad_comment_style()
{
	sed -i '5i\\t/* fine */ int a; // not fine' src/main.c
	printf '/*\n * still // fine\n */\n// not fine\n' >> src/compat.h
	expect=(src/main.c:5: src/compat.h:8:)
}

bad_labels()
{
	printf 'err:\n\terr_undo:\n\tfail: return;\n' >> src/main.c
	expect=(src/main.c:21: src/main.c:23:)
}

bad_objects()
{
	cp src/main.c src/stray.c
	echo 'looplt-y += gone.o' >> src/Kbuild
	expect=('stray.o: has a source' 'gone.o: is in')
}

# Two of 61 lines, one with a reason, and one of 60.
bad_function_length()
{
	{
		printf 'int a(void)\n{\n%s}\n' "$(printf '\t;\n%.0s' {1..61})"
		printf '/* long: one case a line */\nint b(void)\n{\n%s}\n' \
			"$(printf '\t;\n%.0s' {1..61})"
		printf 'int c(void)\n{\n%s}\n' "$(printf '\t;\n%.0s' {1..60})"
	} | sed 's/;}/;\n}/' >> src/main.c
	expect=('src/main.c:21: 61 lines: int a')
}

bad_version()
{
	sed -i s/1.2.3/1.2.4/ dkms.conf src/cli/looplt.8
	expect=(dkms.conf: src/cli/looplt.8:)
}

bad_shellcheck()
{
	# shellcheck disable=SC2016
	echo 'echo $undefined' >> scripts/tool
	echo 'cd nowhere; read x' >> tests/lib/common.sh
	expect=(scripts/tool:5: tests/lib/common.sh:4:)
}

bad_strict()
{
	sed -i '/^set/d' scripts/tool
	sed -i '/^\. /d' tests/area/works
	expect=(scripts/tool: tests/area/works:)
}

bad_executable()
{
	chmod -x scripts/tool
	chmod +x README.md
	expect=(scripts/tool: README.md:)
}

bad_test_headers()
{
	sed -i '/^# test:/d; s/quick/soon/' tests/area/works
	expect=("'# test:" "'# time:")
}

bad_test_list()
{
	printf '#!/bin/bash\necho "area/works  it works"\n' > tests/run
	cp tests/area/works tests/area/too
	expect=(tests/area/too:)
}

bad_named_files()
{
	mkdir tests/lab
	printf 'Run \x60scripts/gone\x60; read \x60gone.md\x60.\n' >> README.md
	echo '# like tests/gone/too, scripts/to* and scripts/tool.' > tests/lab/demo
	expect=('README.md:2: no file scripts/gone' 'no file gone.md'
		'tests/lab/demo:1: no file tests/gone/too')
}

bad_checkpatch()
{
	sed -i 's/looplt_value = 1/looplt_value=1/' src/main.c
	sed -i 's/^{$/    {/' src/cli/main.c
	expect=(src/main.c: src/cli/main.c:)
}

# An address space, for sparse; a function nobody declared, for W=1.
bad_sparse()
{
	sed -i '/looplt_value = 1/i\	int __user *p = \&looplt_value;' src/main.c
	printf '\nint looplt_loose(void)\n{\n\treturn 0;\n}\n' >> src/main.c
	expect=('(different address spaces)' 'no previous prototype')
}

bad_clang_tidy()
{
	sed -i 's/return.*/char *s = 0; return s[0] == *s;/' src/cli/main.c
	expect=(src/cli/main.c:6: clang-analyzer)
}

bad_analyzer()
{
	sed -i '/stdio/a#include <stdlib.h>' src/cli/main.c
	sed -i 's/return.*/char *s = malloc(1); free(s); free(s); return 0;/' \
		src/cli/main.c
	expect=(src/cli/main.c: double)
}

bad_documented()
{
	mkdir -p src/system tests/abi
	printf '#define LOOPLT_CTL_NEW\t1\n' >> include/uapi/looplt.h
	echo 'reason: Another.' > tests/abi/differences.txt
	printf '.SH DIFFERENCES\nT{\nOne.\nT}|T{\n2\nT}|T{\n3\nT}\n' > src/system/looplt.4
	printf '## Differences\n| Else. | 2 | 3 |\n' >> README.md
	expect=('nothing of LOOPLT_CTL_NEW' "no difference 'Another.'"
		'README.md lacks: One.' 'README.md alone has: Else.')
}

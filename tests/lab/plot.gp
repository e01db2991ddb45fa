# SPDX-License-Identifier: GPL-2.0-only
#
# plot.gp: times as bars, throughput over time as curves; "dir", "type" and "n"
# (configurations) are set by report.

array colour[5] = ["#5b6770", "#2a78b5", "#d1495b", "#3d9970", "#8a5fbf"]

if (type eq "svg") {
	set terminal svg size 900,430 font "DejaVu Sans,13" background "white" noenhanced
} else {
	set terminal pngcairo size 900,430 font "DejaVu Sans,10" background "white" noenhanced
}
set border 3 lc rgb "#606060"
set tics nomirror textcolor rgb "#303030"
set grid ytics lt 1 lc rgb "#e4e4e4" lw 1
set tmargin 3

set output dir."/times.".type
set title "mkfs, mount, write 200 files, umount"
set style fill solid 0.9 noborder
set boxwidth 0.6
set xrange [-0.6:n-0.4]
set yrange [0:*]
set offsets 0, 0, graph 0.14, 0
set bmargin 4
set ylabel "seconds: median, with min and max"
unset key
plot for [i=0:n-1] dir."/times.dat" using (i):2 every ::i::i with boxes lc rgb colour[i+1], \
     "" using 0:2:xtic(1) with points pt -1 ps 0, \
     "" using 0:2:3:4 with yerrorbars pt -1 lc rgb "#202020" lw 1.5, \
     "" using 0:4:(sprintf("%.1f s, %.2fx", $2, $5)) with labels offset 0,0.8

set output dir."/throughput.".type
set title "What reaches the disk, over time (one round of each)"
set offsets 0, 0, graph 0.05, 0
# Some take ten times as long as others.
set logscale x
set xrange [1:*]
set xlabel "seconds (logarithmic)"
set bmargin 7
set ylabel "MiB/s written to the disk"
set yrange [0:*]
set key at screen 0.5, 0.02 center bottom horizontal maxcols 3 samplen 2
plot for [i=0:n-1] dir."/throughput.dat" index i using 1:2 with lines \
     lw 2.5 lc rgb colour[i+1] title columnheader(1)

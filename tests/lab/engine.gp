# SPDX-License-Identifier: GPL-2.0-only
#
# engine.gp: ratios as bars, a group for each job; "dir", "type" and "n"
# (configurations) are set by engine-report.

array colour[7] = ["#5b6770", "#2a78b5", "#7fb2d9", "#3d9970", "#8a5fbf", "#d1495b", "#c58b2a"]

if (type eq "svg") {
	set terminal svg size 1000,430 font "DejaVu Sans,13" background "white" noenhanced
} else {
	set terminal pngcairo size 1000,430 font "DejaVu Sans,10" background "white" noenhanced
}
set border 3 lc rgb "#606060"
set tics nomirror textcolor rgb "#303030"
set grid ytics lt 1 lc rgb "#e4e4e4" lw 1
set output dir."/engine.".type
set title "Operations a second, as a share of the plain file's"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set yrange [0:*]
set bmargin 6
set key at screen 0.5, 0.02 center bottom horizontal
plot for [i=1:n] dir."/engine.dat" using i+1:xtic(1) lc rgb colour[i] title columnheader(i+1)

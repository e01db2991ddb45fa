#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# sample.pl SYMBOLS RESULTS MONITOR: ask the machine's monitor again and again
# where its processor is, from the line "begin" in RESULTS to the line "fio",
# and count by function.  The clock counts instructions, so a share of the
# samples is a share of the instructions, interrupts and all.

use strict;
use warnings;
no warnings "portable";
use IO::Socket::UNIX;

my ($symbols, $results, $path) = @ARGV;
my (@address, @name, %count);
my $samples = 0;

open(my $in, '<', $symbols) or die "$symbols: $!\n";
while (<$in>) {
	my ($address, undef, $name) = split or next;
	next unless $name and $address =~ /^[0-9a-f]{16}$/;
	push @address, hex $address;
	push @name, $name;
}
my @order = sort { $address[$a] <=> $address[$b] } 0 .. $#address;
@address = @address[@order];
@name = @name[@order];

sub function
{
	my ($pc) = @_;
	my ($low, $high) = (0, $#address);

	return '(user space)' if $pc < 1 << 63;
	while ($low < $high) {
		my $middle = int(($low + $high + 1) / 2);
		if ($address[$middle] <= $pc) { $low = $middle }
		else { $high = $middle - 1 }
	}
	return $name[$low];
}

sub reported
{
	my ($word) = @_;

	open(my $r, '<', $results) or return 0;
	return scalar grep { /^$word / } <$r>;
}

my $monitor;
until ($monitor = IO::Socket::UNIX->new($path)) { select undef, undef, undef, 0.2 }
until (reported('begin')) { select undef, undef, undef, 0.2 }
while (1) {
	my $text = '';

	print $monitor "info registers\n";
	while ($text !~ /RIP=([0-9a-f]{16}).*\(qemu\) $/s) {
		sysread($monitor, $text, 65536, length $text) or last;
	}
	last unless $text =~ /RIP=([0-9a-f]{16})/;
	$count{function(hex $1)}++;
	$samples++;
	last if $samples % 50 == 0 and reported('fio');
	select undef, undef, undef, 0.002;
}
die "looplt: no samples\n" unless $samples;
printf "%6.2f%%  %s\n", 100 * $count{$_} / $samples, $_
	for sort { $count{$b} <=> $count{$a} } keys %count;
print "$samples samples\n";

#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# ioctl.pl NODE MODE CALL [ARG...]: one call, and what it said: "0", another
# return value, or the name of the errno.  MODE is r, w, or x (O_EXCL and w).
#
#   set-fd FILE MODE | clr-fd | status64 | set-status64 KEY=VALUE...
#   configure FILE MODE KEY=VALUE... | change-fd FILE MODE | raw CMD ARG
#   attach FILE MODE KEY=VALUE... | detach KEY=VALUE... | info KEY=VALUE...
#
# With AT_CALL=FIFO in the environment that is opened just before the call.
# FILE "-1" is a bad descriptor; MODE "p" opens it with O_PATH.
use strict;
use warnings;
use Errno;
use Fcntl;

my %modes = (r => O_RDONLY, w => O_RDWR, wo => O_WRONLY,
	     x => O_RDWR | O_EXCL, p => 010000000);
my %loop = ('set-fd' => 0x4C00, 'clr-fd' => 0x4C01, 'set-status64' => 0x4C04,
	    status64 => 0x4C05, 'change-fd' => 0x4C06, configure => 0x4C0A,
	    attach => 0x4C90, detach => 0x4C91, info => 0x4C92);

sub file_fd {
	my ($path, $mode) = @_;
	return -1 if $path eq '-1';
	sysopen(my $fh, $path, $modes{$mode}) or die "$path: $!\n";
	our @keep;
	push @keep, $fh;
	return fileno($fh);
}

sub keys_of {
	my %k = map { my ($k, $v) = split /=/, $_, 2; ($k, $v) } @_;
	$k{$_} //= 0 for qw(offset sizelimit flags block io size_delta tail
			    reserved timeout diskseq key_size encrypt);
	$k{index} //= -1;
	$k{$_} //= '' for qw(name tag);
	return \%k;
}

sub loop_info64 {
	my ($k) = @_;
	return pack('Q5 L4 a64 a64 a32 Q2', 0, 0, 0, $k->{offset},
		    $k->{sizelimit}, 0, $k->{encrypt}, $k->{key_size},
		    $k->{flags}, $k->{name}, '', '', 0, 0);
}

# A structure that begins with its size, perhaps with a longer tail.
sub sized {
	my ($k, $body) = @_;
	my $size = 4 + length($body) + $k->{size_delta};
	return pack('L', $size) . $body . pack('C', $k->{tail}) x
		($k->{size_delta} > 0 ? $k->{size_delta} : 0);
}

my ($node, $mode, $call, @args) = @ARGV;
sysopen(my $fh, $node, $modes{$mode}) or do {
	print join(' ', grep { $!{$_} } keys %!), "\n";
	exit;
};
my ($cmd, $arg) = ($loop{$call} // 0, 0);
if ($call eq 'raw') {
	($cmd, $arg) = (oct $args[0], int $args[1]);
} elsif ($call eq 'set-fd' || $call eq 'change-fd') {
	$arg = file_fd(@args);
} elsif ($call eq 'set-status64') {
	$arg = loop_info64(keys_of(@args));
} elsif ($call eq 'status64') {
	$arg = "\0" x 232;
} elsif ($call eq 'configure') {
	my $fd = file_fd(splice @args, 0, 2);
	my $k = keys_of(@args);
	$arg = pack('l L', $fd, $k->{block}) . loop_info64($k) . "\0" x 64;
} elsif ($call eq 'attach') {
	my $fd = file_fd(splice @args, 0, 2);
	my $k = keys_of(@args);
	$arg = sized($k, pack('l l L L L Q3 L2 Q a64 a64', $fd, $k->{index},
			      $k->{flags}, $k->{block}, $k->{io}, $k->{offset},
			      $k->{sizelimit}, 0, 0, 0, $k->{reserved},
			      $k->{name}, $k->{tag}));
} elsif ($call eq 'detach') {
	my $k = keys_of(@args);
	$arg = sized($k, pack('l L L Q L L Q', $k->{index}, $k->{flags},
			      $k->{timeout}, $k->{diskseq}, 0, 0,
			      $k->{reserved}));
} elsif ($call eq 'info') {
	my $k = keys_of(@args);
	$arg = sized($k, pack('l', $k->{index}) . "\0" x 304);
} elsif ($call ne 'clr-fd') {
	die "ioctl.pl: unknown call $call\n";
}

open(my $at, '>', $ENV{AT_CALL}) or die "$ENV{AT_CALL}: $!\n" if $ENV{AT_CALL};
my $ret = ioctl($fh, $cmd, $arg);
if (defined $ret) {
	print $ret eq '0 but true' ? 0 : $ret, "\n";
} else {
	# Aliases (EWOULDBLOCK, EOPNOTSUPP) sort after the usual name.
	print +(sort grep { $!{$_} } keys %!)[0], "\n";
}

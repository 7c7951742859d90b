package faults_test

import (
	"math"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// commandFaults are commands that a robot must not take, on one network.
func commandFaults(network string) []fault {
	const safe = "no command to tendons for … s: safe values are applied…"
	const again = "the tension is that of the next good command"
	return []fault{
		{
			name: "NaN commanded", network: network, cause: "tensions of NaN at 50 Hz in place of 1 N",
			run: bad(math.NaN(), 0), sees: []sign{logs("command refused…not_finite"), diagnoses(safe)},
			keeps: "1 N until command_timeout_s is over", recovers: again, within: time.Second,
		},
		{
			name: "infinity commanded", network: network, cause: "tensions of +Inf at 50 Hz in place of 1 N",
			run: bad(math.Inf(1), 0), sees: []sign{logs("command refused…not_finite"), diagnoses(safe)},
			keeps: "1 N until command_timeout_s is over", recovers: again, within: time.Second,
		},
		{
			name: "old commands", network: network, cause: "tensions that were stamped an hour ago, at 50 Hz, in place of 1 N",
			run: bad(2, time.Hour), sees: []sign{logs("command refused…stale"), diagnoses(safe)},
			keeps: "1 N until command_timeout_s is over", recovers: again, within: time.Second,
		},
		{
			name: "two sources", network: network, cause: "a second node commands 2 N while one commands 1 N, until that ends its commands",
			run: twoSources, sees: []sign{diagnoses("tendons: /lab/b refused; in command: /lab/a")},
			keeps: "1 N", recovers: "the second node commands, when nothing has come from the first for 2 s", within: holds + time.Second,
		},
		{
			name: "commands at 20 kHz", network: network, cause: "one node commands 2 N 20,000 times a second for two seconds, in place of 1 N at 50 Hz",
			run: flood, alone: true, keeps: "2 N", recovers: again, within: time.Second,
		},
	}
}

// bad sends bad commands in place of good ones, until they have been noticed.
func bad(tension float64, age time.Duration) func(*bench) {
	return func(b *bench) {
		b.start(b.run()...)
		stop := b.observer().StreamTension(1, 0)
		b.observer().AwaitTension(1)
		b.begin(func() { stop(); stop = b.observer().StreamTension(tension, age) })
		b.observer().ExpectTension(1, 200*time.Millisecond)
		b.end(func() { stop(); stop = b.observer().StreamTension(3, 0) })
		defer func() { stop() }()
		b.recovers(func() bool { return b.observer().Observed().Effort == 3 })
	}
}

func twoSources(b *bench) {
	b.start(b.run()...)
	stop := b.observer().StreamTension(1, 0)
	b.observer().AwaitTension(1)
	other := b.second("/lab/b")
	b.begin(func() { defer b.t.Cleanup(other.StreamTension(2, 0)) })
	b.see(b.fault.sees)
	b.observer().ExpectTension(1, time.Second)
	b.end(stop)
	b.recovers(func() bool { return b.observer().Observed().Effort == 2 })
}

// floodHz is the rate of a node that commands far too often, leastHz what of it must arrive. A
// busy computer sends for longer until that has, but may not take more of its processors for it.
const (
	floodHz = 20_000
	leastHz = 10_000
)

func flood(b *bench) {
	const length = 2 * time.Second
	b.start(b.run()...)
	stop := b.observer().StreamTension(1, 0)
	b.observer().AwaitTension(1)
	before, enough := accepted(b), false
	b.begin(func() { stop(); stop = b.observer().StreamTensionAt(floodHz, 2, 0) })
	b.observer().AwaitTension(2)
	from := b.processorTime()
	b.observer().ExpectTension(2, length)
	b.until("20 kHz arriving", signTime, func() bool {
		enough = accepted(b)-before > leastHz*length.Seconds()
		return enough || b.processorTime()-from > 4*length
	})
	if !enough {
		b.t.Errorf("%g of the commands at 20 kHz arrived, though sending them took %v of the processors\n%s", accepted(b)-before, b.processorTime()-from, b.observations())
	}
	b.end(func() { stop(); stop = b.observer().StreamTension(1, 0) })
	defer func() { stop() }()
	b.recovers(func() bool { return b.observer().Observed().Effort == 1 })
}

// processorTime is what this process has taken of the processors.
func (b *bench) processorTime() time.Duration {
	b.t.Helper()
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err != nil {
		b.t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// accepted is the newest count of commands that the robot took.
func accepted(b *bench) float64 {
	b.t.Helper()
	n, err := strconv.ParseFloat(b.observer().Observed().Diagnosis["commands"].Values["accepted"], 64)
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

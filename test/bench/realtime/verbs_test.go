package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/test/latency"
	"sinew/test/testsize"
)

// These tests run the verbs just long enough to see them work. Their bounds hold on a
// machine that is busy with other tests; the targets are for people with an idle one.

// TestSoak wants every message of a few seconds, in the recording and at each subscriber.
func TestSoak(t *testing.T) {
	program := testProgram(t)
	e, err := endure(t.Context(), enduranceOptions{program: program, length: 4 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := e.writeTable(&table); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	within(t, "messages recorded", float64(e.Recording.Recorded), 3000, 60_000)
	if r := e.Recording; r.Recorded != r.Published {
		t.Errorf("%d of %d messages are in the recording", r.Recorded, r.Published)
	}
	networks := map[string]int{}
	for _, s := range e.Subscribers {
		networks[s.Network]++
		within(t, "messages to a subscriber in "+s.Network, float64(s.Messages), 2000, 60_000)
		within(t, "share of them", s.share(), 0.9, 1)
	}
	if networks["ros1"] != subscribersEach || networks["ros2"] != subscribersEach || e.Frozen != 1 {
		t.Errorf("subscribers %v, %d frozen", networks, e.Frozen)
	}
	within(t, "commands", float64(e.Commands), 1000, 60_000)
	within(t, "p99.9 of the lateness, us", e.P999, e.P99, e.Max)
	within(t, "p99.9 of the probe's, us", e.Phase.Probe.P999, e.Phase.Probe.P50, e.Phase.Probe.Max)
	for i, most := range []float64{200, 60, 120} { // MiB, files, goroutines
		within(t, e.Held[i].What, e.Held[i].End, 5, most)
	}
	for _, name := range []string{"figure.png", "figure.svg"} {
		path := filepath.Join(t.TempDir(), name)
		if err := e.draw(path); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() < 5000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// A run is judged by what is not as it should be, and by nothing else.
func TestSoakIsJudged(t *testing.T) {
	good := func() *Endurance {
		e := &Endurance{
			Phase:       Phase{Skipped: 15, Probe: latency.Lateness{Skipped: 10}},
			Subscribers: []Received{{Network: "ros1", Messages: 9995, Missing: 5}},
			Recording:   Recorded{Published: 10, Recorded: 10},
		}
		for range 100 {
			e.seconds = append(e.seconds, second{held: map[string]float64{"memory_bytes": 50 << 20, "open_files": 20, "goroutines": 40}})
		}
		return e
	}
	for _, tt := range []struct {
		spoil func(e *Endurance)
		want  string // in the only word of complaint
	}{
		{func(*Endurance) {}, ""},
		{func(e *Endurance) { e.Phase.Skipped = 16 }, "16 periods lost"},
		{func(e *Endurance) { e.Phase.Skipped, e.Phase.Probe.Skipped = 1, 0 }, "1 periods lost"},
		{func(e *Endurance) { e.Subscribers[0].Missing = 50 }, "subscriber 1, ros1"},
		{func(e *Endurance) { e.Subscribers[0] = Received{} }, "0.0000 %"},
		{func(e *Endurance) { e.Recording.Recorded-- }, "holds 9 messages"},
		{func(e *Endurance) { e.Phase.Missed = 1 }, "1 snapshots"},
		{func(e *Endurance) { e.Refused = []string{"after 45 s: EOF"} }, "got nothing after 45 s: EOF"},
		{func(e *Endurance) {
			for i := range e.seconds {
				e.seconds[i].held["goroutines"] += float64(i) / 5
			}
		}, "goroutines grew from 52.4 to 57.4"},
	} {
		e := good()
		tt.spoil(e)
		e.judge()
		if got := strings.Join(e.Missed, "; "); len(e.Missed) > 1 || !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestStops wants an answer within a few control periods whatever else happens.
func TestStops(t *testing.T) {
	all, err := measureStops(t.Context(), testProgram(t), 20)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := writeStops(&table, all); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	if len(all) != len(situations) {
		t.Fatalf("%d situations", len(all))
	}
	for _, s := range all {
		own, wire := spread(s.Latencies), spread(s.Transport)
		within(t, s.Situation+": stops", float64(own.Count), 20, 20)
		within(t, s.Situation+": p50, ms", own.P50, 0.01, 2*period+2*wire.P50)
		within(t, s.Situation+": longest, ms", own.Max, 0.01, 250)
	}
}

// TestFloods wants a node that continues, in bounds, whichever of its ports is flooded.
func TestFloods(t *testing.T) {
	dir, program := t.TempDir(), testProgram(t)
	attacker, err := buildProgram(t.Context(), dir, "sinew/test/peer/dds/flood")
	if err != nil {
		t.Fatal(err)
	}
	all, err := measureFloods(t.Context(), floodOptions{program: program, attacker: attacker, length: time.Second, rate: 2_000})
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := writeFloods(&table, all); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	if len(all) != 1+len(floodedPorts) {
		t.Fatalf("%d ports", len(all)-1)
	}
	none := all[0].Phase
	for _, f := range all[1:] {
		within(t, f.Port+": sent", float64(f.Sent), 500, 20_000)
		within(t, f.Port+": memory, MiB", f.Phase.Memory.Max, 5, none.Memory.Max+mostMemory)
		within(t, f.Port+": open files", f.Files, 5, mostFiles)
		if lost := float64(f.Phase.Probe.Skipped) / (1000 * f.Phase.Seconds); lost > 0.1 {
			t.Logf("%s: a latency probe lost %.0f %% of its periods; times say nothing of the node", f.Port, 100*lost)
			continue
		}
		within(t, f.Port+": lateness p99, us", f.Phase.LatenessP99, 0.1, 5*none.LatenessP99+2000)
		within(t, f.Port+": real-time factor", f.Phase.RealTimeFactor, 0.5, 1.05)
		for _, r := range f.Received {
			within(t, f.Port+": share received in "+r.Network, r.share(), 0.8, 1)
			within(t, f.Port+": received in "+r.Network, float64(r.Messages), 500, math.Inf(1))
		}
	}
}

// TestCycles wants nothing of a few nodes left at the master and in DDS, and sees one that
// is still there.
func TestCycles(t *testing.T) {
	program := testProgram(t)
	c, err := cycle(t.Context(), program, 5)
	if err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	c.write(&line)
	t.Logf("\n%s", &line)
	if len(c.Left) > 0 || c.SeenDDS != c.Count || c.Start.Count != 5 {
		t.Errorf("%+v", c)
	}
	w, err := newWorld()
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	n, err := startIn(t.Context(), program, nodeName, w)
	if err != nil {
		t.Fatal(err)
	}
	defer n.stop()
	w.seesNode(leftTime)
	left, err := w.left(t.Context())
	for _, want := range []string{"serves " + nodeName + "/e_stop", "publishes " + soakTopic, "subscribes to", "participant"} {
		if err != nil || !strings.Contains(left, want) {
			t.Errorf("a node that runs: %q, %v, want %q in it", left, err, want)
		}
	}
}

// TestCalls wants a loop that is no later for 100 calls of services a second, or sets of
// parameters.
func TestCalls(t *testing.T) {
	seconds := testsize.Of(1, 1, 2)
	all, err := measureCalls(t.Context(), testProgram(t), time.Duration(seconds)*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := writeCalls(&table, all); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	if len(all) != 1+len(callers) {
		t.Fatalf("%d kinds of calls", len(all)-1)
	}
	none := all[0].Phase
	for _, c := range all[1:] {
		within(t, c.What+": calls", float64(len(c.Latency)), callRate*float64(seconds)/2, callRate*float64(seconds)+1)
		machine := probeLost(&c.Phase)
		if machine > 0.1 {
			t.Logf("%s: a latency probe lost %.0f %% of its periods; times say nothing of the node", c.What, 100*machine)
			continue
		}
		within(t, c.What+": share of lost periods", lost(&c.Phase), 0, lost(&none)+machine+0.05) // a period a call is 0.1
		within(t, c.What+": lateness p50, us", c.Phase.LatenessP50, 0.1, 5*none.LatenessP50+100)
		within(t, c.What+": lateness p99, us", c.Phase.LatenessP99, 0.1, 5*none.LatenessP99+2000)
		within(t, c.What+": real-time factor", c.Phase.RealTimeFactor, 0.5, 1.05)
	}
}

// TestViewers wants a page served and a loop that continues, whatever other viewers do, and all that are
// refused get the reason.
func TestViewers(t *testing.T) {
	all, err := measureViewers(t.Context(), viewersOptions{program: testProgram(t), length: time.Duration(testsize.Of(1, 1, 2)) * time.Second, rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if _, err := writeViewers(&table, all); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	if len(all) != 1+len(viewings) {
		t.Fatalf("%d kinds of viewers", len(all)-1)
	}
	none := all[0][0].Phase
	within(t, "scenes without viewers", all[0][0].Frames, 0, 0)
	for _, rounds := range all[1:] {
		v := &rounds[0]
		within(t, v.What+": memory, MiB", v.Phase.Memory.Max, 5, none.Memory.Max+viewedRooms)
		within(t, v.What+": open files", v.Files, 5, 250)
		within(t, v.What+": real-time factor", v.Phase.RealTimeFactor, 0.5, 1.05)
		within(t, v.What+": scenes to the page", v.Frames, 20, 65)
		within(t, v.What+": bytes to the page", v.Bytes, 20e3, 1e6)
		if v.What == onePage {
			within(t, "processor with one page, %", v.Phase.CPU, 1, 100)
		}
	}
	for what, want := range map[string]string{
		malformed: "1002 received header with unexpected rsv bits set", hugeFrame: "1009 message larger than the limit of 1048576 bytes",
		manyPeers: "1013 64 viewers are connected, the most allowed; close one",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("%s: no log says %q", what, want)
		}
	}
}

// Viewers are judged by lateness over that without them, by the picture and by what they take.
func TestViewersAreJudged(t *testing.T) {
	none := []Viewed{{What: quiet, Phase: Phase{LatenessP99: 100, Probe: latency.Lateness{P99: 60}, Memory: Memory{Max: 50}}}}
	good := Viewed{What: hugeFrame, Phase: Phase{LatenessP99: 120, CPU: 50, Probe: latency.Lateness{P99: 60}, Memory: Memory{Max: 146}}, Frames: 55, Told: map[string]int{"too big": 1}}
	for _, tt := range []struct {
		spoil func(v *Viewed)
		want  string
	}{
		{func(*Viewed) {}, ""},
		{func(v *Viewed) { v.Phase.LatenessP99 = 121 }, "1.21 times the lateness"},
		{func(v *Viewed) { v.Phase.LatenessP99, v.Phase.Probe.P99 = 140, 80 }, ""},
		{func(v *Viewed) { v.Phase.LatenessP99, v.Phase.Probe.P99 = 141, 80 }, "1.21 times the lateness"},
		{func(v *Viewed) { v.Phase.LatenessP99, v.Phase.Probe.P99 = 121, 20 }, "1.21 times the lateness"},
		{func(v *Viewed) { v.Frames = 54 }, "54.0 scenes a second"},
		{func(v *Viewed) { v.Phase.Memory.Max = 147 }, "147 MiB of memory"},
		{func(v *Viewed) { v.Told = nil }, "no log says"},
		{func(v *Viewed) { v.What, v.Told, v.Phase.CPU = onePage, nil, 15 }, ""},
		{func(v *Viewed) { v.What, v.Told, v.Phase.CPU = onePage, nil, 15.1 }, "15.1 % of a processor"},
	} {
		v := good
		tt.spoil(&v)
		missed := judgeViewed([]Viewed{v}, none)
		if got := strings.Join(missed, "; "); len(missed) > 1 || !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", v, got, tt.want)
		}
	}
	rounds := func(p99 ...float64) (list []Viewed) {
		for _, x := range p99 {
			list = append(list, Viewed{Phase: Phase{LatenessP99: x}})
		}
		return list
	}
	if x := lateness(rounds(110, 220, 900), rounds(100, 200, 300)); x != 1.1 {
		t.Errorf("the median of 1.1, 1.1, 3 is %g", x)
	}
}

// TestStartup wants a moving picture soon after the start.
func TestStartup(t *testing.T) {
	all, err := measureStarts(t.Context(), testProgram(t), 2)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	writeStarts(&table, all)
	t.Logf("\n%s", &table)
	for _, s := range all {
		within(t, "link, s", s.Link, 1e-3, 5)
		within(t, "page, s", s.Page, s.Link, 5)
		within(t, "first scene, s", s.Picture, s.Page, 5)
		within(t, "it moves, s", s.Moving, s.Picture, 10)
	}
	if missed := writeStarts(&table, []Startup{{Moving: 1.1}, {Moving: 1.2}, {Moving: 0.9}}); len(missed) != 1 || !strings.Contains(missed[0], "1.10 s") {
		t.Errorf("%q", missed)
	}
	if missed := writeStarts(&table, []Startup{{Moving: 1}}); len(missed) != 0 {
		t.Errorf("%q", missed)
	}
}

// Lateness with calls is judged by that without, and by the machine beside both.
func TestCallsAreJudged(t *testing.T) {
	none := Called{Phase: Phase{Seconds: 10, Skipped: 100, LatenessP99: 100, Probe: latency.Lateness{P99: 60}}}
	for _, tt := range []struct {
		lateness, probe, skipped float64
		probeSkipped             int
		want                     string // in the only complaint
	}{
		{100, 60, 100, 0, ""}, {150, 60, 100, 0, ""}, {151, 60, 100, 0, "lateness p99 151 us: at most 150"}, {190, 100, 0, 0, ""},
		{191, 100, 0, 0, "of which 40 are the machine's"}, {150, 20, 0, 0, ""}, {151, 20, 0, 0, "lateness"},
		{0, 0, 149, 0, ""}, {0, 0, 151, 0, "1.51 % of the periods lost: at most 1.50 %"}, {0, 0, 199, 50, ""}, {0, 0, 201, 50, "lost"},
	} {
		c := Called{Phase: Phase{Seconds: 10, Skipped: tt.skipped, LatenessP99: tt.lateness, Probe: latency.Lateness{P99: tt.probe, Skipped: tt.probeSkipped}}}
		c.judge(&none)
		if got := strings.Join(c.Missed, "; "); len(c.Missed) > 1 || !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

package progress_test

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"sinew/cmd/internal/progress"
)

// TestLines: without a terminal there is a line every ten seconds until the end, and none of work that has ended
// before.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		name  string
		total int64
		unit  progress.Unit
		work  func(*progress.Bar)
		lines string
	}{
		{"shorter than ten seconds", 100, "steps", func(b *progress.Bar) {
			time.Sleep(9900 * time.Millisecond)
		}, ""},
		{"share and remaining time", 100, "steps", func(b *progress.Bar) {
			for range 5 {
				time.Sleep(4500 * time.Millisecond)
				b.Add(5)
			}
		}, "p: work: 10 % after 10 s, about 1m30s left\np: work: 20 % after 20 s, about 1m20s left\n"},
		{"nothing is done yet", 100, "steps", func(b *progress.Bar) {
			time.Sleep(10500 * time.Millisecond)
		}, "p: work after 10 s\n"},
		{"resumed", 100, "samples", func(b *progress.Bar) {
			b.Resume(50)
			time.Sleep(5 * time.Second)
			b.Set(60)
			time.Sleep(6 * time.Second)
		}, "p: work: 60 % after 10 s, about 40s left\n"},
		{"count", -1, "simulations", func(b *progress.Bar) {
			b.Note("start 1 of 3")
			b.Add(7)
			time.Sleep(11 * time.Second)
		}, "p: work: start 1 of 3: 7 simulations after 10 s\n"},
		{"elapsed time alone", -1, "", func(b *progress.Bar) {
			time.Sleep(11 * time.Second)
			b.Note("mesh 2 of 3")
			time.Sleep(10 * time.Second)
			b.Note("")
			time.Sleep(10 * time.Second)
		}, "p: work after 10 s\np: work: mesh 2 of 3 after 20 s\np: work after 30 s\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				b := progress.Start(&out, "p", "work", c.total, c.unit)
				c.work(b)
				b.End()
				b.End()
				time.Sleep(time.Minute)
				if out.String() != c.lines {
					t.Errorf("got\n%swant\n%s", out.String(), c.lines)
				}
			})
		})
	}
}

// TestNil: a bar that shows nothing takes every call.
func TestNil(t *testing.T) {
	var b *progress.Bar
	b.Set(1)
	b.Add(1)
	b.Bytes(1)
	b.Resume(1)
	b.Note("a note")
	b.End()
}

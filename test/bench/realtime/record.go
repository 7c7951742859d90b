package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"sinew/pkg/ros/record"
)

// Recording compares the loop with a recording at 1 kHz beside it and without. The
// two take turns, so that other load of the machine affects both.
type Recording struct {
	Format   string  `json:"format"`
	Plain    []Phase `json:"plain"`    // rounds without a recording
	Recorded []Phase `json:"recorded"` // rounds with a recording
	// PlainP99 and RecordedP99 are the medians over the rounds, µs.
	PlainP99    float64 `json:"plain_lateness_us_p99"`
	RecordedP99 float64 `json:"recorded_lateness_us_p99"`
	Change      float64 `json:"change_percent"` // from PlainP99 to RecordedP99
	Rate        float64 `json:"file_mb_per_s"`
}

// recordTarget is the largest change that is accepted, percent.
const recordTarget = 10

// measureRecording measures for a length of time with and as long without a
// recording.
func measureRecording(ctx context.Context, o options, length time.Duration) (*Recording, error) {
	dir, err := os.MkdirTemp("", "realtime")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &Recording{Format: o.record}
	var bytes, seconds float64
	for i := range o.rounds {
		plain, err := measureLoop(ctx, o, length/time.Duration(o.rounds))
		if err != nil {
			return nil, fmt.Errorf("without a recording: %w", err)
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.%s", i, o.record))
		recorded, err := measureLoop(ctx, o, length/time.Duration(o.rounds), "--record", file)
		if err != nil {
			return nil, fmt.Errorf("with a recording: %w", err)
		}
		size, length, err := extent(file)
		if err != nil {
			return nil, err
		}
		bytes, seconds = bytes+size, seconds+length
		if err := os.Remove(file); err != nil {
			return nil, err
		}
		r.Plain, r.Recorded = append(r.Plain, plain), append(r.Recorded, recorded)
	}
	r.PlainP99, r.RecordedP99 = medianP99(r.Plain), medianP99(r.Recorded)
	r.Change = 100 * (r.RecordedP99/r.PlainP99 - 1)
	r.Rate = bytes / seconds / 1e6
	return r, nil
}

// extent returns the size of a recording, and its length in s.
func extent(file string) (bytes, seconds float64, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, 0, err
	}
	topics, err := record.Topics(file)
	for _, t := range topics {
		if t.Name == nodeName+"/measured_cp" {
			return float64(info.Size()), (t.Last - t.First).Seconds(), err
		}
	}
	return 0, 0, errors.Join(fmt.Errorf("%s has no measured_cp", file), err)
}

// medianP99 returns the median of the phases' 99th percentiles of the lateness, µs.
func medianP99(phases []Phase) float64 {
	var x []float64
	for _, p := range phases {
		x = append(x, p.LatenessP99)
	}
	return median(x)
}

// measureLoop runs a node of its own for a while, without subscribers.
func measureLoop(ctx context.Context, o options, length time.Duration, args ...string) (Phase, error) {
	r, err := measureNode(ctx, options{program: o.program, config: o.config, loop: length}, args...)
	if err != nil {
		return Phase{}, err
	}
	return r.Phases[0], nil
}

func (r *Recording) write(w io.Writer) {
	fmt.Fprintf(w, "\nrecording .%s at 1 kHz, %.1f MB/s, %d rounds: lateness p99 %.0f us, without %.0f us: %+.1f %%; target: no more than %+d %% on an idle machine\n",
		r.Format, r.Rate, len(r.Plain), r.RecordedP99, r.PlainP99, r.Change, recordTarget)
	for i := range r.Plain {
		fmt.Fprintf(w, "  round %d: p99 %.0f us recording, %.0f us without; CPU %.1f %%, %.1f %%; others %.1f %%, %.1f %%\n", i+1,
			r.Recorded[i].LatenessP99, r.Plain[i].LatenessP99, r.Recorded[i].CPU, r.Plain[i].CPU, r.Recorded[i].Others, r.Plain[i].Others)
	}
}

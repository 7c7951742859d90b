package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sinew/cmd/internal/exitcode"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/recording"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/sim"
)

// defaultRecordDir is --record-dir without the flag.
const defaultRecordDir = "."

// openRecordings prepares recordings that begin and end while the node runs, and begins that of
// --record if one is requested. Recordings are written in place, so that they are readable however
// the program ends.
func (n *node) openRecordings(c *Cmd) error {
	switch info, err := os.Stat(c.RecordDir); {
	case c.RecordDir == defaultRecordDir: // its error concerns only requests for recordings
	case err != nil:
		return exitcode.Usagef("--record-dir: %w", err)
	case !info.IsDir():
		return exitcode.Usagef("--record-dir %s: is no folder", c.RecordDir)
	}
	o := recording.Options{
		All: c.RecordAll, Node: n.names.Node(), Dir: c.RecordDir, Extension: "." + c.RecordFormat, Describe: n.describeRecording,
		Now: n.time(c.Clock), Follows: n.follows, Began: n.recordParameters, Log: n.log,
	}
	if n.viewer != nil {
		o.Downloads = viewer.RecordingsPath
	}
	n.recordings = recording.New(o)
	n.recordsAll = recording.HasDerived(c.Record, c.RecordAll)
	if c.Record == "" {
		return nil
	}
	if err := n.mayRecord(c); err != nil {
		return err
	}
	if err := n.recordings.Begin(c.Record); err != nil {
		return exitcode.Usage(err)
	}
	return nil
}

// recordedText says what is recorded, and how much that is.
func (n *node) recordedText() string {
	size := ros.FormatTwoDigits(n.recordedBytes()*3600/1e6) + " MB per hour"
	if n.recordsAll {
		return "paths, markers and about " + size + " of other topics"
	}
	return "about " + size + "; paths and markers are left out (--record-all: with them)"
}

// recordedBytes estimates how much is recorded in a second while nothing is commanded, without paths and markers.
func (n *node) recordedBytes() (sum float64) {
	const number, overhead = 8, 100 // bytes of a value, and of a message with its names and what the file adds
	for _, p := range n.made.Model.Ports() {
		if p.Direction != sim.Out || p.Kind == sim.Path || slices.Contains(n.made.DisabledTopics, p.Name) {
			continue
		}
		hz := n.made.Timing.PublishHz
		if p.Pace == sim.Slow {
			hz = min(hz, n.made.Timing.MarkerHz)
		}
		sum += hz * float64(overhead+number*p.Width())
	}
	return sum
}

// mayRecord returns an error if --record would overwrite a file.
func (n *node) mayRecord(c *Cmd) error {
	if c.Record == "" {
		return nil
	}
	return n.env.Outputs(c.Force, c.Config, n.made).InPlace("--record", c.Record)
}

// recordingOf returns the file to which --record of a fleet records a node (absolute name): x.mcap
// becomes x.lab.left.mcap. No two nodes have the same file, as names of nodes have no dots.
func (c *Cmd) recordingOf(node string) string {
	if c.Record == "" {
		return ""
	}
	ext := filepath.Ext(c.Record)
	return strings.TrimSuffix(c.Record, ext) + strings.ReplaceAll(node, "/", ".") + ext
}

// describeRecording returns the options of a recording that begins now, with the present
// parameters.
func (n *node) describeRecording() record.Options {
	o := n.env.RecordingOptions(record.VerbRun, n.made.Timing.ExpiresCommands(), n.made, n.names.Node(), os.Args[1:])
	o.Created, o.Robot = n.clock.Now(), n.made.Running.Text()
	return o
}

// recordParameters records the present parameters at the beginning of a recording, as soon as no
// request is changing them.
func (n *node) recordParameters() { go n.parameters.repeat() }

// endRecording ends the recording within a time limit and prints its contents. It returns an error
// if messages of the run are in no file.
func (n *node) endRecording(limit time.Duration) error {
	if n.recordings == nil {
		return nil
	}
	sum, err := n.recordings.CloseWithin(limit)
	if sum != nil {
		dropped := "none dropped"
		if sum.Lost > 0 {
			dropped = fmt.Sprintf("%d DROPPED", sum.Lost)
		}
		fmt.Fprintf(n.env.Stdout, "record   %s: %d messages, %s\n", sum.File, sum.Kept, dropped)
	}
	return err
}

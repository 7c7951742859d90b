package run

import (
	"fmt"
	"os"
	"time"

	"sinew/cmd/internal/exit"
	"sinew/pkg/ros/record"
)

// startRecording begins the recording of --record, if there is one to be.
// It is written in place, so that it can be read whatever ends the program.
func (n *node) startRecording(c *Cmd, now time.Duration) error {
	file := c.Record
	if file == "" {
		return nil
	}
	if err := n.env.Outputs(c.Force, c.Config, n.made).InPlace("--record", file); err != nil {
		return err
	}
	o := n.env.RecordingOptions(record.VerbRun, n.made.Timing.TakesBack(), n.made, n.names.Node(), os.Args[1:])
	o.Created, o.Overwrite = now, true
	w, err := record.Create(file, o)
	if err != nil {
		return exit.Usage(err)
	}
	n.recorder = record.NewRecorder(w, file, n.log)
	n.recording = n.recorder
	if n.follows {
		n.recording = &timed{Transport: n.recorder}
	}
	return nil
}

// endRecording ends the recording within a time and says what is in it. Its error tells
// of messages that are not.
func (n *node) endRecording(limit time.Duration) error {
	if n.recorder == nil {
		return nil
	}
	err := n.recorder.CloseWithin(limit)
	kept, lost := n.recorder.Kept()
	dropped := "none dropped"
	if lost > 0 {
		dropped = fmt.Sprintf("%d DROPPED", lost)
	}
	fmt.Fprintf(n.env.Stdout, "record   %s: %d messages, %s\n", n.recorder.Name(), kept, dropped)
	return err
}

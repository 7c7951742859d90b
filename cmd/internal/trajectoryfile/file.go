// Package trajectoryfile reads trajectories from files: CSVs, and recordings.
package trajectoryfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// Role is the role of the trajectory in a recording: simulation or hardware.
type Role uint8

// The roles.
const (
	Simulated Role = iota
	Measured
)

// String implements fmt.Stringer.
func (r Role) String() string {
	if r == Simulated {
		return "simulation"
	}
	return "hardware"
}

// Source is the location of a trajectory in a file.
type Source struct {
	File string

	// Of a recording.
	Topic string // of the poses; if empty, the usual one of the role
	Role  Role
	Alone bool // nothing of the other role is in the file
	// Simulations lets the poses of a simulator stand for the hardware, as where two simulations are compared.
	Simulations bool
	// Progress, if not nil, is called with the bytes that are read, of a recording up to
	// Passes times.
	Progress func(bytes int)

	CSV trajectory.Options // of a CSV
}

// Passes is how often Read reads a recording at most.
const Passes = 3

func (s Source) reading() record.Reading { return record.Reading{File: s.File, Progress: s.Progress} }

// Read reads the trajectory of a source from a CSV, a .mcap, .bag or .db3 file, or a folder of rosbag2. Positions are in m in the
// frame that Trajectory.Frame names. Times of a recording are counted from 1970;
// [trajectory.Trajectory.CountFrom] changes that.
//
// An error names the file and what is wrong with it. For a truncated recording there is no error
// but a Warning.
func Read(s Source) (*trajectory.Trajectory, error) {
	switch {
	case record.IsRecording(s.File):
		return readRecording(s)
	case IsCSV(s.File):
		return readCSV(s)
	}
	return nil, fmt.Errorf("%s: neither .csv nor .mcap nor .bag nor .db3, no folder of rosbag2, and no table of numbers", s.File)
}

// IsCSV reports whether a file is a CSV by its name or, if that says nothing, by the rows of numbers in it.
func IsCSV(file string) bool {
	switch {
	case strings.EqualFold(filepath.Ext(file), ".csv"):
		return true
	case record.IsRecording(file):
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	return trajectory.HasRows(f)
}

// readCSV reads a CSV.
func readCSV(s Source) (*trajectory.Trajectory, error) {
	f, err := os.Open(s.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return trajectory.ReadCSV(s.File, f, s.CSV)
}

// ReadCommands reads the CSV of commands for the In ports among ports; if the name is empty there
// are none.
func ReadCommands(file string, ports []sim.Port) (*trajectory.Commands, error) {
	if file == "" {
		return &trajectory.Commands{}, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return trajectory.ReadCommands(file, f, ports)
}

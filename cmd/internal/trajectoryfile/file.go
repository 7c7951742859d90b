// Package trajectoryfile reads trajectories from files: CSVs, and recordings in .mcap and .bag. A format
// is a file of this package and an entry in formats.
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

// Role says whose trajectory is looked for in a recording.
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

// Source says where in a file a trajectory is.
type Source struct {
	File string

	// Of a recording.
	Topic string // of the poses; if empty, the usual one of the role
	Role  Role
	Alone bool // nothing of the other role is in the file
	// Progress, if not nil, is called with the bytes that are read, of a recording up to
	// Passes times.
	Progress func(bytes int)

	CSV trajectory.Options // of a CSV
}

// Passes is how often Read goes through a recording.
const Passes = 3

func (s Source) reading() record.Reading { return record.Reading{File: s.File, Progress: s.Progress} }

// format is a kind of files that have trajectories.
type format struct {
	extension string // of the file, in lower case
	read      func(Source) (*trajectory.Trajectory, error)
}

// formats are the kinds of files that Read reads.
var formats = []format{{".csv", readCSV}, {".mcap", readRecording}, {".bag", readRecording}}

// Read reads the trajectory of a source from a .csv, .mcap or .bag file. Positions are in m in the frame that
// Trajectory.Frame names. Times of a recording are counted from 1970, [trajectory.Trajectory.CountFrom] sets them.
//
// An error names the file and what is wrong with it. A recording that is cut off is none, but a Warning.
func Read(s Source) (*trajectory.Trajectory, error) {
	extension := strings.ToLower(filepath.Ext(s.File))
	for _, f := range formats {
		if f.extension == extension {
			return f.read(s)
		}
	}
	return nil, fmt.Errorf("%s: neither .csv nor .mcap nor .bag", s.File)
}

// IsCSV reports whether the name of a file is that of a CSV.
func IsCSV(file string) bool { return strings.EqualFold(filepath.Ext(file), ".csv") }

// readCSV reads a CSV.
func readCSV(s Source) (*trajectory.Trajectory, error) {
	f, err := os.Open(s.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return trajectory.ReadCSV(s.File, f, s.CSV)
}

// ReadCommands reads the CSV of commands for the In ports among ports; without a name there are none.
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

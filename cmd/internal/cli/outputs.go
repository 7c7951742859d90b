package cli

import (
	"fmt"
	"os"
	"strings"

	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
)

// Outputs returns the output set of a command that reads these robot files, the files of the
// ROS arguments and those of the robot.
func (e *Env) Outputs(force output.Force, config []string, made *program.Instance) *output.Set {
	s := output.New(e.Stdout, force)
	s.Reads("a robot file of --config", config...)
	s.Reads("a file of --params-file", e.Args.ParamFiles...)
	if made != nil {
		s.Reads("a file that the robot file names", made.Files...)
	}
	return s
}

// RowsProgress is Progress for work that writes rows to out. Rows on the terminal replace the
// bar.
func (e *Env) RowsProgress(what string, total int64, unit progress.Unit, out string) *progress.Bar {
	if _, rows := progress.Terminal(e.Stdout); rows && out == "-" {
		return nil
	}
	return e.Progress(what, total, unit)
}

// ReadingProgress is Progress of reading files so many times.
func (e *Env) ReadingProgress(passes int64, files ...string) *progress.Bar {
	total := int64(0)
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			total += passes * info.Size()
		}
	}
	return e.Progress("reading "+strings.Join(files, ", "), max(total, 1), progress.Bytes)
}

// Progress shows work on Stderr, which other goroutines write to: a writer that is no file gets a nil Bar,
// which shows nothing. The caller ends the bar, also after an error.
func (e *Env) Progress(what string, total int64, unit progress.Unit) *progress.Bar {
	f, ok := e.Stderr.(*os.File)
	if !ok {
		return nil
	}
	return progress.Start(f, e.Robot.Name, what, total, unit)
}

// Println writes a line on Stderr, above the bar if there is one.
func (e *Env) Println(bar *progress.Bar, text string) {
	if bar == nil {
		fmt.Fprintf(e.Stderr, "%s: %s\n", e.Robot.Name, text)
		return
	}
	bar.Println(text)
}

package testbench

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// RobotFiles are those of the contract.
const RobotFiles = "../../pkg/sim/robotfile/testdata/"

// Run runs tendonsim to its end.
func Run(t *testing.T, program string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "ROS_MASTER_URI=http://localhost:1") // no master answers there
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), progressLine.ReplaceAllString(errs.String(), ""), cmd.ProcessState.ExitCode()
}

// progressLine is a line of progress, which there is where work takes long on a busy machine.
var progressLine = regexp.MustCompile(`(?m)^\w+: .* after \d+ s(, about [0-9hms]+ left)?\n`)

// ParseCSV reads CSV of numbers by column name.
func ParseCSV(t *testing.T, text string) (header []string, rows [][]float64) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] {
		var row []float64
		for _, f := range r {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return records[0], rows
}

// WriteFile writes a file in a folder of its own.
func WriteFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// RunIn runs a program in a folder.
func RunIn(t *testing.T, dir, program string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), progressLine.ReplaceAllString(errs.String(), ""), cmd.ProcessState.ExitCode()
}

// MicrorobotFiles are robot files of the contract.
const MicrorobotFiles = "../../pkg/sim/microrobot/testdata/"

// ReadFile reads a file.
func ReadFile(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ListDir lists what is in a folder, hidden files too.
func ListDir(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

package naming_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
)

func TestLogLevel(t *testing.T) {
	for _, c := range []struct {
		line, level string
		foreign     []string
	}{
		{"", "info", nil},
		{"--log-level DEBUG", "debug", nil},
		{"--log-level unset", "info", nil},
		{"--log-level debug --log-level error", "error", nil},
		{"--log-level lab.left:=warn --log-level debug", "warn", nil},
		{"--log-level lab:=error --log-level lab.left:=debug", "debug", nil},
		{"--log-level lab.le:=error --log-level rcl:=debug", "info", []string{"lab.le", "rcl"}},
		{"--log-level lab.left:=fatal", "fatal", nil},
	} {
		a, err := naming.ParseArgs(strings.Fields("--ros-args " + c.line))
		if err != nil {
			t.Fatal(err)
		}
		level, foreign := a.LogLevel("/lab/left")
		if level != c.level || !slices.Equal(foreign, c.foreign) {
			t.Errorf("%q: level %s, foreign %q; want %s, %q", c.line, level, foreign, c.level, c.foreign)
		}
	}
	for _, line := range []string{"--log-level loud", "--log-level :=debug", "--log-level a:=", "--log-level"} {
		if _, err := naming.ParseArgs(strings.Fields("--ros-args " + line)); err == nil {
			t.Errorf("%q is accepted", line)
		}
	}
}

// An option that is accepted and has no effect says so.
func TestOptionsWithoutEffect(t *testing.T) {
	for line, want := range map[string]string{
		"-e /x":                    "command line: -e has no effect: DDS security is not implemented",
		"--enclave /x":             "command line: --enclave has no effect: DDS security is not implemented",
		"--log-config-file x.yaml": "command line: --log-config-file has no effect",
		"--log-file-name x":        "command line: --log-file-name has no effect",
		"--disable-stdout-logs":    "command line: --disable-stdout-logs has no effect",
		"--enable-rosout-logs":     "",
		"--disable-rosout-logs":    "",
	} {
		a, err := naming.ParseArgs(strings.Fields("--ros-args " + line + " -r __node:=x"))
		if err != nil || a.Name != "x" {
			t.Errorf("%s: %v, name %q", line, err, a.Name)
		}
		if want == "" && a.Idle != nil || want != "" && (len(a.Idle) != 1 || !strings.HasPrefix(a.Idle[0], want)) {
			t.Errorf("%s: %q, want %q", line, a.Idle, want)
		}
	}
}

// The last option about rosout holds.
func TestRosoutSwitch(t *testing.T) {
	for line, off := range map[string]bool{
		"": false, "--disable-rosout-logs": true, "--enable-rosout-logs": false,
		"--disable-rosout-logs --enable-rosout-logs": false, "--enable-rosout-logs --disable-rosout-logs": true,
	} {
		a, err := naming.ParseArgs(strings.Fields("--ros-args " + line + " -r __node:=x"))
		if err != nil || a.NoRosout != off || a.Name != "x" {
			t.Errorf("%q: off %t, %v, name %q", line, a.NoRosout, err, a.Name)
		}
	}
}

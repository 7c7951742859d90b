package identify_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/exitcode"
)

// The overlay has what was found alone, so that it can be given behind other files than those of the search, and its comments are
// those of people.
func TestOverlayHasWhatWasFound(t *testing.T) {
	robot, files := threeTrials(t)
	over := apptest.Write(t, "over.yaml", "rod: {density_kg_per_m3: 1200}\n")
	fitted := filepath.Join(t.TempDir(), "fitted.yaml")
	invoke(t, rodRobot(), "identify", "--config", robot, "--config", over, "--free", "youngs_modulus_pa", "--out", fitted, files[0], "_tendons/up/stiffness_n_per_m:=3e5")
	data, err := os.ReadFile(fitted)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{`(?m)^# Give this file behind them, by another --config\.$`, `(?m)^  youngs_modulus_pa: \S+ +# ± \S+ Pa \(\S+ %\)$`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "density") || strings.Contains(text, "stiffness") {
		t.Errorf("it has more than was found:\n%s", text)
	}
}

// A bound that is met is named when it is met, in the result and in the overlay.
func TestBoundIsNamed(t *testing.T) {
	robot, files := threeTrials(t)
	fitted := filepath.Join(t.TempDir(), "fitted.yaml")
	out := invoke(t, rodRobot(), "identify", "--config", robot, "--free", "youngs_modulus_pa=2e7:9e7", "--starts", "1", "--out", fitted, files[0])
	met := regexp.MustCompile(`(?m)^tendonsim: start 1, step \d+: rod.youngs_modulus_pa has met its lower bound of 2e\+07 Pa; wider ones are given by --free NAME=MIN:MAX$`)
	if n := len(met.FindAllString(out, -1)); n != 1 || strings.Index(out, " has met ") > strings.Index(out, "1 parameter from") {
		t.Errorf("the bound is named %d times as it is met:\n%s", n, out)
	}
	if !strings.Contains(out, "rod.youngs_modulus_pa is at the lower bound") {
		t.Error(out)
	}
	if text, err := os.ReadFile(fitted); err != nil || !strings.Contains(string(text), "youngs_modulus_pa: 20000000") || !strings.Contains(string(text), "# at the lower bound\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Without --starts the number of searches adapts, and the output says so.
func TestStartsAdapt(t *testing.T) {
	robot, files := threeTrials(t)
	args := []string{"identify", "--config", robot, "--free", "youngs_modulus_pa", "--free", "shear_modulus_pa", files[0], files[1]}
	out := invoke(t, rodRobot(), args...)
	if !regexp.MustCompile(`--starts auto: \d search(es)? from \d+ points within the bounds found \d minim(um|a); expected number of others: [0-9.]+`).MatchString(out) {
		t.Error(out)
	}
	if out := invoke(t, rodRobot(), append(args, "--starts", "2")...); strings.Contains(out, "--starts auto") || !strings.Contains(out, "of 2 searches") {
		t.Error(out)
	}
}

// What was found outlives an output that cannot be written: the overlay is there, or printed, and the failure has an exit code.
func TestOverlayOutlivesFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs /dev/full")
	}
	robot, files := threeTrials(t)
	dir := t.TempDir()
	full := func(name string) string {
		file := filepath.Join(dir, name)
		if err := os.Symlink("/dev/full", file); err != nil {
			t.Fatal(err)
		}
		return file
	}
	fitted, report := filepath.Join(dir, "fitted.yaml"), filepath.Join(dir, "report.json")
	found := regexp.MustCompile(`(?m)^  youngs_modulus_pa: \S+ +# ± `)
	args := []string{"identify", "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", files[0]}
	_, err := attempt(rodRobot(), append(args, "--out", fitted, "--report", full("full.html"), "--report", report)...)
	if exitcode.Code(err) != exitcode.Failed || !strings.Contains(err.Error(), "full.html: no space left on device") {
		t.Errorf("a report on a full disk: %v", err)
	}
	if text, err := os.ReadFile(fitted); err != nil || !found.Match(text) {
		t.Errorf("the overlay: %v\n%s", err, text)
	}
	if text, err := os.ReadFile(report); err != nil || !strings.Contains(string(text), `"parameters"`) {
		t.Errorf("the other report: %v\n%s", err, text)
	}
	out, err := attempt(rodRobot(), append(args, "--out", full("full.yaml"))...)
	if exitcode.Code(err) != exitcode.Failed || !strings.Contains(err.Error(), "no space left on device; the overlay is printed instead") || !found.MatchString(out) {
		t.Errorf("an overlay on a full disk: %v\n%s", err, out)
	}
}

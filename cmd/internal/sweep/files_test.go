package sweep_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim/robotfile"
)

// Nothing is left of an output that is refused, and of none there is anything before the
// samples are complete, which a kill would leave.
func TestNothingLiesAround(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "s.csv")
	if err := os.WriteFile(out+".json", []byte("my notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	there := func() (names string) {
		all, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			names += f.Name() + " "
		}
		return names
	}
	if _, err := do(with("--out", out)...); exitcode.Code(err) != exitcode.Mistake || there() != "s.csv.json " {
		t.Errorf("error %v, the folder has %s", err, there())
	}
	if err := os.Remove(out + ".json"); err != nil {
		t.Fatal(err)
	}
	during := ""
	r := robot()
	r.File = program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
		if f.Tendons[0].Tension == 4 && during == "" { // a sample
			during = there()
		}
		return made(f)
	})
	var errs bytes.Buffer
	if err := app.Run(r, with("--out", out, "--workers", "1"), io.Discard, &errs); err != nil {
		t.Fatal(err)
	}
	if during != "s.csv.part " || there() != "s.csv s.csv.json " {
		t.Errorf("while samples are taken the folder has %s, in the end %s", during, there())
	}
}

// A file that the robot file names is read for each sample: one that changes meanwhile gives an error, and
// nothing is written.
func TestFileThatChanges(t *testing.T) {
	dir := t.TempDir()
	mesh, config, out := filepath.Join(dir, "vessel.stl"), filepath.Join(dir, "robot.yaml"), filepath.Join(dir, "s.csv")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(mesh, "a mesh")
	write(config, "rod: {length_m: 0.25, radius_m: 0.0055, density_kg_per_m3: 997.7, youngs_modulus_pa: 16e6}\ntendons: [{name: long_up, offset_m: [0.015, 0]}]\nenvironment: {shapes: [{name: vessel, mesh: {file: vessel.stl}}]}\n")
	r := robot()
	change := false
	r.File = program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
		if f.Tendons[0].Tension == 4 && change { // a sample
			write(mesh, "another mesh")
		}
		return made(f)
	})
	for _, change = range []bool{true, false} {
		var errs bytes.Buffer
		err := app.Run(r, with("--config", config, "--out", out, "--workers", "1"), io.Discard, &errs)
		_, there := os.Stat(out)
		if change && (exitcode.Code(err) != exitcode.Failed || !strings.Contains(err.Error(), "vessel.stl, which the robot file names, is not what it was") || there == nil) || !change && err != nil {
			t.Errorf("changed %t: %v\n%s", change, err, &errs)
		}
		if err := os.Remove(out + ".part"); change && err != nil {
			t.Error(err)
		}
	}
}

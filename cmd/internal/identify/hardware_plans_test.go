package identify_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// TestPlansOfPhysicalRobots reads the plans of test/bench/hardware, without the recordings: all that is
// wrong is that these are not there, and everything that is to be free is in the robot file.
func TestPlansOfPhysicalRobots(t *testing.T) {
	plans, err := filepath.Glob("../../../test/bench/hardware/*/plan.yaml")
	if err != nil || len(plans) < 4 {
		t.Fatalf("%d plans: %v", len(plans), err)
	}
	for _, file := range plans {
		robot := filepath.Join(filepath.Dir(file), "robot.yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		alone := filepath.Join(t.TempDir(), "plan.yaml")
		if err := os.WriteFile(alone, text, 0o600); err != nil {
			t.Fatal(err)
		}
		program, numbers := rodRobot(), rodNumbers
		if filepath.Base(filepath.Dir(file)) == "microswimmer" {
			program, numbers = bodyRobot(), bodyNumbers
		}
		if _, err := attempt(program, "identify", "--config", robot, "--plan", alone); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", file, err)
		}
		var plan struct{ Stages []struct{ Free any } }
		if err := yaml.Unmarshal(text, &plan); err != nil {
			t.Fatal(err)
		}
		known, length, err := numbers(robot)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range plan.Stages {
			if _, err := identify.Resolve(texts(s.Free), known, length); err != nil {
				t.Errorf("%s: stage %d: %v", file, i, err)
			}
		}
	}
}

// rodNumbers and bodyNumbers are the numbers of a robot file, and the robot's length, m.
func rodNumbers(file string) ([]robotfile.Number, float64, error) {
	f, err := parsed[robotfile.Continuum](file)
	if err != nil {
		return nil, 0, err
	}
	return robotfile.Numbers(f), f.Rod.Length, nil
}

func bodyNumbers(file string) ([]robotfile.Number, float64, error) {
	f, err := parsed[robotfile.Microrobot](file)
	if err != nil {
		return nil, 0, err
	}
	r, err := microrobot.NewRobot(f, nil)
	if err != nil {
		return nil, 0, err
	}
	return robotfile.Numbers(f), r.Length(), nil
}

func parsed[F robotfile.Robot](file string) (*F, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return robotfile.Parse[F](file, text)
}

// texts are the strings of a value that is one or a list of them.
func texts(v any) (all []string) {
	if one, ok := v.(string); ok {
		return []string{one}
	}
	for _, x := range v.([]any) {
		all = slices.Concat(all, texts(x))
	}
	return all
}

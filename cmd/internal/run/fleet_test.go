package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/robotfile"
)

// fakeFleet is a program whose robots fail from their 0.1th second on if they are longer than 1 m.
func fakeFleet() program.Robot {
	robot := apptest.Robot(new(apptest.Integrator))
	robot.File = program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
		m := new(apptest.Integrator)
		if f.Rod.Length > 1 {
			m.Fail = 0.1
		}
		timing := program.Timing{StepS: 1.0 / 64, ControlHz: 64, PublishHz: 64, MarkerHz: 16, CommandTimeoutS: 0.2}
		return &program.Instance{Model: m, Describe: fmt.Sprintf("a fake of %g m", f.Rod.Length), LengthM: f.Rod.Length, Hardware: f.Hardware, Timing: timing}, nil
	})
	return robot
}

// fleetFile writes a fleet with a good and a long robot file beside it.
func fleetFile(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"fleet.yaml": text, "good.yaml": "{tendons: [{name: a, offset_m: [0.01, 0]}]}",
		"long.yaml": "{rod: {length_m: 2}, tendons: [{name: a, offset_m: [0.01, 0]}]}", "wrong.yaml": "{rod: {length: 2}}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "fleet.yaml")
}

// A fleet runs to its end. What fails is named, with exit code 1, and does not keep the others from running.
func TestFleet(t *testing.T) {
	const good = "robots:\n- {name: left, config: good.yaml}\n- {name: right, namespace: lab, config: [long.yaml, good.yaml]}\n"
	var out output
	if err := app.Run(fakeFleet(), []string{"run", "--ros", "off", "--duration", "0.6s", "--realtime", "off", "--robots",
		fleetFile(t, strings.Replace(good, "long.yaml, ", "", 1))}, &out, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"2 robots on ", "robot    /left: a fake of ", "robot    /lab/right: a fake", "ROS      off", "2 robots: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("wrote no %q:\n%s", want, out.String())
		}
	}
	var failed output
	err := app.Run(fakeFleet(), []string{"run", "--ros", "off", "--duration", "1.6s", "--realtime", "off", "--robots", fleetFile(t, good)}, &failed, &failed)
	if exitcode.Code(err) != exitcode.Failed || !strings.HasPrefix(err.Error(), "1 of 2 robots have failed: /lab/right: the fake model fails as requested") {
		t.Errorf("%v\n%s", err, failed.String())
	}
	if text := failed.String(); !strings.Contains(text, "2 robots: 1 ENABLED, 1 FAULT") || !strings.Contains(text, "/lab/right: the fake model fails as requested") {
		t.Errorf("wrote\n%s", text)
	}
}

// What is wrong with a fleet, or what it does not do, is an error before anything runs.
func TestFleetMistakes(t *testing.T) {
	const one = "robots: [{name: left, config: good.yaml}]"
	for _, c := range []struct {
		text, flags, want string
	}{
		{one, "--config good.yaml", "--config and --robots: the fleet file has the robot file of each robot"},
		{one, "--view 127.0.0.1:70000", `--view 127.0.0.1:70000: viewers: "127.0.0.1:70000": the port is "70000"; allowed: 0`},
		{one, "--record x.csv", "--record x.csv: a recording is a .mcap or .bag file"},
		{one, "--record " + filepath.Join(t.TempDir(), "none", "x.mcap"), "x.left.mcap: no such file"},
		{one, "--lockstep", "--lockstep and --robots: "},
		{one, "--clock", "--clock and --robots: "},
		{one, "--use-sim-time", "--use-sim-time and --robots: only one robot can follow /clock"},
		{one, "_use_sim_time:=true", "command line: use_sim_time: true: only one robot can follow /clock; allowed: false"},
		{one, "--realtime 99", "--realtime \"99\": allowed"},
		{"robots: [{name: left}]", "", "fleet.yaml:1: robots[0]: config is missing"},
		{"robots:\n- {name: left, config: good.yaml}\n- {name: left, config: good.yaml}", "", "fleet.yaml:3: node /left: "},
		{"robots:\n- {name: left, config: none.yaml}", "", "none.yaml: no such file"},
		{"robots:\n- {name: l, config: wrong.yaml}\n- {name: g, config: good.yaml}\n- {name: r, config: wrong.yaml}", "", "fleet.yaml:2: /l, /r: "},
	} {
		var out output
		args := append([]string{"run", "--ros", "off", "--duration", "0.1s", "--robots", fleetFile(t, c.text)}, strings.Fields(c.flags)...)
		err := app.Run(fakeFleet(), args, &out, &out)
		if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.text, c.flags, err, c.want)
		}
	}
	var out output
	if err := app.Run(fakeFleet(), []string{"run", "--ros", "off", "--robots", "none.yaml"}, &out, &out); exitcode.Code(err) != exitcode.Mistake {
		t.Errorf("a fleet file that is not there: %v", err)
	}
}

// Each robot of a fleet records itself, into a file with its name, and nothing is written over.
func TestFleetRecords(t *testing.T) {
	dir := t.TempDir()
	file := fleetFile(t, "robots:\n- {name: left, config: good.yaml}\n- {name: right, namespace: lab, config: good.yaml}\n")
	args := []string{"run", "--ros", "off", "--duration", "0.6s", "--realtime", "off", "--robots", file, "--record"}
	for _, ext := range []string{".mcap", ".bag"} {
		var out output
		if err := app.Run(fakeFleet(), append(args, filepath.Join(dir, "x"+ext)), &out, &out); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		for name, node := range map[string]string{"x.left": "/left", "x.lab.right": "/lab/right"} {
			recorded := filepath.Join(dir, name+ext)
			topics, err := record.Topics(recorded)
			if err != nil {
				t.Fatal(err)
			}
			poses := 0
			for _, topic := range topics {
				if topic.Name == node+"/measured_cp" {
					poses = topic.Messages
				}
				if strings.Contains(topic.Name, "/left/") != (node == "/left") && strings.HasSuffix(topic.Name, "/measured_cp") {
					t.Errorf("%s has %s", recorded, topic.Name)
				}
			}
			if poses == 0 {
				t.Errorf("%s has no poses of %s: %+v", recorded, node, topics)
			}
			for _, want := range []string{"record   all topics of " + node + " to " + recorded, "record   " + recorded + ": "} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("wrote no %q:\n%s", want, out.String())
				}
			}
		}
	}
	if err := os.Remove(filepath.Join(dir, "x.left.bag")); err != nil {
		t.Fatal(err)
	}
	var out output
	err := app.Run(fakeFleet(), append(args, filepath.Join(dir, "x.bag")), &out, &out)
	if _, there := os.Stat(filepath.Join(dir, "x.left.bag")); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "x.lab.right.bag exists already") || there == nil {
		t.Errorf("over another recording: %v; x.left.bag: %v", err, there)
	}
}

// check knows fleet files.
func TestCheckFleet(t *testing.T) {
	var out output
	file := fleetFile(t, "robots:\n- {name: left, config: good.yaml}\n- {name: right, namespace: /lab, config: long.yaml}\n")
	if err := app.Run(fakeFleet(), []string{"check", file}, &out, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/left: ok: a fake", "/lab/right: ok: a fake of 2 m", file + ": ok: 2 robots keep real time here"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("wrote no %q:\n%s", want, out.String())
		}
	}
	for text, want := range map[string]string{
		"robots: [{name: left, config: wrong.yaml}]":   "fleet.yaml:1: /left: ",
		"robots: [{name: left, confg: wrong.yaml}]":    "robots[0].confg: unknown key; allowed: name, namespace, config",
		"robots: [{name: left, config: missing.yaml}]": "missing.yaml",
	} {
		if err := app.Run(fakeFleet(), []string{"check", fleetFile(t, text)}, &out, &out); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, simTime := range []string{"_use_sim_time:=true", "--ros-args -p left:use_sim_time:=true"} {
		err := app.Run(fakeFleet(), append([]string{"check", file}, strings.Fields(simTime)...), &out, &out)
		if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "use_sim_time: true: only one robot can follow /clock; allowed: false") || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: %v", simTime, err)
		}
	}
	if err := app.Run(fakeFleet(), []string{"check", file, "_use_sim_time:=false"}, &out, &out); err != nil {
		t.Errorf("use_sim_time: false: %v", err)
	}
	if err := app.Run(fakeFleet(), []string{"check", file, file}, &out, &out); exitcode.Code(err) != exitcode.Mistake {
		t.Errorf("a fleet file over a fleet file: %v", err)
	}
}

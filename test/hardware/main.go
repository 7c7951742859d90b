package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"sinew/pkg/sim/robotfile"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "hardware:", err)
		os.Exit(1)
	}
}

func run() error {
	data := flag.String("data", "../shared/golden/opencr_sysid_v4", "directory of train.csv and val.csv")
	file := flag.String("robot", "test/hardware/ftdcr_v4.yaml", "robot file to write (fit) or read")
	images := flag.String("images", "docs/images", "directory to write the figure to")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: hardware [flags] fit | evaluate | figure")
		flag.PrintDefaults()
	}
	flag.Parse()
	verb := flag.Arg(0)
	if flag.NArg() != 1 || verb != "fit" && verb != "evaluate" && verb != "figure" {
		flag.Usage()
		return errors.New("one verb is needed: fit, evaluate or figure, after the flags")
	}
	r, err := readRecordings(*data)
	if err != nil {
		return err
	}
	if verb == "fit" {
		if err := fitTo(*file, r.train); err != nil {
			return err
		}
	}
	f, err := readRobot(*file)
	if err != nil {
		return err
	}
	if verb == "figure" {
		return drawValidation(filepath.Join(*images, "hardware.png"), f, r)
	}
	return evaluate(os.Stdout, f, r)
}

// fitTo fits the robot to rows, prints the parameters and writes the robot file.
func fitTo(file string, rows []row) error {
	r, err := fitRobot(context.Background(), rows, os.Stderr)
	if err != nil {
		return err
	}
	fmt.Printf("search: %s after %d evaluations\n", r.Starts[r.Best].Ending, r.Evaluations)
	for _, e := range r.Estimates {
		fmt.Printf("%-12s %11.5g ± %-8.2g %-4s %s\n", e.Name, e.Value, e.StandardError, e.Unit, e.Standing)
	}
	for _, p := range r.Confounded {
		fmt.Printf("%s and %s: correlation %.3f\n", r.Estimates[p.A].Name, r.Estimates[p.B].Name, p.Correlation)
	}
	return os.WriteFile(file, text(robot(r.Values())), 0o644)
}

// text is the contents of a fitted robot file.
func text(f *robotfile.Continuum) []byte {
	var b bytes.Buffer
	b.WriteString(`# A physical robot of three segments and nine tendons, ftdcr_v4 of the OpenCR project,
# as fitted by go run ./test/hardware fit to its recorded motions. Bending stiffness,
# segment lengths and nominal radius of the holes are its makers'; everything with
# many digits is fitted. pull_m are the pulls at zero of the servos: command pull_m
# plus the displacement of the servo. area_m2 is such that E times area is the
# fitted stiffness along the backbone, its mounting included.
`)
	b.Write(robotfile.Print(f))
	return b.Bytes()
}

func readRobot(file string) (*robotfile.Continuum, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f, err := robotfile.Parse[robotfile.Continuum](file, content)
	if err != nil {
		return nil, err
	}
	if len(f.Tendons) != tendonCount || f.Hardware.Latency == nil {
		return nil, fmt.Errorf("%s: %d tendons, latency_s %v; it must have %d and a latency", file, len(f.Tendons), f.Hardware.Latency, tendonCount)
	}
	for _, t := range f.Tendons {
		if t.Pull == nil {
			return nil, fmt.Errorf("%s: tendon %s has no pull_m", file, t.Name)
		}
	}
	return f, nil
}

package app

import (
	"context"
	"fmt"
	"os"
	"strings"

	"sinew/pkg/sim/hil/fit"
)

// writeOverlay writes the robot file with what was found.
func (f *fitting) writeOverlay(file string) error {
	if file == "" {
		return nil
	}
	text, err := f.overlay()
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// overlay is a robot file of all numbers that the result changes, to be laid over
// those that it started from.
func (f *fitting) overlay() ([]byte, error) {
	b := f.bench(context.Background())
	b.set(f.result.Values())
	comments := map[string]string{}
	estimates := f.result.Estimates
	for _, fr := range f.frees {
		n := len(fr.parameters)
		var notes []string
		for i := range n {
			notes = append(notes, comment(&estimates[i], n > 1))
		}
		for _, a := range fr.assign(f.values(fr, estimates)) {
			comments[a.path] = strings.Join(notes, ", ")
		}
		estimates = estimates[n:]
	}
	if err := f.keepOthers(b.file, comments); err != nil {
		return nil, err
	}
	body, err := b.file.Overlay(comments)
	if err != nil {
		return nil, err
	}
	return append([]byte(f.heading()), body...), nil
}

func (f *fitting) values(fr free, e []fit.Estimate) (x []float64) {
	for i := range fr.parameters {
		x = append(x, e[i].Value)
	}
	return x
}

// comment is an estimate behind its value in the overlay.
func comment(e *fit.Estimate, named bool) string {
	text := errorText(e)
	if s := shareText(e); s != "" {
		text += " (" + s + ")"
	}
	if named {
		text = fmt.Sprintf("%s %s %s", e.Name, significant(e.Value, e.StandardError), text)
	}
	if e.Unit != "1" {
		text += " " + e.Unit
	}
	return text
}

// keepOthers adds to the overlay the numbers whose default would follow what was
// found: the shear modulus where only Young's modulus is given.
func (f *fitting) keepOthers(fitted File, comments map[string]string) error {
	want, err := fitted.Numbers()
	if err != nil {
		return err
	}
	body, err := fitted.Overlay(comments)
	if err != nil {
		return err
	}
	f.base.Merge("overlay", body)
	got, err := f.base.Numbers()
	if err != nil {
		return err
	}
	for _, n := range want {
		if v, ok := fileNumbers(got).at(n.Path); !ok || v != n.Value {
			comments[n.Path] = "as it was"
		}
	}
	return nil
}

// heading says where the overlay comes from.
func (f *fitting) heading() string {
	var b strings.Builder
	config := "the built-in robot"
	if len(f.config) > 0 {
		config = strings.Join(f.config, " + ")
	}
	fmt.Fprintf(&b, "# Found by %s identify %s, starting from %s.\n", f.robot.Name, version, config)
	for _, s := range f.after.files {
		fmt.Fprintf(&b, "# Data: %s\n", s.name)
	}
	fmt.Fprintf(&b, "# Error of position: %.4g mm RMSE, %.3g %% of the length", 1e3*f.after.fitted.rms(), 100*f.after.fitted.rms()/f.lengthM)
	if f.after.held.rows > 0 {
		fmt.Fprintf(&b, "; held out: %.4g mm, %.3g %%", 1e3*f.after.held.rms(), 100*f.after.held.rms()/f.lengthM)
	}
	b.WriteString(".\n")
	for _, line := range f.warnings() {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	return b.String()
}

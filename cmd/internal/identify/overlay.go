package identify

import (
	"fmt"
	"math"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/pkg/sim/hil/fit"
)

// writeOverlay writes the robot file with what was found.
func (f *fitting) writeOverlay(file *output.File) error {
	if file == nil {
		return nil
	}
	body, err := f.problem.Overlay(f.base, f.result.Values(), f.found)
	if err != nil {
		return err
	}
	_, err = file.Write(append([]byte(f.heading()), body...))
	return err
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

// heading says where the overlay comes from.
func (f *fitting) heading() string {
	var b strings.Builder
	config := "the built-in robot"
	if len(f.config) > 0 {
		config = strings.Join(f.config, " + ")
	}
	fmt.Fprintf(&b, "# Found by %s identify %s, starting from %s.\n", f.program, cli.Version, config)
	for _, s := range f.after.Trials {
		fmt.Fprintf(&b, "# Data: %s\n", s.Name)
	}
	if e := &f.after.Fitted; e.Poses == 0 && e.Rotations > 0 {
		fmt.Fprintf(&b, "# Error of rotation: %.3g° RMSE", e.RotationRMS()*180/math.Pi)
	} else {
		fmt.Fprintf(&b, "# Error of position: %.4g mm RMSE, %.3g %% of the length", 1e3*e.RMS(), 100*e.RMS()/f.lengthM)
	}
	if f.after.HeldOut.Poses > 0 {
		fmt.Fprintf(&b, "; held out: %.4g mm, %.3g %%", 1e3*f.after.HeldOut.RMS(), 100*f.after.HeldOut.RMS()/f.lengthM)
	}
	b.WriteString(".\n")
	for _, line := range f.warnings() {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	return b.String()
}

package identify

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/pkg/sim/hil/fit"
)

// saveOverlay writes the robot file with what was found, before anything else can fail. Where it cannot be written, it is
// printed to w instead, as it may have taken hours to find.
func (f *fitting) saveOverlay(w io.Writer, file *output.File) error {
	if file == nil {
		return nil
	}
	body, err := f.problem.Overlay(f.base, f.result.Values(), f.found)
	if err != nil {
		return err
	}
	text := append([]byte(f.heading()), body...)
	if _, err = file.Write(text); err == nil {
		err = file.Commit()
	}
	if err != nil {
		fmt.Fprintf(w, "\n%s", text)
		return fmt.Errorf("%w; the overlay is printed instead", err)
	}
	return nil
}

// comment is an estimate behind its value in the overlay: its standard error, or why it has none.
func comment(e *fit.Estimate, named bool) string {
	text := overlayError(e)
	if named {
		text = fmt.Sprintf("%s %s %s", e.Name, significant(e.Value, e.StandardError), text)
	}
	return text
}

// overlayError is the standard error with its unit and its share of the value.
func overlayError(e *fit.Estimate) string {
	switch {
	case e.Identifiability == fit.AtMin || e.Identifiability == fit.AtMax:
		return string(e.Identifiability)
	case math.IsNaN(e.StandardError) || math.IsInf(e.StandardError, 0):
		return "standard error " + errorText(e)
	}
	text := errorText(e)
	if e.Unit != "1" {
		text += " " + e.Unit
	}
	if s := shareText(e); s != "" {
		text += " (" + s + ")"
	}
	return text
}

// commentWidth is where lines of the heading end.
const commentWidth = 110

// heading says where the overlay comes from, and how it is used.
func (f *fitting) heading() string {
	var b strings.Builder
	line := func(format string, args ...any) { wrapComment(&b, fmt.Sprintf(format, args...)) }
	switch n := len(f.config); n {
	case 0:
		line("Found by %s identify %s, starting from the built-in robot.", f.program, cli.Version)
	case 1:
		line("Found by %s identify %s, starting from %s.", f.program, cli.Version, f.config[0])
		line("Give this file behind it, by a second --config.")
	default:
		line("Found by %s identify %s, starting from %s.", f.program, cli.Version, strings.Join(f.config, " + "))
		line("Give this file behind them, by another --config.")
	}
	for _, s := range f.after.Trials {
		line("Data: %s", s.Name)
	}
	text := fmt.Sprintf("Error of position: %.4g mm RMSE, %.3g %% of the length", 1e3*f.after.Fitted.RMS(), 100*f.after.Fitted.RMS()/f.lengthM)
	if e := &f.after.Fitted; e.Poses == 0 && e.Rotations > 0 {
		text = fmt.Sprintf("Error of rotation: %.3g° RMSE", e.RotationRMS()*180/math.Pi)
	}
	if f.after.HeldOut.Poses > 0 {
		text += fmt.Sprintf("; held out: %.4g mm, %.3g %%", 1e3*f.after.HeldOut.RMS(), 100*f.after.HeldOut.RMS()/f.lengthM)
	}
	line("%s.", text)
	line("Behind ± stands the standard error of a number that was found.")
	for _, warning := range f.warnings() {
		line("%s", warning)
	}
	return b.String()
}

// wrapComment writes a comment in lines of commentWidth, of which the further ones are indented.
func wrapComment(b *strings.Builder, text string) {
	width := 0
	b.WriteString("#")
	for i, word := range strings.Fields(text) {
		if i > 0 && width+1+utf8.RuneCountInString(word) > commentWidth {
			b.WriteString("\n#  ")
			width = len("  ")
		}
		b.WriteString(" " + word)
		width += 1 + utf8.RuneCountInString(word)
	}
	b.WriteString("\n")
}

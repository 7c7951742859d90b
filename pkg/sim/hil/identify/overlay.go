package identify

import (
	"strings"

	"sinew/pkg/sim/hil/fit"
)

// Fitted writes the complete robot file with the parameters x.
func (p *Problem) Fitted(x []float64) ([]byte, error) {
	return p.file(x, nil).Print()
}

// Comments are the comments, by path, of all numbers that the result changes. comment
// explains an estimate behind its value; named is true where the value is decided by
// several, so that each needs its name.
func (p *Problem) Comments(r *fit.Result, comment func(e *fit.Estimate, named bool) string) map[string]string {
	comments := map[string]string{}
	estimates, x := r.Estimates, r.Values()
	for _, f := range p.free {
		n := len(f.Parameters)
		var notes []string
		for i := range n {
			notes = append(notes, comment(&estimates[i], n > 1))
		}
		for _, a := range f.assign(x[:n]) {
			comments[a.path] = strings.Join(notes, ", ")
		}
		estimates, x = estimates[n:], x[n:]
	}
	return comments
}

// Overlay writes a robot file of the numbers with comments, as they are with the
// parameters x, to be laid over base, which it uses up.
func (p *Problem) Overlay(base File, x []float64, comments map[string]string) ([]byte, error) {
	fitted, start := p.file(x, nil), base.Clone() // of which fitted gives all keys, and start those of the user's files
	if _, err := start.Numbers(); err != nil {
		return nil, err
	}
	if err := keepOthers(base, fitted, start.Gives, comments); err != nil {
		return nil, err
	}
	return fitted.OverlayOn(start.Gives, comments)
}

// keepOthers adds to the overlay the numbers whose defaults depend on identified numbers: the shear
// modulus where only Young's modulus is given.
func keepOthers(base, fitted File, given func(path string) bool, comments map[string]string) error {
	want, err := fitted.Numbers()
	if err != nil {
		return err
	}
	body, err := fitted.OverlayOn(given, comments)
	if err != nil {
		return err
	}
	base.Merge("overlay", body)
	got, err := base.Numbers()
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

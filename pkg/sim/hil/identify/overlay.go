package identify

import (
	"context"
	"strings"

	"sinew/pkg/sim/hil/fit"
)

// Overlay writes a robot file of all numbers that the result changes, to be laid
// over those that it started from. comment explains an estimate behind its value;
// named is true where the value is decided by several, so that each needs its name.
func (p *Problem) Overlay(r *fit.Result, comment func(e *fit.Estimate, named bool) string) ([]byte, error) {
	fitted := p.newPredictor(context.Background())
	fitted.set(r.Values())
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
	if err := p.keepOthers(fitted.file, comments); err != nil {
		return nil, err
	}
	return fitted.file.Overlay(comments)
}

// keepOthers adds to the overlay the numbers whose default would follow what was
// found: the shear modulus where only Young's modulus is given.
func (p *Problem) keepOthers(fitted File, comments map[string]string) error {
	want, err := fitted.Numbers()
	if err != nil {
		return err
	}
	body, err := fitted.Overlay(comments)
	if err != nil {
		return err
	}
	p.base.Merge("overlay", body)
	got, err := p.base.Numbers()
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

package identify

import (
	"math"

	"sinew/pkg/sim/hil/fit"
)

// Expected estimates the error of position on motions that the fit has not seen: each
// trial is predicted by the linearised model with the parameters that all the others ask
// for. There is none where fewer than two trials are fitted or the search knows no
// derivatives. No trial is simulated for it.
func (p *Problem) Expected(r *fit.Result) (e Errors, ok bool) {
	first, trials := 0, 0
	for _, tr := range p.Trials {
		count := p.residualsOf(tr)
		if count == 0 {
			continue
		}
		left := r.LeaveOut(first, first+count)
		if left == nil {
			return Errors{}, false
		}
		for k := range tr.rows {
			if tr.rows[k].fitted() {
				left = p.addLeft(&e, left, tr, &tr.rows[k])
			}
		}
		first, trials = first+count, trials+1
	}
	return e, trials > 1 && !math.IsNaN(e.RMS())
}

// addLeft counts the residuals of a row and returns those behind it.
func (p *Problem) addLeft(e *Errors, left []float64, tr *Trial, row *trialRow) []float64 {
	add := func(weight float64, coordinates int) {
		var v [3]float64
		copy(v[:], left[:coordinates])
		d := deviation{p: vec(v[:]).Scale(1 / weight)}
		if coordinates > 0 {
			e.add(&d, false)
		}
		left = left[coordinates:]
	}
	if row.posed {
		add(tr.poseWeight(), tr.coordinates())
		if p.fitsRotations(tr) {
			left = left[3:]
		}
	}
	for k, x := range row.markers {
		if w := tr.markers[k].weight * tr.weight(); w > 0 && x.IsFinite() {
			add(w, 3)
		}
	}
	return left
}

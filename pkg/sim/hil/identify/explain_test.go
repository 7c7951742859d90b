package identify

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// TestResidualsThatFollowOneAnother compares the correlation of residuals with that of the process they are
// drawn from. Equilibria do not follow one another.
func TestResidualsThatFollowOneAnother(t *testing.T) {
	const count, dt, sigma = 2000, 0.01, 1e-3
	for _, want := range []float64{0, 0.5, 0.95} {
		random := rand.New(rand.NewPCG(3, 3))
		tr := &Trial{commands: &trajectory.Commands{}}
		all := make([]deviation, count)
		draw := func() spatial.Vec {
			return spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(sigma)
		}
		d := draw()
		for i := range count {
			d = d.Scale(want).AddScaled(math.Sqrt(1-want*want), draw())
			all[i].p = d
			tr.rows = append(tr.rows, trialRow{t: dt * float64(i), measured: true, posed: true, pose: measuredPose{p: spatial.Vec{X: 0.1 * math.Sin(dt*float64(i))}}})
		}
		p := &Problem{Trials: []*Trial{tr}}
		likeness := func() float64 { return alikeness(p.gather([][]deviation{all}, new(fit.Result), nil, nil)) }
		if got := likeness(); !(math.Abs(got-want) <= 0.05) {
			t.Errorf("%g, want %g", got, want)
		}
		if tr.Static = true; want > 0 {
			if got := likeness(); !math.IsNaN(got) {
				t.Errorf("equilibria: %g", got)
			}
		}
	}
}

// TestVelocityBesideRowsThatAreLeftOut selects every third row of a robot at rest, 20 mm from its
// prediction: a row at an end has a neighbour that is not predicted, which makes no speed of the residual.
func TestVelocityBesideRowsThatAreLeftOut(t *testing.T) {
	const count, dt = 10, 0.01
	tr := &Trial{commands: &trajectory.Commands{}}
	all := make([]deviation, count)
	for i := range count {
		tr.rows = append(tr.rows, trialRow{t: dt * float64(i), measured: true, posed: true})
	}
	chosen, err := tr.Select(Selection{Every: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i := range chosen.rows {
		if chosen.rows[i].measured {
			all[i].p = spatial.Vec{Y: 0.02}
		}
	}
	p := &Problem{Trials: []*Trial{chosen}}
	rows := p.gather([][]deviation{all}, new(fit.Result), nil, nil)[0].Rows
	if len(rows) != 4 {
		t.Fatalf("%d observations", len(rows))
	}
	for i, o := range rows {
		if o.Velocity.Norm() > 0 {
			t.Errorf("observation %d: %v m/s at rest", i, o.Velocity)
		}
	}
}

// TestRowsWithoutTipSuggestNothing has a tip in every second row only, and markers in all: the rows
// between are no residuals of 0 at the origin, and the velocity passes over them.
func TestRowsWithoutTipSuggestNothing(t *testing.T) {
	const count, dt, speed, error = 9, 0.1, 0.3, 0.02
	tr := &Trial{commands: &trajectory.Commands{}}
	all := make([]deviation, count)
	for i := range count {
		row := trialRow{t: dt * float64(i), measured: true, posed: i%2 == 0}
		all[i].frame = spatial.Identity3()
		if row.posed {
			row.pose.p = spatial.Vec{X: speed * row.t, Z: 1}
			all[i].p, all[i].at = spatial.Vec{Y: error}, row.pose.p.Add(spatial.Vec{Y: error})
		}
		tr.rows = append(tr.rows, row)
	}
	p := &Problem{Trials: []*Trial{tr}}
	rows := p.gather([][]deviation{all}, new(fit.Result), nil, nil)[0].Rows
	if len(rows) != 5 {
		t.Fatalf("%d observations of 5 rows with a tip", len(rows))
	}
	for i, o := range rows {
		if o.Residual().Sub(spatial.Vec{Y: error}).Norm() > 1e-12 || o.Velocity.Sub(spatial.Vec{X: speed}).Norm() > 1e-12 {
			t.Errorf("observation %d: residual %v, velocity %v", i, o.Residual(), o.Velocity)
		}
	}
}

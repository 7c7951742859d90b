package identify

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// Effect is something that the model leaves out, by the shape of the residuals.
type Effect string

// The effects that residuals are tried for.
const (
	Lag      Effect = "lag"      // the residual is along the velocity
	Friction Effect = "friction" // it depends on whether commands last rose or fell
	Load     Effect = "load"     // it is the same everywhere
	Gain     Effect = "gain"     // it is in proportion to commands
)

// Finding is an effect and how much of the squared residuals it explains.
type Finding struct {
	Effect Effect
	Share  float64
	LagS   float64 // of a lag, s
	Text   string
}

// Thresholds of a finding: it explains leastShare of all squared residuals, and its F
// statistic is above leastF. With white residuals of a right model F is about 1.
const (
	leastShare = 0.15
	leastF     = 8
	// clearly is how much more than others the gain has to explain of what is left.
	clearly = 0.05
	// alike is the difference below which lag and friction are not told apart.
	alike = 0.1
)

// observation is a residual and what it may depend on.
type observation struct {
	d        spatial.Vec // prediction minus measurement, m
	velocity spatial.Vec // of the predicted point, m/s; 0 in equilibria
	command  []float64   // of each actuator
	history  []float64   // 1 where the command last rose, −1 where it fell, 0 before
}

// recognize finds effects one after the other: always the one that explains most of what
// is left.
func recognize(rows []observation) (found []Finding) {
	const most = 2 // of effects; what is left then is too little to tell
	residual := make([]float64, 0, 3*len(rows))
	for i := range rows {
		residual = append(residual, rows[i].d.X, rows[i].d.Y, rows[i].d.Z)
	}
	all := squares(residual)
	if all == 0 {
		return nil
	}
	tried := map[Effect]*mat.Dense{}
	for _, e := range []Effect{Lag, Load, Friction, Gain} {
		if a := regressors(rows, e); a != nil {
			tried[e] = a
		}
	}
	for range most {
		best, gain, left, size := Effect(""), 0.0, residual, 0
		score := map[Effect]float64{}
		for _, e := range []Effect{Lag, Load, Friction, Gain} {
			a := tried[e]
			if a == nil {
				continue
			}
			rest := regress(a, residual)
			_, k := a.Dims()
			adjusted := 1 - squares(rest)/squares(residual)*float64(len(residual))/float64(len(residual)-k)
			if e == Gain { // commands far from 0 look like the constant of a load
				adjusted -= clearly
			}
			if score[e] = adjusted; adjusted > gain {
				best, gain, left, size = e, adjusted, rest, k
			}
		}
		before, after := squares(residual), squares(left)
		share := (before - after) / all
		f := (before - after) / float64(size) / (after / float64(len(residual)-size))
		if best == "" || share < leastShare || !(f > leastF) {
			break
		}
		one := Finding{Effect: best, Share: share}
		one.describe(rows, residual)
		if twin := map[Effect]Effect{Lag: Friction, Friction: Lag}[best]; twin != "" && score[twin] > gain-alike {
			one.Text += fmt.Sprintf("; %s explains nearly as much: record rests and several speeds to tell them apart", twin)
		}
		found, residual = append(found, one), left
		delete(tried, best)
	}
	return found
}

// describe says what the effect is and what to do about it.
func (f *Finding) describe(rows []observation, residual []float64) {
	what := ""
	switch f.Effect {
	case Lag:
		product, square := 0.0, 0.0
		for i := range rows {
			v := rows[i].velocity
			product += residual[3*i]*v.X + residual[3*i+1]*v.Y + residual[3*i+2]*v.Z
			square += v.Dot(v)
		}
		f.LagS = product / square
		what = fmt.Sprintf("they lie along the velocity, as if the hardware were %.3g s later: free latency_s, or model the lag of the drive", f.LagS)
	case Friction:
		what = "they depend on whether the commands last rose or fell: friction or backlash is left out; free friction_coefficient, and record reversals"
	case Load:
		what = "they are the same everywhere: a load, gravity or a place of base or camera is left out; free base_pose or hardware_pose, or weigh what the tip carries"
	case Gain:
		what = "they follow the commands: a stiffness or the gain of a drive is wrong; free actuation, or the stiffness"
	}
	const percent = 100
	f.Text = fmt.Sprintf("residuals suggest %s: %.0f %% of their squares; %s", f.Effect, percent*f.Share, what)
}

// regressors are the columns that an effect would make residuals of, nil where the rows
// cannot tell.
func regressors(rows []observation, e Effect) *mat.Dense {
	var data [][]float64 // columns
	add := func(along func(r *observation) spatial.Vec) {
		column := make([]float64, 0, 3*len(rows))
		for i := range rows {
			v := along(&rows[i])
			column = append(column, v.X, v.Y, v.Z)
		}
		if squares(column) > 0 {
			data = append(data, column)
		}
	}
	each := func(value func(r *observation) float64) { // on each axis
		for _, axis := range []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			add(func(r *observation) spatial.Vec { return axis.Scale(value(r)) })
		}
	}
	switch e {
	case Lag:
		add(func(r *observation) spatial.Vec { return r.velocity })
	case Load:
		each(func(*observation) float64 { return 1 })
	}
	for c := range rows[0].command {
		switch e {
		case Friction: // a constant resistance, and one in proportion to the tension
			each(func(r *observation) float64 { return r.history[c] })
			each(func(r *observation) float64 { return r.history[c] * r.command[c] })
		case Gain:
			each(func(r *observation) float64 { return r.command[c] })
		}
	}
	const enough = 3 // rows for each column
	if len(data) == 0 || len(rows) < enough*len(data) {
		return nil
	}
	a := mat.NewDense(3*len(rows), len(data), nil)
	for k, column := range data {
		a.SetCol(k, column)
	}
	return a
}

// regress is what is left of y after the columns of a, whose condition may be bad.
func regress(a *mat.Dense, y []float64) []float64 {
	const least = 1e-9 // singular value, relative to the largest
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	var u mat.Dense
	svd.UTo(&u)
	left := append([]float64(nil), y...)
	values := svd.Values(nil)
	for k, v := range values {
		if v <= least*values[0] {
			break
		}
		part := 0.0
		for i := range y {
			part += u.At(i, k) * y[i]
		}
		for i := range left {
			left[i] -= part * u.At(i, k)
		}
	}
	return left
}

func squares(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

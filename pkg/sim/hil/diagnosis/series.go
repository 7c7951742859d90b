package diagnosis

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Series is one point of the robot in one recording.
type Series struct {
	Recording, Point string
	Static           bool // rows are equilibria
	Body             bool // a rigid one in a fluid, which has no rod, tendons or drives
	Rows             []Row
	Commands         *Track // of the recording, the same for all its points
}

// Row is what was measured and predicted of a point.
type Row struct {
	Index               int     // of the row in its recording, from 0
	T                   float64 // s, on the clock of the recording
	At                  float64 // on the clock of the commands: s, or of equilibria the index
	Measured, Predicted spatial.Vec
	Velocity            spatial.Vec // of the point, m/s; 0 in equilibria
	Load                float64     // sum of the tensions, N; NaN: not known
	Fitted              bool
	// Weight is what the residual is multiplied by in the sum of squares; 0: it is only shown.
	Weight float64
	// Slopes are the derivatives of the residual with respect to free parameters, for x, y and z;
	// nil: there are none.
	Slopes [3][]float64
}

// Residual is prediction minus measurement, m.
func (r *Row) Residual() spatial.Vec { return r.Predicted.Sub(r.Measured) }

// Track is what was commanded over time. A value stays until the next.
type Track struct {
	Names []string // of the commands, as columns of a CSV
	T     []float64
	U     [][]float64 // NaN: not commanded yet
}

// Ranges are how far each command goes; 0 for one that stays, or that was never commanded.
func Ranges(series []*Series) []float64 {
	var low, high []float64
	for _, s := range series {
		for len(low) < len(s.Commands.Names) {
			low, high = append(low, math.Inf(1)), append(high, math.Inf(-1))
		}
		for _, u := range s.Commands.U {
			for k, v := range u {
				if !math.IsNaN(v) {
					low[k], high[k] = min(low[k], v), max(high[k], v)
				}
			}
		}
	}
	for k := range high {
		high[k] = max(0, high[k]-low[k])
	}
	return high
}

// replay goes through rows in the order of time, and before each through the commands until then.
func (s *Series) replay(command func(t float64, u []float64), row func(i int)) {
	const early = 1e-9 // s
	next := 0
	for i := range s.Rows {
		for ; next < len(s.Commands.T) && s.Commands.T[next] <= s.Rows[i].At+early; next++ {
			command(s.Commands.T[next], s.Commands.U[next])
		}
		row(i)
	}
}

// CommandsAt are the commands of every row.
func (s *Series) CommandsAt() [][]float64 {
	now := nans(len(s.Commands.Names))
	all := make([][]float64, len(s.Rows))
	s.replay(func(_ float64, u []float64) { now = u }, func(i int) { all[i] = now })
	return all
}

func nans(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

// LastMoved is, of every row and command, the direction in which the command last moved, 1 up and
// −1 down, between them where that was less than a hundredth of its range.
func (s *Series) LastMoved(ranges []float64) [][]float64 {
	return s.playOperator(scaled(ranges, shortWay))
}

func scaled(v []float64, factor float64) []float64 {
	w := make([]float64, len(v))
	for k := range w {
		w[k] = factor * v[k]
	}
	return w
}

// Follow is, of each point and command, how the predicted position varies with the command:
// their covariance over the variance of the command, m per unit of it.
func Follow(series []*Series) map[string][]spatial.Vec {
	type sums struct {
		n, u, uu float64
		p, up    spatial.Vec
	}
	all := map[string][]sums{}
	for _, s := range series {
		if all[s.Point] == nil {
			all[s.Point] = make([]sums, len(s.Commands.Names))
		}
		for i, u := range s.CommandsAt() {
			for k, v := range u {
				if q := &all[s.Point][k]; !math.IsNaN(v) {
					p := s.Rows[i].Predicted
					q.n, q.u, q.uu = q.n+1, q.u+v, q.uu+v*v
					q.p, q.up = q.p.Add(p), q.up.AddScaled(v, p)
				}
			}
		}
	}
	follow := map[string][]spatial.Vec{}
	for point, list := range all {
		for _, q := range list {
			var v spatial.Vec
			if variance := q.n*q.uu - q.u*q.u; variance > 1e-9*q.n*q.uu {
				v = q.up.Scale(q.n).AddScaled(-q.u, q.p).Scale(1 / variance)
			}
			follow[point] = append(follow[point], v)
		}
	}
	return follow
}

// playOperator are, of every row and command, the state of an elastic, perfectly plastic element that
// follows the command and slips at a width: between −1 and 1, the sign of the last motion where
// that was long. Where nothing was commanded yet it is 0.
func (s *Series) playOperator(widths []float64) [][]float64 {
	n := len(widths)
	last, state := nans(n), make([]float64, n)
	all := make([][]float64, len(s.Rows))
	s.replay(func(_ float64, u []float64) {
		for k, v := range u {
			if widths[k] > 0 && !math.IsNaN(v) && !math.IsNaN(last[k]) {
				state[k] = max(-1, min(1, state[k]+(v-last[k])/widths[k]))
			}
			last[k] = v
		}
	}, func(i int) { all[i] = append([]float64(nil), state...) })
	return all
}

// lowPass are, of every row and command, the command minus what a low pass of the first order
// with the time constant tau, s, makes of it.
func (s *Series) lowPass(tau float64) [][]float64 {
	n := len(s.Commands.Names)
	now, slow := nans(n), nans(n)
	all := make([][]float64, len(s.Rows))
	t := math.Inf(-1)
	advance := func(to float64) {
		decay := math.Exp(-(to - t) / tau)
		for k := range slow {
			if math.IsNaN(slow[k]) {
				slow[k] = now[k]
			}
			slow[k] = now[k] + (slow[k]-now[k])*decay
		}
		t = to
	}
	s.replay(func(at float64, u []float64) { advance(at); now = u }, func(i int) {
		advance(s.Rows[i].At)
		all[i] = make([]float64, n)
		for k := range all[i] {
			if d := now[k] - slow[k]; !math.IsNaN(d) {
				all[i][k] = d
			}
		}
	})
	return all
}

// travelled has where the point was measured as its commands, each to be followed from the next row on: noise of
// a row is in its residual, and must not be in what explains it.
func (s *Series) travelled() *Series {
	t := &Track{Names: []string{"x", "y", "z"}}
	for i := range s.Rows {
		if i+1 < len(s.Rows) && s.Rows[i].Measured.IsFinite() {
			p := s.Rows[i].Measured
			t.T, t.U = append(t.T, s.Rows[i+1].At), append(t.U, []float64{p.X, p.Y, p.Z})
		}
	}
	return &Series{Rows: s.Rows, Commands: t}
}

// mobility is the rms of how far the prediction of a point goes from its mean, over all series of
// the point, by name.
func mobility(series []*Series) map[string]float64 {
	sum, square, count := map[string]spatial.Vec{}, map[string]float64{}, map[string]float64{}
	for _, s := range series {
		for i := range s.Rows {
			p := s.Rows[i].Predicted
			sum[s.Point], count[s.Point] = sum[s.Point].Add(p), count[s.Point]+1
		}
	}
	for _, s := range series {
		mean := sum[s.Point].Scale(1 / count[s.Point])
		for i := range s.Rows {
			d := s.Rows[i].Predicted.Sub(mean)
			square[s.Point] += d.Dot(d)
		}
	}
	most := 0.0
	for point := range square {
		square[point] = math.Sqrt(square[point] / count[point])
		most = max(most, square[point])
	}
	for point := range square {
		if square[point] /= most; most == 0 {
			square[point] = 1
		}
	}
	return square
}

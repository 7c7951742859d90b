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

// Row is a measured and a predicted position of a point.
type Row struct {
	Index               int     // of the row in its recording, from 0
	T                   float64 // s, on the clock of the recording
	At                  float64 // on the clock of the commands: s, or of equilibria the index
	Measured, Predicted spatial.Vec
	Velocity            spatial.Vec // of the point, m/s; 0 in equilibria
	Load                float64     // sum of the tensions, N; NaN: not known
	Fitted              bool
	// Weight multiplies the residual in the sum of squares; 0: the row is only shown.
	Weight float64
	// Slopes are the derivatives of the residual with respect to free parameters, for x, y and z;
	// nil: there are none.
	Slopes [3][]float64
}

// Residual is prediction minus measurement, m.
func (r *Row) Residual() spatial.Vec { return r.Predicted.Sub(r.Measured) }

// Track holds commands over time. A value holds until the next.
type Track struct {
	Names []string // of the commands, as columns of a CSV
	T     []float64
	U     [][]float64 // NaN: not commanded yet
}

// Ranges returns the range of each command; 0 for a constant or absent one.
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

// replay visits rows in the order of time and, before each, the commands up to its time.
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

// CommandsAt returns the commands of every row.
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

// LastMoved returns for every row and command the direction of the last change of the command, 1 up
// and −1 down, with values between them for changes below a hundredth of its range.
func (s *Series) LastMoved(ranges []float64) [][]float64 {
	return s.stopOperator(scaled(ranges, shortWay))
}

func scaled(v []float64, factor float64) []float64 {
	w := make([]float64, len(v))
	for k := range w {
		w[k] = factor * v[k]
	}
	return w
}

// Follow returns the regression of the predicted position of each point on each command: the
// covariance divided by the variance of the command, m per unit of it.
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

// stopOperator returns for every row and command the state of an elastic, perfectly plastic element
// that follows the command and slips at a width: between −1 and 1, the sign of the last motion
// after long ones. It is 0 before the first command.
func (s *Series) stopOperator(widths []float64) [][]float64 {
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

// highPass returns for every row and command the command minus its first-order low pass with the
// time constant tau, s.
func (s *Series) highPass(tau float64) [][]float64 {
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

// travelled returns a series with the measured positions of the point as commands, each effective from the next
// row on: the noise of a row is in its residual and must not be in its regressors.
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

// mobility returns the standard deviation of the predicted positions of each point over all its
// series, by name.
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

package diagnosis

import (
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// column is a regressor of an effect.
type column struct {
	effect  Effect
	variant variant
	command int // index of its command; −1: none
	value   func(f *features, i int) spatial.Vec
}

// variant identifies alternative sets of columns of one effect; the best one counts.
type variant struct {
	tau  float64 // of creep, s
	long bool    // friction with a long presliding displacement
}

// features are the inputs of the columns for the rows of one series.
type features struct {
	*Series
	number   int     // of the recording
	middle   float64 // of the time, s
	span     float64 // of the time, s; 1 without
	load     float64 // mean, N; 1 where tensions are not known, or 0
	mobility float64
	commands [][]float64 // 0 before the first command
	short    [][]float64 // play operators with short widths
	long     [][]float64 // play operators with longer widths
	passing  map[float64][][]float64
	crept    map[float64][][]float64 // creep states of the position, m
	held     [][]float64
}

// Widths of the play operators as shares of the range of a command: for the sign of the last
// motion, and for a long presliding displacement.
const (
	shortWay = 0.01
	longWay  = 0.25
)

// model holds all columns of the series.
type model struct {
	columns  []column
	features []*features
}

// newModel makes the columns of the effects that the series can identify.
func newModel(series []*Series) *model {
	m := &model{}
	reach, mobile := Ranges(series), mobility(series)
	taus := relaxations(series)
	var recordings []string
	for _, s := range series {
		if !slices.Contains(recordings, s.Recording) {
			recordings = append(recordings, s.Recording)
		}
		f := &features{Series: s, number: slices.Index(recordings, s.Recording), mobility: mobile[s.Point], span: 1, passing: map[float64][][]float64{}, crept: map[float64][][]float64{}}
		f.describe(reach, taus)
		m.features = append(m.features, f)
	}
	m.add(series, reach, taus, len(recordings), moveDifferently(mobile))
	return m
}

// describe fills in the features.
func (f *features) describe(reach, taus []float64) {
	n := float64(len(f.Rows))
	for i := range f.Rows {
		r := &f.Rows[i]
		f.middle += r.T / n
		f.load += r.Load / n
	}
	if !(f.load > 0) {
		f.load = 1
	}
	if span := f.Rows[len(f.Rows)-1].T - f.Rows[0].T; span > 0 {
		f.span = span
	}
	f.commands = f.CommandsAt()
	for i, u := range f.commands {
		u = slices.Clone(u)
		for k := range u {
			if math.IsNaN(u[k]) {
				u[k] = 0
			}
		}
		f.commands[i] = u
	}
	f.short, f.long = f.LastMoved(reach), f.stopOperator(scaled(reach, longWay))
	if f.Static {
		return
	}
	way := f.travelled()
	for _, tau := range taus {
		f.passing[tau], f.crept[tau] = f.Series.highPass(tau), way.highPass(tau)
	}
	f.held = way.stopOperator(scaled(Ranges([]*Series{way}), longWay))
}

// hysteresisState returns the hysteresis state of a point at a row along an axis: 0 for equilibria, which have no times.
func (f *features) hysteresisState(memory [][]float64, i, axis int) spatial.Vec {
	if f.Static {
		return spatial.Vec{}
	}
	return axes[axis].Scale(memory[i][axis])
}

// relaxations returns the time constants that motions can identify: longer than a few rows and
// shorter than a recording.
func relaxations(series []*Series) (taus []float64) {
	const count, rows, share = 4, 5, 0.3
	interval, span := 0.0, 0.0
	for _, s := range series {
		if n := len(s.Rows); !s.Static && n > 1 {
			whole := s.Rows[n-1].T - s.Rows[0].T
			span, interval = max(span, whole), max(interval, whole/float64(n-1))
		}
	}
	low, high := rows*interval, share*span
	if !(low > 0 && high > low) {
		return nil
	}
	for k := range count {
		taus = append(taus, low*math.Pow(high/low, float64(k)/(count-1)))
	}
	return taus
}

// moveDifferently reports whether some points move much less than others.
func moveDifferently(mobile map[string]float64) bool {
	const much = 0.8
	for _, m := range mobile {
		if m < much {
			return true
		}
	}
	return false
}

var axes = [3]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}

// add adds the columns of every effect.
func (m *model) add(series []*Series, reach, taus []float64, recordings int, unlike bool) {
	add := func(e Effect, command int, v variant, value func(f *features, i int) spatial.Vec) {
		m.columns = append(m.columns, column{e, v, command, value})
	}
	// each axis, as much as the point moves
	each := func(e Effect, command int, v variant, value func(f *features, i int) float64) {
		for _, axis := range axes {
			add(e, command, v, func(f *features, i int) spatial.Vec { return axis.Scale(f.mobility * value(f, i)) })
		}
	}
	if slices.ContainsFunc(series, func(s *Series) bool { return !s.Static }) {
		add(Lag, -1, variant{}, func(f *features, i int) spatial.Vec { return f.Rows[i].Velocity })
		add(Drift, -1, variant{}, func(f *features, i int) spatial.Vec {
			return f.Rows[i].Velocity.Scale((f.Rows[i].T - f.middle) / f.span)
		})
		for n := 1; n < recordings; n++ {
			add(Drift, -1, variant{}, func(f *features, i int) spatial.Vec {
				if f.number != n {
					return spatial.Vec{}
				}
				return f.Rows[i].Velocity
			})
		}
	}
	each(Load, -1, variant{}, func(*features, int) float64 { return 1 })
	for _, axis := range axes {
		if unlike {
			add(Frame, -1, variant{}, func(*features, int) spatial.Vec { return axis })
		}
	}
	for _, tau := range taus {
		for a := range axes {
			add(Hysteresis, -1, variant{tau: tau}, func(f *features, i int) spatial.Vec { return f.hysteresisState(f.crept[tau], i, a) })
			add(Hysteresis, -1, variant{tau: tau}, func(f *features, i int) spatial.Vec { return f.hysteresisState(f.held, i, a) })
		}
	}
	for k, way := range reach {
		if way == 0 {
			continue
		}
		command := func(f *features, i int) float64 { return f.commands[i][k] / way }
		each(Gain, k, variant{}, command)
		each(Shared, k, variant{}, func(f *features, i int) float64 {
			if math.IsNaN(f.Rows[i].Load) {
				return 0
			}
			return command(f, i) * f.Rows[i].Load / f.load
		})
		for _, tau := range taus {
			each(Creep, k, variant{tau: tau}, func(f *features, i int) float64 {
				if f.Static {
					return 0
				}
				return f.passing[tau][i][k] / way
			})
		}
		short := func(f *features, i int) float64 { return f.short[i][k] }
		each(Friction, k, variant{}, short)
		each(Friction, k, variant{}, func(f *features, i int) float64 { return f.short[i][k] * f.commands[i][k] / way })
		each(Friction, k, variant{long: true}, short)
		each(Friction, k, variant{long: true}, func(f *features, i int) float64 { return f.long[i][k] })
	}
}

// of lists the columns of an effect, behind the given number of others; for a command not below
// 0 those of that one.
func (m *model) of(e Effect, v variant, command, first int) (list []int) {
	for i := range m.columns {
		c := &m.columns[i]
		if c.effect == e && c.variant == v && (command < 0 || c.command == command) {
			list = append(list, first+i)
		}
	}
	return list
}

// commands lists the commands that an effect has columns of.
func (m *model) commands(e Effect) (list []int) {
	for i := range m.columns {
		if c := &m.columns[i]; c.effect == e && c.command >= 0 && !slices.Contains(list, c.command) {
			list = append(list, c.command)
		}
	}
	return list
}

// variants lists those of an effect.
func (m *model) variants(e Effect) (list []variant) {
	for i := range m.columns {
		if c := &m.columns[i]; c.effect == e && !slices.Contains(list, c.variant) {
			list = append(list, c.variant)
		}
	}
	return list
}

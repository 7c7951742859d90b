package diagnosis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"sinew/pkg/sim/spatial"
)

// Effect is an unmodelled effect.
type Effect string

// The effects that are tested, the simplest first.
const (
	Lag        Effect = "lag"                 // along the velocity
	Load       Effect = "load"                // the same everywhere
	Frame      Effect = "frame"               // the same at points that move much and little
	Shared     Effect = "shared compliance"   // in proportion to commands times the sum of tensions
	Gain       Effect = "gain"                // in proportion to commands
	Creep      Effect = "creep"               // relaxing after changes of commands
	Drift      Effect = "latency drift"       // along the velocity, differently in time and in recordings
	Friction   Effect = "friction"            // by the direction in which commands last moved
	Hysteresis Effect = "hysteresis"          // by the past positions of the point: creep and friction
	Outliers   Effect = "outliers"            // in few rows, unlike adjacent rows
	Unmodelled Effect = "unmodelled dynamics" // autocorrelated residuals that no other effect explains
)

var effects = []Effect{Lag, Load, Frame, Shared, Gain, Creep, Drift, Friction, Hysteresis}

// Thresholds of a finding.
const (
	MinShare   = 0.15 // of all squared residuals that it explains
	MinHeldOut = 0.1  // of the squared residuals of rows that it was not fitted to
	MaxChance  = 1e-5 // p value of the F test
	MinRows    = 12
	// alike is the difference of scores below which two effects are not distinguishable.
	alike = 0.1
	most  = 3 // effects; the remaining residuals are too small for more
)

// scorePenalty is the additional share of the remaining residuals that an effect must explain compared
// with similar effects: commands far from 0 resemble the constant of a load, fast creep a lag.
var scorePenalty = map[Effect]float64{Gain: 0.03, Shared: 0.05, Frame: 0.05, Creep: 0.05, Drift: 0.1, Hysteresis: 0.1}

// Finding is an effect and how much it explains.
type Finding struct {
	Effect  Effect
	Share   float64 // of all squared residuals
	HeldOut float64 // of the squared residuals of rows that it was not fitted to, that effects before left
	F       float64 // statistic, with Columns and Freedom degrees of freedom
	Chance  float64 // probability of a larger F
	Columns int
	Freedom int
	DelayS  float64    // of a lag, s
	TauS    float64    // of creep, s
	Command string     // that explains most of it, or empty
	Rows    []RowIndex // of outliers
	Alike   []Finding  // effects that explain nearly as much
	Meaning string     // interpretation, and what to do
	Text    string     // the complete finding as text
	columns []int      // of the model
	variant variant
	score   float64 // share of the remaining residuals, adjusted for the number of columns, less the penalty
}

// RowIndex is a row of a recording, from 0.
type RowIndex struct {
	Recording, Point string
	Index            int
}

// design is the weighted design matrix: columns of the free parameters, of the effects, and the
// residual; three rows for each measured row.
type design struct {
	*model
	free  int // parameters
	cells [][]float64
	folds []int
	place []rowOf
	out   []bool // by row of cells/3: left out
}

type rowOf struct {
	series *features
	row    int
}

// Find returns the effects that the residuals suggest, those that explain most first, and none if
// less than MinRows rows have weight. priors are the rows of prior knowledge about the parameters:
// derivatives and residuals in the same units.
func Find(series []*Series, priors [][]float64) []Finding {
	s := newDesign(series)
	if s == nil {
		return nil
	}
	found, left := s.search(priors)
	outliers := s.outliers(left)
	if outliers == nil {
		return found
	}
	found, _ = s.search(priors)
	return append([]Finding{*outliers}, found...)
}

// newDesign computes all columns; nil without enough rows.
func newDesign(series []*Series) *design {
	const mostRows = 4000 // sufficient for the tests
	var used []*Series
	count := 0
	for _, s := range series {
		weighed := 0
		for i := range s.Rows {
			if s.Rows[i].Weight > 0 {
				weighed++
			}
		}
		if count += weighed; weighed > 0 {
			used = append(used, s)
		}
	}
	if count < MinRows {
		return nil
	}
	t := &design{model: newModel(used)}
	every := (count + mostRows - 1) / mostRows
	for _, f := range t.features {
		for i := range f.Rows {
			if f.Rows[i].Slopes[0] != nil {
				t.free = len(f.Rows[i].Slopes[0])
			}
		}
	}
	for _, f := range t.features {
		for i := range f.Rows {
			if f.Rows[i].Weight > 0 && i%every == 0 {
				t.addRow(f, i)
			}
		}
	}
	t.out = make([]bool, len(t.place))
	return t
}

// addRow adds the three rows of a measured row. Rows that follow one another are in one fold.
func (t *design) addRow(f *features, i int) {
	const pieces = 2 * folds // of a recording
	r := &f.Rows[i]
	residual := r.Residual()
	values := make([]spatial.Vec, len(t.columns))
	for k := range t.columns {
		values[k] = t.columns[k].value(f, i)
	}
	for a := range 3 {
		row := make([]float64, 0, t.free+len(values)+1)
		row = append(row, r.Slopes[a]...)
		row = append(row, make([]float64, t.free-len(r.Slopes[a]))...)
		for _, v := range values {
			row = append(row, component(v, a))
		}
		row = append(row, component(residual, a))
		for k := range row {
			row[k] *= r.Weight
		}
		t.cells = append(t.cells, row)
	}
	t.folds = append(t.folds, (i*pieces/len(f.Rows)+f.number)%folds)
	t.place = append(t.place, rowOf{f, i})
}

func component(v spatial.Vec, axis int) float64 { return [3]float64{v.X, v.Y, v.Z}[axis] }

// search is a forward selection of effects. It returns the remaining residuals, too.
func (t *design) search(priors [][]float64) (found []Finding, left []float64) {
	g := newGramMatrix(t.free + len(t.columns) + 1)
	for k, row := range t.cells {
		if !t.out[k/3] {
			g.add(t.folds[k/3], row)
		}
	}
	for _, p := range priors {
		row := make([]float64, g.size)
		copy(row, p[:t.free])
		row[g.size-1] = p[t.free]
		g.add(-1, row)
	}
	var base []int
	for i := range t.free {
		base = append(base, i)
	}
	all := g.residualSquares(g.whole, g.solve(g.whole, base, dependent))
	for all > 0 && len(found) < most {
		best := t.choose(g, base, all, found)
		if best == nil {
			break
		}
		base = append(base, best.columns...)
		best.describe(t, g, base)
		found = append(found, *best)
	}
	x := g.solve(g.whole, base, dependent)
	for _, row := range t.cells {
		v := row[g.size-1]
		for i, c := range x.columns {
			v -= x.x[i] * row[c]
		}
		left = append(left, v)
	}
	return found, left
}

// choose returns the effect with the highest score in addition to base, or nil if none explains
// enough.
func (t *design) choose(g *gramMatrix, base []int, all float64, found []Finding) *Finding {
	var candidates []Finding
	least := g.residualSquares(g.whole, g.solve(g.whole, base, dependent))
	for _, e := range effects {
		if slices.ContainsFunc(found, func(f Finding) bool { return f.Effect == e }) {
			continue
		}
		beside := base
		if e == Shared { // what is not a gain
			beside = append(slices.Clone(base), t.of(Gain, variant{}, -1, t.free)...)
		}
		best := t.try(g, e, beside, least, all)
		if best == nil || !(best.Chance < MaxChance) {
			continue
		}
		outside := g.heldOut(beside)
		best.HeldOut = 1 - g.heldOut(append(slices.Clone(beside), best.columns...))/outside
		if best.HeldOut*g.residualSquares(g.whole, g.solve(g.whole, beside, dependent))/all < MinHeldOut {
			continue
		}
		best.columns = append(slices.Clone(beside[len(base):]), best.columns...)
		candidates = append(candidates, *best)
	}
	return preferred(candidates)
}

// try tests an effect in addition to other columns and returns its best variant, or nil if that
// explains too little. The share refers to all squares, the score to the remaining ones.
func (t *design) try(g *gramMatrix, e Effect, beside []int, least, all float64) (best *Finding) {
	before := g.solve(g.whole, beside, dependent)
	from := g.residualSquares(g.whole, before)
	for _, v := range t.variants(e) {
		f := Finding{Effect: e, TauS: v.tau, variant: v, columns: t.of(e, v, -1, t.free)}
		after := g.solve(g.whole, append(slices.Clone(beside), f.columns...), dependent)
		rest := g.residualSquares(g.whole, after)
		f.Columns, f.Freedom, f.Share = after.rank-before.rank, g.rows-after.rank, (from-rest)/all
		if f.Columns < 1 || f.Freedom < 2*f.Columns || f.Share < MinShare || rest == 0 || best != nil && f.Share < best.Share {
			continue
		}
		f.F = (from - rest) / float64(f.Columns) / (rest / float64(f.Freedom))
		f.Chance = distuv.F{D1: float64(f.Columns), D2: float64(f.Freedom)}.Survival(f.F)
		f.score = (from-rest*float64(g.rows-before.rank)/float64(f.Freedom))/least - scorePenalty[e]
		best = &f
	}
	return best
}

// preferred is the candidate with the highest score.
func preferred(candidates []Finding) *Finding {
	if len(candidates) == 0 {
		return nil
	}
	best := slices.MaxFunc(candidates, func(a, b Finding) int { return cmp.Compare(a.score, b.score) })
	for i := range candidates {
		if c := &candidates[i]; c.Effect != best.Effect && c.score > best.score-alike {
			best.Alike = append(best.Alike, *c)
		}
	}
	return &best
}

// outliers finds rows that differ from adjacent rows and from the rest, and excludes them; nil if
// they are not the main part of the residuals.
func (t *design) outliers(left []float64) *Finding {
	const far, largest = 6, 0.05 // standard deviations, and share of the rows
	n := len(t.place)
	length := func(k int, d [3]float64) float64 {
		s := 0.0
		for a := range 3 {
			v := left[3*k+a] - d[a]
			s += v * v
		}
		return math.Sqrt(s)
	}
	size, jump := make([]float64, n), make([]float64, n)
	for k := range n {
		var beside [3]float64
		size[k] = length(k, beside)
		jump[k] = math.Inf(1)
		if k > 0 && k+1 < n && t.place[k-1].series == t.place[k].series && t.place[k+1].series == t.place[k].series && !t.place[k].series.Static {
			for a := range 3 {
				beside[a] = (left[3*(k-1)+a] + left[3*(k+1)+a]) / 2
			}
			jump[k] = length(k, beside)
		}
	}
	limit, step := far*deviation(size), far*deviation(jump)
	f := &Finding{Effect: Outliers}
	all, theirs := 0.0, 0.0
	for k := range n {
		square := 0.0
		for a := range 3 {
			v := t.cells[3*k+a][len(t.cells[0])-1]
			square += v * v
		}
		if all += square; size[k] > limit && (jump[k] > step || math.IsInf(step, 1)) {
			theirs += square
			p := t.place[k]
			f.Rows = append(f.Rows, RowIndex{p.series.Recording, p.series.Point, p.series.Rows[p.row].Index})
			t.out[k] = true
		}
	}
	if f.Share = theirs / all; len(f.Rows) == 0 || f.Share < MinShare || float64(len(f.Rows)) > largest*float64(n)+1 {
		clear(t.out)
		return nil
	}
	f.describeOutliers(n)
	return f
}

// deviation estimates the standard deviation of the components of vectors with these lengths
// robustly, by the median of the lengths.
func deviation(lengths []float64) float64 {
	const normal = 1.538 // median length of a vector of three standard normal numbers
	v := slices.Clone(lengths)
	slices.Sort(v)
	return v[len(v)/2] / normal
}

package observer

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// A filter turns measurements into weights of the members of an ensemble. Member i is the mean and spread times column i of LΩ, where L has
// as many columns as the filter has ranks. The rows of Ω are orthonormal and orthogonal to the mean, and so the members are a simplex around
// it. LLᵀ is the covariance.
//
// What is not known is a sum of normal distributions, one for each hypothesis, such as the place of a force. All of them live in the
// coordinates c of an error Lc: a hypothesis has a mean μ and a square root G of its covariance there. With whitened innovations δ and their
// rows A of L, the information AᵀA and its vector Aᵀδ are the same for all hypotheses, and each is updated, and weighed by its likelihood,
// by matrices as small as the rank. What adds noise has columns of its own in L. The next L is a square root of the covariance of the whole
// sum, without the directions that matter least.
//
// A hypothesis has modes, normal distributions of their own, between which it switches, such as a force that is steady or changes: interacting
// multiple models (Blom and Bar-Shalom, IEEE Transactions on Automatic Control 33, 1988).
type filter struct {
	rank, noises int
	omega        []float64 // rank rows of rank+1 columns
	hypotheses   []hypothesis
	modes        []mode // of each hypothesis: hypotheses i len(modes) + k, for all k, are those of the same

	information []float64 // AᵀA, rank × rank
	vector      []float64 // Aᵀδ
	gram        []float64 // of the columns of L and of noise, (rank+noises)², by scaled rows

	// results
	weights      []float64 // (rank+1)², row j column i: share of member j in the new member i
	noiseWeights []float64 // noises × (rank+1): what each noise of unit variance adds to the new member i

	// scratch
	row, mean     []float64
	factor, trial []float64 // rank × rank
	means         []float64 // of the hypotheses, one after the other
	roots         []float64
	logs          []float64
	root          []float64 // (rank+noises)²: a square root of the covariance of all, before the reduction
	eigen, tmp    []float64 // (rank+noises)²
	wide          []float64 // rank × widest
	values, work  []float64
	tau           []float64
}

// hypothesis is one of the normal distributions.
type hypothesis struct {
	isOut  bool      // it is ruled out, and takes no part
	weight float64   // its probability
	mean   []float64 // rank
	root   []float64 // rank × rank
	noise  []float64 // noises × noises: columns of the noise that it has, for noises of unit variance
	next   float64   // its probability after modes have switched
	shares []float64 // of the modes of before in what it is after they have switched
}

// mode is what noise does for a while.
type mode struct {
	noise    float64 // factor of the deviation
	duration float64 // s, mean; the mode after it is any of the others
}

// leastWeight is the probability that all hypotheses share whatever the measurements say, in whatever mode: what was improbable may become
// true.
const leastWeight = 0.1

// spread is how far the members are from the mean, in standard deviations: the closer, the less a mean of states differs from a state.
const spread = 0.1

// newFilter makes a filter with hypotheses by their noise: of as many columns as rows, of each of the noises. nil: unit variances. nil modes:
// a single one.
func newFilter(rank, noises int, hypotheses [][]float64, modes []mode) *filter {
	n, all := rank+1, rank+noises
	if modes == nil {
		modes = []mode{{1, math.Inf(1)}}
	}
	if hypotheses == nil {
		hypotheses = [][]float64{identity(noises)}
	}
	count := len(hypotheses) * len(modes)
	widest := len(modes)*(rank+1) + noises
	matrix := func(rows, columns int) []float64 { return make([]float64, rows*columns) }
	f := &filter{
		rank: rank, noises: noises, omega: matrix(rank, n), modes: modes,
		information: matrix(rank, rank), vector: make([]float64, rank), gram: matrix(all, all),
		weights: matrix(n, n), noiseWeights: matrix(noises, n),
		row: make([]float64, all), mean: make([]float64, rank), factor: matrix(rank, rank), trial: matrix(rank, rank),
		root: matrix(all, all), eigen: matrix(all, all), tmp: matrix(all, max(all, widest)), wide: matrix(rank, widest),
		values: make([]float64, all), tau: make([]float64, rank),
		means: make([]float64, count*rank), roots: make([]float64, count*rank*rank), logs: make([]float64, count),
	}
	for k := range rank { // rows of a Helmert matrix
		scale := 1 / math.Sqrt(float64((k+1)*(k+2)))
		for i := range k + 1 {
			f.omega[k*n+i] = scale
		}
		f.omega[k*n+k+1] = -float64(k+1) * scale
	}
	for _, noise := range hypotheses {
		for _, m := range modes {
			scaled := make([]float64, len(noise))
			floats.ScaleTo(scaled, m.noise, noise)
			f.hypotheses = append(f.hypotheses, hypothesis{
				weight: 1 / float64(count), mean: make([]float64, rank), root: identity(rank), noise: scaled, shares: make([]float64, len(modes)),
			})
		}
	}
	size := []float64{0}
	lapack64.Syev(lapack.EVCompute, f.symmetric(f.eigen), f.values, size, -1)
	f.work = make([]float64, int(size[0]))
	lapack64.Gelqf(blas64.General{Rows: rank, Cols: widest, Stride: widest, Data: f.wide}, f.tau, size, -1)
	if n := int(size[0]); n > len(f.work) {
		f.work = make([]float64, n)
	}
	return f
}

// forget makes all hypotheses as probable as each other, with zero mean and the roots of covariances given: of each, rank × rank.
func (f *filter) forget(roots [][]float64) {
	for i := range f.hypotheses {
		h := &f.hypotheses[i]
		h.weight, h.isOut = 1/float64(len(f.hypotheses)), false
		clear(h.mean)
		copy(h.root, roots[i/len(f.modes)])
	}
}

// evidence is the probability of hypothesis i in all modes by measurements alone, but for a factor that is that of all.
func (f *filter) evidence(i int) float64 {
	all := 0.0
	for _, h := range f.hypotheses[i*len(f.modes):][:len(f.modes)] {
		if h.isOut {
			return 0
		}
		all += h.weight
	}
	return max(leastEvidence, all-f.least())
}

// leastEvidence lets all hypotheses be as probable as each other when none is more than it always is.
const leastEvidence = 1e-9

// adopt gives all hypotheses, in each mode, the mean and covariance of one of them, and shares the probability by how probable a hypothesis is.
func (f *filter) adopt(one int, probability func(hypothesis int) float64) {
	n := len(f.modes)
	total := 0.0
	for i := range len(f.hypotheses) / n {
		total += probability(i)
	}
	for m := range n {
		weight := 0.0
		for i := m; i < len(f.hypotheses); i += n {
			weight += f.hypotheses[i].weight
		}
		from := &f.hypotheses[one*n+m]
		for i := m; i < len(f.hypotheses); i += n {
			h := &f.hypotheses[i]
			h.weight = weight * probability(i/n) / total
			h.isOut = probability(i/n) == 0
			copy(h.mean, from.mean)
			copy(h.root, from.root)
		}
	}
}

func identity(n int) []float64 {
	m := make([]float64, n*n)
	for i := range n {
		m[i*n+i] = 1
	}
	return m
}

// members is the number of members.
func (f *filter) members() int { return f.rank + 1 }

// coordinates writes to dst the row of L of a quantity by its values of the members.
func (f *filter) coordinates(dst, values []float64) {
	n := f.members()
	for k := range f.rank {
		dst[k] = floats.Dot(f.omega[k*n:(k+1)*n], values) / spread
	}
}

// variance is that of a quantity by its values of the members.
func (f *filter) variance(values []float64) float64 {
	c := f.row[:f.rank]
	f.coordinates(c, values)
	return floats.Dot(c, c)
}

// begin forgets measurements.
func (f *filter) begin() {
	clear(f.information)
	clear(f.vector)
}

// beginReduction forgets what the reduction looks at.
func (f *filter) beginReduction() { clear(f.gram) }

// measurement is what a sensor says at a time: innovations and what they are of the members.
type measurement struct {
	innovation []float64
	predicted  [][]float64 // of each value by member; their means are where the innovation is 0
	deviation  []float64   // standard deviation of the noise of each value, above 0
}

// add takes a measurement. It returns the square of its innovation over the covariance that was expected, whose expected value is the number of
// values. Above limit the noise of the measurement counts as so much larger.
func (f *filter) add(m *measurement, limit float64) (square float64) {
	r := f.rank
	clear(f.trial)
	gained := f.mean
	clear(gained)
	for k, d := range m.innovation {
		row := f.row[:r]
		f.coordinates(row, m.predicted[k])
		s := 1 / m.deviation[k]
		floats.Scale(s, row)
		square += d * s * d * s
		for i, x := range row {
			floats.AddScaled(f.trial[i*r:(i+1)*r], x, row)
			gained[i] += x * d * s
		}
	}
	// δδ − bᵀ(I+C)⁻¹b with what was known before: measurements of one update are judged beside each other, not one after the other
	copy(f.factor, f.trial)
	addDiagonal(f.factor, r, 1)
	c, ok := lapack64.Potrf(upper(f.factor, r))
	if !ok {
		return math.Inf(1)
	}
	copy(f.row, gained)
	blas64.Trsv(blas.Trans, c, vector(f.row[:r]))
	square -= floats.Dot(f.row[:r], f.row[:r])
	weight := 1.0
	if square > limit {
		weight = limit / square
	}
	floats.AddScaled(f.information, weight, f.trial)
	floats.AddScaled(f.vector, weight, gained)
	return square
}

// scale adds a quantity to what the reduction looks at, by its values of the members and what it gains by each noise of unit variance. Its
// weight is the inverse of the variance.
func (f *filter) scale(values, noise []float64) {
	row := f.row
	f.coordinates(row[:f.rank], values)
	clear(row[f.rank:])
	copy(row[f.rank:], noise)
	v := floats.Dot(row, row)
	if !(v > 0) {
		return
	}
	all := len(row)
	for i, x := range row {
		if x != 0 {
			floats.AddScaled(f.gram[i*all:(i+1)*all], x/v, row)
		}
	}
}

// update updates the hypotheses, lets modes switch during dt seconds, and makes the weights of the new members.
func (f *filter) update(dt float64) bool { return f.condition() && f.reweigh(dt) }

// reweigh is the second part of update, which may come later.
func (f *filter) reweigh(dt float64) bool {
	f.interact(dt)
	f.moments()
	if !f.reduce() {
		return false
	}
	f.weigh()
	return true
}

// condition updates each hypothesis by the information.
func (f *filter) condition() bool {
	r := f.rank
	c := general(f.information, r, r)
	most := math.Inf(-1)
	for k := range f.hypotheses {
		h := &f.hypotheses[k]
		if h.isOut {
			continue
		}
		g := general(h.root, r, r)
		// v = Gᵀ(b − Cμ) and I + GᵀCG = RᵀR
		residual, v := f.row[:r], f.mean
		copy(residual, f.vector)
		blas64.Gemv(blas.NoTrans, -1, c, vector(h.mean), 1, vector(residual))
		likelihood := (floats.Dot(h.mean, residual) + floats.Dot(h.mean, f.vector)) / 2 // μᵀb − μᵀCμ/2
		blas64.Gemv(blas.Trans, 1, g, vector(residual), 0, vector(v))
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, c, g, 0, general(f.trial, r, r))
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, g, general(f.trial, r, r), 0, general(f.factor, r, r))
		addDiagonal(f.factor, r, 1)
		t, ok := lapack64.Potrf(upper(f.factor, r))
		if !ok {
			return false
		}
		blas64.Trsv(blas.Trans, t, vector(v))
		likelihood += floats.Dot(v, v) / 2
		for i := range r {
			likelihood -= math.Log(f.factor[i*r+i])
		}
		blas64.Trsv(blas.NoTrans, t, vector(v))
		blas64.Gemv(blas.NoTrans, 1, g, vector(v), 1, vector(h.mean))
		blas64.Trsm(blas.Right, blas.NoTrans, 1, t, g) // G R⁻¹
		f.logs[k] = math.Log(h.weight) + likelihood
		most = max(most, f.logs[k])
	}
	total := 0.0
	for k := range f.hypotheses {
		if h := &f.hypotheses[k]; !h.isOut {
			h.weight = math.Exp(f.logs[k] - most)
			total += h.weight
		}
	}
	n, least := len(f.modes), f.least()
	sum := 0.0
	for first := 0; first < len(f.hypotheses); first += n {
		group, all := f.hypotheses[first:first+n], 0.0
		if group[0].isOut {
			continue
		}
		for k := range group {
			group[k].weight /= total
			all += group[k].weight
		}
		if missing := least - all; missing > 0 {
			for k := range group {
				group[k].weight += missing / float64(n)
			}
			all = least
		}
		sum += all
	}
	for k := range f.hypotheses {
		f.hypotheses[k].weight /= sum
	}
	return !math.IsNaN(sum)
}

// least is the least probability of a hypothesis that takes part, in all modes together.
func (f *filter) least() float64 {
	active := 0
	for first := 0; first < len(f.hypotheses); first += len(f.modes) {
		if !f.hypotheses[first].isOut {
			active++
		}
	}
	return leastWeight / float64(active)
}

// interact finds what modes switch in dt seconds.
func (f *filter) interact(dt float64) {
	n := len(f.modes)
	for first := 0; first < len(f.hypotheses); first += n {
		group := f.hypotheses[first : first+n]
		for k := range group {
			h := &group[k]
			if h.isOut {
				continue
			}
			h.next = 0
			for j := range group {
				stay := math.Exp(-dt / f.modes[j].duration)
				share := stay
				if j != k {
					share = (1 - stay) / float64(n-1)
				}
				h.shares[j] = share * group[j].weight
				h.next += h.shares[j]
			}
			if h.next > 0 {
				floats.Scale(1/h.next, h.shares)
			}
		}
	}
}

// moments makes mean and covariance those of the sum, with noise.
func (f *filter) moments() {
	r, all, q := f.rank, f.rank+f.noises, f.noises
	clear(f.mean)
	for k := range f.hypotheses {
		floats.AddScaled(f.mean, f.hypotheses[k].weight, f.hypotheses[k].mean)
	}
	clear(f.root)
	part := blas64.General{Rows: r, Cols: r, Stride: all, Data: f.root}
	noise := blas64.General{Rows: q, Cols: q, Stride: all, Data: f.root[r*all+r:]}
	for k := range f.hypotheses {
		h := &f.hypotheses[k]
		if h.isOut {
			continue
		}
		g := general(h.root, r, r)
		blas64.Gemm(blas.NoTrans, blas.Trans, h.weight, g, g, 1, part)
		d := f.row[:r]
		copy(d, h.mean)
		floats.Sub(d, f.mean)
		blas64.Ger(h.weight, vector(d), vector(d), part)
		n := general(h.noise, q, q)
		blas64.Gemm(blas.NoTrans, blas.Trans, h.next, n, n, 1, noise)
	}
	addDiagonal(f.root, all, floor)
}

// floor is the variance of directions that have none, over that of the whole at the last update: so that it has a square root.
const floor = 1e-10

// reduce makes root a square root B of the covariance, with rank columns, and expresses the hypotheses in the coordinates of LB.
func (f *filter) reduce() bool {
	r, all, q := f.rank, f.rank+f.noises, f.noises
	t, ok := lapack64.Potrf(upper(f.root, all)) // covariance TᵀT, and Tᵀ is a square root
	if !ok {
		return false
	}
	// in the norm of what the reduction looks at: eigenvectors of T Γ Tᵀ
	copy(f.eigen, f.gram)
	gamma := general(f.eigen, all, all)
	blas64.Trmm(blas.Left, blas.NoTrans, 1, t, gamma)
	blas64.Trmm(blas.Right, blas.Trans, 1, t, gamma)
	if !lapack64.Syev(lapack.EVCompute, f.symmetric(f.eigen), f.values, f.work, len(f.work)) {
		return false
	}
	v := blas64.General{Rows: all, Cols: r, Stride: all, Data: f.eigen[q:]} // those of the largest values
	modes := len(f.modes)
	columns := modes*(r+1) + q
	for k := range f.hypotheses {
		h := &f.hypotheses[k]
		if h.isOut {
			continue
		}
		group := f.hypotheses[k-k%modes:][:modes]
		mean := f.means[k*r : (k+1)*r]
		clear(mean)
		for j := range group {
			floats.AddScaled(mean, h.shares[j], group[j].mean)
		}
		// B⁺ = Vᵀ T⁻ᵀ of (G and what means differ by, of all modes; 0 N)
		left := f.tmp[:all*columns]
		clear(left)
		for j := range group {
			g, share := &group[j], math.Sqrt(h.shares[j])
			for i := range r {
				row := left[i*columns+j*(r+1):][:r+1]
				floats.ScaleTo(row[:r], share, g.root[i*r:(i+1)*r])
				row[r] = share * (g.mean[i] - mean[i])
			}
		}
		for i := range q {
			copy(left[(r+i)*columns+modes*(r+1):][:q], h.noise[i*q:(i+1)*q])
		}
		blas64.Trsm(blas.Left, blas.Trans, 1, t, general(left, all, columns))
		wide := general(f.wide, r, columns)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, v, general(left, all, columns), 0, wide)
		clear(f.row)
		copy(f.row, mean)
		floats.Sub(f.row[:r], f.mean)
		blas64.Trsv(blas.Trans, t, vector(f.row))
		blas64.Gemv(blas.Trans, 1, v, vector(f.row), 0, vector(mean))
		lapack64.Gelqf(wide, f.tau, f.work, len(f.work))
		root := f.roots[k*r*r : (k+1)*r*r]
		clear(root)
		for i := range r {
			copy(root[i*r:i*r+i+1], f.wide[i*columns:i*columns+i+1])
		}
	}
	for k := range f.hypotheses {
		h := &f.hypotheses[k]
		if h.isOut {
			continue
		}
		h.weight = h.next
		copy(h.mean, f.means[k*r:])
		copy(h.root, f.roots[k*r*r:])
	}
	copy(f.tmp, f.eigen)
	blas64.Trmm(blas.Left, blas.Trans, 1, t, general(f.tmp[:all*all], all, all))
	return true
}

// weigh makes the weights: B is tmp without its first columns, rows of members and then of noises.
func (f *filter) weigh() {
	r, n, all := f.rank, f.members(), f.rank+f.noises
	clear(f.weights)
	row := f.row[:n]
	for k := range all {
		clear(row) // row k of BΩ
		for l := range r {
			floats.AddScaled(row, f.tmp[k*all+f.noises+l], f.omega[l*n:(l+1)*n])
		}
		floats.Scale(spread, row)
		if k >= r {
			copy(f.noiseWeights[(k-r)*n:], row)
			continue
		}
		floats.AddConst(f.mean[k], row)
		for j := range n {
			floats.AddScaled(f.weights[j*n:(j+1)*n], f.omega[k*n+j]/spread, row)
		}
	}
	floats.AddConst(1/float64(n), f.weights)
}

// mix makes of values of the members those of the new members, without noise.
func (f *filter) mix(dst, values []float64) {
	n := f.members()
	clear(dst[:n])
	for j := range n {
		floats.AddScaled(dst[:n], values[j], f.weights[j*n:(j+1)*n])
	}
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

func general(data []float64, rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: data}
}

func upper(data []float64, n int) blas64.Symmetric {
	return blas64.Symmetric{N: n, Stride: n, Data: data, Uplo: blas.Upper}
}

func (f *filter) symmetric(data []float64) blas64.Symmetric { return upper(data, f.rank+f.noises) }

func addDiagonal(m []float64, n int, x float64) {
	for i := range n {
		m[i*n+i] += x
	}
}

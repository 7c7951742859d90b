package observer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A linear robot whose state, of as many numbers as the filter has ranks, is measured in part: the weights make of an ensemble what Kalman's
// equations make of mean and covariance.
func TestFilterIsKalmans(t *testing.T) {
	const rank, noises, measured = 5, 2, 3
	random := rand.New(rand.NewPCG(1, 2))
	f := newFilter(rank+noises, noises, nil, nil) // of full rank: the reduction leaves out what is zero
	n := f.members()
	members := mat.NewDense(rank, n, nil)
	for i := range rank {
		for j := range n {
			members.Set(i, j, random.NormFloat64())
		}
	}
	mean, covariance := moments(f, members)
	h := mat.NewDense(measured, rank, nil)
	for i := range measured {
		for j := range rank {
			h.Set(i, j, random.NormFloat64())
		}
	}
	z, deviation := []float64{0.3, -0.2, 0.9}, []float64{0.1, 0.5, 1}
	noise := [noises]float64{0.2, 0.4} // of the first states

	var predicted mat.Dense
	predicted.Mul(h, members)
	m := measurement{innovation: make([]float64, measured), deviation: deviation}
	for k := range measured {
		row := predicted.RawRowView(k)
		m.predicted = append(m.predicted, row)
		average := 0.0
		for _, x := range row {
			average += x / float64(n)
		}
		m.innovation[k] = z[k] - average
	}
	f.begin()
	f.beginReduction()
	square := f.add(&m, math.Inf(1))
	for i := range rank {
		gain := make([]float64, noises)
		if i < noises {
			gain[i] = noise[i]
		}
		f.scale(members.RawRowView(i), gain)
	}
	if !f.update(0) {
		t.Fatal("no update")
	}

	// Kalman's equations
	var ph, s, inverse, gain, d, shift, wantMean, wantCovariance, hp mat.Dense
	ph.Mul(covariance, h.T())
	s.Mul(h, &ph)
	for k := range measured {
		s.Set(k, k, s.At(k, k)+deviation[k]*deviation[k])
	}
	if err := inverse.Inverse(&s); err != nil {
		t.Fatal(err)
	}
	innovation := mat.NewDense(measured, 1, m.innovation)
	gain.Mul(&ph, &inverse)
	shift.Mul(&gain, innovation)
	wantMean.Add(mean, &shift)
	hp.Mul(h, covariance)
	d.Mul(&gain, &hp)
	wantCovariance.Sub(covariance, &d)
	for k, x := range noise {
		wantCovariance.Set(k, k, wantCovariance.At(k, k)+x*x)
	}
	var si, want mat.Dense
	si.Mul(&inverse, innovation)
	want.Mul(innovation.T(), &si)
	if math.Abs(square-want.At(0, 0)) > 1e-10 {
		t.Errorf("square of the innovation %g, want %g", square, want.At(0, 0))
	}

	after := mat.NewDense(rank, n, nil)
	for i := range rank {
		row := after.RawRowView(i)
		f.mix(row, members.RawRowView(i))
		if i < noises {
			for j := range n {
				row[j] += noise[i] * f.noiseWeights[i*n+j]
			}
		}
	}
	gotMean, gotCovariance := moments(f, after)
	if !mat.EqualApprox(gotMean, &wantMean, 1e-7) {
		t.Errorf("mean\n%v\nwant\n%v", mat.Formatted(gotMean), mat.Formatted(&wantMean))
	}
	if !mat.EqualApprox(gotCovariance, &wantCovariance, 1e-7) {
		t.Errorf("covariance\n%v\nwant\n%v", mat.Formatted(gotCovariance), mat.Formatted(&wantCovariance))
	}
	if allocs := testing.AllocsPerRun(100, func() {
		f.begin()
		f.beginReduction()
		f.add(&m, math.Inf(1))
		f.scale(members.RawRowView(0), nil)
		f.update(0)
	}); allocs != 0 {
		t.Errorf("%g allocations", allocs)
	}
}

// A linear robot with a force at one of two places, or between them, that is steady or changes: the filter is a bank of Kalman's filters, one for
// each place and mode, which interact.
func TestFilterIsABank(t *testing.T) {
	for _, modes := range [][]mode{{{1, math.Inf(1)}}, {{0.1, 0.5}, {1, 0.2}}} {
		t.Run(fmt.Sprintf("%d modes", len(modes)), func(t *testing.T) { testBank(t, modes) })
	}
}

// normal is a normal distribution with its probability.
type normal struct {
	weight           float64
	mean, covariance *mat.Dense
}

func testBank(t *testing.T, modes []mode) {
	const states, noises, measured, dt = 4, 2, 2, 0.1 // the last states are the forces
	random := rand.New(rand.NewPCG(3, 4))
	lever := [][]float64{{1, 0}, {0.5, 0.5}, {0, 1}}
	var columns [][]float64
	for _, x := range lever {
		columns = append(columns, []float64{x[0], 0, x[1], 0})
	}
	f := newFilter(states+noises, noises, columns, modes)
	n := f.members()
	members := mat.NewDense(states, n, nil) // all that is known is known exactly
	move := mat.NewDense(states, states, []float64{0.9, 0.1, 0.3, 0.1, -0.1, 0.8, 0.1, 0.4, 0, 0, 1, 0, 0, 0, 0, 1})
	h := mat.NewDense(measured, states, []float64{1, 0, 0, 0, 0.3, 1, 0, 0})
	deviation := []float64{0.1, 0.2}
	const walk = 0.5

	var bank []normal
	for range len(lever) * len(modes) {
		bank = append(bank, normal{1 / float64(len(lever)*len(modes)), mat.NewDense(states, 1, nil), mat.NewDense(states, states, nil)})
	}
	for step := range 8 {
		z := []float64{random.NormFloat64() + float64(step)/4, random.NormFloat64()}
		// the filter
		var moved, predicted mat.Dense
		moved.Mul(move, members)
		members.Copy(&moved)
		predicted.Mul(h, members)
		m := measurement{innovation: make([]float64, measured), deviation: deviation}
		for k := range measured {
			row := predicted.RawRowView(k)
			m.predicted = append(m.predicted, row)
			m.innovation[k] = z[k] - floats.Sum(row)/float64(n)
		}
		f.begin()
		f.beginReduction()
		f.add(&m, math.Inf(1))
		for i := range states {
			gain := make([]float64, noises)
			if i >= states-noises {
				gain[i-(states-noises)] = walk
			}
			f.scale(members.RawRowView(i), gain)
		}
		if !f.update(dt) {
			t.Fatal("no update")
		}
		for i := range states {
			row := members.RawRowView(i)
			f.mix(f.row[:n], row)
			copy(row, f.row[:n])
			if k := i - (states - noises); k >= 0 {
				floats.AddScaled(row, walk, f.noiseWeights[k*n:(k+1)*n])
			}
		}
		// the bank
		total := 0.0
		for k := range bank {
			bank[k].condition(move, h, z, deviation)
			total += bank[k].weight
		}
		sum := 0.0
		for first := 0; first < len(bank); first += len(modes) {
			all := 0.0
			for k := first; k < first+len(modes); k++ {
				bank[k].weight /= total
				all += bank[k].weight
			}
			for k := first; k < first+len(modes); k++ {
				bank[k].weight += max(0, leastWeight/float64(len(lever))-all) / float64(len(modes))
				sum += bank[k].weight
			}
		}
		for k := range bank {
			bank[k].weight /= sum
		}
		bank = interact(bank, modes, dt)
		for k := range bank {
			x := lever[k/len(modes)]
			s := walk * modes[k%len(modes)].noise
			for i := range noises {
				for j := range noises {
					a, c := states-noises+i, states-noises+j
					bank[k].covariance.Set(a, c, bank[k].covariance.At(a, c)+s*s*x[i]*x[j])
				}
			}
			if got := f.hypotheses[k].weight; math.Abs(got-bank[k].weight) > 1e-6 {
				t.Errorf("step %d, place and mode %d: probability %g, want %g", step, k, got, bank[k].weight)
			}
		}
		all := mixture(bank)
		gotMean, gotCovariance := moments(f, members)
		if !mat.EqualApprox(gotMean, all.mean, 1e-6) || !mat.EqualApprox(gotCovariance, all.covariance, 1e-6) {
			t.Errorf("step %d: mean and covariance\n%.4v\n%.4v\nwant\n%.4v\n%.4v", step, mat.Formatted(gotMean.T()), mat.Formatted(gotCovariance), mat.Formatted(all.mean.T()), mat.Formatted(all.covariance))
		}
	}
}

// condition moves the distribution by a step and conditions it on a measurement, by whose likelihood its weight changes.
func (b *normal) condition(move, h *mat.Dense, z, deviation []float64) {
	var x, p, fp, ph, s, inverse, gain, d, shift, hp, square mat.Dense
	x.Mul(move, b.mean)
	fp.Mul(move, b.covariance)
	p.Mul(&fp, move.T())
	ph.Mul(&p, h.T())
	s.Mul(h, &ph)
	for i := range deviation {
		s.Set(i, i, s.At(i, i)+deviation[i]*deviation[i])
	}
	if err := inverse.Inverse(&s); err != nil {
		panic(err)
	}
	var y mat.Dense
	y.Mul(h, &x)
	y.Sub(mat.NewDense(len(z), 1, z), &y)
	gain.Mul(&ph, &inverse)
	shift.Mul(&gain, &y)
	b.mean.Add(&x, &shift)
	hp.Mul(h, &p)
	d.Mul(&gain, &hp)
	b.covariance.Sub(&p, &d)
	var sy mat.Dense
	sy.Mul(&inverse, &y)
	square.Mul(y.T(), &sy)
	b.weight *= math.Exp(-square.At(0, 0)/2) / math.Sqrt(mat.Det(&s))
}

// interact lets the modes of each hypothesis switch.
func interact(bank []normal, modes []mode, dt float64) (after []normal) {
	n := len(modes)
	for k := range bank {
		first := k - k%n
		var parts []normal
		for j := range n {
			stay := math.Exp(-dt / modes[j].duration)
			share := stay
			if first+j != k {
				share = (1 - stay) / float64(n-1)
			}
			from := bank[first+j]
			parts = append(parts, normal{share * from.weight, from.mean, from.covariance})
		}
		after = append(after, mixture(parts))
	}
	return after
}

// mixture is the sum of distributions as one.
func mixture(parts []normal) (all normal) {
	rows, _ := parts[0].mean.Dims()
	all.mean, all.covariance = mat.NewDense(rows, 1, nil), mat.NewDense(rows, rows, nil)
	for _, b := range parts {
		all.weight += b.weight
	}
	for _, b := range parts {
		var x mat.Dense
		x.Scale(b.weight/all.weight, b.mean)
		all.mean.Add(all.mean, &x)
	}
	for _, b := range parts {
		var d, dd mat.Dense
		d.Sub(b.mean, all.mean)
		dd.Mul(&d, d.T())
		dd.Add(&dd, b.covariance)
		dd.Scale(b.weight/all.weight, &dd)
		all.covariance.Add(all.covariance, &dd)
	}
	return all
}

// moments are mean and covariance of members, by row of a quantity.
func moments(f *filter, members *mat.Dense) (mean, covariance *mat.Dense) {
	rows, n := members.Dims()
	mean = mat.NewDense(rows, 1, nil)
	l := mat.NewDense(rows, f.rank, nil)
	for i := range rows {
		for _, x := range members.RawRowView(i) {
			mean.Set(i, 0, mean.At(i, 0)+x/float64(n))
		}
		f.coordinates(l.RawRowView(i), members.RawRowView(i))
	}
	covariance = mat.NewDense(rows, rows, nil)
	covariance.Mul(l, l.T())
	return mean, covariance
}

func BenchmarkFilter(b *testing.B) {
	f := newFilter(12, 5, nil, nil)
	n := f.members()
	random := rand.New(rand.NewPCG(1, 2))
	m := measurement{}
	for range 13 {
		row := make([]float64, n)
		for i := range row {
			row[i] = random.NormFloat64()
		}
		m.predicted, m.innovation, m.deviation = append(m.predicted, row), append(m.innovation, random.NormFloat64()), append(m.deviation, 1)
	}
	for b.Loop() {
		f.begin()
		f.beginReduction()
		f.add(&m, math.Inf(1))
		for _, row := range m.predicted {
			f.scale(row, nil)
		}
		f.update(0)
	}
}

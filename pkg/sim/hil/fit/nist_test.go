package fit_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// dataset is one of the Statistical Reference Datasets for nonlinear regression of
// the National Institute of Standards and Technology,
// https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml: observations, starts
// and certified results are facts from there.
type dataset struct {
	name      string
	model     func(b []float64, x float64) float64
	x, y      []float64
	starts    [][]float64
	certified []float64
	deviation []float64 // standard deviations of the estimates, certified
	ssr       float64
}

var datasets = []dataset{
	{
		name:  "Misra1a",
		model: func(b []float64, x float64) float64 { return b[0] * (1 - math.Exp(-b[1]*x)) },
		x:     []float64{77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0},
		y:     []float64{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78},
		starts: [][]float64{
			{500, 0.0001},
			{250, 0.0005},
		},
		certified: []float64{2.3894212918e+02, 5.5015643181e-04},
		deviation: []float64{2.7070075241e+00, 7.2668688436e-06},
		ssr:       1.2455138894e-01,
	}, {
		name: "Thurber",
		model: func(b []float64, x float64) float64 {
			return (b[0] + x*(b[1]+x*(b[2]+x*b[3]))) / (1 + x*(b[4]+x*(b[5]+x*b[6])))
		},
		x: []float64{-3.067, -2.981, -2.921, -2.912, -2.840, -2.797, -2.702, -2.699, -2.633, -2.481, -2.363, -2.322, -1.501,
			-1.460, -1.274, -1.212, -1.100, -1.046, -0.915, -0.714, -0.566, -0.545, -0.400, -0.309, -0.109, -0.103, 0.010,
			0.119, 0.377, 0.790, 0.963, 1.006, 1.115, 1.572, 1.841, 2.047, 2.200},
		y: []float64{80.574, 84.248, 87.264, 87.195, 89.076, 89.608, 89.868, 90.101, 92.405, 95.854, 100.696, 101.060, 401.672,
			390.724, 567.534, 635.316, 733.054, 759.087, 894.206, 990.785, 1090.109, 1080.914, 1122.643, 1178.351, 1260.531,
			1273.514, 1288.339, 1327.543, 1353.863, 1414.509, 1425.208, 1421.384, 1442.962, 1464.350, 1468.705, 1447.894, 1457.628},
		starts: [][]float64{
			{1000, 1000, 400, 40, 0.7, 0.3, 0.03},
			{1300, 1500, 500, 75, 1, 0.4, 0.05},
		},
		certified: []float64{1.2881396800e+03, 1.4910792535e+03, 5.8323836877e+02, 7.5416644291e+01, 9.6629502864e-01, 3.9797285797e-01, 4.9727297349e-02},
		deviation: []float64{4.6647963344e+00, 3.9571156086e+01, 2.8698696102e+01, 5.5675370270e+00, 3.1333340687e-02, 1.4984928198e-02, 6.5842344623e-03},
		ssr:       5.6427082397e+03,
	}, {
		name:  "MGH09",
		model: func(b []float64, x float64) float64 { return b[0] * (x*x + x*b[1]) / (x*x + x*b[2] + b[3]) },
		x:     []float64{4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
		y:     []float64{0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
		starts: [][]float64{
			{25, 39, 41.5, 39},
			{0.25, 0.39, 0.415, 0.39},
		},
		certified: []float64{1.9280693458e-01, 1.9128232873e-01, 1.2305650693e-01, 1.3606233068e-01},
		deviation: []float64{1.1435312227e-02, 1.9633220911e-01, 8.0842031232e-02, 9.0025542308e-02},
		ssr:       3.0750560385e-04,
	}, {
		name:  "MGH10",
		model: func(b []float64, x float64) float64 { return b[0] * math.Exp(b[1]/(x+b[2])) },
		x:     []float64{50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 105, 110, 115, 120, 125},
		y:     []float64{34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872},
		starts: [][]float64{
			{2, 400000, 25000},
			{0.02, 4000, 250},
		},
		certified: []float64{5.6096364710e-03, 6.1813463463e+03, 3.4522363462e+02},
		deviation: []float64{1.5687892471e-04, 2.3309021107e+01, 7.8486103508e-01},
		ssr:       8.7945855171e+01,
	},
}

// problem is the unbounded fit of the data set from one of its starts.
func (d *dataset) problem(start []float64) fit.Problem {
	var p fit.Problem
	for i, s := range start {
		p.Parameters = append(p.Parameters, fit.Parameter{Name: fmt.Sprintf("b%d", i+1), Start: s, Min: math.Inf(-1), Max: math.Inf(1)})
	}
	p.Data = fit.Data{Count: len(d.x), New: func() (fit.Residuals, error) {
		return func(b, dst []float64) error {
			for i := range d.x {
				dst[i] = d.model(b, d.x[i]) - d.y[i]
			}
			return nil
		}, nil
	}}
	return p
}

// The certified values have eleven digits; a fit with difference quotients of a
// relative accuracy of 1e-10 should give six of the values and five of the
// deviations.
const (
	valueTolerance     = 1e-6
	deviationTolerance = 1e-5
)

// TestReferenceDatasets fits from both starts of each data set, the first of which
// is far from the solution. That of MGH10 is too far: see TestSeveralStarts.
func TestReferenceDatasets(t *testing.T) {
	for _, d := range datasets {
		for k, start := range d.starts {
			if d.name == "MGH10" && k == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/start_%d", d.name, k+1), func(t *testing.T) {
				r, err := fit.Fit(context.Background(), d.problem(start), fit.Options{Iterations: 300, Tolerance: 1e-8})
				if err != nil {
					t.Fatal(err)
				}
				d.check(t, r)
				t.Logf("%d steps, %d evaluations, %s", r.Starts[0].Iterations, r.Evaluations, r.Starts[0].Ending)
			})
		}
	}
}

func (d *dataset) check(t *testing.T, r *fit.Result) {
	t.Helper()
	for i, e := range r.Estimates {
		if off := math.Abs(e.Value/d.certified[i] - 1); off > valueTolerance {
			t.Errorf("%s = %.11g, certified %.11g, off by %.2g", e.Name, e.Value, d.certified[i], off)
		}
		if off := math.Abs(e.StandardError/d.deviation[i] - 1); off > deviationTolerance {
			t.Errorf("standard error of %s = %.11g, certified %.11g, off by %.2g", e.Name, e.StandardError, d.deviation[i], off)
		}
	}
	if ssr := r.RMSE * r.RMSE * float64(len(d.x)); math.Abs(ssr/d.ssr-1) > 1e-9 {
		t.Errorf("sum of squares %.11g, certified %.11g", ssr, d.ssr)
	}
}

// TestSeveralStarts solves MGH10 from its far start with the help of others.
func TestSeveralStarts(t *testing.T) {
	d := datasets[3]
	p := d.problem(d.starts[0])
	for i := range p.Parameters {
		q := &p.Parameters[i]
		q.Log, q.Min, q.Max = true, q.Start/1e3, q.Start*10
	}
	r, err := fit.Fit(context.Background(), p, fit.Options{Starts: 20, Seed: 1, Iterations: 500, Tolerance: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	d.check(t, r)
	if r.Best == 0 {
		t.Error("the far start led to the solution; the test shows nothing")
	}
	for k, s := range r.Starts {
		t.Logf("start %2d: %v -> %v, rmse %.4g, %d steps, %s", k+1, s.From, s.To, s.RMSE, s.Iterations, s.Ending)
	}
}

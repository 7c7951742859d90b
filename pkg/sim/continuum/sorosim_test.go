package continuum_test

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// sorosimFolder holds shapes and releases computed with SoroSim by the authors of
// OpenCR-MuJoCo (MIT licence), which are not part of this repository.
const sorosimFolder = "../../../../shared/golden/sorosim"

// Bounds on the error of a station, relative to the length, at 20 elements. The
// data have four decimals of a metre: an exact solution shows 3.2e-4.
const (
	medianShapeError  = 4e-4
	largestShapeError = 2e-3
	releaseError      = 8e-3 // rms of the tip over 2 s, at steps of 1 ms
)

type sorosimRod struct {
	name                           string
	length, radius, young, nu, rho float64
}

var sorosimRods = []sorosimRod{
	{"SpringSteelRodMuJoCo", 0.6, 0.0008, 200e9, 0.33, 7870},
	{"TPURodMuJoCo", 0.4, 0.005, 70e6, 0.4, 1200},
}

// file is the rod along +x, of 20 elements.
func (r *sorosimRod) file(gravity spatial.Vec) *robotfile.Continuum {
	f := wire(20, 0, gravity)
	f.Base = robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}}
	f.Rod = robotfile.Rod{
		Length: r.length, Radius: r.radius, Density: r.rho, YoungsModulus: r.young,
		ShearModulus: r.young / (2 * (1 + r.nu)), ShearCorrection: 1, Elements: 20, MaterialLaw: robotfile.Linear,
	}
	return f
}

// hold adds dead wrenches at mid length and at the tip that act until the robot moves.
func (r *sorosimRod) hold(f *robotfile.Continuum, mid, tip spatial.Wrench) {
	f.Loads = []robotfile.RodLoad{{At: r.length / 2, Force: mid.Force, Moment: mid.Moment}, {At: r.length, Force: tip.Force, Moment: tip.Moment}}
}

func sorosimPath(t *testing.T, elem ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{sorosimFolder}, elem...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("needs the SoroSim reference data: %v", err)
	}
	return p
}

// recordedShape is a recorded equilibrium.
type recordedShape struct {
	name     string
	gravity  spatial.Vec
	mid, tip spatial.Wrench
	stations []spatial.Vec
}

// readShapes returns the shapes of a rod and the arc lengths of their stations.
func readShapes(t *testing.T, r *sorosimRod) (shapes []recordedShape, at []float64) {
	t.Helper()
	f, err := os.Open(sorosimPath(t, "statics_"+r.name+"_odd.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	column := func(rows [][]string, j int) spatial.Vec {
		return spatial.Vec{X: number(rows[0][j]), Y: number(rows[1][j]), Z: number(rows[2][j])}
	}
	const first = 4 // column of the first station
	for j := first; j < len(rows[1]); j++ {
		s := number(rows[1][j]) * r.length / 2
		if j >= first+7 {
			s += r.length / 2
		}
		at = append(at, s)
	}
	for rows = rows[2:]; len(rows) >= 6; rows = rows[6:] {
		s := recordedShape{name: rows[0][0]}
		turn, place := rows[:3], rows[3:6]
		s.gravity = column(place, 1)
		s.mid = spatial.Wrench{Force: column(place, 2), Moment: column(turn, 2)}
		s.tip = spatial.Wrench{Force: column(place, 3), Moment: column(turn, 3)}
		for j := range at {
			s.stations = append(s.stations, column(place, first+j))
		}
		shapes = append(shapes, s)
	}
	return shapes, at
}

// pointAt returns the point of the centreline at arc length s.
func pointAt(e *continuumtest.Robot, s float64) spatial.Vec {
	l := e.System.Rod.ElementLength
	k := min(int(s/l), e.System.Rod.Elements-1)
	part, x := s/l-float64(k), e.System.State.Strain[k]
	return e.System.State.Pose[k].Mul(spatial.Exp(spatial.Twist{Linear: x.Linear.Scale(part), Angular: x.Angular.Scale(part)})).P
}

// cubicAt returns the point of the centreline at arc length s, by the cubic through the nodes
// beside it and along their tangents: to the order of elements of order 4.
func cubicAt(e *continuumtest.Robot, s float64) spatial.Vec {
	l := e.System.Rod.ElementLength
	k := min(int(s/l), e.System.Rod.Elements-1)
	x, a, b := s/l-float64(k), &e.System.State.Pose[k], &e.System.State.Pose[k+1]
	y := 1 - x
	p := a.P.Scale(y*y*(1+2*x)).AddScaled(x*x*(1+2*y), b.P)
	return p.AddScaled(x*y*y*l, a.R.Col3()).AddScaled(-x*x*y*l, b.R.Col3())
}

// Elements of order 4 are as near to the data as their four decimals allow with half as many.
func TestSoroSimShapesOfFewElements(t *testing.T) {
	const (
		elements = 10
		floor    = 3.2e-4 // of the length: the four decimals of the data
		above    = 1.1    // the rods of the data are not quite ours
	)
	for _, r := range sorosimRods {
		shapes, at := readShapes(t, &r)
		medians := map[int]float64{}
		for _, order := range []int{2, 4} {
			var errs []float64
			for _, s := range shapes {
				f := r.file(s.gravity)
				f.Rod.Elements, f.Rod.Order = elements, order
				r.hold(f, s.mid, s.tip)
				e := implicitOf(t, f)
				if err := e.Model.Equilibrate(); err != nil {
					t.Errorf("%s %s, order %d: %v", r.name, s.name, order, err)
					continue
				}
				worst := 0.0
				for j, p := range s.stations {
					worst = math.Max(worst, cubicAt(e, at[j]).Sub(p).Norm())
				}
				errs = append(errs, worst/r.length)
			}
			slices.Sort(errs)
			medians[order] = errs[len(errs)/2]
			t.Logf("%s, %d elements of order %d: median %.2e, largest %.2e of the length", r.name, elements, order, medians[order], errs[len(errs)-1])
		}
		if !(medians[4] <= above*floor) || !(medians[2] > 1.5*medians[4]) {
			t.Errorf("%s, %d elements: median error %.3g of the length, with order 2 %.3g; want at most %g, and more", r.name, elements, medians[4], medians[2], above*floor)
		}
	}
}

func TestSoroSimShapes(t *testing.T) {
	for _, r := range sorosimRods {
		shapes, at := readShapes(t, &r)
		if len(shapes) != 250 {
			t.Errorf("%s: %d shapes, want 250", r.name, len(shapes))
		}
		for _, order := range []int{2, 4} {
			var errs []float64
			for _, s := range shapes {
				f := r.file(s.gravity)
				f.Rod.Order = order
				r.hold(f, s.mid, s.tip)
				e := implicitOf(t, f)
				if err := e.Model.Equilibrate(); err != nil {
					t.Errorf("%s %s, order %d: %v", r.name, s.name, order, err)
					continue
				}
				worst := 0.0
				for j, p := range s.stations {
					worst = math.Max(worst, pointAt(e, at[j]).Sub(p).Norm())
				}
				errs = append(errs, worst/r.length)
			}
			slices.Sort(errs)
			median, largest := errs[len(errs)/2], errs[len(errs)-1]
			t.Logf("%s, order %d: median %.2e, largest %.2e of the length", r.name, order, median, largest)
			if !(median <= medianShapeError) || !(largest <= largestShapeError) {
				t.Errorf("%s, order %d: median error %.3g, largest %.3g of the length; want at most %g and %g", r.name, order, median, largest, medianShapeError, largestShapeError)
			}
		}
	}
}

// readRelease returns the lines of a release as numbers.
func readRelease(t *testing.T, path string) (lines [][]float64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var line []float64
		for _, w := range strings.Fields(s.Text()) {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			line = append(line, x)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestSoroSimReleases(t *testing.T) {
	t.Parallel()
	for _, r := range sorosimRods {
		for i := 1; i <= 5; i++ {
			lines := readRelease(t, sorosimPath(t, "dynamics", fmt.Sprintf("%s_%d.txt", r.name, i)))
			for _, order := range []int{2, 4} {
				rms, divided := r.release(t, lines, order)
				t.Logf("%s release %d, order %d: rms %.2e of the length, %d unconverged", r.name, i, order, rms, divided)
				if !(rms <= releaseError) || divided > 0 {
					t.Errorf("%s release %d, order %d: tip rms %.3g of the length, %d unconverged steps; want at most %g and none", r.name, i, order, rms, divided, releaseError)
				}
			}
		}
	}
}

// release returns how far the tip is from that of the lines, rms in lengths, and how many
// steps were divided.
func (r *sorosimRod) release(t *testing.T, lines [][]float64, order int) (rms float64, divided uint64) {
	t.Helper()
	vector := func(x []float64) spatial.Vec { return spatial.Vec{X: x[0], Y: x[1], Z: x[2]} }
	wrench := func(x []float64) spatial.Wrench { return spatial.Wrench{Moment: vector(x), Force: vector(x[3:])} }
	f := r.file(vector(lines[0][10:]))
	f.Rod.Damping.KelvinVoigt, f.Rod.Order = lines[0][0], order
	r.hold(f, wrench(lines[1][1:]), wrench(lines[1][7:]))
	e := implicitOf(t, f)
	equilibrate(t, e, pulling())
	const span, perSample = 400, 5 // 2 s at 200 Hz
	sum, free := 0.0, &inputs{}
	for k, line := range lines[2 : 2+span+1] {
		if k > 0 {
			for range perSample {
				if err := e.Step(1e-3, free); err != nil {
					t.Fatal(err)
				}
			}
		}
		sum += e.NodePose(20).P.Sub(vector(line[10:])).Norm2()
	}
	return math.Sqrt(sum/(span+1)) / r.length, e.Stepper.Counters().Divided
}

package identify

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
)

// led is a carriage whose search for an equilibrium starts from that of a reference.
type led struct {
	*Carriage
	leads  bool
	beside *int
}

func (l *led) KeepReference() { l.leads = true }

func (l *led) EquilibrateNear(reference sim.Model) error {
	first, ok := reference.(*led)
	if !ok || !first.leads || first.force != l.force || first.x != l.force/first.k {
		return errors.New("the reference has another equilibrium")
	}
	*l.beside++
	return l.Equilibrate()
}

// EquilibrateBySensitivity takes x = force/k to first order.
func (l *led) EquilibrateBySensitivity(reference sim.Model) error {
	first, ok := reference.(*led)
	if !ok || !first.leads || first.force != l.force || first.x != l.force/first.k {
		return errors.New("the reference has another equilibrium")
	}
	l.x = first.x * (1 - (l.k-first.k)/first.k)
	return nil
}

// TestFollowers predicts trials by the derivative at a point, and not where there is none.
func TestFollowers(t *testing.T) {
	static, motion := ReadTrial(t, "push,x,y,z\n2,0,0,0\n4,0.01,0,0\n"), ReadTrial(t, "t,push,x,y,z\n0,1,0,0,0\n0.5,2,0,0,0\n")
	for name, c := range map[string]struct {
		trial *Trial
		led   bool
		want  error
	}{"equilibria": {static, true, nil}, "a motion": {motion, true, errNoTangent}, "no derivative": {static, false, errNoTangent}} {
		beside := 0
		p := Carriages(t, "", func(m *Model) {
			if c.led {
				m.Model = &led{Carriage: m.Model.(*Carriage), beside: &beside}
			}
		}, c.trial)
		dst, errs := [][]float64{make([]float64, p.Residuals()), make([]float64, p.Residuals())}, make([]error, 2)
		p.newFollowers(context.Background()).residuals([]float64{200}, [][]float64{{200}, {200.002}}, dst, errs)
		for i := range errs {
			if !errors.Is(errs[i], c.want) {
				t.Errorf("%s: %v", name, errs[i])
			}
		}
		if c.want != nil {
			continue
		}
		for row, force := range []float64{2, 4} {
			if got, want := (dst[1][3*row]-dst[0][3*row])/0.002, -force/(200*200); math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s: row %d: %g, want %g", name, row, got, want)
			}
		}
	}
}

// TestNeighbours predicts trials at several points at once: what comes of it is what comes of
// each by itself, one that fails leaves the others alone, and those that can find their equilibria beside
// that of the reference, row by row.
func TestNeighbours(t *testing.T) {
	const rows = "push,x,y,z\n2,0,0,0\n4,0.01,0,0\n3,,,\n8,0.02,0,0\n"
	static, motion := ReadTrial(t, rows), ReadTrial(t, "t,push,x,y,z\n0,1,0,0,0\n0.5,2,0,0,0\n")
	beside := 0
	p := Carriages(t, "", func(m *Model) {
		c := m.Model.(*Carriage)
		if c.k == 203 {
			c.breaks = 5
		}
		m.Model = &led{Carriage: c, beside: &beside}
	}, static, motion, static)
	points := [][]float64{{201}, {203}, {199}}
	for range 2 { // once more with what is there already
		dst, errs := [][]float64{make([]float64, p.Residuals()), make([]float64, p.Residuals()), make([]float64, p.Residuals())}, make([]error, 3)
		n := p.newNeighbours(context.Background())
		n.residuals([]float64{200}, points, dst, errs)
		for i, at := range points {
			want := make([]float64, p.Residuals())
			err := p.newPredictor(context.Background()).residuals(at, want)
			if (err == nil) != (errs[i] == nil) || err != nil && err.Error() != errs[i].Error() {
				t.Errorf("point %d: %v, by itself %v", i, errs[i], err)
			}
			if err == nil && !slices.Equal(dst[i], want) {
				t.Errorf("point %d: %v, by itself %v", i, dst[i], want)
			}
		}
	}
	if !strings.Contains(p.failure(points[1]), "row 4: the carriage is stuck") {
		t.Error(p.failure(points[1]))
	}
	// twice: three rows of each of two trials at the points that do not fail, and up to its failure
	// those of the other; then those before the reference fails
	if want := 2*(2*6+3) + 2; beside != want {
		t.Errorf("%d equilibria from that of the reference, want %d", beside, want)
	}
}

// failure is why there is no prediction at x, by neighbours whose reference fails too.
func (p *Problem) failure(x []float64) string {
	errs := make([]error, 1)
	p.newNeighbours(context.Background()).residuals(x, [][]float64{x}, [][]float64{make([]float64, p.Residuals())}, errs)
	if errs[0] == nil {
		return "none"
	}
	return errs[0].Error()
}

// offsets is a File that remembers where the hole of the first tendon of its models was.
type offsets struct {
	*carriageFile
	seen *[][2]float64
}

func (f offsets) Clone() File { return offsets{f.carriageFile.Clone().(*carriageFile), f.seen} }

func (f offsets) Model() (*Model, error) {
	r, err := f.Robot()
	if err == nil {
		*f.seen = append(*f.seen, r.Tendons[0].Offset)
	}
	return &Model{Model: &Carriage{k: stretch, breaks: breakN}, Port: "measured_cp", StepS: StepS}, err
}

// TestNothingStaysOfOtherParameters moves a hole and puts it back: it is where it was.
func TestNothingStaysOfOtherParameters(t *testing.T) {
	p := Carriages(t, "", nil)
	numbers, err := p.base.Numbers()
	if err != nil {
		t.Fatal(err)
	}
	free, err := Resolve([]string{"tendon_offsets"}, numbers, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	var seen [][2]float64
	newFile := func() File { return offsets{&carriageFile{}, &seen} }
	if p, err = NewProblem(newFile, p.base, free); err != nil {
		t.Fatal(err)
	}
	p.Trials = []*Trial{ReadTrial(t, "push,x,y,z\n2,0,0,0\n")}
	one, moved := p.newPredictor(context.Background()), p.Start()
	moved[0] *= 1.1
	for _, x := range [][]float64{p.Start(), moved, p.Start()} {
		if _, err := one.predict(x); err != nil {
			t.Fatal(err)
		}
	}
	if seen[1] == seen[0] || seen[2] != seen[0] {
		t.Errorf("the hole was at %v", seen)
	}
}

package continuation_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/continuation"
	"sinew/pkg/sim/spatial"
)

// bars are rigid bars of length 1 that stand on hinges and turn by x, each with the energy
//
//	½ hinge (x − lean)² + ½ side sin² x + load (cos x − 1):
//
// a spring in the hinge, a spring that stays horizontal at the top, and a weight on the top.
type bars struct {
	hinge, side, lean []float64
	load              float64 // the whole one
	canDescend        bool
	x                 []float64
}

func (b *bars) gradient(k int, load float64) float64 {
	sin, cos := math.Sincos(b.x[k])
	return b.hinge[k]*(b.x[k]-b.lean[k]) + b.side[k]*sin*cos - load*b.load*sin
}

func (b *bars) stiffness(k int, load float64) float64 {
	return b.hinge[k] + b.side[k]*math.Cos(2*b.x[k]) - load*b.load*math.Cos(b.x[k])
}

func (b *bars) Save() []float64                { return slices.Clone(b.x) }
func (b *bars) Restore(x []float64, _ float64) { copy(b.x, x) }
func (b *bars) EndsPath(error) bool            { return false }

func (b *bars) Inner(u, v *continuation.Increment) (sum float64) {
	for k := range b.x {
		sum += u.Nodes[k][3] * v.Nodes[k][3] / float64(len(b.x))
	}
	return sum
}

func (b *bars) Move(u *continuation.Increment, _ float64) error {
	for k := range b.x {
		b.x[k] += u.Nodes[k][3]
	}
	return nil
}

func (b *bars) Correct(load float64, _ int, u, response *continuation.Increment) (bool, error) {
	largest := 0.0
	for k := range b.x {
		u.Nodes[k][3] = -b.gradient(k, load) / b.stiffness(k, load)
		largest = max(largest, math.Abs(b.gradient(k, load)))
	}
	_, err := b.Response(load, response)
	return largest < 1e-13, err
}

func (b *bars) Response(load float64, response *continuation.Increment) (s continuation.Stability, err error) {
	for k := range b.x {
		stiffness := b.stiffness(k, load)
		if stiffness == 0 {
			return s, errors.New("singular")
		}
		if response.Nodes[k][3] = b.load * math.Sin(b.x[k]) / stiffness; stiffness < 0 {
			s.Unstable++
		}
	}
	return s, nil
}

func (b *bars) Mode(load float64, mode *continuation.Increment) bool {
	for k := range b.x {
		if mode.Nodes[k][3] = 0; b.stiffness(k, load) < 0 {
			mode.Nodes[k][3] = 1
		}
	}
	return true
}

func (b *bars) Descend(load float64, _ int) bool {
	for k := range b.x {
		for b.x[k] += 0.01; b.canDescend && math.Abs(b.gradient(k, load)) > 1e-13; {
			step := b.gradient(k, load) / math.Abs(b.stiffness(k, load))
			b.x[k] -= min(max(step, -0.1), 0.1)
		}
	}
	return b.canDescend
}

func (b *bars) SolveAt(load float64) error {
	for range 20 {
		for k := range b.x {
			b.x[k] -= b.gradient(k, load) / b.stiffness(k, load)
		}
	}
	return nil
}

// TestEvents follows bars whose events are known: what is said of them, where they are, and where the path ends.
func TestEvents(t *testing.T) {
	for _, c := range []struct {
		name   string
		bars   bars
		events []string
		loads  []float64
		ends   int // unstable modes at the whole load
	}{
		{"a hinge buckles and stays", bars{hinge: []float64{1}, side: []float64{0}, lean: []float64{0}, load: 2},
			[]string{"simple bifurcation at load factor 0.5: mode m; the path continues on a stable branch"}, []float64{0.5}, 0},
		{"two alike", bars{hinge: []float64{1, 1}, side: []float64{0, 0}, lean: []float64{0, 0}, load: 2},
			[]string{"double bifurcation at load factor 0.5: mode m; the path continues on a stable branch"}, []float64{0.5}, 0},
		{"one after the other", bars{hinge: []float64{1, 1.2}, side: []float64{0, 0}, lean: []float64{0, 0}, load: 2},
			[]string{"simple bifurcation", "simple bifurcation at load factor 0.6: mode m; the path continues on a stable branch"}, []float64{0.5, 0.6}, 0},
		{"a side spring jumps", bars{hinge: []float64{0}, side: []float64{1}, lean: []float64{0}, load: 2, canDescend: true},
			[]string{"simple bifurcation at load factor 0.5: mode m; the path jumps to a stable branch"}, []float64{0.5}, 0},
		{"and stands where it cannot", bars{hinge: []float64{0}, side: []float64{1}, lean: []float64{0}, load: 2},
			[]string{"simple bifurcation at load factor 0.5: mode m; the path continues on an unstable branch, with 1 unstable mode"}, []float64{0.5}, 1},
	} {
		b := c.bars
		b.x = make([]float64, len(b.hinge))
		var events []string
		var last continuation.Point
		err := continuation.Follow(&b, 0, continuation.Increment{Nodes: make([]spatial.Vec6, len(b.x))}, func(p continuation.Point) error {
			if last = p; p.Event == continuation.Regular {
				return nil
			}
			k := len(events)
			if events = append(events, p.Describe("m", "bar")); k < len(c.loads) && math.Abs(p.Load-c.loads[k]) > 1e-6 {
				t.Errorf("%s: event %d at %.9g, want %.9g", c.name, k, p.Load, c.loads[k])
			}
			return nil
		})
		if err != nil || !slices.EqualFunc(events, c.events, strings.HasPrefix) || last.Load != 1 || last.Unstable != c.ends {
			t.Errorf("%s: %v, events %q, want %q; ends at %+v", c.name, err, events, c.events, last)
		}
	}
}

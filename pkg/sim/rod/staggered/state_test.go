package staggered_test

import (
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
)

// A new rod is stress-free and at rest, straight or precurved, and its end has the direction of its
// arc.
func TestNewRodIsFreeOfStress(t *testing.T) {
	for _, scheme := range []staggered.Scheme{staggered.Original, staggered.Corrected} {
		for _, c := range []spatial.Vec{{}, {X: 1.2}, {X: 0.4, Y: -0.3, Z: 0.5}} {
			p := staggered.SoftParams(10)
			p.Precurvature = c
			p.Base.P = spatial.Vec{X: 1, Y: 2, Z: 3}
			x := staggered.Rod(t, p, staggered.Options{Scheme: scheme})
			kinetic, elastic := x.Energy()
			// Original has a bias of 3e-11 in the curvature
			if s := x.MaxStrain(); s > 1e-10 || kinetic != 0 || elastic > 1e-18 {
				t.Errorf("scheme %d, precurvature %v: strain %.3g, energies %.3g and %.3g J", scheme, c, s, kinetic, elastic)
			}
			if f := x.ResidualForce(); f > 1e-8 {
				t.Errorf("scheme %d, precurvature %v: %.3g N are not in balance", scheme, c, f)
			}
			bent := c.Norm()
			if scheme == staggered.Original { // the clamp holds the whole first element
				bent *= 0.9
			}
			r := x.Base.R.TMul(x.NodePose(10).R)
			if got := math.Acos((r.Trace() - 1) / 2); math.Abs(got-bent) > 1e-7 {
				t.Errorf("scheme %d, precurvature %v: the end is turned by %.9g, want %.9g", scheme, c, got, bent)
			}
		}
	}
	x := staggered.Rod(t, staggered.SoftParams(10), staggered.Options{Scheme: staggered.Corrected})
	for k, p := range x.Positions() { // not even by round-off
		if want := (spatial.Vec{Z: float64(k) / 10}); p != want {
			t.Errorf("node %d of a straight rod is at %v, want %v", k, p, want)
		}
	}
}

// A state that is saved or checkpointed in motion and restored continues with the same bits; Stop
// leaves a rod at rest.
func TestRestoredStatesContinueAlike(t *testing.T) {
	for _, scheme := range []staggered.Scheme{staggered.Original, staggered.Corrected} {
		x := staggered.Rod(t, staggered.SoftParams(5), staggered.Options{Scheme: scheme, Gravity: spatial.Vec{Y: -9}})
		steps := func(n int) []float64 {
			for range n {
				integrate.PositionVerlet(x, 1e-3)
			}
			s := make([]float64, x.StateLen())
			x.Save(s)
			return s
		}
		saved := steps(50)
		x.SaveCheckpoint()
		want := steps(50)
		x.NodePose(5) // a look that is under way when the state changes
		x.RestoreCheckpoint()
		if got := steps(50); !reflect.DeepEqual(got, want) {
			t.Errorf("scheme %d: a rewound rod moves elsewhere", scheme)
		}
		x.NodePose(5)
		x.Restore(saved)
		if got := steps(50); !reflect.DeepEqual(got, want) {
			t.Errorf("scheme %d: a restored rod moves elsewhere", scheme)
		}
		tip := x.NodePose(5)
		x.Stop()
		if twist := x.NodeTwist(5); x.NodePose(5) != tip || twist != (spatial.Twist{}) || x.KineticEnergy() != 0 {
			t.Errorf("scheme %d: stopped at %v with %v, was at %v", scheme, x.NodePose(5), twist, tip)
		}
		x.AddTipLoad(spatial.Wrench{Force: spatial.Vec{X: 1}, Moment: spatial.Vec{Y: 1}}, false)
		x.Reset()
		for k, f := range x.Forces() {
			if f != (spatial.Vec{}) || k > 0 && x.Couples()[k-1] != (spatial.Vec{}) {
				t.Errorf("scheme %d: node %d of a reset rod is loaded", scheme, k)
			}
		}
		if fresh := staggered.Rod(t, staggered.SoftParams(5), staggered.Options{Scheme: scheme}); !reflect.DeepEqual(x.Positions(), fresh.Positions()) || x.KineticEnergy() != 0 {
			t.Errorf("scheme %d: a reset rod is not as new", scheme)
		}
	}
}

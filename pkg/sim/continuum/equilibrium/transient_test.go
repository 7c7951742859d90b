package equilibrium_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// endingSize (rad) is that of the increments that end a step; equilibria have no use for it.
const endingSize = 1e-5

// nitinol is the material of a guidewire.
var nitinol = rod.Material{YoungsModulus: 1e10, ShearModulus: 3.6e9, Density: 6450, ShearCorrection: 0.9, Law: rod.Linear}

// alongX is the pose of a base at a height over the origin, from which the rod goes along x.
func alongX(z float64) spatial.Pose {
	return spatial.Pose{R: spatial.FromColumns(spatial.Vec{Z: 1}, spatial.Vec{Y: -1}, spatial.Vec{X: 1}), P: spatial.Vec{Z: z}}
}

// newSolver makes the equations of a rod without weight and with elements, and their solver.
func newSolver(t *testing.T, p rod.Params, elements func(*rod.Rod) []equations.Element) (*equations.System, *equilibrium.Solver) {
	t.Helper()
	mesh, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	state := strain.New(mesh, strain.Options{})
	var all []equations.Element
	if elements != nil {
		all = elements(mesh)
	}
	system, err := equations.New(state, mesh, endingSize, all...)
	if err != nil {
		t.Fatal(err)
	}
	system.Reset()
	return system, equilibrium.New(system)
}

// walled makes the contact of a rod of a radius with a wall.
func walled(t *testing.T, mesh *rod.Rod, name string, s shape.Shape, radius float64) *force.Contact {
	t.Helper()
	c := contact.New(mesh, contact.Options{Walls: []contact.Wall{{Name: name, Shape: s}}, Radius: func(float64) float64 { return radius }})
	return force.NewContact(c, radius, false)
}

// TestTransientStepsThatFailChangeNothing takes a step of pseudo-transient continuation in which the base goes into a wall:
// strains, tensions under length control and base are as before.
func TestTransientStepsThatFailChangeNothing(t *testing.T) {
	const radius = 0.001
	table, err := shape.NewPlane(spatial.Vec{}, spatial.Vec{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	system, solver := newSolver(t, rod.Params{
		Length: 0.1, Elements: 12, Nodes: []float64{0.05}, Section: rod.Ring(radius, 0), Base: alongX(0.02),
		Material: rod.Material{YoungsModulus: 1e9, ShearModulus: 3e8, Density: 1100, ShearCorrection: 0.9, Law: rod.Linear},
	}, func(mesh *rod.Rod) []equations.Element {
		route, err := tendon.NewRoute(mesh, []float64{0.05, 0.1}, tendon.Holes{Offset: [2]float64{0.003, 0}})
		if err != nil {
			t.Fatal(err)
		}
		tendons := force.NewTendons([]force.Tendon{{Name: "up", Route: route, Stiffness: 1000, MaxTension: 20}}, mesh, false)
		tendons.UpdateKinematics(strain.New(mesh, strain.Options{}))
		tendons.RememberRest()
		tendons.SetCommands([]force.Setpoint{{Mode: force.LengthControl, Pull: 0.002}}, nil)
		return []equations.Element{tendons, walled(t, mesh, "table", table, radius)}
	})
	if err := solver.Solve(); err != nil {
		t.Fatal(err)
	}
	solver.Begin(0)
	before, base := system.Present(), system.State.Base
	if before.Multipliers[0][0] <= 0 {
		t.Fatalf("tensions are %v, want one", before.Multipliers)
	}
	through := base
	through.P.Z = -0.02
	if err := solver.StepTransient(0.1, through); err == nil {
		t.Error("a base went through the table")
	}
	if now := system.Present(); !slices.Equal(now.Strain, before.Strain) || !slices.Equal(now.Multipliers[0], before.Multipliers[0]) || system.State.Base != base {
		t.Errorf("tensions are %v, were %v; base at %v, was at %v", now.Multipliers, before.Multipliers, system.State.Base.P, base.P)
	}
}

// TestShapesSlide slides the curvatures of a rod with two sections by one element, and by a part of one.
func TestShapesSlide(t *testing.T) {
	part := func(length float64, precurvature spatial.Vec) rod.Part {
		return rod.Part{
			Length: length, Section: rod.Ring(0.001, 0), Precurvature: precurvature,
			Material: rod.Material{YoungsModulus: 1e9, ShearModulus: 3e8, Density: 1100, ShearCorrection: 0.9, Law: rod.Linear},
		}
	}
	system, solver := newSolver(t, rod.Params{
		Length: 0.06, Elements: 4, Nodes: []float64{0.02}, Base: alongX(0.02),
		Parts: []rod.Part{part(0.02, spatial.Vec{}), part(0.04, spatial.Vec{Y: 5})},
	}, nil)
	at := system.Rod.ArcLengths
	lengths, last := system.Rod.Lengths, system.Rod.Elements-1
	for _, ahead := range []float64{lengths[last], 0.3 * lengths[last], 1} {
		for i := range system.State.Strain { // of curvatures 1, 2, 3 and so on
			system.State.Strain[i].Angular = spatial.Vec{X: float64(i+1) * lengths[i]}
		}
		solver.Slide(ahead)
		for i := range system.State.Strain {
			var want spatial.Vec // the mean of the curvatures between, times the length
			const parts = 100000
			for k := range parts {
				s := at[i] + ahead + (float64(k)+0.5)/parts*lengths[i]
				if s > at[last+1] {
					want = want.AddScaled(1./parts, system.State.RestStrain(i).Angular)
					continue
				}
				j := 0
				for at[j+1] < s {
					j++
				}
				want.X += float64(j+1) * lengths[i] / parts
			}
			if d := system.State.Strain[i].Angular.Sub(want).Norm(); d > 1e-4*lengths[i] {
				t.Errorf("by %g m: element %d bends by %v, want %v", ahead, i, system.State.Strain[i].Angular, want)
			}
		}
	}
}

// TestSearchesAreBounded: a search that has taken all iterations that one may begins no further step, whichever way it goes,
// and its error says so. The rod is in a tube that bends by a right angle, with the base deep inside.
func TestSearchesAreBounded(t *testing.T) {
	const radius = 0.0005
	const bend = 0.05 // radius of that of the tube, m
	points := []spatial.Vec{{X: -0.1}}
	for i := range 10 {
		sin, cos := math.Sincos(float64(i) / 9 * math.Pi / 2)
		points = append(points, spatial.Vec{X: 0.02 + bend*sin, Z: -bend * (1 - cos)})
	}
	vessel, err := shape.NewTube(points, []float64{0.003}, false)
	if err != nil {
		t.Fatal(err)
	}
	system, solver := newSolver(t, rod.Params{Length: 0.1, Elements: 30, Section: rod.Ring(radius, 0), Base: alongX(0), Material: nitinol},
		func(mesh *rod.Rod) []equations.Element {
			return []equations.Element{walled(t, mesh, "vessel", vessel, radius)}
		})
	if err := solver.Solve(); err != nil {
		t.Fatal(err)
	}
	bounded := []string{"load stepping", "pseudo-transient continuation", "insertion homotopy"}
	tried, start := 0, system.Present()
	for _, s := range equilibrium.Strategies() {
		if !slices.Contains(bounded, s.Name) {
			continue
		}
		tried++
		system.MoveTo(start)
		solver.Begin(equilibrium.MaxIterations)
		const beside = 200 // of pushing out, which comes first
		err := s.Try(solver)
		n := solver.Report().Iterations
		if !errors.Is(err, equilibrium.ErrExhausted) || !strings.Contains(err.Error(), "limit of 5000 iterations") || n > equilibrium.MaxIterations+beside {
			t.Errorf("%s: %v after %d iterations", s.Name, err, n)
		}
	}
	if tried != len(bounded) {
		t.Errorf("%d of the strategies %v are there", tried, bounded)
	}
}

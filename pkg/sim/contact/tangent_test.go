package contact

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

const testRadius = 0.001 // radius of the rods of these tests, m

// bentRod is a rod of three elements, bent and twisted.
func bentRod(t *testing.T, order int, bend float64) (*rod.Rod, *strain.State) {
	t.Helper()
	r, err := rod.New(rod.Params{
		Length: 0.03, Elements: 3, Order: order, Section: rod.Circle(testRadius), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 1e8, ShearModulus: 3e7, Density: 1000, ShearCorrection: 0.9},
	})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	s := strain.New(r, strain.Options{})
	for e := range s.Strain {
		s.Strain[e].Angular = s.Strain[e].Angular.Add(randomVec(random, bend))
	}
	s.SetAtRest()
	return r, s
}

func randomVec(r *rand.Rand, scale float64) spatial.Vec {
	return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(scale)
}

// Pressed is a bent rod between a ball and a tube, with the friction coefficient mu, within a step.
// In the step it also slides and rotates by drift and turn per element (rad), and the walls by
// drift (m and 100 rad).
func Pressed(t *testing.T, order int, mu, turn, drift float64) (*strain.State, *Contacts) {
	t.Helper()
	return PressedCone(t, order, mu, turn, drift, 0)
}

// PressedCone is pressed with a radius that changes by taper (m) over an element.
func PressedCone(t *testing.T, order int, mu, turn, drift, taper float64) (*strain.State, *Contacts) {
	t.Helper()
	r, s := bentRod(t, order, 0.2)
	ball, err := shape.NewSphere(s.Pose[1].P.Add(s.Pose[2].P).Scale(0.5).Add(spatial.Vec{X: 0.0051, Y: 0.001}), 0.0045)
	if err != nil {
		t.Fatal(err)
	}
	tube, err := shape.NewTube([]spatial.Vec{{Z: -0.03}, {X: 0.002, Z: 0.01}, {X: -0.001, Z: 0.05}}, []float64{0.003}, false)
	if err != nil {
		t.Fatal(err)
	}
	c := New(r, Options{Walls: []Wall{{"ball", ball, mu}, {"tube", tube, 0.8 * mu}},
		Radius: func(s float64) float64 { return testRadius + taper*(s/0.01-1.5) }, Taper: func(int) float64 { return taper },
	})
	c.Reset(s)
	for w := range c.Walls {
		c.SetWallTarget(w, spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 100 * drift, Z: -50 * drift}), P: spatial.Vec{Y: drift}})
	}
	beginTurning(s, c, turn)
	return s, c
}

// beginTurning begins a step in which the elements of the rod turn at random, by about turn (rad).
func beginTurning(s *strain.State, c *Contacts, turn float64) {
	c.Begin(1e-3)
	s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, 4))
	random := rand.New(rand.NewPCG(5, 6))
	for e := range s.Strain {
		s.Strain[e].Angular = s.Strain[e].Angular.Add(randomVec(random, turn))
	}
	s.UpdateKinematics()
	c.UpdateKinematics(s)
}

// Equations returns the equations of four nodes.
func Equations() *strain.Equations {
	q := &strain.Equations{
		Wrench: make([]spatial.Wrench, 4), Skew: make([]spatial.Wrench, 4),
		Diag: make([]*spatial.Mat6, 4), Next: make([]*spatial.Mat6, 4),
	}
	for i := 1; i < 4; i++ {
		q.Diag[i], q.Next[i] = new(spatial.Mat6), new(spatial.Mat6)
	}
	return q
}

// kinds counts the contacts of each kind.
func kinds(c *Contacts) map[string]int {
	n := map[string]int{}
	for i := range c.Points {
		p := &c.wallContacts[i]
		if p.gap < 0 {
			n[map[bool]string{true: "between nodes", false: "at a node"}[c.Points[i].isBetweenNodes()]]++
		}
		if p.friction.Limit > 0 {
			n[map[bool]string{true: "sticks", false: "slips"}[p.trialDeflection.Norm() < p.friction.Slip]]++
		}
	}
	return n
}

// TestForcesAreDerivatives checks that wrenches are the gradient of the potential and blocks the
// derivative of the wrenches, for contact points at and between nodes, with sticking and slipping
// friction.
func TestForcesAreDerivatives(t *testing.T) {
	for _, order := range []int{2, 4} {
		for _, c := range []struct {
			friction        string
			mu, turn, drift float64
		}{{"sticks", 0.4, 1e-5, 0}, {"slips", 0.1, 2e-3, 0}, {"sticks", 0.4, 1e-5, 2e-7}, {"slips", 0.1, 1e-5, 2e-5}} {
			s, contacts := Pressed(t, order, c.mu, c.turn, c.drift)
			n := kinds(contacts)
			if n["between nodes"] == 0 || n["at a node"] == 0 || n[c.friction] == 0 {
				t.Fatalf("contacts are %v, want some between nodes, at a node and one that %s", n, c.friction)
			}
			wantDerivatives(t, s, contacts)
		}
	}
}

// TestForcesOnAConeAreDerivatives is TestForcesAreDerivatives for a tapered rod.
func TestForcesOnAConeAreDerivatives(t *testing.T) {
	for _, order := range []int{2, 4} {
		for _, taper := range []float64{-2e-4, 2e-4} {
			s, contacts := PressedCone(t, order, 0.1, 1e-5, 2e-5, taper)
			moved := false
			for k := range contacts.wallContacts {
				p := &contacts.wallContacts[k]
				moved = moved || p.gap < 0 && p.shareCompliance > 0 && math.Abs(p.share-contacts.Points[k].share) > 1e-3
			}
			if !moved {
				t.Fatal("nothing touches beside its contact point")
			}
			wantDerivatives(t, s, contacts)
		}
	}
}

// corner is the lumen of a box whose edge along z is the axis.
func corner(t *testing.T) shape.Shape {
	t.Helper()
	at := func(i int) spatial.Vec {
		return spatial.Vec{X: 0.01 * float64(i&1), Y: 0.01 * float64(i>>1&1), Z: 0.06*float64(i>>2&1) - 0.03}
	}
	f := &mesh.STL{}
	for _, q := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		f.Triangles = append(f.Triangles, mesh.Triangle{at(q[0]), at(q[1]), at(q[2])}, mesh.Triangle{at(q[0]), at(q[2]), at(q[3])})
	}
	s, err := shape.NewMesh(f, mesh.Options{Inside: true, Scale: 1, Reach: testRadius})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFrictionWhereTheGradientIsNoUnitVector: in the corner of a mesh, where the distance is rounded off, friction acts across the
// normal force with the coefficient times its magnitude, and has a potential.
func TestFrictionWhereTheGradientIsNoUnitVector(t *testing.T) {
	const mu = 0.3
	for _, order := range []int{2, 4} {
		r, s := bentRod(t, order, 0.02)
		wall := corner(t)
		for i := 0; ; i++ { // down the diagonal until node 2 touches
			p := s.Pose[2].P.AddScaled(-testRadius*(1.6-1e-4*float64(i)), spatial.Vec{X: 1, Y: 1})
			at := wall.Moved(spatial.Pose{R: spatial.Identity3(), P: p})
			if place, ok := at.At(s.Pose[2].P, new(shape.Hint)); i == 10000 {
				t.Fatal("it does not touch")
			} else if ok && place.D < testRadius*(1+1e-4) {
				wall = at
				break
			}
		}
		c := New(r, Options{Walls: []Wall{{"corner", wall, mu}}, Radius: func(float64) float64 { return testRadius }, Taper: func(int) float64 { return 0 }})
		c.Reset(s)
		beginTurning(s, c, 1e-5)
		checked := false
		for k := range c.wallContacts {
			p := &c.wallContacts[k]
			if p.friction.Limit == 0 || p.normal.Norm() > 0.9 {
				continue
			}
			checked = true
			if f, _ := p.ForceAt(&c.Points[k].NormalLaw, p.prevGap); math.Abs(p.friction.Limit-mu*f*p.normal.Norm()) > 1e-3*p.friction.Limit {
				t.Errorf("the limit of friction is %g N, the normal force %g N", p.friction.Limit, f*p.normal.Norm())
			}
			if along := p.friction.Force(p.trialDeflection).Dot(p.normal.Unit()); math.Abs(along) > 1e-3*p.friction.Limit {
				t.Errorf("friction has a component of %g N along the normal", along)
			}
		}
		if !checked {
			t.Fatal("no friction where the gradient is no unit vector")
		}
		wantDerivatives(t, s, c)
	}
}

func wantDerivatives(t *testing.T, s *strain.State, c *Contacts) {
	t.Helper()
	q := Equations()
	c.Assemble(s, q)
	force, stiffness := 0.0, 0.0
	for i := 1; i < 4; i++ {
		force = max(force, q.Wrench[i].Force.Norm())
		stiffness = max(stiffness, q.Diag[i][0], q.Diag[i][7], q.Diag[i][14])
	}
	const arm = 0.01 // length of an element, m
	unit := [6]float64{1, 1, 1, arm, arm, arm}
	for node := 1; node < 4; node++ {
		for j := range 6 {
			step := 1e-9 / unit[j]
			eta := make([]spatial.Vec6, 3)
			eta[node-1][j] = step
			p1, w1 := moved(s, c, eta, 1)
			p0, w0 := moved(s, c, eta, -1)
			if d, want := (p0-p1)/(2*step), component(&q.Wrench[node], j); math.Abs(d-want) > 1e-5*force*unit[j] {
				t.Errorf("component %d at node %d: %g, minus the slope of the potential is %g", j, node, want, d)
			}
			for other := 1; other < 4; other++ {
				for i := range 6 {
					d := (component(&w0[other], i) - component(&w1[other], i)) / (2 * step)
					if want := block(q, other, node, i, j); math.Abs(d-want) > 3e-4*stiffness*unit[i]*unit[j] {
						t.Errorf("K %d,%d of nodes %d and %d: %g, differences give %g", i, j, other, node, want, d)
					}
				}
			}
		}
	}
}

// moved returns potential and wrenches after increments of the nodes.
func moved(s *strain.State, c *Contacts, eta []spatial.Vec6, scale float64) (float64, []spatial.Wrench) {
	s.MoveNodes(eta, scale)
	c.UpdateKinematics(s)
	q, p := Equations(), c.Potential()
	c.Assemble(s, q)
	s.Undo()
	c.UpdateKinematics(s)
	return p, q.Wrench
}

func component(w *spatial.Wrench, i int) float64 {
	v := spatial.Vec6Of(w.Force, w.Moment)
	return v[i]
}

// block returns −∂(component i at node a)/∂(increment j of node b).
func block(q *strain.Equations, a, b, i, j int) float64 {
	switch b - a {
	case 0:
		m := *q.Diag[a]
		m.Mirror()
		copy(q.Skew, q.Wrench)
		k := q.SkewPart(a)
		return m[6*i+j] + k[6*i+j]
	case 1:
		return q.Next[a][6*i+j]
	case -1:
		return q.Next[b][6*j+i]
	}
	return 0
}

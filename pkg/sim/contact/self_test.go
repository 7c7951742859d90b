package contact

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

const foldedElements = 18

// folded is a rod in self-contact. shape gives the strain of an element for a measure, which is
// chosen such that the smallest gap is −3 µm.
func folded(t *testing.T, order int, shape func(e int, measure float64) spatial.Vec, low, high float64) (*strain.State, *Contacts) {
	t.Helper()
	r, err := rod.New(rod.Params{
		Length: foldedElements * 0.004, Elements: foldedElements, Order: order, Section: rod.Circle(testRadius), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 1e7, ShearModulus: 3e6, Density: 1000, ShearCorrection: 0.9},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := strain.New(r, strain.Options{})
	c := New(r, Options{SelfContact: true, Radius: func(float64) float64 { return testRadius }})
	rest := append([]spatial.Twist(nil), s.Strain...)
	least := func(measure float64) float64 {
		for e := range s.Strain {
			s.Strain[e] = rest[e]
			s.Strain[e].Angular = s.Strain[e].Angular.Add(shape(e, measure))
		}
		s.SetAtRest()
		c.Reset(s)
		gap := math.Inf(1)
		for _, q := range c.self.listed {
			gap = min(gap, q.gap)
		}
		return gap
	}
	const want = -3e-6
	if least(low) > want || least(high) < want {
		t.Fatalf("gaps are from %g to %g m", least(low), least(high))
	}
	for range 60 {
		if mid := 0.5 * (low + high); least(mid) < want {
			low = mid
		} else {
			high = mid
		}
	}
	least(low)
	c.Begin(1e-3)
	s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, foldedElements+1))
	c.UpdateKinematics(s)
	return s, c
}

// coil is two turns of a helix in contact, loop is a rod that crosses itself.
var shapes = map[string]struct {
	low, high float64
	strain    func(e int, measure float64) spatial.Vec
}{
	"coil": {0.05, 0.2, func(_ int, twist float64) spatial.Vec { return spatial.Vec{X: 0.8, Z: twist} }},
	"loop": {0.01, 0.4, func(e int, twist float64) spatial.Vec {
		if e < 4 || e >= 14 {
			return spatial.Vec{X: 0.01, Y: 0.02 * float64(e%3)}
		}
		return spatial.Vec{X: 0.46, Z: twist * 0.5, Y: 0.3 * twist}
	}},
}

func eachFolded(t *testing.T, test func(t *testing.T, s *strain.State, c *Contacts)) {
	for name, f := range shapes {
		for _, order := range []int{2, 4} {
			t.Run(name, func(t *testing.T) {
				s, c := folded(t, order, f.strain, f.low, f.high)
				test(t, s, c)
			})
		}
	}
}

func equationsOf(n int) *strain.Equations {
	q := &strain.Equations{
		Wrench: make([]spatial.Wrench, n+1), Skew: make([]spatial.Wrench, n+1),
		Diag: make([]*spatial.Mat6, n+1), Next: make([]*spatial.Mat6, n+1),
	}
	for i := 1; i <= n; i++ {
		q.Diag[i], q.Next[i] = new(spatial.Mat6), new(spatial.Mat6)
	}
	return q
}

// TestSelfForcesAreDerivatives checks that the wrenches of self-contact are the gradient of the
// potential, and that the tangent with its columns is the derivative of the wrenches.
func TestSelfForcesAreDerivatives(t *testing.T) {
	eachFolded(t, func(t *testing.T, s *strain.State, c *Contacts) {
		const arm, step = 0.004, 1e-9 // m
		q := equationsOf(foldedElements)
		c.Assemble(s, q)
		var columns [][]spatial.Vec6
		var stiffness []float64
		c.AddColumns(s, func(k float64) []spatial.Vec6 {
			columns, stiffness = append(columns, make([]spatial.Vec6, foldedElements)), append(stiffness, k)
			return columns[len(columns)-1]
		})
		copy(q.Skew, q.Wrench)
		random := rand.New(rand.NewPCG(1, 2))
		for range 30 {
			eta := make([]spatial.Vec6, foldedElements)
			for i := range eta {
				eta[i] = spatial.Vec6Of(randomVec(random, 1), randomVec(random, 1/arm))
			}
			p1, w1 := movedAll(s, c, eta, step)
			p0, w0 := movedAll(s, c, eta, -step)
			work, size := 0.0, 0.0
			for i := range eta {
				f := spatial.Vec6Of(q.Wrench[i+1].Force, q.Wrench[i+1].Moment)
				for j := range 6 {
					work += f[j] * eta[i][j]
					size += math.Abs(f[j] * eta[i][j])
				}
			}
			if d := (p0 - p1) / (2 * step); math.Abs(d-work) > 1e-5*size {
				t.Errorf("work is %g, minus the slope of the potential %g", work, d)
			}
			product := timesTangent(q, columns, stiffness, eta)
			largest, worst := 0.0, 0.0
			for i := range eta {
				a, b := spatial.Vec6Of(w0[i+1].Force, w0[i+1].Moment), spatial.Vec6Of(w1[i+1].Force, w1[i+1].Moment)
				for j := range 6 {
					unit := 1.0
					if j > 2 {
						unit = arm
					}
					largest = max(largest, math.Abs(product[i][j])/unit)
					worst = max(worst, math.Abs((a[j]-b[j])/(2*step)-product[i][j])/unit)
				}
			}
			if worst > 1e-4*largest {
				t.Errorf("the tangent is off by %g of %g N/m", worst, largest)
			}
		}
	})
}

// movedAll returns potential and wrenches after increments of the nodes.
func movedAll(s *strain.State, c *Contacts, eta []spatial.Vec6, scale float64) (float64, []spatial.Wrench) {
	s.MoveNodes(eta, scale)
	c.UpdateKinematics(s)
	q, p := equationsOf(len(eta)), c.Potential()
	c.Assemble(s, q)
	s.Undo()
	c.UpdateKinematics(s)
	return p, q.Wrench
}

// timesTangent returns the tangent times eta.
func timesTangent(q *strain.Equations, columns [][]spatial.Vec6, stiffness []float64, eta []spatial.Vec6) []spatial.Vec6 {
	y := make([]spatial.Vec6, len(eta))
	for i := range eta {
		m, k := *q.Diag[i+1], q.SkewPart(i+1)
		m.Mirror()
		for r := range 6 {
			for j := range 6 {
				y[i][r] += (m[6*r+j] + k[6*r+j]) * eta[i][j]
			}
		}
	}
	for p, column := range columns {
		sum := 0.0
		for i := range eta {
			for j := range 6 {
				sum += column[i][j] * eta[i][j]
			}
		}
		for i := range eta {
			for j := range 6 {
				y[i][j] += stiffness[p] * sum * column[i][j]
			}
		}
	}
	return y
}

// TestSelfForcesBalance checks that the forces and moments of self-contact sum to zero.
func TestSelfForcesBalance(t *testing.T) {
	eachFolded(t, func(t *testing.T, s *strain.State, c *Contacts) {
		q := equationsOf(foldedElements)
		c.Assemble(s, q)
		var force, moment spatial.Vec
		size := 0.0
		for i := range q.Wrench {
			f := s.Pose[i].R.Apply(q.Wrench[i].Force)
			force = force.Add(f)
			moment = moment.Add(s.Pose[i].P.Cross(f)).Add(s.Pose[i].R.Apply(q.Wrench[i].Moment))
			size = max(size, f.Norm())
		}
		if size == 0 || force.Norm() > 1e-12*size {
			t.Errorf("the forces, of up to %g N, sum up to %v N", size, force)
		}
		// the normal is perpendicular to the surfaces, except to the centre lines where the bias
		// acts
		if moment.Norm() > 1e-12*size {
			t.Errorf("the moments sum up to %v N m", moment)
		}
	})
}

// TestClosestPointsAreClosest searches the smallest gap of each pair on a grid, without the added
// curvature of a step.
func TestClosestPointsAreClosest(t *testing.T) {
	eachFolded(t, func(t *testing.T, s *strain.State, c *Contacts) {
		const grid = 60
		tested := 0
		for _, q := range c.self.listed {
			if !q.resolved {
				continue
			}
			tested++
			n := c.self.nodes
			q.addedCurvature = 0
			put := func(x, y float64) { q.setPoints(x, y, &n[q.a], &n[q.a+1], &n[q.b], &n[q.b+1]) }
			put(q.points[0].share, q.points[1].share)
			gap, on := q.gap, q.points
			for i := range grid + 1 {
				for j := range grid + 1 {
					if put(float64(i)/grid, float64(j)/grid); q.gap < gap-1e-12 {
						t.Fatalf("elements %d and %d have a gap of %g m at %g, %g; found %g m at %g, %g",
							q.a, q.b, q.gap, q.points[0].share, q.points[1].share, gap, on[0].share, on[1].share)
					}
				}
			}
		}
		if tested < 2 {
			t.Errorf("%d pairs are near", tested)
		}
	})
}

// TestThickElementsHideNoThinOnes checks that thin elements on both sides of a thick hub may touch
// as if the hub were thin.
func TestThickElementsHideNoThinOnes(t *testing.T) {
	r, err := rod.New(rod.Params{
		Length: foldedElements * 0.004, Elements: foldedElements, Order: 2, Section: rod.Circle(testRadius), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 1e7, ShearModulus: 3e6, Density: 1000, ShearCorrection: 0.9},
	})
	if err != nil {
		t.Fatal(err)
	}
	const hub = foldedElements / 2
	s := New(r, Options{SelfContact: true, Radius: func(at float64) float64 {
		if e := at / 0.004; e > hub && e < hub+1 {
			return 20 * testRadius
		}
		return testRadius
	}}).self
	hidden := 0
	for a := range s.segments {
		for b := range max(a-1, 0) {
			if s.mayTouch(a, b) && b > s.lastPartner[a] {
				t.Errorf("elements %d and %d are not looked at", b, a)
			}
			if !s.mayTouch(a, b) && b < s.lastPartner[a] {
				hidden++
			}
		}
	}
	if hidden == 0 {
		t.Error("the hub hides no pair")
	}
	if prevNodes := s.nodes; !s.listPair(hub, hub-2, prevNodes) || len(s.listed) != 0 {
		t.Error("elements that are not separate are listed")
	}
}

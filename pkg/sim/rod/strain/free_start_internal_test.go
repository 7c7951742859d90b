package strain

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// assembledFree returns the equations of all nodes of a rod with a free start.
func assembledFree(s *State) *Equations {
	q := &Equations{Wrench: make([]spatial.Wrench, len(s.Pose)), Skew: make([]spatial.Wrench, len(s.Pose))}
	for range s.Pose {
		q.Diag, q.Next = append(q.Diag, new(spatial.Mat6)), append(q.Next, new(spatial.Mat6))
	}
	s.AssembleElements(q)
	s.AssembleNodes(q)
	return q
}

// power returns the work of the wrenches on the increments eta.
func (q *Equations) power(eta []spatial.Vec6) (sum float64) {
	for i, w := range q.Wrench {
		sum += w.Force.Dot(eta[i].Linear()) + w.Moment.Dot(eta[i].Angular())
	}
	return sum
}

// The tangent of a rod with a free start is the derivative of its wrenches in every direction, in
// which the skew part has no share. The wrenches are minus the gradient of the potential.
func TestFreeStartTangent(t *testing.T) { OfOrders(t, testFreeStartTangent) }

func testFreeStartTangent(t *testing.T, order int) {
	const h = 1e-6
	o := Everything
	o.FreeStart = true
	s := during(t, order, o, 1, integrate.NewBDF(2, 0.01, 0.008))
	random := rand.New(rand.NewPCG(2, 0))
	q := assembledFree(s)
	dx := make([]spatial.Twist, len(s.Strain))
	for range 4 {
		eta := Increments(random, len(s.Pose), 1)
		curvature := 0.0
		for i := range eta {
			d := *q.Diag[i]
			d.Mirror()
			y := d.Apply(&eta[i])
			if i+1 < len(eta) {
				next := q.Next[i].Apply(&eta[i+1])
				for k := range y {
					y[k] += 2 * next[k]
				}
			}
			for k := range y {
				curvature += y[k] * eta[i][k]
			}
		}
		base := s.Base
		s.StrainIncrementFrom(eta, dx)
		s.AddIncrement(&eta[0], dx, h)
		up := assembledFree(s).power(eta)
		s.Undo()
		if s.Base != base {
			t.Fatal("Undo does not return the start")
		}
		assembledFree(s)
		s.AddIncrement(&eta[0], dx, -h)
		down := assembledFree(s).power(eta)
		s.Undo()
		Within(t, "curvature", []float64{(down - up) / (2 * h)}, []float64{curvature}, 1e-6)
	}
}

// The wrenches of a free rod that moves as a rigid body sum to those of weight and of the inertia of its
// centre of mass, and the level before is where it was.
func TestFreeStartAccelerations(t *testing.T) {
	const h, beta = 1e-3, 1e8
	s := New(soft(t, 4), Options{Gravity: Gravity, FreeStart: true})
	omega := spatial.Vec{X: 0.4, Y: -0.7, Z: 0.3} // world axes
	velocity := spatial.Vec{X: 1, Y: 2, Z: -1}
	center, mass := spatial.Vec{}, 0.0
	for i := range s.Pose {
		m := s.NodeMass(i)
		center, mass = center.AddScaled(m, s.Pose[i].P).AddScaled(s.NodeFirstMoment(i), tangentOf(&s.Pose[i].R)), mass+m
	}
	center = center.Scale(1 / mass)
	for i := range s.Pose {
		r := &s.Pose[i].R
		v := spatial.Vec6Of(r.ApplyT(velocity.Add(omega.Cross(s.Pose[i].P.Sub(center)))), r.ApplyT(omega))
		s.SetBodyVelocity(i, &v)
		if got := s.BodyVelocity(i); math.Abs(got[0]-v[0]) > 1e-15 {
			t.Fatalf("body velocity %v, want %v", got, v)
		}
	}
	s.BeginAccelerations(beta)
	q := &Equations{Wrench: make([]spatial.Wrench, len(s.Pose)), Skew: make([]spatial.Wrench, len(s.Pose))}
	for range s.Pose {
		q.Diag, q.Next = append(q.Diag, new(spatial.Mat6)), append(q.Next, new(spatial.Mat6))
	}
	s.AssembleElementWrenches(q.Wrench)
	s.AssembleNodes(q)
	var force spatial.Vec
	for i := range s.Pose {
		force = force.Add(s.Pose[i].R.Apply(q.Wrench[i].Force))
	}
	// at constant body velocities the velocity of the centre turns with the rod
	Within(t, "force", vec3(force), vec3(Gravity.Sub(omega.Cross(velocity)).Scale(mass)), 1e-7)

	at := s.Pose[3]
	s.SetLevelBefore(h, make([]spatial.Vec6, len(s.Pose)))
	Within(t, "position", vec3(s.past.pos[3]), vec3(at.P.AddScaled(-h, s.vel[3]).AddScaled(h*h/2, omega.Cross(s.vel[3]))), 1e-12)
	Within(t, "rotation", vec3(s.past.rotation[3]), vec3(s.omega[3].Scale(h)), 1e-12)
	Within(t, "strain", vec3(s.past.strain[2].Angular), vec3(s.Strain[2].Angular), 1e-6)
}

func vec3(v spatial.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }

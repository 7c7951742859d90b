package stokes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"sinew/pkg/sim/spatial"
)

// Spheres of radius 1, over 1/(6πη): along and across the line of centres.
func TestRotnePragerNumbers(t *testing.T) {
	for _, c := range []struct{ r, along, across float64 }{
		{3, 3./6 - 1./27, 1./4 + 1./54},
		{2, 0.625, 0.4375},
		{1, 0.8125, 0.71875},
		{1e-9, 1, 1},
	} {
		p := newPair(c.r*c.r, 1, 1)
		close1(t, "along", 0.75*(p.tt+p.th*c.r*c.r), c.along, 1e-8)
		close1(t, "across", 0.75*p.tt, c.across, 1e-8)
	}
	// far away: the torque's flow T × r/(8πηr³), and half its curl
	p := newPair(16, 1, 1)
	near(t, "rotation", []float64{p.tr, p.rt, p.rr, p.rr + 16*p.rh}, []float64{1. / 64, 1. / 64, -1. / 128, 1. / 64}, 1e-14)
}

// flowOf returns the flow (times 8πη) at r from the centre of a sphere of radius b
// that force f and torque m act on, spread evenly over its surface.
func flowOf(r spatial.Vec, b float64, f, m spatial.Vec) spatial.Vec {
	r2 := r.Norm2()
	if r2 <= b*b { // inside, it moves as one
		return f.Scale(4/(3*b)).AddScaled(1/(b*b*b), m.Cross(r))
	}
	d := math.Sqrt(r2)
	u := f.Scale(1/d).AddScaled(r.Dot(f)/(d*r2), r)
	// b²/6 of the Laplacian of the Oseen tensor
	u = u.AddScaled(b*b/(3*d*r2), f).AddScaled(-b*b*r.Dot(f)/(d*r2*r2), r)
	return u.AddScaled(1/(d*r2), m.Cross(r))
}

// Rotne, Prager and Yamakawa's mobility is the mean of that flow over the surface
// of the other sphere, and 3/(2a) of the mean of n × flow: by quadrature, for
// spheres apart, overlapping and inside each other.
func TestPairIsTheSurfaceMean(t *testing.T) {
	rnd := newRand()
	for _, c := range []struct {
		name    string
		r, a, b float64
	}{
		{"apart", 3.7, 1, 1.5},
		{"overlapping", 1.3, 1, 1},
		{"deep", 0.2, 1, 1},
		{"small in large", 0.9, 0.7, 1.4},
		{"inside", 0.3, 0.5, 1.2},
		{"around", 0.3, 1.2, 0.5},
		{"nearly touching", 2.6999, 1.2, 1.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, m := randVec(rnd), randVec(rnd)
			rot := randRot(rnd)
			r := rot.Col3().Scale(c.r)
			v, w := surfaceMean(c.a, c.b, r, rot, f, m)
			p := newPair(c.r*c.r, c.a, c.b)
			got := p.add(spatial.Twist{}, r, &spatial.Wrench{Force: f, Moment: m})
			near(t, "velocity", flatV(got.Linear), flatV(v), 1e-9)
			near(t, "spin", flatV(got.Angular), flatV(w), 1e-9)
		})
	}
}

// surfaceMean integrates over the sphere of radius a at r = |r| rot.Col3, in parts
// inside and outside of the other.
func surfaceMean(a, b float64, r spatial.Vec, rot spatial.Mat3, f, m spatial.Vec) (v, w spatial.Vec) {
	const nodes, around = 60, 12
	d := r.Norm()
	split := max(-1, min(1, (b*b-a*a-d*d)/(2*a*d)))
	for _, part := range [][2]float64{{-1, split}, {split, 1}} {
		z, weight := make([]float64, nodes), make([]float64, nodes)
		if part[0] == part[1] {
			continue
		}
		quad.Legendre{}.FixedLocations(z, weight, part[0], part[1])
		for i := range z {
			for k := range around {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
				s := math.Sqrt(1 - z[i]*z[i])
				n := rot.Apply(spatial.Vec{X: s * cos, Y: s * sin, Z: z[i]})
				u := flowOf(r.AddScaled(a, n), b, f, m)
				v = v.AddScaled(0.5*weight[i]/around, u)
				w = w.AddScaled(0.5*weight[i]/around*1.5/a, n.Cross(u))
			}
		}
	}
	return v, w
}

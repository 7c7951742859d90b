package strain

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/spatial"
)

// along returns the inextensible coordinates of x as a slice.
func along(x spatial.Twist) []float64 {
	p := inextensibleCoordsOf(&x)
	return []float64{p.x, p.y, p.q, p.angular.X, p.angular.Y, p.angular.Z}
}

// somewhere is an element of 0.1 m that is bent, sheared, stretched and twisted by up to size.
func somewhere(random *rand.Rand, size float64) spatial.Twist {
	d := spatial.Twist{}
	for _, x := range []*float64{&d.Linear.X, &d.Linear.Y, &d.Linear.Z, &d.Angular.X, &d.Angular.Y, &d.Angular.Z} {
		*x = size * (2*random.Float64() - 1)
	}
	d.Linear = d.Linear.Scale(0.1)
	return d
}

// An increment in inextensible coordinates starts at x, has the increment as its derivative there,
// and is linear in the coordinates.
func TestInextensibleIncrements(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		x, d := somewhere(random, 0.4), somewhere(random, 0.4)
		x.Linear.Z += 0.1
		p := inextensibleCoordsOf(&x)
		within(t, "x of its path", sixOf(p.strain()), sixOf(x), 1e-14)
		const h = 1e-6
		a, b := addInextensible(&x, &d, h), addInextensible(&x, &d, -h)
		within(t, "beginning of the path", sixOf(spatial.Twist{
			Linear: a.Linear.Sub(b.Linear).Scale(1 / (2 * h)), Angular: a.Angular.Sub(b.Angular).Scale(1 / (2 * h)),
		}), sixOf(d), 1e-8)
		whole, half, start := along(addInextensible(&x, &d, 1)), along(addInextensible(&x, &d, 0.5)), along(x)
		y := addInextensible(&x, &d, 1)
		z := addInextensible(&x, &d, -0.7)
		on := along(extrapolateCoords([]*spatial.Twist{&y, &x, &z}, []float64{0.5, -0.25})) // 1 + 0.5 − 0.25 · 0.7
		for i := range whole {
			within(t, "coordinate half-way", []float64{half[i]}, []float64{(whole[i] + start[i]) / 2}, 1e-12)
			within(t, "coordinate a third as far again", []float64{on[i]}, []float64{1.325*whole[i] - 0.325*start[i]}, 1e-12)
		}
	}
}

// Where an element has its rest strain but for the slope, an increment of the slope in these
// coordinates does not stretch it, and one in x stretches it with its square.
func TestInextensibleIncrementsDoNotStretch(t *testing.T) {
	mean := func(x spatial.Twist, slope spatial.Vec) float64 {
		y := newLinearStrain(&x, &spatial.Twist{Angular: slope})
		return y.mean.Linear.Sub(spatial.Vec{Z: 0.1}).Norm() / 0.1
	}
	x := spatial.Twist{Linear: spatial.Vec{Z: 0.1}}
	d := spatial.Twist{Linear: spatial.Vec{X: 0.001, Y: -0.002}, Angular: spatial.Vec{X: 0.3, Y: 0.2, Z: 0.1}}
	slope := spatial.Vec{X: -0.24, Y: -0.12} // slope for which the mean is (0, 0, 0.1) along the increment
	if s := mean(addInextensible(&x, &d, 1), slope); !(s < 1e-15) {
		t.Errorf("the path stretches or shears by %.3g", s)
	}
	line := spatial.Twist{Linear: x.Linear.Add(d.Linear), Angular: d.Angular}
	if s := mean(line, slope); !(math.Abs(s-5e-4) < 1e-5) {
		t.Errorf("a straight line stretches by %.3g, want 5e-4", s)
	}
}

func sixOf(x spatial.Twist) []float64 {
	return wrench6(spatial.Wrench{Force: x.Linear, Moment: x.Angular})
}

package multibody_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/multibody"
)

// followed are the events of a path, and its points by output.
type followed struct {
	events   []string
	loads    []float64 // of the events
	outputs  map[string][]float64
	load     []float64
	unstable []int
}

func follow(t *testing.T, m *multibody.Model) (p followed) {
	t.Helper()
	state := make([]float64, m.StateLen())
	m.Save(state)
	p.outputs = map[string][]float64{}
	names := m.PathOutputs()
	err := m.FollowPath(func(x *sim.PathPoint) error {
		if x.Event != "" {
			t.Log(x.Event)
			p.events, p.loads = append(p.events, x.Event), append(p.loads, x.Load)
			return nil
		}
		p.load, p.unstable = append(p.load, x.Load), append(p.unstable, x.Unstable)
		if len(x.Outputs) != len(names) {
			t.Fatalf("%d outputs, named %d", len(x.Outputs), len(names))
		}
		for i, v := range x.Outputs {
			p.outputs[names[i]] = append(p.outputs[names[i]], v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	after := make([]float64, m.StateLen())
	if m.Save(after); !slices.Equal(after, state) {
		t.Error("following the path has changed the state")
	}
	return p
}

func last(v []float64) float64 { return v[len(v)-1] }

// TestPathOfAColumn: a column that joints clamp buckles at the load of Euler, and is the elastica beyond it.
func TestPathOfAColumn(t *testing.T) {
	const share = 1.2 // of the load of Euler
	p := follow(t, mustModel(t, parse(t, "column", fmt.Sprintf(`
rods: [{name: column, length_m: 1, section: {area_m2: 1, i1_m4: 1e-6, i2_m4: 1.21e-6, j_m4: 2e-6}, contact_radius_m: 0.001, density_kg_per_m3: 10, youngs_modulus_pa: 1e6, shear_modulus_pa: 1e8, elements: 20}]
joints: [{name: clamp, type: fixed, parent: {world: true}, child: {rod: column, at_m: 0}}]
gravity_m_per_s2: [0, 0, 0]
loads: [{rod: column, at_m: 1, force_n: [0, 0, %.17g]}]
`, -share*math.Pi*math.Pi/4))))
	if len(p.events) != 1 || !strings.HasPrefix(p.events[0], "simple bifurcation") || !strings.HasSuffix(p.events[0], "; the path continues on a stable branch") || math.Abs(p.loads[0]*share-1) > 1e-5 {
		t.Errorf("events %q at %.8g, want a bifurcation at %.8g", p.events, p.loads, 1/share)
	}
	if n := len(p.unstable) - 1; p.unstable[n] != 0 || last(p.load) != 1 {
		t.Errorf("the path ends at load %g with %d unstable modes", last(p.load), p.unstable[n])
	}
	low, high := 0.0, 0.999 // modulus of the complete elliptic integral, which is π/2 √share
	for range 60 {
		k := (low + high) / 2
		a, b := 1.0, math.Sqrt(1-k*k)
		for range 8 {
			a, b = (a+b)/2, math.Sqrt(a*b)
		}
		if math.Pi/(2*a) < math.Pi/2*math.Sqrt(share) {
			low = k
		} else {
			high = k
		}
	}
	want := 2 * low / (math.Pi / 2 * math.Sqrt(share))
	if got := math.Hypot(last(p.outputs["column.tip_x"]), last(p.outputs["column.tip_y"])); math.Abs(got-want) > 1e-4*want {
		t.Errorf("the end is %.8g m aside, the elastica %.8g m", got, want)
	}
}

// TestPathOfARoundColumn: its bifurcation is double, and the path continues on the elastica, at any load and with any mesh.
func TestPathOfARoundColumn(t *testing.T) {
	for _, c := range []struct {
		share    float64 // of the load of Euler
		elements int
		error    float64
	}{{1.2, 20, 1e-5}, {3, 5, 1e-3}, {9.3, 20, 1e-4}, {28, 40, 1e-4}} {
		p := follow(t, mustModel(t, parse(t, "column", clampedColumn(1, c.share*math.Pi*math.Pi/4, c.elements))))
		if len(p.events) != 1 || !strings.HasPrefix(p.events[0], "double bifurcation") || !strings.HasSuffix(p.events[0], "; the path continues on a stable branch") || math.Abs(p.loads[0]*c.share-1) > 1e-4 {
			t.Errorf("events %q at %.8g, want a double bifurcation at %.8g", p.events, p.loads, 1/c.share)
		}
		if slices.Max(p.unstable) > 0 {
			t.Errorf("%g of the load of Euler: unstable modes %v", c.share, p.unstable)
		}
		aside, above := elastica(c.share)
		if d := math.Hypot(math.Hypot(last(p.outputs["column.tip_x"]), last(p.outputs["column.tip_y"]))-aside, last(p.outputs["column.tip_z"])-above); d > c.error {
			t.Errorf("%g of the load of Euler, %d elements: the end is %.3g m from the elastica", c.share, c.elements, d)
		}
	}
}

// TestPathOfATruss: a rigid bar between a slider on a spring and a slider under a load snaps through where its load is largest: with the
// angle a of the bar at rest at A, the load is k l (cos a − cos A) tan a, and cos³ a = cos A there.
func TestPathOfATruss(t *testing.T) {
	const angle, length, stiffness, share = 0.4, 1.0, 100.0, 1.5
	at := math.Acos(math.Cbrt(math.Cos(angle)))
	largest := stiffness * length * (math.Sin(at) - math.Cos(angle)*math.Tan(at))
	x, z := length*math.Cos(angle), length*math.Sin(angle)
	text := fmt.Sprintf(`
bodies:
  - {name: foot, mass_kg: 1, inertia_kg_m2: [1, 1, 1], position_m: [%[1]g, 0, 0]}
  - {name: head, mass_kg: 1, inertia_kg_m2: [1, 1, 1], position_m: [0, 0, %[2]g], loads: [{force_n: [0, 0, %[3]g]}]}
  - {name: bar, mass_kg: 1, inertia_kg_m2: [1, 1, 1], position_m: [%[1]g, 0, 0], orientation_xyzw: [0, %[4]g, 0, %[5]g]}
joints:
  - {name: rail, type: prismatic, axis: [1, 0, 0], parent: {world: true, position_m: [%[1]g, 0, 0]}, child: {body: foot}, stiffness: %[6]g}
  - {name: guide, type: prismatic, axis: [0, 0, 1], parent: {world: true, position_m: [0, 0, %[2]g]}, child: {body: head}}
  - {name: heel, type: revolute, axis: [0, 1, 0], parent: {body: foot}, child: {body: bar}}
  - {name: neck, type: revolute, axis: [0, 1, 0], parent: {body: head}, child: {body: bar, position_m: [%[7]g, 0, 0]}}
gravity_m_per_s2: [0, 0, 0]
`, x, z, -share*largest, math.Sin(angle/2), math.Cos(angle/2), stiffness, -length)
	p := follow(t, mustModel(t, parse(t, "truss", text)))
	if len(p.events) != 2 || !strings.HasSuffix(p.events[0], "; the load is largest there: the mechanism jumps if it increases further") ||
		!strings.HasSuffix(p.events[1], "; the load is smallest there: the mechanism jumps if it decreases further") || math.Abs(p.loads[0]*share-1) > 1e-6 || math.Abs(p.loads[1]*share+1) > 1e-6 {
		t.Errorf("events %q at %.8g, want limit points at %.8g and %.8g", p.events, p.loads, 1/share, -1/share)
	}
	for i, h := range p.outputs["head.z"] {
		a := math.Asin(h / length)
		if want := stiffness * length * (math.Cos(a) - math.Cos(angle)) * math.Tan(a) / (share * largest); math.Abs(p.load[i]-want) > 1e-6 {
			t.Errorf("head at %.6g m: load factor %.8g, want %.8g", h, p.load[i], want)
		}
	}
	if !(last(p.outputs["head.z"]) < -z) || last(p.load) != 1 {
		t.Errorf("the path ends at %g m, load factor %g", last(p.outputs["head.z"]), last(p.load))
	}
}

// TestPathOfLinksThatHang, which are neutral without weight, and of robots whose end is the equilibrium that static finds.
func TestPathEndsInTheEquilibrium(t *testing.T) {
	for _, name := range []string{"double_pendulum", "six_leg_robot", "y_tree", "tendon_hand", "arm_with_rod"} {
		m := mustModel(t, read(t, name))
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		p := follow(t, m)
		for _, l := range m.Links() {
			at, prefix := l.Poses[len(l.Poses)-1].P, l.Name+"."
			if l.Kind == sim.RodLink {
				prefix += "tip_"
			}
			got := [...]float64{last(p.outputs[prefix+"x"]), last(p.outputs[prefix+"y"]), last(p.outputs[prefix+"z"])}
			if d := math.Hypot(math.Hypot(got[0]-at.X, got[1]-at.Y), got[2]-at.Z); d > 1e-7 {
				t.Errorf("%s: %s is at %v on the path, in the equilibrium at %v", name, l.Name, got, at)
			}
		}
	}
}

// TestPathUnderCommands ends in the equilibrium under the commands of a model, a wrench from outside and a wall that has moved among them.
func TestPathUnderCommands(t *testing.T) {
	text := strings.Replace(handFile, "{name: cap, mass_kg: 0.02,", "{name: cap, shapes: [{sphere: {center_m: [0, 0, 0], radius_m: 0.005}}], friction_coefficient: 0, mass_kg: 0.02,", 1) +
		"environment: {shapes: [{name: floor, plane: {point_m: [0, 0, -0.12], normal: [0, 0, 1]}}]}\n"
	m := mustModel(t, parse(t, "hand.yaml", text))
	for name, v := range map[string][]float64{
		"servo_jf": {2, 0.1}, "servo_jp": {0.2, 0}, "cap/external_wrench": {0.1, 0, 0.2, 0, 0, 0}, "floor/pose": {0, 0, 0.02, 0, 0, 0, 1}, "hand/pose": {0, 0, 0.01, 0, 0, 0, 1},
	} {
		m.Command(portOf(t, m, name, sim.In), v)
	}
	march(t, m, nil, 0.01, 60)
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	p := follow(t, m)
	for _, l := range m.Links() {
		prefix := l.Name + "."
		if l.Kind == sim.RodLink {
			prefix += "tip_"
		}
		at := l.Poses[len(l.Poses)-1].P
		for k, want := range [...]float64{at.X, at.Y, at.Z} {
			if got := last(p.outputs[prefix+"xyz"[k:k+1]]); math.Abs(got-want) > 1e-7 {
				t.Errorf("%s%c is %.9g on the path, in the equilibrium %.9g", prefix, "xyz"[k], got, want)
			}
		}
	}
}

// TestPathRefusesFriction by the name of what has it.
func TestPathRefusesFriction(t *testing.T) {
	for what, text := range map[string]string{
		"ball touches floor with a friction_coefficient of 0.8": "",
		"remove friction of joint knuckle":                      strings.Replace(handFile, "friction: 0}", "friction: 0.01}", 1),
		"remove friction_coefficient of tendon flexor":          strings.Replace(handFile, "tension_n: 1}", "tension_n: 1, friction_coefficient: 0.2}", 1),
	} {
		f := read(t, "gripper_with_ball")
		if text != "" {
			f = parse(t, "hand.yaml", text)
		}
		err := mustModel(t, f).FollowPath(func(*sim.PathPoint) error { return nil })
		if !errors.Is(err, mechanism.ErrPathHistory) || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

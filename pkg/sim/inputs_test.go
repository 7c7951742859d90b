package sim_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
)

func TestSetVerdicts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name   string
		port   int
		v      []float64
		want   sim.CommandStatus
		target []float64 // after 10 s
	}{
		{"within", sim.PortForce, []float64{4, 5}, sim.Accepted, []float64{4, 5}},
		{"at the bounds", sim.PortForce, []float64{0, 10}, sim.Accepted, []float64{0, 10}},
		{"negative", sim.PortForce, []float64{-1, 5}, sim.Clamped, []float64{0, 5}},
		{"above max", sim.PortForce, []float64{4, 11}, sim.Clamped, []float64{4, 10}},
		{"NaN", sim.PortForce, []float64{nan, 5}, sim.NotFinite, []float64{2, 3}},
		{"Inf", sim.PortForce, []float64{4, inf}, sim.NotFinite, []float64{2, 3}},
		{"-Inf", sim.PortForce, []float64{4, -inf}, sim.NotFinite, []float64{2, 3}},
		{"keep", sim.PortForce, []float64{sim.Keep, 5}, sim.Accepted, []float64{2, 5}},
		{"keep all", sim.PortForce, []float64{sim.Keep, sim.Keep}, sim.Accepted, []float64{2, 3}},
		{"keep and above max", sim.PortForce, []float64{11, sim.Keep}, sim.Clamped, []float64{10, 3}},
		{"keep, then NaN", sim.PortForce, []float64{sim.Keep, nan}, sim.NotFinite, []float64{2, 3}},
		{"above max, then NaN", sim.PortForce, []float64{11, nan}, sim.NotFinite, []float64{2, 3}},
		{"keep as a frame", sim.PortWrench, []float64{1, 2, 3, 4, 5, 6, sim.Keep}, sim.UnknownFrame, make([]float64, 7)},
		{"short", sim.PortForce, []float64{4}, sim.WrongLength, []float64{2, 3}},
		{"long", sim.PortForce, []float64{4, 5, 6}, sim.WrongLength, []float64{2, 3}},
		{"empty", sim.PortForce, nil, sim.WrongLength, []float64{2, 3}},
		{"length", sim.PortLength, []float64{1, 0.5}, sim.Accepted, []float64{4, 2}},
		{"frame", sim.PortWrench, []float64{1, 2, 3, 4, 5, 6, 1}, sim.Accepted, []float64{1, 2, 3, 4, 5, 6, 1}},
		{"no such frame", sim.PortWrench, []float64{1, 2, 3, 4, 5, 6, 2}, sim.UnknownFrame, make([]float64, 7)},
		{"half a frame", sim.PortWrench, []float64{1, 2, 3, 4, 5, 6, 0.5}, sim.UnknownFrame, make([]float64, 7)},
		{"negative frame", sim.PortWrench, []float64{1, 2, 3, 4, 5, 6, -1}, sim.UnknownFrame, make([]float64, 7)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &sim.FakeModel{U: [2]float64{2, 3}}
			in := sim.NewInputs(m)
			if got := in.Set(tt.port, tt.v); got != tt.want {
				t.Errorf("Set = %v, want %v", got, tt.want)
			}
			if got := in.Counts(); got[tt.want] != 1 {
				t.Errorf("counts = %v, want 1 of %v", got, tt.want)
			}
			in.Advance(10)
			got := m.U[:]
			if tt.port == sim.PortWrench {
				got = m.Wrench[:]
			}
			if !slices.Equal(got, tt.target) {
				t.Errorf("after 10 s the model has %v, want %v", got, tt.target)
			}
			if (tt.want.Err() == nil) != tt.want.OK() {
				t.Errorf("%v: Err() = %v", tt.want, tt.want.Err())
			}
		})
	}
}

func TestAdvanceSlews(t *testing.T) {
	m := &sim.FakeModel{U: [2]float64{2, 3}, Record: true}
	in := sim.NewInputs(m)
	in.Advance(1)
	if len(m.Commands) != 0 || in.Moving() {
		t.Fatalf("commanded %v before anybody did", m.Commands)
	}
	in.Set(sim.PortForce, []float64{4, 2.5})
	const dt = 1.0 / 64 // 1 N per step
	want := [][]float64{{sim.PortForce, 3, 2.5}, {sim.PortForce, 4, 2.5}}
	for range 5 {
		in.Advance(dt)
	}
	if !slices.EqualFunc(m.Commands, want, slices.Equal) {
		t.Errorf("commands %v, want %v and then none", m.Commands, want)
	}
}

// Switching between force and length control starts at what the actuators do.
func TestSwitchIsBumpless(t *testing.T) {
	m := &sim.FakeModel{U: [2]float64{2, 3}, Record: true}
	in := sim.NewInputs(m)
	in.Set(sim.PortLength, []float64{1.5, 0.75}) // from 0.5 and 0.75 m
	in.Advance(1.0 / 16)                         // half a metre
	in.Set(sim.PortForce, []float64{2, 3})       // from 4 and 3 N
	in.Advance(1.0 / 64)
	in.Advance(1.0 / 64)
	want := [][]float64{{sim.PortLength, 1, 0.75}, {sim.PortForce, 3, 3}, {sim.PortForce, 2, 3}}
	if !slices.EqualFunc(m.Commands, want, slices.Equal) {
		t.Errorf("commands %v, want %v", m.Commands, want)
	}
}

// One tendon may be pulled to a length while the other holds a force.
func TestValuesChangeHandsOneByOne(t *testing.T) {
	m := &sim.FakeModel{U: [2]float64{2, 3}, Record: true}
	in := sim.NewInputs(m)
	in.Set(sim.PortForce, []float64{3, 4})
	in.Advance(1)
	in.Set(sim.PortLength, []float64{sim.Keep, 0.5}) // from 1 m
	in.Set(sim.PortForce, []float64{2, sim.Keep})
	in.Advance(1.0 / 32)
	in.Advance(1.0 / 32)
	in.Set(sim.PortForce, []float64{sim.Keep, 2}) // the same force: only the deciding port changes
	in.Advance(1)
	want := [][]float64{
		{sim.PortForce, 3, 4},
		{sim.PortForce, 2, sim.Keep}, {sim.PortLength, sim.Keep, 0.75},
		{sim.PortLength, sim.Keep, 0.5},
		{sim.PortForce, 2, 2},
	}
	if !slices.EqualFunc(m.Commands, want, sim.Same) {
		t.Errorf("commands %v, want %v", m.Commands, want)
	}
}

// Where ports cannot be compared value by value, one of them decides about all.
func TestPortsOfAGroupAsAWhole(t *testing.T) {
	m := &fieldModel{gradient: [8]float64{1, 2, 3, 4, 5, 6, 7, 8}}
	in := sim.NewInputs(m)
	in.Set(0, []float64{9, sim.Keep, 9})
	if in.Advance(0.5); m.field != [3]float64{1.5, 2, 3.5} { // at most 1 T/s, from what there is
		t.Errorf("field %v", m.field)
	}
	in.Set(1, []float64{0, 0, 0, 0, 0, 0, 0, 9})
	in.Set(0, []float64{3, 3, 3})
	in.Advance(10)
	if m.field != [3]float64{3, 3, 3} || m.gradients != 0 {
		t.Errorf("field %v, %d commands of the other port", m.field, m.gradients)
	}
	in.Release("coils")
	if in.Advance(10); m.field != [3]float64{} {
		t.Errorf("field %v after release", m.field)
	}
}

// fieldModel has two ports of different layout that drive the same coils.
type fieldModel struct {
	sim.FakeModel
	field     [3]float64
	gradient  [8]float64
	gradients int // commands of the gradient port
}

func (m *fieldModel) Ports() []sim.Port {
	return []sim.Port{
		{Name: "field", Kind: sim.Field, Direction: sim.In, Group: "coils", MaxRate: []float64{1, 1, 1}},
		{Name: "field_gradient", Kind: sim.FieldGradient, Direction: sim.In, Group: "coils"},
	}
}

func (m *fieldModel) Command(i int, v []float64) {
	if i == 1 {
		m.gradients++
		return
	}
	copy(m.field[:], v)
}

func (m *fieldModel) Setpoint(i int, dst []float64) { copy(dst, m.gradient[:]) }

func TestReleaseGoesHome(t *testing.T) {
	m := &sim.FakeModel{U: [2]float64{2, 3}}
	in := sim.NewInputs(m)
	in.Set(sim.PortLength, []float64{2, 2})
	in.Set(sim.PortWrench, []float64{1, 1, 1, 1, 1, 1, 1})
	in.Advance(10)
	in.Release("tendons")
	in.Advance(10)
	if m.U != [2]float64{1, 1} || m.Wrench[0] != 1 {
		t.Errorf("after release of the tendons: forces %v, wrench %v", m.U, m.Wrench)
	}
	in.Release("external_wrench") // a group of one is named after its port
	in.Advance(10)
	if m.Wrench != [7]float64{} {
		t.Errorf("after release: wrench %v", m.Wrench)
	}
}

// A ramp starts within the limits, and at the safe value where the model cannot
// tell what its actuators do.
func TestRampStartsSomewhereSensible(t *testing.T) {
	m := &sim.FakeModel{U: [2]float64{math.NaN(), 50}, Record: true}
	in := sim.NewInputs(m)
	in.Set(sim.PortForce, []float64{5, 5})
	in.Advance(1.0 / 64)
	if want := [][]float64{{sim.PortForce, 2, 9}}; !slices.EqualFunc(m.Commands, want, slices.Equal) {
		t.Errorf("commands %v, want %v", m.Commands, want)
	}
}

// holdModel is a fakeModel whose first actuator has no safe value.
type holdModel struct{ sim.FakeModel }

func (m *holdModel) Ports() []sim.Port {
	p := m.FakeModel.Ports()
	p[sim.PortForce].Safe = []float64{sim.Keep, 1}
	return p
}

func TestActuatorsWithoutSafeValueStay(t *testing.T) {
	m := &holdModel{sim.FakeModel{U: [2]float64{2, 3}}}
	in := sim.NewInputs(m)
	in.Release("tendons")
	in.Advance(10)
	if m.U != [2]float64{2, 1} {
		t.Errorf("released before any command: forces %v, want 2 and 1", m.U)
	}
	in.Set(sim.PortForce, []float64{5, 6})
	in.Advance(10)
	in.Release("tendons")
	in.Advance(10)
	if m.U != [2]float64{5, 1} {
		t.Errorf("released: forces %v, want 5 and 1", m.U)
	}
	in.Set(sim.PortForce, []float64{0, 1}) // 1 N on the way when released
	in.Advance(1 / sim.FakeForceRate)
	in.Release("tendons")
	if in.Advance(10); m.U != [2]float64{4, 1} || in.Moving() {
		t.Errorf("released on the way at 4: forces %v", m.U)
	}
	m.U[0] = math.NaN() // nor can the model tell
	in = sim.NewInputs(m)
	in.Set(sim.PortForce, []float64{4, 4})
	in.Advance(10)
	if m.U != [2]float64{4, 4} {
		t.Errorf("after a ramp from nowhere: forces %v, want 4 and 4", m.U)
	}
}

func TestInputsRefuseProgrammingMistakes(t *testing.T) {
	in := sim.NewInputs(&sim.FakeModel{})
	for name, f := range map[string]func(){
		"out port":      func() { in.Set(sim.PortJoints, nil) },
		"no port":       func() { in.Set(99, nil) },
		"unknown group": func() { in.Release("legs") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestCheckPorts(t *testing.T) {
	tests := []struct {
		name string
		port sim.Port
		want string
	}{
		{"no name", sim.Port{Kind: sim.Field, Direction: sim.In}, "no name"},
		{"no values", sim.Port{Name: "p", Kind: sim.Tension, Direction: sim.In}, "no values"},
		{"no direction", sim.Port{Name: "p", Kind: sim.Field}, "neither In nor Out"},
		{"width", sim.Port{Name: "p", Kind: sim.Field, Direction: sim.In, Max: []float64{1}}, "Max has 1 values, the port 3"},
		{"bounds", sim.Port{Name: "p", Kind: sim.Currents, Labels: []string{"c"}, Direction: sim.In,
			Min: []float64{2}, Max: []float64{1}}, "Min 2 is not below Max 1"},
		{"NaN bound", sim.Port{Name: "p", Kind: sim.Currents, Labels: []string{"c"}, Direction: sim.In,
			Max: []float64{math.NaN()}}, "Max NaN"},
		{"rate", sim.Port{Name: "p", Kind: sim.Currents, Labels: []string{"c"}, Direction: sim.In,
			MaxRate: []float64{0}}, "MaxRate 0"},
		{"safe", sim.Port{Name: "p", Kind: sim.Currents, Labels: []string{"c"}, Direction: sim.In,
			Max: []float64{1}, Safe: []float64{2}}, "Safe 2"},
	}
	for _, tt := range tests {
		err := sim.CheckPorts([]sim.Port{tt.port})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	p := sim.Port{Name: "p", Kind: sim.Field, Direction: sim.Out}
	if err := sim.CheckPorts([]sim.Port{p, p}); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("the same name twice: %v", err)
	}
}

// Commands to a port that takes none are a mistake of the program.
func TestPostPanics(t *testing.T) {
	s, m := sim.Into(t, "RUNNING")
	for _, port := range []int{-1, sim.PortJoints, sim.PortTip, len(m.Ports())} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "takes no commands") {
					t.Errorf("port %d: panic %q, want that it takes no commands", port, text)
				}
			}()
			s.Post(sim.Source{}, port, make([]float64, 7))
		}()
	}
}

func TestTimeoutEffect(t *testing.T) {
	keep := []float64{sim.Keep, sim.Keep, sim.Keep, sim.Keep, sim.Keep, sim.Keep, sim.Keep}
	ports := []sim.Port{
		{Name: "measured", Kind: sim.Pose, Direction: sim.Out},
		{Name: "base_pose", Kind: sim.Pose, Direction: sim.In, Group: "base", Frames: []string{sim.World}, Safe: keep},
		{Name: "insertion", Kind: sim.JointState, Parts: sim.Position, Direction: sim.In, Group: "base", Labels: []string{"insertion"}},
		{Name: "tensions", Kind: sim.Tension, Direction: sim.In, Labels: []string{"a", "b"}},
		{Name: "mixed", Kind: sim.Tension, Direction: sim.In, Labels: []string{"a", "b"}, Safe: []float64{sim.Keep, 1}},
	}
	for group, want := range map[string]string{
		"base": "a pose completes the last command, joints and insertion stop", "tensions": "its safe values are applied", "mixed": "its safe values are applied",
	} {
		if text := sim.TimeoutEffect(ports, group); text != want {
			t.Errorf("%s: %q, want %q", group, text, want)
		}
	}
}

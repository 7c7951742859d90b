package sim

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestSetVerdicts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name   string
		port   int
		v      []float64
		want   CommandStatus
		target []float64 // after 10 s
	}{
		{"within", portForce, []float64{4, 5}, Accepted, []float64{4, 5}},
		{"at the bounds", portForce, []float64{0, 10}, Accepted, []float64{0, 10}},
		{"negative", portForce, []float64{-1, 5}, Clamped, []float64{0, 5}},
		{"above max", portForce, []float64{4, 11}, Clamped, []float64{4, 10}},
		{"NaN", portForce, []float64{nan, 5}, NotFinite, []float64{2, 3}},
		{"Inf", portForce, []float64{4, inf}, NotFinite, []float64{2, 3}},
		{"-Inf", portForce, []float64{4, -inf}, NotFinite, []float64{2, 3}},
		{"keep", portForce, []float64{Keep, 5}, Accepted, []float64{2, 5}},
		{"keep all", portForce, []float64{Keep, Keep}, Accepted, []float64{2, 3}},
		{"keep and above max", portForce, []float64{11, Keep}, Clamped, []float64{10, 3}},
		{"keep, then NaN", portForce, []float64{Keep, nan}, NotFinite, []float64{2, 3}},
		{"above max, then NaN", portForce, []float64{11, nan}, NotFinite, []float64{2, 3}},
		{"keep as a frame", portWrench, []float64{1, 2, 3, 4, 5, 6, Keep}, UnknownFrame, make([]float64, 7)},
		{"short", portForce, []float64{4}, WrongLength, []float64{2, 3}},
		{"long", portForce, []float64{4, 5, 6}, WrongLength, []float64{2, 3}},
		{"empty", portForce, nil, WrongLength, []float64{2, 3}},
		{"length", portLength, []float64{1, 0.5}, Accepted, []float64{4, 2}},
		{"frame", portWrench, []float64{1, 2, 3, 4, 5, 6, 1}, Accepted, []float64{1, 2, 3, 4, 5, 6, 1}},
		{"no such frame", portWrench, []float64{1, 2, 3, 4, 5, 6, 2}, UnknownFrame, make([]float64, 7)},
		{"half a frame", portWrench, []float64{1, 2, 3, 4, 5, 6, 0.5}, UnknownFrame, make([]float64, 7)},
		{"negative frame", portWrench, []float64{1, 2, 3, 4, 5, 6, -1}, UnknownFrame, make([]float64, 7)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &fakeModel{u: [2]float64{2, 3}}
			in := NewInputs(m)
			if got := in.Set(tt.port, tt.v); got != tt.want {
				t.Errorf("Set = %v, want %v", got, tt.want)
			}
			if got := in.Counts(); got[tt.want] != 1 {
				t.Errorf("counts = %v, want 1 of %v", got, tt.want)
			}
			in.Advance(10)
			got := m.u[:]
			if tt.port == portWrench {
				got = m.wrench[:]
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
	m := &fakeModel{u: [2]float64{2, 3}, record: true}
	in := NewInputs(m)
	in.Advance(1)
	if len(m.commands) != 0 || in.Moving() {
		t.Fatalf("commanded %v before anybody did", m.commands)
	}
	in.Set(portForce, []float64{4, 2.5})
	const dt = 1.0 / 64 // 1 N per step
	want := [][]float64{{portForce, 3, 2.5}, {portForce, 4, 2.5}}
	for range 5 {
		in.Advance(dt)
	}
	if !slices.EqualFunc(m.commands, want, slices.Equal) {
		t.Errorf("commands %v, want %v and then none", m.commands, want)
	}
}

// Switching between force and length control starts at what the actuators do.
func TestSwitchIsBumpless(t *testing.T) {
	m := &fakeModel{u: [2]float64{2, 3}, record: true}
	in := NewInputs(m)
	in.Set(portLength, []float64{1.5, 0.75}) // from 0.5 and 0.75 m
	in.Advance(1.0 / 16)                     // half a metre
	in.Set(portForce, []float64{2, 3})       // from 4 and 3 N
	in.Advance(1.0 / 64)
	in.Advance(1.0 / 64)
	want := [][]float64{{portLength, 1, 0.75}, {portForce, 3, 3}, {portForce, 2, 3}}
	if !slices.EqualFunc(m.commands, want, slices.Equal) {
		t.Errorf("commands %v, want %v", m.commands, want)
	}
}

// One tendon may be pulled to a length while the other holds a force.
func TestValuesChangeHandsOneByOne(t *testing.T) {
	m := &fakeModel{u: [2]float64{2, 3}, record: true}
	in := NewInputs(m)
	in.Set(portForce, []float64{3, 4})
	in.Advance(1)
	in.Set(portLength, []float64{Keep, 0.5}) // from 1 m
	in.Set(portForce, []float64{2, Keep})
	in.Advance(1.0 / 32)
	in.Advance(1.0 / 32)
	in.Set(portForce, []float64{Keep, 2}) // the same force: only the deciding port changes
	in.Advance(1)
	want := [][]float64{
		{portForce, 3, 4},
		{portForce, 2, Keep}, {portLength, Keep, 0.75},
		{portLength, Keep, 0.5},
		{portForce, 2, 2},
	}
	if !slices.EqualFunc(m.commands, want, same) {
		t.Errorf("commands %v, want %v", m.commands, want)
	}
}

// Where ports cannot be compared value by value, one of them decides about all.
func TestPortsOfAGroupAsAWhole(t *testing.T) {
	m := &fieldModel{gradient: [8]float64{1, 2, 3, 4, 5, 6, 7, 8}}
	in := NewInputs(m)
	in.Set(0, []float64{9, Keep, 9})
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
	fakeModel
	field     [3]float64
	gradient  [8]float64
	gradients int // commands of the gradient port
}

func (m *fieldModel) Ports() []Port {
	return []Port{
		{Name: "field", Kind: Field, Direction: In, Group: "coils", MaxRate: []float64{1, 1, 1}},
		{Name: "field_gradient", Kind: FieldGradient, Direction: In, Group: "coils"},
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
	m := &fakeModel{u: [2]float64{2, 3}}
	in := NewInputs(m)
	in.Set(portLength, []float64{2, 2})
	in.Set(portWrench, []float64{1, 1, 1, 1, 1, 1, 1})
	in.Advance(10)
	in.Release("tendons")
	in.Advance(10)
	if m.u != [2]float64{1, 1} || m.wrench[0] != 1 {
		t.Errorf("after release of the tendons: forces %v, wrench %v", m.u, m.wrench)
	}
	in.Release("external_wrench") // a group of one is named after its port
	in.Advance(10)
	if m.wrench != [7]float64{} {
		t.Errorf("after release: wrench %v", m.wrench)
	}
}

// A ramp starts within the limits, and at the safe value where the model cannot
// tell what its actuators do.
func TestRampStartsSomewhereSensible(t *testing.T) {
	m := &fakeModel{u: [2]float64{math.NaN(), 50}, record: true}
	in := NewInputs(m)
	in.Set(portForce, []float64{5, 5})
	in.Advance(1.0 / 64)
	if want := [][]float64{{portForce, 2, 9}}; !slices.EqualFunc(m.commands, want, slices.Equal) {
		t.Errorf("commands %v, want %v", m.commands, want)
	}
}

// holdModel is a fakeModel whose first actuator has no safe value.
type holdModel struct{ fakeModel }

func (m *holdModel) Ports() []Port {
	p := m.fakeModel.Ports()
	p[portForce].Safe = []float64{Keep, 1}
	return p
}

func TestActuatorsWithoutSafeValueStay(t *testing.T) {
	m := &holdModel{fakeModel{u: [2]float64{2, 3}}}
	in := NewInputs(m)
	in.Release("tendons")
	in.Advance(10)
	if m.u != [2]float64{2, 1} {
		t.Errorf("released before any command: forces %v, want 2 and 1", m.u)
	}
	in.Set(portForce, []float64{5, 6})
	in.Advance(10)
	in.Release("tendons")
	in.Advance(10)
	if m.u != [2]float64{5, 1} {
		t.Errorf("released: forces %v, want 5 and 1", m.u)
	}
	in.Set(portForce, []float64{0, 1}) // 1 N on the way when released
	in.Advance(1 / fakeForceRate)
	in.Release("tendons")
	if in.Advance(10); m.u != [2]float64{4, 1} || in.Moving() {
		t.Errorf("released on the way at 4: forces %v", m.u)
	}
	m.u[0] = math.NaN() // nor can the model tell
	in = NewInputs(m)
	in.Set(portForce, []float64{4, 4})
	in.Advance(10)
	if m.u != [2]float64{4, 4} {
		t.Errorf("after a ramp from nowhere: forces %v, want 4 and 4", m.u)
	}
}

// The frame of a wrench changes at once, however slowly its values may.
func TestFrameDoesNotRamp(t *testing.T) {
	rate := []float64{1, 1, 1, 1, 1, 1, 1}
	p := Port{Name: "w", Kind: Wrench, Direction: In, Frames: []string{World, "tip", "base"}, MaxRate: rate}
	l := NewLimits(&p)
	if got := l.slew(6, 0, 2, 0.001); got != 2 {
		t.Errorf("frame %v", got)
	}
	if got := l.slew(0, 0, 2, 0.001); got != 0.001 || rate[6] != 1 {
		t.Errorf("force %v, rates of the port %v", got, rate)
	}
}

func TestInputsRefuseProgrammingMistakes(t *testing.T) {
	in := NewInputs(&fakeModel{})
	for name, f := range map[string]func(){
		"out port":      func() { in.Set(portJoints, nil) },
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
		port Port
		want string
	}{
		{"no name", Port{Kind: Field, Direction: In}, "no name"},
		{"no values", Port{Name: "p", Kind: Tension, Direction: In}, "no values"},
		{"no direction", Port{Name: "p", Kind: Field}, "neither In nor Out"},
		{"width", Port{Name: "p", Kind: Field, Direction: In, Max: []float64{1}}, "Max has 1 values, the port 3"},
		{"bounds", Port{Name: "p", Kind: Currents, Labels: []string{"c"}, Direction: In,
			Min: []float64{2}, Max: []float64{1}}, "Min 2 is not below Max 1"},
		{"NaN bound", Port{Name: "p", Kind: Currents, Labels: []string{"c"}, Direction: In,
			Max: []float64{math.NaN()}}, "Max NaN"},
		{"rate", Port{Name: "p", Kind: Currents, Labels: []string{"c"}, Direction: In,
			MaxRate: []float64{0}}, "MaxRate 0"},
		{"safe", Port{Name: "p", Kind: Currents, Labels: []string{"c"}, Direction: In,
			Max: []float64{1}, Safe: []float64{2}}, "Safe 2"},
	}
	for _, tt := range tests {
		err := checkPorts([]Port{tt.port})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	p := Port{Name: "p", Kind: Field, Direction: Out}
	if err := checkPorts([]Port{p, p}); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("the same name twice: %v", err)
	}
}

// Commands to a port that takes none are a mistake of the program.
func TestPostPanics(t *testing.T) {
	s, m := into(t, "RUNNING")
	for _, port := range []int{-1, portJoints, portTip, len(m.Ports())} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "takes no commands") {
					t.Errorf("port %d: panic %q, want that it takes no commands", port, text)
				}
			}()
			s.Post(Source{}, port, make([]float64, 7))
		}()
	}
}

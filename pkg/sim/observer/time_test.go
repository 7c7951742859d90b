package observer_test

import (
	"errors"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/observer"
	"sinew/pkg/sim/robotfile"
)

// Steps may be divided, as by sim --adaptive: measurements count at the times at which they were taken, as those of whole steps do.
func TestDividedSteps(t *testing.T) {
	var want []int
	for _, parts := range []int{1, 8} {
		o, err := newObserver(tipForce)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 * parts {
			if err := o.Step(0.001 / float64(parts)); err != nil {
				t.Fatal(err)
			}
		}
		accepted, _, _ := o.Innovations()
		if parts == 1 {
			want = accepted
			continue
		}
		for k := range accepted {
			if accepted[k] < want[k]-3 || accepted[k] > want[k]+3 {
				t.Errorf("%d measurements of sensor %d in steps of %d parts, %d in whole ones", accepted[k], k, parts, want[k])
			}
		}
		if x := gauge(t, o, "innovation_tracker"); x > 2 {
			t.Errorf("innovations of %d parts are %g of what is expected", parts, x)
		}
	}
}

// A robot that has been held for long is updated as often as before, and not at each step until all updates of that time are made up for.
func TestUpdatesAfterAHold(t *testing.T) {
	o, err := newObserver(tipForce)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		o.Hold(0.001)
	}
	updates, before := 0, 0
	for range 100 {
		if err := o.Step(0.001); err != nil {
			t.Fatal(err)
		}
		accepted, refused, _ := o.Innovations()
		if n := accepted[1] + refused[1]; n != before {
			before = n
			updates++
		}
	}
	if updates > 21 {
		t.Errorf("%d updates in 100 ms, want 20", updates)
	}
}

// failing is a member whose step fails once.
type failing struct {
	*continuum.Model
	passed float64 // s
}

func (m *failing) Step(dt float64) error {
	if m.passed > 0.05 && m.passed < 0.0505 {
		return errors.New("it fails here")
	}
	m.passed += dt
	return m.Model.Step(dt)
}

func (m *failing) Hold(dt float64) {
	m.passed += dt
	m.Model.Hold(dt)
}

// A member whose step fails stays at the time of the others, and the estimate counts as lost for a second.
func TestTimeOfAMemberThatFails(t *testing.T) {
	f, err := robotfile.Parse[robotfile.Continuum]("robot", []byte(tipForce))
	if err != nil {
		t.Fatal(err)
	}
	robot, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	var first *failing
	o, err := observer.New(robot, f, func() (sim.Estimable, error) {
		m, err := continuum.New(f.Predicting())
		if err != nil || first != nil {
			return m, err
		}
		first = &failing{Model: m}
		return first, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := o.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	if o.Restarts() != 1 || gauge(t, o, "estimate_lost") != 1 {
		t.Errorf("%d restarts, estimate_lost %g", o.Restarts(), gauge(t, o, "estimate_lost"))
	}
	if first.passed < 0.0995 {
		t.Errorf("%g s have passed for the member, 0.1 s for the others", first.passed)
	}
}

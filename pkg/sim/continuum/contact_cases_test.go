package continuum_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// contactCase is a case of testdata/contact_rod.json: rods in contact, from shooting of the
// Cosserat boundary-value problem and closed forms.
type contactCase struct {
	Name     string
	Robot    map[string]any
	Expected struct {
		Tip       [3]float64 `json:"tip_m"`
		BaseForce [3]float64 `json:"base_force_n"`
		Touchdown float64    `json:"touchdown_s_m"`
		Contact   float64    `json:"contact_force_n"`
		ContactS  float64    `json:"contact_s_m"`
		Centre    [3]float64 `json:"contact_centre_line_m"`
		TipForce  float64    `json:"tip_contact_force_n"`
		Inner     float64    `json:"inner_contact_force_n"`
		Lower     float64    `json:"lower_contact_force_n"`
		Total     float64    `json:"total_contact_force_n"`
		Pull      float64    `json:"pull_n"`
		Moved     float64    `json:"tip_displacement_m"`
		Rows      []struct {
			Moved float64 `json:"base_displacement_m"`
			Pull  float64 `json:"pull_n"`
			Mu    float64
			Ratio float64
		}
		WayBack []struct {
			Moved float64 `json:"base_displacement_m"`
			Pull  float64 `json:"pull_n"`
		} `json:"way_back_after_row_2"`
		FullSlip float64 `json:"full_slip_pull_n"`
	}
	Tolerance map[string]any
}

// goldenContacts are the cases of the file.
func goldenContacts(t *testing.T) []json.RawMessage {
	t.Helper()
	var file struct{ Cases []json.RawMessage }
	data, err := os.ReadFile("testdata/contact_rod.json")
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

func contactCases(t *testing.T) map[string]*contactCase {
	t.Helper()
	all := map[string]*contactCase{}
	for _, text := range goldenContacts(t) {
		c := &contactCase{}
		if json.Unmarshal(text, c) == nil { // else it is one without a rod
			all[c.Name] = c
		}
	}
	return all
}

// model makes that of the case with so many elements of an order, changed.
func (c *contactCase) model(t *testing.T, elements, order int, change func(robot map[string]any)) *continuum.Model {
	t.Helper()
	rod := c.Robot["rod"].(map[string]any)
	rod["elements"], rod["element_order"] = elements, order
	if change != nil {
		change(c.Robot)
	}
	text, err := json.Marshal(c.Robot)
	if err != nil {
		t.Fatal(err)
	}
	f, err := robotfile.Parse[robotfile.Continuum]("f", text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// within is the tolerance of the case for n elements, below a key unless that is empty.
func (c *contactCase) within(t *testing.T, n int, key string) float64 {
	t.Helper()
	all := c.Tolerance
	if key != "" {
		all = all[key].(map[string]any)
	}
	x, ok := all[fmt.Sprintf("n%d", n)].(float64)
	if !ok {
		t.Fatalf("%s has no tolerance %s for %d elements", c.Name, key, n)
	}
	return x
}

// wantTip demands the tip of the case, and that nothing is deep in a wall.
func (c *contactCase) wantTip(t *testing.T, m *continuum.Model, n int) {
	t.Helper()
	tip := c.Expected.Tip
	off := positionOf(t, m, n).Sub(spatial.Vec{X: tip[0], Y: tip[1], Z: tip[2]}).Norm() / partsOf(m).System.Rod.Length
	if most := c.within(t, n, ""); off > most {
		t.Errorf("%d elements: the tip is %.2g L off, allowed %g", n, off, most)
	}
	if d := partsOf(m).Contact.Summary().RelativePenetration; d > deepest {
		t.Errorf("%d elements: penetration of %.2g radii, allowed %g", n, d, deepest)
	}
}

// deepest is the penetration, over the radius, that no contact of these tests has.
const deepest = 0.01

// contactForces returns the sum of the normal forces up to an arc length, and beyond, N.
func contactForces(m *continuum.Model, at float64) (before, beyond float64) {
	for _, f := range partsOf(m).Contact.ListContacts(nil, 1000) {
		if f.ArcLength < at {
			before += f.Force
		} else {
			beyond += f.Force
		}
	}
	return before, beyond
}

// wantForce demands a force within a share.
func wantForce(t *testing.T, what string, n int, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%d elements: %s is %.5g N, want %.5g within %g", n, what, got, want, share)
	}
}

// eachMesh runs f with elements of both orders.
func eachMesh(t *testing.T, f func(t *testing.T, n, order int)) {
	eachOfMeshes(t, []int{20, 40, 80}, f)
}

// eachOfMeshes runs f with numbers of elements of both orders.
func eachOfMeshes(t *testing.T, elements []int, f func(t *testing.T, n, order int)) {
	for _, order := range orders() {
		for _, n := range elements {
			if testing.Short() && n > elements[0] {
				continue // finer meshes take seconds
			}
			t.Run(fmt.Sprintf("order %d, %d elements", order, n), func(t *testing.T) { f(t, n, order) })
		}
	}
}

func TestEquilibriaInContact(t *testing.T) {
	cases := contactCases(t)
	for _, name := range []string{
		"rod_on_table_clamped", "rod_on_table_moment_free", "cantilever_over_bar", "cantilever_over_ball",
		"combined_weight_magnet_ball", "moment_in_tube_tip_contact", "moment_in_tube_two_contacts",
	} {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			eachMesh(t, func(t *testing.T, n, order int) {
				m := c.model(t, n, order, func(r map[string]any) { r["initial_state"] = "equilibrium" })
				c.wantTip(t, m, n)
				before, beyond := contactForces(m, 0.95*partsOf(m).System.Rod.Length)
				switch e := &c.Expected; {
				case e.Touchdown > 0:
					share := c.within(t, n, "base_force_relative")
					wantForce(t, "the force of the base", n, baseForce(t, m).Z, e.BaseForce[2], share)
					// what the base does not carry the table does, to the last digit
					weight := e.BaseForce[2] + e.Total
					wantForce(t, "the weight carried", n, baseForce(t, m).Z+before+beyond, weight, 1e-6)
					l := partsOf(m).System.Rod.ElementLength
					if first := partsOf(m).Contact.ListContacts(nil, 1000)[0].ArcLength; math.Abs(first-e.Touchdown) > l {
						t.Errorf("touches from %.5g m on, want %.5g within an element, %.3g m", first, e.Touchdown, l)
					}
				case e.Contact > 0:
					wantForce(t, "the contact force", n, before+beyond, e.Contact, c.within(t, n, "force"))
				case e.TipForce > 0:
					wantForce(t, "the force at the tip", n, beyond, e.TipForce, c.within(t, n, "force"))
					wantForce(t, "the force on the lower wall", n, before, e.Lower, c.within(t, n, "force"))
				}
			})
		})
	}
}

// TestContactIsWhereTheRodIsNearest demands that it be no matter where along the rod there are
// nodes: place and force of the contact with a bar or a ball are those of the continuous rod.
func TestContactIsWhereTheRodIsNearest(t *testing.T) {
	cases := contactCases(t)
	for _, name := range []string{"cantilever_over_bar", "cantilever_over_ball", "combined_weight_magnet_ball"} {
		c := cases[name]
		for _, n := range []int{37, 41, 53, 67} {
			m := c.model(t, n, 4, func(r map[string]any) { r["initial_state"] = "equilibrium" })
			tip, length := positionOf(t, m, n), partsOf(m).System.Rod.Length
			if off := distance(numbers(tip), c.Expected.Tip[:]) / length; off > 5e-5 {
				t.Errorf("%s, %d elements: the tip is %.2g L off, allowed 5e-5", name, n, off)
			}
			force, place, centre := 0.0, 0.0, spatial.Vec{}
			for _, f := range partsOf(m).Contact.ListContacts(nil, 1000) {
				force, place = force+f.Force, place+f.Force*f.ArcLength
				centre = centre.AddScaled(f.Force, f.Point.AddScaled(m.Robot().File().Rod.Radius, f.Normal))
			}
			wantForce(t, name, n, force, c.Expected.Contact, 2e-3)
			if d := math.Abs(place/force-c.Expected.ContactS) / length; d > 1e-4 {
				t.Errorf("%s, %d elements: touches at %.7g m of the rod, want %.7g", name, n, place/force, c.Expected.ContactS)
			}
			if d := distance(numbers(centre.Scale(1/force)), c.Expected.Centre[:]) / length; d > 1e-4 {
				t.Errorf("%s, %d elements: the centre line where it touches is %.2g L off", name, n, d)
			}
		}
	}
}

func TestInsertionIntoABentTube(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	cases := contactCases(t)
	for _, name := range []string{"insertion_into_bent_tube", "insertion_into_bent_tube_friction"} {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			eachMesh(t, func(t *testing.T, n, order int) {
				m := c.model(t, n, order, func(r map[string]any) { r["solver"] = map[string]any{"step_s": 0.001} })
				run(t, m, 3.2)
				c.wantTip(t, m, n)
				share := c.within(t, n, "force")
				before, beyond := contactForces(m, 0.95*partsOf(m).System.Rod.Length)
				wantForce(t, "the push", n, baseForce(t, m).X, c.Expected.BaseForce[0], share)
				wantForce(t, "the force on the inner wall", n, before, c.Expected.Inner, share)
				wantForce(t, "the force at the tip", n, beyond, c.Expected.TipForce, share)
			})
		})
	}
}

func TestCapstan(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	c := contactCases(t)["capstan_quarter_turn"]
	// the file has no tolerance for 20 elements
	eachOfMeshes(t, []int{40, 80}, func(t *testing.T, n, order int) {
		m := c.model(t, n, order, func(r map[string]any) { r["solver"] = map[string]any{"step_s": 0.0005} })
		run(t, m, 1)
		wantForce(t, "the pull", n, -baseForce(t, m).X, 0.1*c.Expected.Rows[1].Ratio, c.within(t, n, ""))
		if d := partsOf(m).Contact.Summary().RelativePenetration; d > deepest {
			t.Errorf("penetration of %.2g radii, allowed %g", d, deepest)
		}
	})
}

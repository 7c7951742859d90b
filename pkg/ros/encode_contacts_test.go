package ros

import (
	"reflect"
	"testing"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// TestContactsAreSentAsTheirMessage sends none, one and as many as there can be.
func TestContactsAreSentAsTheirMessage(t *testing.T) {
	out := &outputPort{port: &sim.Port{Kind: sim.Contacts, Labels: []string{"left", "right"}}}
	head := std_msgs.Header{FrameID: "world"}
	for _, n := range []int{0, 1, sim.MostContacts} {
		v := make([]float64, out.port.Width())
		want := &sinew_msgs.Contacts{Header: head, Contacts: []sinew_msgs.Contact{}}
		for i := range sim.MostContacts {
			c := v[sim.ContactHead+i*sim.ContactWidth:]
			if c[0] = -1; i >= n {
				continue
			}
			copy(c, []float64{1, 0.1, -1e-6, 2, 3, 4, 5, 0, 0, 1, 0.5, 0, float64(i)})
			want.Contacts = append(want.Contacts, sinew_msgs.Contact{
				Shape: "right", ArcLength: 0.1, Gap: -1e-6, NormalForce: 2, Position: geometry_msgs.Point{X: 3, Y: 4, Z: 5},
				Normal: geometry_msgs.Vector3{Z: 1}, Friction: geometry_msgs.Vector3{X: 0.5, Z: float64(i)},
			})
		}
		if got := encodeContacts(out, head, v); !reflect.DeepEqual(got, want) {
			t.Errorf("%d contacts: %+v, want %+v", n, got, want)
		}
	}
	if MessageType(sim.Contacts) != sinew_msgs.ContactsType {
		t.Error("contacts are no sinew_msgs/Contacts")
	}
}

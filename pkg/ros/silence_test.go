package ros

import (
	"testing"
	"time"

	"sinew/msgs"
)

// What is switched off is not published, all else is, and it comes back.
func TestSilence(t *testing.T) {
	m, net := everyKind(), newMemory()
	b := live(t, m, quick, Options{}, net)
	ports := m.Ports()
	var quiet, loud string
	for _, o := range b.publisher.outputs {
		if quiet == "" {
			quiet = o.port.Name
		} else if loud == "" && o.port.Pace == ports[o.index].Pace {
			loud = o.port.Name
		}
	}
	comes := func(name string) bool {
		var got []msgs.Message
		for deadline := time.Now().Add(2 * time.Second); len(got) == 0 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			got = net.topic(t, name).take()
		}
		return len(got) > 0
	}
	b.Silence([]string{quiet, "tf"})
	time.Sleep(20 * time.Millisecond) // what was being published
	net.topic(t, "/lab/left/"+quiet).take()
	net.topic(t, "/tf").take()
	if !comes("/lab/left/" + loud) {
		t.Errorf("%s is silent", loud)
	}
	time.Sleep(50 * time.Millisecond)
	for _, name := range []string{"/lab/left/" + quiet, "/tf"} {
		if got := net.topic(t, name).take(); len(got) > 0 {
			t.Errorf("%s: %d messages although it is switched off", name, len(got))
		}
	}
	b.Silence(nil)
	for _, name := range []string{"/lab/left/" + quiet, "/tf"} {
		if !comes(name) {
			t.Errorf("%s does not come back", name)
		}
	}
}

package ros

import (
	"testing"
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
	come := func(name string, n int) {
		t.Helper()
		net.topic(t, name).take()
		eventually(t, name, func() bool {
			n -= len(net.topic(t, name).take())
			return n <= 0
		})
	}
	b.Silence([]string{quiet, "tf"})
	come("/lab/left/"+loud, 2) // the first may be of a snapshot that was being published
	net.topic(t, "/lab/left/"+quiet).take()
	net.topic(t, "/tf").take()
	come("/lab/left/"+loud, 50)
	for _, name := range []string{"/lab/left/" + quiet, "/tf"} {
		if got := net.topic(t, name).take(); len(got) > 0 {
			t.Errorf("%s: %d messages although it is switched off", name, len(got))
		}
	}
	b.Silence(nil)
	for _, name := range []string{"/lab/left/" + quiet, "/tf"} {
		come(name, 1)
	}
}

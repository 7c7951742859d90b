package rtps

import (
	"testing"

	"sinew/pkg/ros/rtps/wire"
)

// TestCrowdShutsNobodyOut has another participant come when one has taken all room: it
// gets a share of it.
func TestCrowdShutsNobodyOut(t *testing.T) {
	const most = 10
	p, _, r, _, w := target(t, Options{Limits: Limits{Matches: most}})
	a := attack(t, p)
	for i := range 100 {
		a.endpoint(wire.EntityID{1, 0, byte(i), wire.KindReaderNoKey}, "x")
		a.endpoint(wire.EntityID{2, 0, byte(i), wire.KindWriterNoKey}, "x")
	}
	a.settle()
	shares := func() (readers, writers map[wire.Prefix]int) {
		readers, writers = map[wire.Prefix]int{}, map[wire.Prefix]int{}
		p.call(func() {
			for _, x := range p.e.writers[w.GUID().Entity].proxies {
				readers[x.guid.Prefix]++
			}
			for _, x := range p.e.readers[r.GUID().Entity].proxies {
				writers[x.guid.Prefix]++
			}
		})
		return readers, writers
	}
	other := &attacker{t: t, to: p, prefix: wire.Prefix{77}}
	other.announce()
	for i := range byte(20) {
		other.endpoint(wire.EntityID{1, 0, i, wire.KindReaderNoKey}, "x")
		other.endpoint(wire.EntityID{2, 0, i, wire.KindWriterNoKey}, "x")
		other.settle()
		want := min(int(i)+1, most/2)
		if readers, writers := shares(); readers[other.prefix] != want || writers[other.prefix] != want {
			t.Fatalf("%d readers and %d writers of the newcomer are matched, want %d", readers[other.prefix], writers[other.prefix], want)
		}
	}
	if w.Matched() != most || r.Matched() != most {
		t.Errorf("%d readers and %d writers match, want %d", w.Matched(), r.Matched(), most)
	}
	if readers, _ := shares(); readers[a.prefix] != most/2 {
		t.Errorf("%v", readers)
	}
}

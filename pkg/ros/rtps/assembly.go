package rtps

import (
	"slices"

	"sinew/pkg/ros/rtps/wire"
)

// assembly is a fragmented sample, some fragments of which have arrived.
type assembly struct {
	sample sample // its payload has the full length from the start
	size   int    // bytes of every fragment but the last
	count  int    // number of fragments
	have   []uint64
	left   int // fragments that are missing
}

func newAssembly(d *wire.DataFrag) *assembly {
	n := (int(d.Sample) + int(d.Size) - 1) / int(d.Size)
	return &assembly{
		sample: sample{payload: make([]byte, d.Sample), owned: true},
		size:   int(d.Size), count: n, left: n, have: make([]uint64, (n+63)/64),
	}
}

// put copies fragments into place. The numbers of d are consistent with each other; put checks that
// they equal those of the first fragment.
func (a *assembly) put(d *wire.DataFrag) bool {
	if int(d.Size) != a.size || int(d.Sample) != len(a.sample.payload) {
		return false
	}
	first := int(d.First) - 1
	copy(a.sample.payload[first*a.size:], d.Payload)
	for i := first; i < min(first+int(d.Count), a.count); i++ {
		if a.have[i/64]&(1<<(i%64)) == 0 {
			a.have[i/64] |= 1 << (i % 64)
			a.left--
		}
	}
	return true
}

// missing lists the first missing fragments by number.
func (a *assembly) missing() (s wire.NumberSet) {
	for i := range a.count {
		if a.have[i/64]&(1<<(i%64)) != 0 {
			continue
		}
		if s.Base == 0 {
			s.Base = int64(i) + 1
		}
		if !s.Add(int64(i) + 1) {
			break
		}
	}
	return s
}

// fragments handles a part of a large sample.
func (p *writerProxy) fragments(d *wire.DataFrag, stamp wire.Time) {
	e := p.r.e
	n := d.Sequence
	if _, whole := p.pending[n]; whole || n < p.next || p.gaps.has(n) {
		return
	}
	a := p.parts[n]
	if a == nil {
		if a = p.begin(d); a == nil {
			return
		}
		a.sample.stamp, a.sample.inline, a.sample.key = stamp, d.Inline, d.Key
	}
	if !a.put(d) {
		e.stats.add(refusedSamples)
		return
	}
	p.progress = e.now
	if a.left == 0 {
		s := a.sample
		p.dropPart(n)
		p.data(n, s)
	}
}

// begin allocates the assembly of a large sample; nil if there is no room.
func (p *writerProxy) begin(d *wire.DataFrag) *assembly {
	e := p.r.e
	if int64(d.Sample) > int64(e.opts.Limits.SampleBytes) || d.Sample/uint32(d.Size) >= maxFragments {
		e.stats.add(refusedSamples)
		return nil
	}
	if len(p.parts) >= maxAssemblies && !p.makeRoom(d.Sequence) {
		e.stats.add(refusedBuffers)
		return nil
	}
	if !e.takeBuffer(int(d.Sample), &p.held) && !(p.makeRoom(d.Sequence) && e.takeBuffer(int(d.Sample), &p.held)) {
		return nil
	}
	if p.parts == nil {
		p.parts = map[int64]*assembly{}
	}
	a := newAssembly(d)
	p.parts[d.Sequence] = a
	return a
}

// makeRoom drops one incomplete sample in favour of sequence. A reliable reader needs the earliest
// sample first and can request the others again; for a best-effort reader the newest matters.
func (p *writerProxy) makeRoom(sequence int64) bool {
	if len(p.parts) == 0 {
		return false
	}
	if p.reliable {
		n := slices.Max(keys(p.parts))
		if n < sequence {
			return false
		}
		p.dropPart(n)
		return true
	}
	n := slices.Min(keys(p.parts))
	if n > sequence {
		return false
	}
	p.dropPart(n)
	return true
}

func (p *writerProxy) dropPart(n int64) {
	if a := p.parts[n]; a != nil {
		delete(p.parts, n)
		p.r.e.releaseBuffer(len(a.sample.payload), &p.held)
	}
}

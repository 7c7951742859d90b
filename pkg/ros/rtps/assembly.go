package rtps

import (
	"slices"

	"sinew/pkg/ros/rtps/wire"
)

// blockBytes is the approximate size of the blocks in which fragments are collected.
const blockBytes = 64 << 10

// assembly is a fragmented sample, some fragments of which have arrived. Its memory grows with them:
// a fragment allocates the block that it belongs to, not the sample whose length it claims.
type assembly struct {
	sample sample // without payload
	length int    // bytes of the sample
	size   int    // bytes of every fragment but the last
	count  int    // number of fragments
	each   int    // fragments in every block but the last
	blocks []block
	held   int // bytes in blocks
	left   int // fragments that are missing
}

// block is the memory of consecutive fragments; the zero value has none.
type block struct {
	bytes []byte
	have  []uint64 // fragments that have arrived, a bit each
}

func newAssembly(d *wire.DataFrag) *assembly {
	n := (int(d.Sample) + int(d.Size) - 1) / int(d.Size)
	each := max(1, blockBytes/int(d.Size))
	return &assembly{
		sample: sample{owned: true}, length: int(d.Sample), size: int(d.Size), count: n, each: each, left: n,
		blocks: make([]block, (n+each-1)/each),
	}
}

// has reports whether fragment i, from 0, has arrived.
func (a *assembly) has(i int) bool {
	b := &a.blocks[i/a.each]
	k := i % a.each
	return b.bytes != nil && b.have[k/64]&(1<<(k%64)) != 0
}

// span returns the number of bytes of block i.
func (a *assembly) span(i int) int {
	whole := a.each * a.size
	return min(whole, a.length-i*whole)
}

// fits reports whether fragments have the sizes of the first one. The numbers of d are consistent
// with each other.
func (a *assembly) fits(d *wire.DataFrag) bool {
	return int(d.Size) == a.size && int(d.Sample) == a.length
}

// need returns the bytes of the blocks that put will allocate.
func (a *assembly) need(d *wire.DataFrag) (bytes int) {
	first := int(d.First) - 1
	last := min(first+int(d.Count), a.count) - 1
	for i := first / a.each; i <= last/a.each; i++ {
		if a.blocks[i].bytes == nil {
			bytes += a.span(i)
		}
	}
	return bytes
}

// put copies fragments that fit into place.
func (a *assembly) put(d *wire.DataFrag) {
	first := int(d.First) - 1
	rest := d.Payload
	for i := first; i < min(first+int(d.Count), a.count) && len(rest) > 0; i++ {
		b := &a.blocks[i/a.each]
		if b.bytes == nil {
			b.bytes = make([]byte, a.span(i/a.each))
			b.have = make([]uint64, (a.each+63)/64)
			a.held += len(b.bytes)
		}
		k := i % a.each
		n := copy(b.bytes[k*a.size:min((k+1)*a.size, len(b.bytes))], rest)
		rest = rest[n:]
		if !a.has(i) {
			b.have[k/64] |= 1 << (k % 64)
			a.left--
		}
	}
}

// whole returns the sample, all fragments of which have arrived.
func (a *assembly) whole() sample {
	s := a.sample
	if len(a.blocks) == 1 {
		s.payload = a.blocks[0].bytes
		return s
	}
	s.payload = make([]byte, 0, a.length)
	for i := range a.blocks {
		s.payload = append(s.payload, a.blocks[i].bytes...)
		a.blocks[i].bytes = nil
	}
	return s
}

// missing lists the first missing fragments by number.
func (a *assembly) missing() (s wire.NumberSet) {
	for i := range a.count {
		if a.has(i) {
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
	if !a.fits(d) {
		e.stats.add(refusedSamples)
		return
	}
	if need := a.need(d); !e.takeBuffer(need, &p.held) && !(p.makeRoom(n) && e.takeBuffer(need, &p.held)) {
		if a.held == 0 {
			p.dropPart(n)
		}
		return
	}
	a.put(d)
	p.progress = e.now
	if a.left == 0 {
		s := a.whole()
		p.dropPart(n)
		p.data(n, s)
	}
}

// begin begins the assembly of a large sample; nil if there is no room.
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
	if p.parts == nil {
		p.parts = map[int64]*assembly{}
	}
	a := newAssembly(d)
	p.parts[d.Sequence] = a
	return a
}

// makeRoom drops another incomplete sample in favour of sequence. A reliable reader needs the
// earliest sample first and can request the others again; for a best-effort reader the newest
// matters.
func (p *writerProxy) makeRoom(sequence int64) bool {
	if len(p.parts) == 0 {
		return false
	}
	n := slices.Min(keys(p.parts))
	if p.reliable {
		n = slices.Max(keys(p.parts))
	}
	if n == sequence || p.reliable == (n < sequence) {
		return false
	}
	p.dropPart(n)
	return true
}

func (p *writerProxy) dropPart(n int64) {
	if a := p.parts[n]; a != nil {
		delete(p.parts, n)
		p.r.e.releaseBuffer(a.held, &p.held)
	}
}

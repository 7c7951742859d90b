package sim

import (
	"math"
	"math/bits"
	"time"
)

// Histogram collects durations in logarithmically spaced bins: 32 to an octave,
// so that a quantile is off by at most 1.6 %, from nanoseconds to more than a
// minute. The zero value is empty. Adding does not allocate.
type Histogram struct {
	bins  [bins]uint64
	count uint64
	max   time.Duration
}

const (
	binBits = 5  // log2 of the bins per octave
	octaves = 32 // above the first 32 ns, where bins are 1 ns wide
	bins    = (octaves + 1) << binBits
)

// Add counts d. Negative durations count as 0.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.bins[bin(d)]++
	h.count++
	h.max = max(h.max, d)
}

// Merge adds what other has collected.
func (h *Histogram) Merge(other *Histogram) {
	for i, n := range other.bins {
		h.bins[i] += n
	}
	h.count += other.count
	h.max = max(h.max, other.max)
}

// bin returns the bin of d >= 0: the octave and the next binBits bits.
func bin(d time.Duration) int {
	shift := max(0, bits.Len64(uint64(d))-binBits-1)
	return min(shift<<binBits+int(uint64(d)>>shift), bins-1)
}

// middle returns the duration in the middle of bin i, ns.
func middle(i int) float64 {
	shift := max(0, i>>binBits-1)
	return math.Ldexp(float64(i-shift<<binBits)+0.5, shift) - 0.5
}

// Count returns the number of durations added.
func (h *Histogram) Count() uint64 { return h.count }

// Max returns the longest duration added, exactly.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile returns the smallest duration that is not shorter than the fraction q
// of all, 0 <= q <= 1, to the width of a bin. It returns 0 if there are none.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := uint64(math.Ceil(q * float64(h.count)))
	rank = min(max(rank, 1), h.count)
	var n uint64
	for i, c := range h.bins {
		if n += uint64(c); n >= rank && n > 0 {
			return min(time.Duration(math.Round(middle(i))), h.max)
		}
	}
	return 0
}

// Reset empties h.
func (h *Histogram) Reset() { *h = Histogram{} }

package hil

import "math"

// sliding is the root mean square and the maximum of the newest values: those of
// the last width seconds, up to its capacity. It never subtracts, so that the
// small errors after a large one keep their digits: the window is a queue of two
// stacks. The older part holds for each value the sum and the maximum from there
// to the end of the part, the newer part only those of the whole; when the older
// part is used up the newer one becomes it.
type sliding struct {
	width float64
	t, e  []float64 // ring: s, and values ≥ 0
	sum   []float64 // of squares; of the older part
	max   []float64
	head  int // of the oldest
	n     int
	older int // number of values in the older part
	// of the newer part
	newSum, newMax float64
}

func newSliding(width float64, capacity int) sliding {
	f := make([]float64, 4*capacity)
	return sliding{width: width, t: f[:capacity:capacity], e: f[capacity : 2*capacity], sum: f[2*capacity : 3*capacity], max: f[3*capacity:]}
}

// push adds the value e at t, which is not before the newest, and drops values
// older than the window.
func (w *sliding) push(t, e float64) {
	if w.n == len(w.t) {
		w.pop()
	}
	i := (w.head + w.n) % len(w.t)
	w.t[i], w.e[i] = t, e
	w.n++
	w.newSum += e * e
	w.newMax = math.Max(w.newMax, e)
	for w.t[w.head] < t-w.width {
		w.pop()
	}
}

func (w *sliding) pop() {
	if w.older == 0 {
		w.turn()
	}
	w.head = (w.head + 1) % len(w.t)
	w.n--
	w.older--
}

// turn makes the newer part the older one.
func (w *sliding) turn() {
	var sum, most float64
	for k := w.n - 1; k >= 0; k-- {
		i := (w.head + k) % len(w.t)
		sum += w.e[i] * w.e[i]
		most = math.Max(most, w.e[i])
		w.sum[i], w.max[i] = sum, most
	}
	w.older, w.newSum, w.newMax = w.n, 0, 0
}

// rms returns the root mean square, 0 of an empty window.
func (w *sliding) rms() float64 {
	if w.n == 0 {
		return 0
	}
	sum := w.newSum
	if w.older > 0 {
		sum += w.sum[w.head]
	}
	return math.Sqrt(sum / float64(w.n))
}

// most returns the maximum, 0 of an empty window.
func (w *sliding) most() float64 {
	if w.older > 0 {
		return math.Max(w.newMax, w.max[w.head])
	}
	return w.newMax
}

func (w *sliding) clear() { w.head, w.n, w.older, w.newSum, w.newMax = 0, 0, 0, 0, 0 }

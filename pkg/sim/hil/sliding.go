package hil

import "math"

// sliding computes the root mean square and the maximum of the values of the last
// width seconds, up to its capacity. It never subtracts, so that small errors after
// a large one keep their digits: the window is a queue made of two stacks. The older
// part holds, for each value, the sum and the maximum from that value to the end of
// the part; the newer part holds only one sum and one maximum. When the older part
// is used up the newer one takes its place.
type sliding struct {
	width    float64 // s
	capacity int
	t        []float64 // ring of stamps, s
	e        []float64 // ring of values ≥ 0
	sum      []float64 // ring of sums of squares to the end of the older part
	max      []float64 // ring of maxima to the end of the older part
	head     int       // index of the oldest value in the rings
	n        int       // number of values in the window
	older    int       // number of values in the older part
	newSum   float64   // sum of squares of the newer part
	newMax   float64   // maximum of the newer part
}

// newSliding returns an empty window of width s for at most capacity values.
func newSliding(width float64, capacity int) sliding {
	return sliding{width: width, capacity: capacity}
}

// begin takes the memory of the window.
func (w *sliding) begin() {
	n := w.capacity
	f := make([]float64, 4*n)
	w.t, w.e, w.sum, w.max = f[:n:n], f[n:2*n], f[2*n:3*n], f[3*n:]
}

// push adds the value e at t, which is not before the newest, and drops values
// older than the window.
func (w *sliding) push(t, e float64) {
	if w.t == nil {
		w.begin()
	}
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

// pop drops the oldest value.
func (w *sliding) pop() {
	if w.older == 0 {
		w.makeOlder()
	}
	w.head = (w.head + 1) % len(w.t)
	w.n--
	w.older--
}

// makeOlder turns the newer part into the older one.
func (w *sliding) makeOlder() {
	var sum, largest float64
	for k := w.n - 1; k >= 0; k-- {
		i := (w.head + k) % len(w.t)
		sum += w.e[i] * w.e[i]
		largest = math.Max(largest, w.e[i])
		w.sum[i], w.max[i] = sum, largest
	}
	w.older, w.newSum, w.newMax = w.n, 0, 0
}

// rms returns the root mean square, 0 for an empty window.
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

// maximum returns the largest value, 0 for an empty window.
func (w *sliding) maximum() float64 {
	if w.older > 0 {
		return math.Max(w.newMax, w.max[w.head])
	}
	return w.newMax
}

func (w *sliding) clear() { w.head, w.n, w.older, w.newSum, w.newMax = 0, 0, 0, 0, 0 }

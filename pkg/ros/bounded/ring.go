package bounded

// Ring keeps the last items that were put into it, in order. It grows to its
// limit as it fills. One goroutine may use it at a time.
type Ring[T any] struct {
	items   []T
	limit   int
	head, n int
}

// NewRing returns a Ring of at most limit items.
func NewRing[T any](limit int) Ring[T] { return Ring[T]{limit: limit} }

// Put appends v. It reports whether the oldest item was dropped.
func (r *Ring[T]) Put(v T) (dropped bool) {
	if r.n == len(r.items) && r.n < r.limit {
		r.grow()
	}
	if r.n == len(r.items) {
		r.head = (r.head + 1) % r.n
		r.n--
		dropped = true
	}
	r.n++
	*r.At(r.n - 1) = v
	return dropped
}

func (r *Ring[T]) grow() {
	items := make([]T, min(max(8, 2*r.n), r.limit))
	for i := range r.n {
		items[i] = *r.At(i)
	}
	r.items, r.head = items, 0
}

// Take removes the oldest item; false if there is none.
func (r *Ring[T]) Take() (v T, ok bool) {
	if r.n == 0 {
		return v, false
	}
	var zero T
	v, r.items[r.head] = r.items[r.head], zero
	r.head = (r.head + 1) % len(r.items)
	r.n--
	return v, true
}

// Len returns the number of items.
func (r *Ring[T]) Len() int { return r.n }

// Limit returns the greatest number of items.
func (r *Ring[T]) Limit() int { return r.limit }

// Full reports whether the next Put drops an item.
func (r *Ring[T]) Full() bool { return r.n == r.limit }

// At returns item i, counted from the oldest. It is valid until the next Put or Take.
func (r *Ring[T]) At(i int) *T { return &r.items[(r.head+i)%len(r.items)] }

// Clear removes all items and frees their storage.
func (r *Ring[T]) Clear() { *r = Ring[T]{limit: r.limit} }

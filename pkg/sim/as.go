package sim

// Wrapper is a Model around another one, which it does not hide: As finds it.
type Wrapper interface {
	// Unwrap returns the model inside.
	Unwrap() Model
}

// As returns the outermost of m, of the model inside of it and so on that is a T, such as a Holder, in the manner of errors.As.
func As[T any](m Model) (x T, ok bool) {
	for m != nil {
		if x, ok = m.(T); ok {
			return x, true
		}
		w, isWrapper := m.(Wrapper)
		if !isWrapper {
			break
		}
		m = w.Unwrap()
	}
	return x, false
}

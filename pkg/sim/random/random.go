// Package random makes random numbers that are functions of what they are for, so that a run from any state repeats them.
package random

// Mix makes one word of several, the order of which counts. All bits of it depend on all bits of each; of one word it is a bijection
// (the finalizer of SplitMix64, Steele, Lea and Flood 2014).
func Mix(words ...uint64) (x uint64) {
	for _, w := range words {
		x = mix(x ^ w)
	}
	return x
}

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

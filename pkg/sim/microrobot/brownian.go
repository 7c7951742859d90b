package microrobot

import "sinew/pkg/sim/stokes"

// newNoise returns the noise of one substep of one robot. Every substep and robot has a
// source of its own, made of the seed and its number, so that a state needs to remember
// no more than how many steps it took, and a swarm may be stepped in any order.
func newNoise(seed int, step, substep float64, robot uint64) stokes.Noise {
	word := scramble(uint64(seed))
	word = scramble(word ^ uint64(step))
	word = scramble(word ^ uint64(substep))
	word = scramble(word ^ robot)
	return stokes.NewNoise(word, scramble(word))
}

// scramble is a bijection whose output bits all depend on all input bits (the
// finaliser of SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

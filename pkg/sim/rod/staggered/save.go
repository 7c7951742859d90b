package staggered

import "sinew/pkg/sim/spatial"

// StateLen returns the number of values of Save: 6 per node, 12 per element and 2.
func (x *State) StateLen() int { return 6*len(x.pos) + 12*len(x.dir) + 2 }

// Save writes the state to dst: the pending drift, then positions, velocities,
// directors, angular velocities.
func (x *State) Save(dst []float64) {
	x.endRead()
	dst = dst[:x.StateLen()]
	dst[0], dst[1] = x.pending.time, float64(x.pending.count)
	i := 2
	for k := range x.pos {
		x.pos[k].Put(dst[i:])
		x.vel[k].Put(dst[i+3:])
		i += 6
	}
	for e := range x.dir {
		d := &x.dir[e]
		d.D1.Put(dst[i:])
		d.D2.Put(dst[i+3:])
		d.D3.Put(dst[i+6:])
		x.omega[e].Put(dst[i+9:])
		i += 12
	}
}

// Restore makes src, written by Save of a rod with as many elements, the state.
func (x *State) Restore(src []float64) {
	src = src[:x.StateLen()]
	at := func(i int) spatial.Vec { return spatial.VecAt(src[i:]) }
	x.isReading, x.pending = false, pendingDrift{time: src[0], count: int(src[1])}
	i := 2
	for k := range x.pos {
		x.pos[k], x.vel[k] = at(i), at(i+3)
		i += 6
	}
	for e := range x.dir {
		x.dir[e] = Directors{at(i), at(i + 3), at(i + 6)}
		x.omega[e] = at(i + 9)
		i += 12
	}
}

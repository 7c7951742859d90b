package vessels

import (
	"encoding/binary"
	"math"

	"sinew/pkg/sim/spatial"
)

// STL is the triangles as a binary STL file, in metres.
func STL(title string, triangles [][3]spatial.Vec) []byte {
	const header = 80
	data := make([]byte, header, header+4+50*len(triangles))
	copy(data, title)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(triangles)))
	put := func(v spatial.Vec) {
		for _, x := range [3]float64{v.X, v.Y, v.Z} {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		}
	}
	for _, t := range triangles {
		put(t[1].Sub(t[0]).Cross(t[2].Sub(t[0])).Unit())
		for _, p := range t {
			put(p)
		}
		data = append(data, 0, 0)
	}
	return data
}

package mesh

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"
	"sync"

	"sinew/pkg/sim/spatial"
)

// cacheSize is the number of fields that Shared caches.
const cacheSize = 4

// shared is the cache of Shared, the most recently used field last.
var shared struct {
	sync.Mutex
	fields []*sharedField
}

// sharedField is a field that is built once.
type sharedField struct {
	key     [sha256.Size]byte
	options Options
	build   func() (*Field, error)
}

// Shared is New, but returns the field that it has returned before for the same triangles with
// the same options, if that was not long ago: robots are made again with each parameter that is
// set. Concurrent calls wait for a field that is being built.
func Shared(f *STL, o Options) (*Field, error) {
	field, err := cached(f, o).build()
	if err != nil {
		return New(f, o) // whose mistakes name the places in this file
	}
	return field, nil
}

// cached returns the entry of a mesh, a new one if there was none.
func cached(f *STL, o Options) *sharedField {
	key := f.sum()
	shared.Lock()
	defer shared.Unlock()
	all := shared.fields
	i := slices.IndexFunc(all, func(s *sharedField) bool { return s.key == key && s.options == o })
	entry := &sharedField{key: key, options: o, build: sync.OnceValues(func() (*Field, error) { return f.load(key, o) })}
	switch {
	case i >= 0:
		entry = all[i]
		all = slices.Delete(all, i, i+1)
	case len(all) == cacheSize:
		all = slices.Delete(all, 0, 1)
	}
	shared.fields = append(all, entry)
	return entry
}

// sum is a hash of the triangles.
func (f *STL) sum() (key [sha256.Size]byte) {
	h := sha256.New()
	for i := range f.Triangles {
		for _, p := range f.Triangles[i] {
			addVec(h, p)
		}
	}
	h.Sum(key[:0])
	return key
}

func addVec(h hash.Hash, p spatial.Vec) {
	var b [24]byte
	for i, x := range [3]float64{p.X, p.Y, p.Z} {
		binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(x))
	}
	h.Write(b[:])
}

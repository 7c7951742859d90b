package mesh

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"

	"sinew/pkg/sim/spatial"
)

// Loading is what whoever loads a mesh does while its field is built. What is nil is not done.
type Loading struct {
	// Load returns what Save was given under a key, nil if there is none. Save may keep it for the next
	// start of the same program: the key tells triangles and options, not versions of this package.
	Load func(key string) []byte
	Save func(key string, data []byte)
	// Progress gets the share of the field that is built, from any goroutine.
	Progress func(share float64)
}

// errEncoding is returned for data that are no field.
var errEncoding = errors.New("mesh: the data are no field")

// encodingMagic begins encoded fields.
const encodingMagic = "sinew mesh field 1\n"

// scalars lists the numbers of a field, by pointers.
func (f *Field) scalars() []*float64 {
	return []*float64{
		&f.origin.X, &f.origin.Y, &f.origin.Z, &f.spacing, &f.lo.X, &f.lo.Y, &f.lo.Z, &f.hi.X, &f.hi.Y, &f.hi.Z, &f.minRadius, &f.depth,
	}
}

// encode returns the field as bytes, with a checksum at their end.
func (f *Field) encode() []byte {
	b := []byte(encodingMagic)
	order := binary.LittleEndian
	floats := func(all ...float64) {
		b = order.AppendUint32(b, uint32(len(all)))
		for _, x := range all {
			b = order.AppendUint64(b, math.Float64bits(x))
		}
	}
	singles := func(all []float32) {
		b = order.AppendUint32(b, uint32(len(all)))
		for _, x := range all {
			b = order.AppendUint32(b, math.Float32bits(x))
		}
	}
	for _, x := range f.scalars() {
		b = order.AppendUint64(b, math.Float64bits(*x))
	}
	for _, n := range f.count {
		b = order.AppendUint32(b, uint32(n))
	}
	b = order.AppendUint32(b, uint32(len(f.blocks)))
	for _, n := range f.blocks {
		b = order.AppendUint32(b, uint32(n))
	}
	singles(f.rooms)
	singles(f.fine)
	singles(f.coarse)
	vectors := func(all ...spatial.Vec) {
		flat := make([]float64, 0, 3*len(all))
		for _, v := range all {
			flat = append(flat, v.X, v.Y, v.Z)
		}
		floats(flat...)
	}
	corners := make([]spatial.Vec, 0, 3*len(f.triangles))
	for _, t := range f.triangles {
		corners = append(corners, t[:]...)
	}
	vectors(corners...)
	b = order.AppendUint32(b, uint32(len(f.rims)))
	for i := range f.rims {
		r := &f.rims[i]
		vectors(append([]spatial.Vec{r.Center, r.Axis, {X: r.Lip}}, r.Ring...)...)
	}
	findings, err := json.Marshal(f.findings)
	if err != nil {
		panic(err) // they are texts and counts
	}
	b = order.AppendUint32(b, uint32(len(findings)))
	b = append(b, findings...)
	if b = append(b, 0); f.inside {
		b[len(b)-1] = 1
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// reader takes an encoded field apart. After the first mistake it returns zeros.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.bad = true
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) number() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *reader) int() int {
	if b := r.take(4); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (r *reader) singles() []float32 {
	b := r.take(4 * r.int())
	all := make([]float32, len(b)/4)
	for i := range all {
		all[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return all
}

func (r *reader) vectors() []spatial.Vec {
	n := r.int() / 3
	b := reader{data: r.take(24 * n)}
	all := make([]spatial.Vec, len(b.data)/24)
	for i := range all {
		all[i] = spatial.Vec{X: b.number(), Y: b.number(), Z: b.number()}
	}
	return all
}

// decodeField is the inverse of encode.
func decodeField(data []byte) (*Field, error) {
	body := len(data) - sha256.Size
	if body < len(encodingMagic) || !bytes.HasPrefix(data, []byte(encodingMagic)) {
		return nil, errEncoding
	}
	if sum := sha256.Sum256(data[:body]); !bytes.Equal(sum[:], data[body:]) {
		return nil, errEncoding
	}
	r := reader{data: data[len(encodingMagic):body]}
	f := &Field{}
	for _, x := range f.scalars() {
		*x = r.number()
	}
	for k := range f.count {
		f.count[k] = r.int()
	}
	blocks := r.take(4 * r.int())
	f.blocks = make([]int32, len(blocks)/4)
	for i := range f.blocks {
		f.blocks[i] = int32(binary.LittleEndian.Uint32(blocks[4*i:]))
	}
	f.rooms, f.fine, f.coarse = r.singles(), r.singles(), r.singles()
	corners := r.vectors()
	f.triangles = make([]Triangle, len(corners)/3)
	for i := range f.triangles {
		copy(f.triangles[i][:], corners[3*i:])
	}
	for n := r.int(); n > 0 && !r.bad; n-- {
		v := r.vectors()
		if len(v) < 3 {
			return nil, errEncoding
		}
		f.rims = append(f.rims, Rim{Center: v[0], Axis: v[1], Lip: v[2].X, Ring: v[3:]})
	}
	if err := json.Unmarshal(r.take(r.int()), &f.findings); err != nil {
		return nil, errEncoding
	}
	inside := r.take(1)
	f.inside = len(inside) == 1 && inside[0] == 1
	if r.bad || len(r.data) > 0 || len(f.blocks) != f.count[0]*f.count[1]*f.count[2] || len(f.rooms) != len(f.blocks) {
		return nil, errEncoding
	}
	return f, nil
}

// key names triangles and options for Loading.
func (o *Options) key(triangles [sha256.Size]byte) string {
	h := sha256.New()
	h.Write(triangles[:])
	var b []byte
	for _, x := range [2]float64{o.Scale, o.Reach} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	if o.Inside {
		b = append(b, 1)
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// load returns the field that was saved, or builds and saves it.
func (f *STL) load(key [sha256.Size]byte, o Options) (*Field, error) {
	l := f.Loading
	if l == nil || l.Load == nil || l.Save == nil {
		return New(f, o)
	}
	name := o.key(key)
	if field, err := decodeField(l.Load(name)); err == nil {
		return field, nil
	}
	field, err := New(f, o)
	if err == nil {
		l.Save(name, field.encode())
	}
	return field, err
}

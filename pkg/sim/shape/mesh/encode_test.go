package mesh

import (
	"reflect"
	"slices"
	"sync"
	"testing"
)

// memory is a Loading that keeps what is saved.
func memory() (*Loading, map[string][]byte, *[]float64) {
	saved, shares := map[string][]byte{}, new([]float64)
	var mu sync.Mutex
	return &Loading{
		Load: func(key string) []byte { return saved[key] },
		Save: func(key string, data []byte) { saved[key] = data },
		Progress: func(share float64) {
			mu.Lock()
			defer mu.Unlock()
			*shares = append(*shares, share)
		},
	}, saved, shares
}

// TestSavedFields: a field that was saved is the same to the bit, another mesh or options have another key, and data that are
// damaged are built anew.
func TestSavedFields(t *testing.T) {
	f := Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}.Mesh(0.001) // with rims
	f.Triangles = append(f.Triangles, f.Triangles[3])            // with a finding
	loading, saved, shares := memory()
	f.Loading = loading
	o := Options{Inside: true, Scale: 1, Reach: 0.0005}
	built, err := f.load(f.sum(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(saved) != 1 || len(*shares) == 0 || slices.Max(*shares) > 1 {
		t.Errorf("%d fields are saved, progress was %v", len(saved), *shares)
	}
	*shares = nil
	loaded, err := f.load(f.sum(), o)
	if err != nil || loaded == built || !reflect.DeepEqual(loaded, built) {
		t.Errorf("the saved field differs from the one that was built: %v", err)
	}
	if len(*shares) > 0 {
		t.Error("the saved field is built again")
	}
	if len(loaded.Findings()) != 1 || len(loaded.Rims()) != 2 {
		t.Errorf("%v, %d rims", loaded.Findings(), len(loaded.Rims()))
	}
	for _, other := range []Options{{Inside: true, Scale: 1.1, Reach: 0.0005}, {Inside: true, Scale: 1, Reach: 0.0006}, {Scale: 1, Reach: 0.0005}} {
		if other.key(f.sum()) == o.key(f.sum()) {
			t.Errorf("%v has the key of %v", other, o)
		}
	}
	for name, damage := range map[string]func(b []byte) []byte{
		"a bit":   func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"cut":     func(b []byte) []byte { return b[:len(b)-1] },
		"longer":  func(b []byte) []byte { return append(b, 0) },
		"nothing": func([]byte) []byte { return nil },
		"short":   func(b []byte) []byte { return b[:30] },
	} {
		key := o.key(f.sum())
		saved[key] = damage(slices.Clone(built.encode()))
		*shares = nil
		if again, err := f.load(f.sum(), o); err != nil || len(*shares) == 0 || !reflect.DeepEqual(again, built) {
			t.Errorf("%s: %v, progress %v", name, err, *shares)
		}
	}
}

// FuzzDecodeField: whatever follows the checksum, there is an error or a field.
func FuzzDecodeField(f *testing.F) {
	m, err := New(Box(1), Options{Scale: 0.01})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.encode())
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = decodeField(data)
	})
}

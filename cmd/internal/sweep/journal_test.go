package sweep

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzJournal looks for journals that make reading panic or take room without bound, or of which
// samples are read that were not written.
func FuzzJournal(f *testing.F) {
	a := &about{Format: aboutFormat, Samples: 5}
	name := filepath.Join(f.TempDir(), "j")
	j, err := openJournal(name, a, false)
	if err != nil {
		f.Fatal(err)
	}
	for i := range 3 {
		if err := j.add(record{sample: i, rows: []byte("row\n"), failure: "why"}); err != nil {
			f.Fatal(err)
		}
	}
	j.close()
	whole, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-2])
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "j")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := openJournal(name, a, false)
		if err != nil {
			return
		}
		defer j.close()
		n := 0
		if err := j.each(func(r record) error { n++; return nil }); err != nil || n != j.count() {
			t.Errorf("%d of %d samples, %v", n, j.count(), err)
		}
		if err := j.add(record{sample: 4, rows: []byte("new\n")}); err != nil {
			t.Error(err)
		}
	})
}

// Two processes are not at one sweep at the same time.
func TestLock(t *testing.T) {
	a := &about{Format: aboutFormat, Samples: 5}
	name := filepath.Join(t.TempDir(), "j")
	first, err := openJournal(name, a, false)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := openJournal(name, a, true); err == nil {
		second.close()
		t.Error("a second process writes into the samples of the first")
	}
	first.close()
	again, err := openJournal(name, a, false)
	if err != nil {
		t.Fatal(err)
	}
	again.close()
}

package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
		if err := j.add(outcome{sample: i, rows: []byte("row\n"), failure: "why"}); err != nil {
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
		if err := j.each(func(r outcome) error { n++; return nil }); err != nil || n != j.count() {
			t.Errorf("%d of %d samples, %v", n, j.count(), err)
		}
		if err := j.add(outcome{sample: 4, rows: []byte("new\n")}); err != nil {
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

// A first line that a full disk has cut off is written anew.
func TestFirstLineCutOff(t *testing.T) {
	a := &about{Format: aboutFormat, Samples: 5}
	name := filepath.Join(t.TempDir(), "j")
	for n := range len(a.identity(true)) {
		if err := os.WriteFile(name, []byte(a.identity(true)[:n]), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := openJournal(name, a, false)
		if err != nil {
			t.Fatalf("after %d bytes: %v", n, err)
		}
		j.close()
		if text, _ := os.ReadFile(name); string(text) != a.identity(true)+"\n" {
			t.Fatalf("after %d bytes: %q", n, text)
		}
	}
}

// What another process has written over, on a file system without locks, is not taken for a
// sample, and a sample that is there twice is one.
func TestOverwrittenSamplesAreRefused(t *testing.T) {
	a := &about{Format: aboutFormat, Samples: 5}
	name := filepath.Join(t.TempDir(), "j")
	j, err := openJournal(name, a, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 0, 1} {
		if err := j.add(outcome{sample: i, rows: fmt.Appendf(nil, "%d,1.5\n", i)}); err != nil {
			t.Fatal(err)
		}
	}
	j.close()
	if j, err = openJournal(name, a, false); err != nil {
		t.Fatal(err)
	}
	defer j.close()
	rows := ""
	if err := j.each(func(r outcome) error { rows += string(r.rows); return nil }); err != nil || rows != "0,1.5\n1,1.5\n" {
		t.Errorf("rows %q, %v", rows, err)
	}
	if _, err := j.file.WriteAt([]byte("7"), j.end-3); err != nil {
		t.Fatal(err)
	}
	if err := j.each(func(outcome) error { return nil }); err == nil || !strings.Contains(err.Error(), "sample 1 is not as it was written") {
		t.Errorf("error %v", err)
	}
}

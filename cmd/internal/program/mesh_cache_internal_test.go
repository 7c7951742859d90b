package program

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"sinew/cmd/internal/progress"
)

// The cache gives back what it was given, to the same program alone; it keeps no small fields, and removes the oldest files.
func TestMeshCache(t *testing.T) {
	c := meshCache{folder: filepath.Join(t.TempDir(), "sinew", "meshes"), program: "a"}
	large := bytes.Repeat([]byte{7}, leastCached)
	c.save("small", large[1:])
	if c.load("small") != nil {
		t.Error("a small field is kept")
	}
	c.save("large", large)
	if !bytes.Equal(c.load("large"), large) {
		t.Error("a field is not kept")
	}
	if other := (meshCache{folder: c.folder, program: "b"}); other.load("large") != nil {
		t.Error("another program is given the field")
	}
	none := meshCache{}
	none.save("large", large)
	if none.load("large") != nil {
		t.Error("without a folder there is a field")
	}
	readOnly := meshCache{folder: filepath.Join(c.path("large"), "below a file")}
	readOnly.save("large", large) // must not end the program

	// files of more than the bound, of which the first was used last
	now := time.Now()
	for i, name := range []string{"x1", "x2", "x3"} {
		path := filepath.Join(c.folder, name+cacheExtension)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, maxCacheBytes/2); err != nil { // without blocks on the disk
			t.Fatal(err)
		}
		used := now.Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(path, used, used); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(c.folder, "new-123")
	if err := os.WriteFile(left, large, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(left, now.Add(-2*time.Hour), now.Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	c.save("new", large)
	for name, want := range map[string]bool{"x1": true, "x2": false, "x3": false} {
		if _, err := os.Stat(filepath.Join(c.folder, name+cacheExtension)); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", name, err == nil, want)
		}
	}
	if c.load("new") == nil || c.load("large") == nil {
		t.Error("a field that was just used is removed")
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a writer has left is not removed")
	}
}

// While a field is built its share stands beside the work, also that of the second shape of a file, and no longer than that.
func TestMeshProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		bar := progress.Start(&out, "p", "building the robot", -1, "")
		l := loading("lab/vessel.stl", 16000, bar)
		for _, share := range []float64{0.25, 0.5} {
			l.Progress(share)
			time.Sleep(11 * time.Second)
			l.Save("key", nil) // too small for the cache of the user
			time.Sleep(10 * time.Second)
		}
		bar.End()
		want := "p: building the robot: distance field of vessel.stl, 16000 triangles, 25 % after 10 s\n" +
			"p: building the robot after 20 s\n" +
			"p: building the robot: distance field of vessel.stl, 16000 triangles, 50 % after 30 s\n" +
			"p: building the robot after 40 s\n"
		if out.String() != want {
			t.Errorf("got\n%swant\n%s", out.String(), want)
		}
	})
}

package robots_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/launch/robots"
)

// TestEveryFileIsListed wants the list and the folder to have the same robots, each
// with commands that begin with a header.
func TestEveryFileIsListed(t *testing.T) {
	found, err := filepath.Glob("*.yaml")
	listed := len(robots.Of("tendonsim")) + len(robots.Of("microrobot"))
	if err != nil || len(found) != listed {
		t.Errorf("%d robot files, %v; %d are listed", len(found), err, listed)
	}
	for _, name := range found {
		r, ok := robots.Find(name)
		if !ok {
			t.Errorf("%s is not listed", name)
			continue
		}
		if !strings.HasPrefix(string(r.File()), "# ") {
			t.Errorf("%s does not begin with a comment that says what it is", name)
		}
		_, err := os.Stat(r.Name + "_commands.csv")
		if c := string(r.Commands()); !strings.HasPrefix(c, "t,") && (err == nil || !r.IsMechanism() || c != "") {
			t.Errorf("the commands of %s have no header", name)
		}
	}
}

func TestFirstIsWhatRunShows(t *testing.T) {
	for program, want := range map[string]string{"tendonsim": "silicone", "microrobot": "swimmer"} {
		if of := robots.Of(program); len(of) < 5 || of[0].Name != want {
			t.Errorf("%s: %v, want %s first of five or more", program, of, want)
		}
	}
	if all, rods := robots.Of("tendonsim"), robots.Rods(); len(rods) != len(all)-7 || rods[0] != all[0] {
		t.Errorf("%d robots, of which %v are a single rod", len(all), rods)
	}
	if _, ok := robots.Find("nobody"); ok {
		t.Error("a robot that is not there was found")
	}
}

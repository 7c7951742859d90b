package catalog_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// TestGenpy has ROS 1's own Python library read our definitions and bytes: it
// must find the checksum that we announce and give the bytes back.
func TestGenpy(t *testing.T) {
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import genpy.dynamic").CombinedOutput(); err != nil {
		t.Skipf("needs %s with genpy (Debian: python3-genpy): %v %s", python, err, out)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	var input bytes.Buffer
	var want []string
	for _, typ := range ros1.types() {
		for range fillings {
			m := ros1.random(typ, rng)
			wire := hex.EncodeToString(m.AppendROS1(nil))
			line, err := json.Marshal(map[string]string{"name": typ.Name, "definition": typ.Definition, "hex": wire})
			if err != nil {
				t.Fatal(err)
			}
			input.Write(append(line, '\n'))
			want = append(want, typ.MD5+" "+wire)
		}
	}
	cmd := exec.Command(python, "testdata/genpy_echo.py")
	cmd.Stdin = &input
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, faults.String())
	}
	got := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d answers to %d messages", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: genpy has\n%s, want\n%s", ros1.types()[i/fillings].Name, got[i], want[i])
		}
	}
}

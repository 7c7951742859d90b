//go:build unix

package env

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"sinew/cmd/internal/cli"
)

// FuzzRequests feeds bytes to the verb: each line has an answer, and nothing panics.
func FuzzRequests(f *testing.F) {
	for _, s := range []string{"reset\nstep\nclose\n", "vary\tyoungs_modulus_pa=uniform(1e6,2e6)\nreset\nstep\r\n", "vary\t\t\n", "set\tyoungs_modulus_pa\nreset\n", "set\n", "\x00\xff\n", strings.Repeat("x", maxLine+1), "step", "vary\ta=normal(1e999,0)\n", "1 step\n12 reset\n 3 wait\n4  wait\n"} {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(255))
	}
	c := Cmd{Envs: 2}
	fleet, err := c.prepare(&cli.Env{Robot: tested(), Stdout: io.Discard, Stderr: io.Discard}, func() bool { return false })
	if err != nil {
		f.Fatal(err)
	}
	if _, err := fleet.header.begin(); err != nil {
		f.Fatal(err)
	}
	memory := make([]byte, fleet.header.Bytes)
	fleet.start(memory)
	f.Fuzz(func(t *testing.T, requests []byte, fill uint8) {
		for _, a := range fleet.header.Arrays { // whatever the caller leaves in the memory
			size := map[string]int{"float64": 8, "uint64": 8, "uint8": 1}[a.Type]
			if size == 0 {
				t.Fatalf("an array of type %q", a.Type)
			}
			for i := range size * a.Shape[0] * a.Shape[1] {
				memory[a.Offset+i] = fill
			}
		}
		var out bytes.Buffer
		stop := cli.WatchInterrupt()
		defer stop.Stop()
		err := fleet.serve(bytes.NewReader(requests), &out, stop)
		answers := bytes.Count(out.Bytes(), []byte("\n"))
		if want := len(bytes.Split(bytes.TrimSuffix(requests, []byte("\n")), []byte("\n"))); err == nil && !bytes.Contains(requests, []byte("close")) && answers != want && len(requests) > 0 {
			t.Errorf("%q: %d answers, want %d:\n%s", requests, answers, want, &out)
		}
		for line := range bytes.Lines(out.Bytes()) {
			_, s := numbered(string(line))
			if s != "ok\n" && !strings.HasPrefix(s, "error ") {
				t.Errorf("%q: answer %q", requests, s)
			}
		}
	})
}

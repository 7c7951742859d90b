//go:build unix

package env

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"sinew/cmd/internal/cli"
)

// An answer repeats the number of its request, so that a caller who was interrupted knows what it reads.
func TestAnswersAreNumbered(t *testing.T) {
	a := call(t, Cmd{Envs: 1})
	for _, c := range [][2]string{
		{"1 reset", "1 ok"}, {"18446744073709551617 step", "18446744073709551617 ok"}, {"3 wait", "3 ok"}, {"wait", "ok"},
		{"4 resets", `4 error request "4 resets"; want reset`}, {"5 vary\tnothing_n=normal(1,2)", "5 error --vary nothing_n"}, {"6 ", "6 error request"},
	} {
		if got := a.ask(c[0]); !strings.HasPrefix(got, c[1]) {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

// Files of processes with the same number, which those of several containers may have, are not one.
func TestMemoriesHaveNamesOfTheirOwn(t *testing.T) {
	var all [2]*memory
	for i := range all {
		m, err := newMemory("", []byte{1}, 64)
		if err != nil {
			t.Fatal(err)
		}
		defer m.close()
		all[i] = m
	}
	if all[0].path == all[1].path || !strings.HasPrefix(all[0].path, os.TempDir()) && !strings.HasPrefix(all[0].path, folder) {
		t.Errorf("%s and %s", all[0].path, all[1].path)
	}
}

// Who is asked to end makes no more robots.
func TestEndsWhileRobotsAreMade(t *testing.T) {
	n := 0
	c := Cmd{Envs: mostEnvs}
	_, err := c.prepare(&cli.Env{Robot: tested(), Stdout: io.Discard, Stderr: io.Discard}, func() bool { n++; return n > 3 })
	if !errors.Is(err, errInterrupted) || n != 4 {
		t.Errorf("%v after %d looks", err, n)
	}
}

package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// beads is a swarm whose robots all act on one another.
const beads = `{body: {shape: {sphere_m: 25e-6}, density_kg_per_m3: 1002, magnet: {moment_a_m2: [3.73e-10, 0, 0]}},
  gravity_m_per_s2: [0, 0, 0], swarm: {count: COUNT, spacing_m: 1.5e-4, interaction: full}}`

// TestInterrupt sends Ctrl-C to runs that have more to do than they ever can: they end
// within a second with exit code 0, while the robot is built and in the middle of a step.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct{ count, when string }{
		{"100000", "building it takes a while"},
		{"2000", "x too slow for 1000 Hz"},
	} {
		t.Run(c.count, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "beads.yaml")
			if err := os.WriteFile(file, []byte(strings.Replace(beads, "COUNT", c.count, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			p := newNetwork(t, "http://localhost:1").start(buildMicrorobot(t), "run", "--ros", "off", "--config", file)
			p.Expect(c.when)
			begun := time.Now()
			if code := p.End(time.Second); code != 0 {
				t.Errorf("exit code %d: %s", code, p.Output())
			}
			t.Logf("ended %v after Ctrl-C", time.Since(begun))
		})
	}
}

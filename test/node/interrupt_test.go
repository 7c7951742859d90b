package node_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/test/subprocess"
	"sinew/test/testbench"
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
			p := testbench.NewNetwork(t, "http://localhost:1").Start(testbench.BuildMicrorobot(t), "run", "--ros", "off", "--config", file)
			p.Expect(c.when)
			begun := time.Now()
			if code := p.End(time.Second); code != 0 {
				t.Errorf("exit code %d: %s", code, p.Output())
			}
			t.Logf("ended %v after Ctrl-C", time.Since(begun))
		})
	}
}

// TestSignalsToTheEnd: signals that follow the first, as one of the two of timeout(1) does, until
// the process is gone, leave it its end in order.
func TestSignalsToTheEnd(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for _, args := range [][]string{
		{"run", "--ros", "off", "--view", "off", "--record", "x.mcap"},
		{"sim", "--duration", "1e9", "--sample-every", "1", "--out", "x.csv"},
	} {
		t.Run(args[0], func(t *testing.T) {
			for range 5 {
				dir := t.TempDir()
				cmd := exec.Command(program, args...)
				var out bytes.Buffer
				cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				var err error
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					err = cmd.Wait()
				}()
				inTheMiddle(t, dir, ended)
				for begun := time.Now(); time.Since(begun) < sameRequest && cmd.Process.Signal(os.Interrupt) == nil; {
					for sent := time.Now(); time.Since(sent) < 20*time.Microsecond; {
					}
				}
				<-ended
				if name := args[len(args)-1]; err != nil || testbench.ListDir(t, dir) != name {
					t.Fatalf("%v, files %q, want %s\n%s", err, testbench.ListDir(t, dir), name, out.String())
				}
			}
		})
	}
}

// sameRequest is how long signals belong to the first, and some less.
const sameRequest = 900 * time.Millisecond

// inTheMiddle waits until something has been written to a folder.
func inTheMiddle(t *testing.T, dir string, ended <-chan struct{}) {
	t.Helper()
	w := subprocess.NewStopwatch()
	defer w.Stop()
	for ; w.Read() < testbench.WaitLimit; time.Sleep(testbench.PollPeriod) {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if info, err := f.Info(); err == nil && info.Size() > 1<<14 {
				return
			}
		}
		select {
		case <-ended:
			t.Fatal("ended")
		default:
		}
	}
	t.Fatalf("nothing written within %v", testbench.WaitLimit)
}

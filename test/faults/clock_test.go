package faults_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// clockSet is by how much the clock of the computer is set.
const clockSet = 2 * time.Hour

// clockFaults are those of the computer's clock. That of the test's computer cannot be set:
// the program that runs reads its clock with an offset from a file, and is otherwise the one
// that ships.
func clockFaults() []fault {
	const keeps = "a tension commanded at 50 Hz by a node on the same computer; stamps never run backwards"
	return []fault{
		{
			name: "clock set forward", network: "both", cause: "the computer's clock is set forward by two hours",
			run: clockForward, sees: []sign{
				logs("the computer's clock was set forward by 7200.00… s: stamps follow"),
				diagnoses("the computer's clock was set forward by 7200.00… s: stamps follow"),
			}, keeps: keeps,
			recovers: "stamps are those of the clock", within: 3 * time.Second,
		},
		{
			name: "clock set back", network: "both", cause: "the computer's clock is set back by two hours, and right again",
			run: clockBack, sees: []sign{
				logs("the computer's clock was set back by 7200.00… s…ahead of the computer's clock"),
				diagnoses("stamps are 7… s ahead of the computer's clock, which was set back: they never run backwards, come closer by 5 ms each second and are right in … s; started anew they are right at once"),
			}, keeps: keeps,
			recovers: "stamps are those of the clock", within: 3 * time.Second,
		},
	}
}

// clock is the computer's clock as the program sees it.
type clock struct {
	b    *bench
	file string
	set  time.Duration
	stop func() // of the commands
}

// startByClock runs the program with a clock that can be set, and commands 1 N by it.
func startByClock(b *bench) *clock {
	b.t.Helper()
	program, err := settable()
	if err != nil {
		b.t.Fatal(err)
	}
	c := &clock{b: b, file: filepath.Join(b.t.TempDir(), "offset"), stop: func() {}}
	b.env = append(b.env, clockFile+"="+c.file)
	c.setBy(0)
	b.startOn(program, b.run()...)
	c.command()
	b.observer().AwaitTension(1)
	b.t.Cleanup(func() { c.stop() })
	return c
}

// setBy sets the clock of the program, and of the node that commands.
func (c *clock) setBy(d time.Duration) {
	c.b.t.Helper()
	c.stop()
	c.set = d
	whole := c.file + ".new"
	err := os.WriteFile(whole, fmt.Append(nil, d.Nanoseconds()), 0o600)
	if err == nil {
		err = os.Rename(whole, c.file)
	}
	if err != nil {
		c.b.t.Error(err)
	}
	if c.b.node != nil {
		time.Sleep(clockLook)
		c.command()
	}
}

// command has a node on the same computer command 1 N.
func (c *clock) command() {
	c.b.t.Helper()
	c.stop = c.b.observer().StreamTension(1, -c.set)
}

// isRight reports whether stamps are those of the clock.
func (c *clock) isRight() bool {
	for _, w := range c.b.witnesses {
		now := time.Duration(time.Now().UnixNano()) + c.set
		if x := w.seen(); (now-x.Stamp).Abs().Seconds() > fresh || x.Ago.Seconds() > fresh {
			return false
		}
	}
	return true
}

func clockForward(b *bench) {
	c := startByClock(b)
	b.begin(func() { c.setBy(clockSet) })
	b.ended = b.begun
	b.recovers(c.isRight)
	b.see(b.fault.sees)
	b.observer().ExpectTension(1, time.Second)
}

func clockBack(b *bench) {
	c := startByClock(b)
	b.begin(func() { c.setBy(-clockSet) })
	b.see(b.fault.sees)
	b.observer().ExpectTension(1, time.Second)
	b.end(func() { c.setBy(0) })
	b.recovers(c.isRight)
}

// clockFile is the variable with the file from which a program with a clock that can be set
// reads its offset in nanoseconds.
const clockFile = "SINEW_FAULTS_CLOCK"

// clockLook is within what time the program sees that its clock was set.
const clockLook = 20 * time.Millisecond

// offset is what is added to the package wallclock.
const offset = `package wallclock

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

var offset atomic.Int64

func init() {
	file := os.Getenv("` + clockFile + `")
	if file == "" {
		return // the guard of the loop, which has no variables and looks at no clock
	}
	look := func() {
		var n int64
		text, err := os.ReadFile(file)
		if err == nil {
			_, err = fmt.Sscan(string(text), &n)
		}
		if err != nil {
			panic(err)
		}
		offset.Store(n)
	}
	look()
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			look()
		}
	}()
}
`

// settable builds the program with the one place changed where it reads the computer's clock.
var settable = sync.OnceValues(func() (string, error) {
	const place, wanted = "unix := time.Duration(time.Now().UnixNano())", "unix := time.Duration(time.Now().UnixNano() + offset.Load())"
	dir, err := filepath.Abs("../../pkg/ros/wallclock")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(dir + "/stamps.go")
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), place); n != 1 {
		return "", fmt.Errorf("%s/stamps.go reads the clock by %q %d times, want once", dir, place, n)
	}
	replaced := map[string]string{}
	for name, text := range map[string]string{"stamps.go": strings.Replace(string(text), place, wanted, 1), "offset.go": offset} {
		file := filepath.Join(programs, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
		replaced[filepath.Join(dir, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	file, program := filepath.Join(programs, "overlay.json"), filepath.Join(programs, "tendonsim-settable")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-overlay", file, "-o", program, "sinew/cmd/tendonsim").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
})

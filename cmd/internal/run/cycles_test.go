package run_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/rtps"
)

// TestCycles starts and ends a node in both networks a hundred times in this process:
// nothing of it is left, neither here nor at the master nor in DDS.
func TestCycles(t *testing.T) {
	const warm = 5
	cycles := 100
	if testing.Short() {
		cycles = 20
	}
	m, err := master.Start("127.0.0.1:0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	domain := 100 + rand.IntN(100)
	t.Setenv("ROS_MASTER_URI", m.URI())
	t.Setenv("ROS_IP", "127.0.0.1")
	t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(domain))
	var met atomic.Int32
	watcher, err := rtps.NewParticipant(rtps.Options{Domain: domain, Notify: func(e rtps.Event) {
		if e.Kind == rtps.ParticipantFound {
			met.Add(1)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	interrupts := make(chan os.Signal, 1) // of which none ends this test
	signal.Notify(interrupts, syscall.SIGINT)
	defer signal.Stop(interrupts)
	before := held{}
	for i := range cycles {
		if i == warm { // what is made once is no leak
			before = lookAtHeld()
		}
		var out output
		length, ended, asked := "50ms", make(chan struct{}), make(chan struct{})
		go func() { // every other one ends when it was seen, the rest may be too quick for discovery
			defer close(asked)
			for before := met.Load(); i%2 == 1 && met.Load() == before; time.Sleep(5 * time.Millisecond) {
				select {
				case <-ended:
					return
				default:
				}
			}
			if i%2 == 1 {
				_ = syscall.Kill(syscall.Getpid(), syscall.SIGINT)
			}
		}()
		if i%2 == 1 {
			length = "1m"
		}
		if err := app.Run(apptest.Robot(&apptest.Integrator{}), []string{"run", "--ros", "both", "--master", "external", "--no-demo", "--realtime", realtimeOfTests, "--duration", length}, &out, &out); err != nil {
			t.Fatalf("cycle %d: %v\n%s", i, err, out.String())
		}
		close(ended)
		<-asked
	}
	if n := int(met.Load()); n < cycles/2 {
		t.Fatalf("only %d of %d were seen in DDS", n, cycles)
	}
	var after held
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if after = lookAtHeld(); after.goroutines <= before.goroutines && after.files <= before.files || time.Now().After(end) {
			break
		}
	}
	if after.goroutines > before.goroutines || after.files > before.files {
		stacks := make([]byte, 1<<20)
		t.Errorf("%+v after %d cycles, %+v after %d\n%s", after, cycles, before, warm, stacks[:runtime.Stack(stacks, true)])
	}
	// all that is there is the master's own
	state, err := masterclient.Client{URI: m.URI(), Caller: "/test"}.SystemState(context.Background())
	if all := fmt.Sprint(state); err != nil || strings.Contains(all, "measured_cp") || strings.Contains(all, "e_stop") {
		t.Errorf("left at the master: %v, %v", state, err)
	}
	gone := func() bool { return len(watcher.Remotes()) == 0 }
	for end := time.Now().Add(goodbyeIsHeard); !gone() && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
	}
	if !gone() {
		t.Errorf("left in DDS: %+v", watcher.Remotes())
	}
}

// goodbyeIsHeard is how long a participant that has left is heard of, on a busy machine too;
// the lease of one that says nothing lasts longer.
const goodbyeIsHeard = 8 * time.Second

// held is what the process holds.
type held struct{ goroutines, files int }

func lookAtHeld() held {
	files, _ := os.ReadDir("/proc/self/fd") // missing on other systems
	return held{runtime.NumGoroutine(), len(files)}
}

// realtimeOfTests leaves the threads of this process without real-time priority, which all of them would keep: the race detector's
// locks spin, and a thread that waits for one would keep that which has it from the processor.
const realtimeOfTests = "off"

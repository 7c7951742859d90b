package ddspeer

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// timeout is how long a peer may take to start or to end; it is not a
// measurement, and long enough for a busy machine.
const timeout = time.Minute

// Peer is a running program.
type Peer struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser

	mu    sync.Mutex
	lines []string
}

// Start runs the program in a domain until the test ends, and waits until it is
// ready. config is for Cyclone; see Multicast.
func (p Program) Start(t *testing.T, domain int, config string, args ...string) *Peer {
	t.Helper()
	cmd := exec.Command(p.Path(t), append([]string{fmt.Sprint(domain)}, args...)...)
	cmd.Env = append(os.Environ(), "CYCLONEDDS_URI="+config)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	peer := &Peer{cmd: cmd, stdin: in}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(out); s.Scan(); {
			peer.mu.Lock()
			peer.lines = append(peer.lines, s.Text())
			peer.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		in.Close()
		late := time.AfterFunc(timeout, func() { cmd.Process.Kill() })
		<-read
		cmd.Wait()
		late.Stop()
	})
	for end := time.Now().Add(timeout); len(peer.Lines("ready")) == 0; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is not ready within %v", p.Name, timeout)
		}
	}
	return peer
}

// Lines lists what the program has printed that begins with the prefix.
func (p *Peer) Lines(prefix string) (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		if strings.HasPrefix(l, prefix) {
			all = append(all, l)
		}
	}
	return all
}

// Tell writes a line to the program's standard input.
func (p *Peer) Tell(format string, a ...any) {
	fmt.Fprintf(p.stdin, format+"\n", a...)
}

// Raise gives the program the processor before ordinary ones, where that is permitted: a subscriber that a busy computer
// does not let read for longer than its publisher keeps messages misses some.
func (p *Peer) Raise(t *testing.T) {
	t.Helper()
	const priority = "20" // above that of the simulator's threads
	if out, err := exec.Command("chrt", "--all-tasks", "--fifo", "--pid", priority, fmt.Sprint(p.cmd.Process.Pid)).CombinedOutput(); err != nil {
		t.Logf("the peer has ordinary priority: %v: %s", err, out)
	}
}

// Leave ends the program's standard input, whereupon it says good-bye and ends.
func (p *Peer) Leave() { p.stdin.Close() }

// Kill ends the program without good-bye.
func (p *Peer) Kill() { _ = p.cmd.Process.Kill() }

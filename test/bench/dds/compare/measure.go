package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// build makes the programs in dir and gives their paths.
func build(dir string) (map[string]string, error) {
	source, err := filepath.Abs("test/peer/dds")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(source, "peer.c")); err != nil {
		return nil, fmt.Errorf("start it in the root of the repository: %w", err)
	}
	for _, args := range [][]string{
		{"idlc", "-x", "final", source + "/numbers.idl"},
		{"cc", "-O2", "-I.", source + "/peer.c", "numbers.c", "-lddsc", "-o", "cyclone"},
		{"c++", "-std=c++17", "-O2", source + "/fast_peer.cpp", "-lfastrtps", "-lfastcdr", "-o", "fast"},
		{"go", "build", "-C", source + "/ours", "-o", dir + "/ours", "."},
	} {
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	programs := map[string]string{}
	for _, p := range []string{"cyclone", "fast", "ours"} {
		programs[p] = filepath.Join(dir, p)
	}
	return programs, nil
}

// result is what one stream gave; ages in µs, CPU in cores.
type result struct {
	sent, received, disordered int
	p50, p90, p99, max         float64
	writerCPU, readerCPU       float64
}

// poseLength is the length of the array that makes a sample as large as a
// geometry_msgs/PoseStamped with the frame "world".
const poseLength = 8

// timeout is how long any single step may take.
const timeout = 30 * time.Second

// measure streams count samples at rate from one program to another.
func measure(writer, reader string, count, rate int) (r result, err error) {
	domain := strconv.Itoa(100 + rand.IntN(100))
	sub, err := start(reader, domain, "age", "rt/pose", "rv1000")
	if err != nil {
		return r, err
	}
	defer sub.end()
	pub, err := start(writer, domain, "pub", "rt/pose", "rv1000", strconv.Itoa(-count), strconv.Itoa(1_000_000/rate), strconv.Itoa(poseLength))
	if err != nil {
		return r, err
	}
	defer pub.end()
	for _, p := range []*program{sub, pub} {
		if _, err := p.expect("matched", timeout); err != nil {
			return r, err
		}
	}
	began, w, d := time.Now(), pub.cpu(), sub.cpu()
	if _, err := io.WriteString(pub.stdin, "go\n"); err != nil {
		return r, err
	}
	if _, err := pub.expect("written", timeout+time.Duration(count/rate)*time.Second); err != nil {
		return r, err
	}
	time.Sleep(300 * time.Millisecond) // what is on its way, or sent again
	took := time.Since(began)
	r = result{sent: count, writerCPU: ratio(pub.cpu()-w, took), readerCPU: ratio(sub.cpu()-d, took)}
	sub.stdin.Close()
	aged, err := sub.expect("aged", timeout)
	if err != nil {
		return r, err
	}
	_, err = fmt.Sscanf(aged, "aged %d %d %g %g %g %g", &r.received, &r.disordered, &r.p50, &r.p90, &r.p99, &r.max)
	if err != nil {
		return r, fmt.Errorf("%q: %w", aged, err)
	}
	return r, nil
}

func ratio(a, b time.Duration) float64 { return a.Seconds() / b.Seconds() }

// program is a peer that runs.
type program struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string
	heard []string
}

// loopback keeps Cyclone on the loopback interface, with multicast.
const loopback = `<CycloneDDS><Domain><General><AllowMulticast>true</AllowMulticast><Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces></General></Domain></CycloneDDS>`

// start runs a program until it is ready.
func start(path string, args ...string) (*program, error) {
	p := &program{cmd: exec.Command(path, args...), lines: make(chan string, 16)}
	p.cmd.Env = append(os.Environ(), "CYCLONEDDS_URI="+loopback)
	p.cmd.Stderr = os.Stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	if _, err := p.expect("ready", timeout); err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

// expect waits for a line that starts with word, unless it has come before.
func (p *program) expect(word string, timeout time.Duration) (string, error) {
	late := time.After(timeout)
	for i := 0; ; {
		if i < len(p.heard) {
			if strings.HasPrefix(p.heard[i], word) {
				return p.heard[i], nil
			}
			i++
			continue
		}
		select {
		case l, ok := <-p.lines:
			if !ok {
				return "", fmt.Errorf("%s ended before it said %s", filepath.Base(p.cmd.Path), word)
			}
			p.heard = append(p.heard, l)
		case <-late:
			return "", fmt.Errorf("%s did not say %s within %v", filepath.Base(p.cmd.Path), word, timeout)
		}
	}
}

// cpu is the time of the processor that the program has used so far.
func (p *program) cpu() time.Duration {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	sum := int64(0)
	for _, t := range threads { // each a first number in ns
		if b, err := os.ReadFile(t); err == nil {
			first, _, _ := bytes.Cut(b, []byte(" "))
			ns, _ := strconv.ParseInt(string(first), 10, 64)
			sum += ns
		}
	}
	return time.Duration(sum)
}

// end lets the program go, or makes it.
func (p *program) end() {
	p.stdin.Close()
	late := time.AfterFunc(timeout, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	for range p.lines {
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); errors.As(err, &exit) && exit.ExitCode() > 0 {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(p.cmd.Path), err)
	}
}

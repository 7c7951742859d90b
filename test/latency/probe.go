package latency

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sinew/pkg/sim"
)

// Period is the control period of robots at 1 kHz.
const Period = time.Millisecond

// Probe is a process that sleeps.
type Probe struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Lateness is what a probe met.
type Lateness struct {
	Skipped int `json:"skipped_periods"`
	// Quantiles of the lateness, us.
	P50  float64 `json:"lateness_us_p50"`
	P99  float64 `json:"lateness_us_p99"`
	P999 float64 `json:"lateness_us_p999"`
	Max  float64 `json:"lateness_us_max"`
}

// Start begins to sleep in a process that calls Serve or ServeOnAllProcessors with its standard input
// and output.
func Start(cmd *exec.Cmd) (*Probe, error) {
	s := &Probe{cmd: cmd}
	cmd.Env = append(cmd.Environ(), unpreempted)
	var err error
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	return s, cmd.Start()
}

// Take returns what happened since the last call.
func (s *Probe) Take() (x Lateness, err error) {
	if _, err = fmt.Fprintln(s.in); err == nil {
		_, err = fmt.Fscanln(s.out, &x.Skipped, &x.P50, &x.P99, &x.P999, &x.Max)
	}
	if err != nil {
		err = fmt.Errorf("latency probe: %w", err)
	}
	return x, err
}

// Close ends the probe, which ends when it hears no more.
func (s *Probe) Close() error { return errors.Join(s.in.Close(), s.cmd.Wait()) }

// anywhere is no processor in particular.
const anywhere = -1

// Serve is the probe: with a SCHED_FIFO priority (0: none) where that is permitted, it
// answers each line with what happened since the last.
func Serve(priority int, in io.Reader, out io.Writer) { serve(priority, []int{anywhere}, in, out) }

// ServeOnAllProcessors is Serve on each processor at once; the periods that are skipped are those of
// the processor that skips most.
func ServeOnAllProcessors(priority int, in io.Reader, out io.Writer) {
	processors := make([]int, runtime.NumCPU())
	for i := range processors {
		processors[i] = i
	}
	serve(priority, processors, in, out)
}

func serve(priority int, processors []int, in io.Reader, out io.Writer) {
	debug.SetGCPercent(-1) // there is next to nothing to collect, and probes cannot be stopped
	runtime.GOMAXPROCS(len(processors) + 2)
	var mu sync.Mutex
	skipped := make([]int, len(processors))
	var late sim.Histogram
	records := make([]record, len(processors))
	for i, p := range processors {
		go wakePeriodically(priority, p, &records[i])
	}
	take := func() {
		for i := range records {
			records[i].take(func(d time.Duration) {
				skipped[i] += int(d / Period)
				late.Add(d)
			})
		}
	}
	go func() {
		for range time.Tick(time.Second) {
			mu.Lock()
			take()
			mu.Unlock()
		}
	}()
	us := func(d time.Duration) float64 { return float64(d) / 1e3 }
	for lines := bufio.NewScanner(in); lines.Scan(); {
		mu.Lock()
		take()
		n, l := slices.Max(skipped), late
		clear(skipped)
		late = sim.Histogram{}
		mu.Unlock()
		fmt.Fprintln(out, n, us(l.Quantile(0.5)), us(l.Quantile(0.99)), us(l.Quantile(0.999)), us(l.Max()))
	}
}

// mostKept is how many wake-ups a record keeps, a minute of them.
const mostKept = 1 << 16

// record is how late a probe was, ns, of which the last are kept until they are taken.
type record struct {
	late  [mostKept]atomic.Int64
	count atomic.Int64
	taken int64
}

// take gives what has come since the last time.
func (r *record) take(each func(late time.Duration)) {
	n := r.count.Load()
	for k := max(r.taken, n-mostKept+1); k < n; k++ {
		each(time.Duration(r.late[k%mostKept].Load()))
	}
	r.taken = n
}

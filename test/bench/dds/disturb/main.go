package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/rtps"
)

func main() {
	seconds := flag.Int("seconds", 15, "length of each phase, s")
	rate := flag.Int("rate", 20_000, "hostile datagrams per second")
	flag.Parse()
	if err := run(*seconds, *rate); err != nil {
		fmt.Fprintln(os.Stderr, "disturb:", err)
		os.Exit(1)
	}
}

// timeout is how long the start may take.
const timeout = 20 * time.Second

func run(seconds, rate int) error {
	dir, err := os.MkdirTemp("", "disturb")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, p := range []string{"./cmd/tendonsim", "./test/peer/dds/flood"} {
		if out, err := exec.Command("go", "build", "-o", dir, p).CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", p, err, out)
		}
	}
	domain := 20 + rand.IntN(80)
	sim, err := startSim(filepath.Join(dir, "tendonsim"), domain)
	if err != nil {
		return err
	}
	defer sim.stop()
	us, err := rtps.NewParticipant(rtps.Options{Domain: domain, ParticipantID: 50})
	if err != nil {
		return err
	}
	defer us.Close()
	var l log
	if _, err := subscribe(us, "sim_stats", "sinew_msgs::msg::dds_::SimStats_", l.take); err != nil {
		return err
	}
	if err := l.wait(3, timeout); err != nil { // the first seconds belong to the start
		return err
	}

	const subscribers = 4
	fmt.Printf("tendonsim at %.0f Hz, each phase %d s\n\n", l.last().Rate, seconds)
	fmt.Println("| phase | lateness p50 µs | p99 µs | worst p99 µs | step p99 µs | overruns | poses received | missed | memory MB |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	var poses, missed atomic.Int64
	phase := func(name string) {
		got, lost := poses.Load(), missed.Load()
		fmt.Printf("| %s | %s | %d | %d | %.0f |\n", name, l.phase(time.Duration(seconds)*time.Second), poses.Load()-got, missed.Load()-lost, sim.memory())
	}
	phase("alone")
	for range subscribers {
		p, err := rtps.NewParticipant(rtps.Options{Domain: domain, ParticipantID: 51})
		if err != nil {
			return err
		}
		defer p.Close()
		if _, err := subscribe(p, "measured_cp", "geometry_msgs::msg::dds_::PoseStamped_", counter(&poses, &missed)); err != nil {
			return err
		}
	}
	phase("four subscribers")
	flood := exec.Command(filepath.Join(dir, "flood"), "-domain", strconv.Itoa(domain), "-id", "0",
		"-seconds", strconv.Itoa(seconds+1), "-rate", strconv.Itoa(rate))
	var flooded strings.Builder
	flood.Stdout, flood.Stderr = &flooded, &flooded
	if err := flood.Start(); err != nil {
		return err
	}
	phase(fmt.Sprintf("and a flood of %d Hz", rate))
	if err := flood.Wait(); err != nil {
		return fmt.Errorf("flood: %w: %s", err, flooded.String())
	}
	phase("after it")
	fmt.Printf("\n%s", flooded.String())
	return nil
}

// counter counts the samples that come and those between them that do not.
func counter(got, missed *atomic.Int64) func(rtps.Sample) {
	last := int64(0)
	return func(s rtps.Sample) {
		got.Add(1)
		if last > 0 {
			missed.Add(s.Sequence - last - 1)
		}
		last = s.Sequence
	}
}

func subscribe(p *rtps.Participant, topic, typeName string, take func(rtps.Sample)) (*rtps.Reader, error) {
	return p.NewReader(rtps.ReaderOptions{
		Topic: "rt/tendonsim/" + topic, Type: typeName, QoS: rtps.QoS{Reliable: true, Depth: 1000}, Receive: take,
	})
}

// log keeps the statistics of the phase that runs.
type log struct {
	mu  sync.Mutex
	all []sinew_msgs.SimStats
}

func (l *log) take(s rtps.Sample) {
	var m sinew_msgs.SimStats
	if m.ParseCDR(s.Payload) != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, m)
}

func (l *log) copy() []sinew_msgs.SimStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

func (l *log) last() sinew_msgs.SimStats { all := l.copy(); return all[len(all)-1] }

func (l *log) wait(n int, timeout time.Duration) error {
	for end := time.Now().Add(timeout); len(l.copy()) < n; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("tendonsim told %d times of its loop within %v, not %d", len(l.copy()), timeout, n)
		}
	}
	return nil
}

// phase watches for a time and sums up. The first report covers what was before.
func (l *log) phase(d time.Duration) string {
	time.Sleep(time.Second)
	l.mu.Lock()
	l.all = l.all[len(l.all)-1:]
	l.mu.Unlock()
	time.Sleep(d)
	all := l.copy()
	overruns := all[len(all)-1].Overruns - all[0].Overruns
	if len(all) > 1 {
		all = all[1:]
	}
	of := func(f func(*sinew_msgs.SimStats) float64) []float64 {
		var v []float64
		for i := range all {
			v = append(v, 1e6*f(&all[i]))
		}
		slices.Sort(v)
		return v
	}
	p50 := of(func(s *sinew_msgs.SimStats) float64 { return s.LatenessP50 })
	p99 := of(func(s *sinew_msgs.SimStats) float64 { return s.LatenessP99 })
	step := of(func(s *sinew_msgs.SimStats) float64 { return s.StepP99 })
	n := len(all)
	return fmt.Sprintf("%.0f | %.0f | %.0f | %.0f | %d", p50[n/2], p99[n/2], p99[n-1], step[n/2], overruns)
}

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/rtps"
)

// Cycles is what was left of nodes that were started and interrupted, one after the
// other, in both networks.
type Cycles struct {
	Count    int
	Start    Spread // ms, until all services are registered
	End      Spread // ms, from the signal to the end of the process
	Left     []string
	SeenDDS  int    // nodes that were seen in DDS
	Goodbyes Spread // ms, from the end of the process until nothing is left anywhere
}

// leftTime is how long what a node leaves may be seen after its end.
const leftTime = time.Second

func cyclesVerb(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("cycles", flag.ExitOnError)
	name := flags.String("node", "", "tendonsim `program` (default: build it)")
	count := flags.Int("n", 100, "starts and ends")
	_ = flags.Parse(args) // ends the program on a mistake
	program, clean, err := programFor(ctx, *name)
	if err != nil {
		return err
	}
	defer clean()
	c, err := cycle(ctx, program, *count)
	if err != nil {
		return err
	}
	c.write(os.Stdout)
	if len(c.Left) > 0 {
		return errMissed
	}
	return nil
}

// cycle starts and ends a node so often, with one master and in one domain.
func cycle(ctx context.Context, program string, count int) (*Cycles, error) {
	w, err := newWorld()
	if err != nil {
		return nil, err
	}
	defer w.close()
	c := &Cycles{Count: count}
	var starts, ends, goodbyes []float64
	ms := func(since time.Time) float64 { return 1e3 * time.Since(since).Seconds() }
	for i := range count {
		begun := time.Now()
		n, err := startIn(ctx, program, nodeName, w)
		if err != nil {
			return nil, fmt.Errorf("cycle %d: %w", i+1, err)
		}
		starts = append(starts, ms(begun))
		if w.seesNode(leftTime) {
			c.SeenDDS++
		}
		asked := time.Now()
		if err := n.stop(); err != nil {
			return nil, fmt.Errorf("cycle %d: %w", i+1, err)
		}
		ends = append(ends, ms(asked))
		ended := time.Now()
		left, err := w.left(ctx)
		for err == nil && left != "" && time.Since(ended) < leftTime && pause(ctx, 10*time.Millisecond) {
			left, err = w.left(ctx)
		}
		if err != nil {
			return nil, err
		}
		goodbyes = append(goodbyes, ms(ended))
		if left != "" {
			c.Left = append(c.Left, fmt.Sprintf("cycle %d: %s", i+1, left))
		}
	}
	c.Start, c.End, c.Goodbyes = spread(starts), spread(ends), spread(goodbyes)
	return c, nil
}

func (c *Cycles) write(w io.Writer) {
	fmt.Fprintf(w, "%d starts and ends in both networks, %d seen in DDS; ms: start p50 %.0f, max %.0f; end p50 %.0f, max %.0f; nothing left after p50 %.0f, max %.0f\n",
		c.Count, c.SeenDDS, c.Start.P50, c.Start.Max, c.End.P50, c.End.Max, c.Goodbyes.P50, c.Goodbyes.Max)
	writeMissed(w, c.Left)
}

// world is a master and a domain that outlive nodes.
type world struct {
	external *masterProcess
	address  string
	master   masterclient.Client
	domain   int
	watcher  *rtps.Participant
}

func newWorld() (*world, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	w := &world{address: fmt.Sprintf("127.0.0.1:%d", port), domain: randomDomain()}
	w.master = masterclient.Client{URI: "http://" + w.address + "/", Caller: callerName}
	if w.watcher, err = rtps.NewParticipant(rtps.Options{Domain: w.domain}); err != nil {
		return nil, err
	}
	if w.external, err = startMaster(w.address); err != nil {
		w.watcher.Close()
		return nil, err
	}
	return w, nil
}

func (w *world) close() {
	w.external.kill()
	w.watcher.Close()
}

// seesNode reports whether DDS shows a participant within a time.
func (w *world) seesNode(limit time.Duration) bool {
	for end := time.Now().Add(limit); len(w.watcher.Remotes()) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// left tells what there still is of a node, "" for nothing.
func (w *world) left(ctx context.Context) (string, error) {
	var left []string
	state, err := w.master.SystemState(ctx)
	if err != nil {
		return "", err
	}
	for what, users := range map[string]map[string][]string{"publishes": state.Publishers, "subscribes to": state.Subscribers, "serves": state.Services} {
		for name, nodes := range users {
			for _, n := range nodes {
				if n == nodeName {
					left = append(left, what+" "+name)
				}
			}
		}
	}
	for _, r := range w.watcher.Remotes() {
		left = append(left, fmt.Sprintf("participant %v", r.GUID))
	}
	return strings.Join(left, ", "), nil
}

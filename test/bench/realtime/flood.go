package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"sinew/msgs/geometry_msgs"
)

// floodOptions tell how much is sent where.
type floodOptions struct {
	program  string        // path of the node
	attacker string        // path of test/peer/dds/flood
	length   time.Duration // of the flood of each port
	rate     int           // connections or datagrams a second
	ports    []string      // names of the ports; all if empty
}

// Flood is how the node did while one of its ports was flooded, or none was.
type Flood struct {
	Port     string
	Phase    Phase
	Seconds  float64
	Sent     int64 // connections or datagrams
	Refused  int64 // connections that could not be made
	Files    float64
	Received []Received // beside, of one subscriber on each network
	Missed   []string
}

// The targets: lateness over that of the quiet run, and memory above it. The bounds of
// what a node keeps for others are 64 MiB on each network.
const (
	mostLateness = 2.0
	mostMemory   = 128.0 // MiB
	mostFiles    = 1024.0
)

// floodedPorts are the ports on which a node listens. TCP ports have what to send there.
var floodedPorts = []struct {
	name    string
	address func(ctx context.Context, n *node) (string, error) // nil: a port of ROS 2
	junk    func() [][]byte
}{
	{"slave API", func(_ context.Context, n *node) (string, error) { return hostOf(n.slave) }, xmlJunk},
	{"TCPROS", func(ctx context.Context, n *node) (string, error) { return n.tcpros(ctx, soakTopic) }, tcprosJunk},
	{"master", func(_ context.Context, n *node) (string, error) { return n.address, nil }, xmlJunk},
	{"multicast", nil, nil},
	{"discovery", nil, nil},
	{"data", nil, nil},
}

func hostOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	return u.Host, nil
}

func floodVerb(ctx context.Context, args []string) error {
	var o floodOptions
	var names []string
	for _, p := range floodedPorts {
		names = append(names, p.name)
	}
	flags := flag.NewFlagSet("flood", flag.ExitOnError)
	flags.StringVar(&o.program, "node", "", "tendonsim `program` (default: build it)")
	flags.DurationVar(&o.length, "for", time.Minute, "length of each flood, a minute at most")
	flags.IntVar(&o.rate, "rate", 10_000, "connections or datagrams a second")
	flags.Func("port", "flood this `port` only, which may be repeated: "+strings.Join(names, ", "), func(s string) error {
		if !slices.Contains(names, s) {
			return errors.New("no such port")
		}
		o.ports = append(o.ports, s)
		return nil
	})
	_ = flags.Parse(args) // ends the program on a mistake
	dir, err := os.MkdirTemp("", "flood")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.program == "" {
		if o.program, err = build(ctx, dir); err != nil {
			return err
		}
	}
	if o.attacker, err = buildProgram(ctx, dir, "sinew/test/peer/dds/flood"); err != nil {
		return err
	}
	all, err := measureFloods(ctx, o)
	if err != nil {
		return err
	}
	if err := writeFloods(os.Stdout, all); err != nil {
		return err
	}
	for _, f := range all {
		if len(f.Missed) > 0 {
			return errMissed
		}
	}
	return nil
}

// measureFloods runs a node without a flood, then with one port flooded after the other.
func measureFloods(ctx context.Context, o floodOptions) (all []Flood, err error) {
	r, err := startRig(ctx, o.program, false, "--ros", "both", "_rates/publish_hz:=1000")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	measure := func(f *Flood, do func(context.Context) error) error {
		var subscribers []*subscriberProcess
		for _, network := range []string{"ros1", "ros2"} {
			s, err := startSubscriber(ctx, r.node, network)
			if err != nil {
				return err
			}
			defer s.kill()
			subscribers = append(subscribers, s)
		}
		var err error
		if f.Phase, err = r.phase(ctx, f.Port, do); err != nil {
			return err
		}
		f.Files = r.watch.most("open_files")
		for _, s := range subscribers {
			got, err := s.look()
			if err != nil {
				return err
			}
			f.Received = append(f.Received, got)
		}
		return nil
	}
	none := Flood{Port: quiet, Seconds: o.length.Seconds()}
	if err = measure(&none, idle(o.length)); err != nil {
		return nil, err
	}
	all = append(all, none)
	for _, p := range floodedPorts {
		if len(o.ports) > 0 && !slices.Contains(o.ports, p.name) {
			continue
		}
		f := Flood{Port: p.name, Seconds: o.length.Seconds()}
		if err := measure(&f, func(ctx context.Context) error {
			if p.address == nil {
				return f.datagrams(ctx, r.node, o)
			}
			address, err := p.address(ctx, r.node)
			if err != nil {
				return err
			}
			f.connections(ctx, address, p.junk(), o)
			return ctx.Err()
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		f.judge(&none)
		all = append(all, f)
		// a node that stops an operator is of no use
		op := newOperator(ctx, r.node)
		_, err := op.do("take_command")
		op.close()
		if err != nil {
			return nil, fmt.Errorf("after the flood of %s: %w", p.name, err)
		}
	}
	return all, nil
}

// most is the greatest number of something that the process held in the last phase.
func (o *observer) most(key string) (x float64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.seconds[max(0, o.begin):] {
		x = max(x, s.held[key])
	}
	return x
}

// judge compares a flood with the quiet run.
func (f *Flood) judge(none *Flood) {
	miss := func(format string, args ...any) {
		f.Missed = append(f.Missed, f.Port+": "+fmt.Sprintf(format, args...))
	}
	if a, b := f.Phase.LatenessP99, none.Phase.LatenessP99; a > mostLateness*b {
		miss("lateness p99 %.0f us: at most %.0f times the %.0f us without a flood are allowed", a, mostLateness, b)
	}
	if a, b := f.Phase.Memory.Max, none.Phase.Memory.Max; a > b+mostMemory {
		miss("%.0f MiB of memory: at most %.0f above the %.0f without a flood are allowed", a, mostMemory, b)
	}
	if f.Files > mostFiles {
		miss("%.0f open files: at most %.0f are allowed", f.Files, mostFiles)
	}
}

// datagrams has test/peer/dds/flood send to a port of the participant.
func (f *Flood) datagrams(ctx context.Context, n *node, o floodOptions) error {
	c := exec.CommandContext(ctx, o.attacker, "-domain", strconv.Itoa(n.domain), "-port", f.Port,
		"-seconds", fmt.Sprint(o.length.Seconds()), "-rate", strconv.Itoa(o.rate))
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(o.attacker), err, out)
	}
	_, err = fmt.Sscan(string(out), &f.Sent)
	return err
}

const (
	connectors  = 16
	connectTick = 5 * time.Millisecond
	heldOpen    = 100 // every so manieth connection stays open for a while
	holdTime    = 2 * time.Second
)

// connections makes connections at a rate, each of which sends one kind of junk.
func (f *Flood) connections(ctx context.Context, address string, junk [][]byte, o floodOptions) {
	ctx, cancel := context.WithTimeout(ctx, o.length)
	defer cancel()
	due := make(chan int, o.rate/10)
	var all sync.WaitGroup
	for range connectors {
		all.Go(func() {
			for i := range due {
				conn, err := net.DialTimeout("tcp", address, handshakeTime)
				if err != nil {
					atomic.AddInt64(&f.Refused, 1)
					continue
				}
				atomic.AddInt64(&f.Sent, 1)
				_ = conn.SetDeadline(time.Now().Add(holdTime))
				_ = conn.(*net.TCPConn).SetLinger(0) // leaves no port in TIME_WAIT
				_, _ = conn.Write(junk[i%len(junk)]) // the node may have hung up
				if i%heldOpen == 0 {
					time.AfterFunc(holdTime, func() { conn.Close() })
					continue
				}
				conn.Close()
			}
		})
	}
	begun, made := time.Now(), 0
	for pause(ctx, connectTick) {
		for want := int(time.Since(begun).Seconds() * float64(o.rate)); made < want; made++ {
			select {
			case due <- made:
			default: // neither the node nor this program is that fast
			}
		}
	}
	close(due)
	all.Wait()
}

func noise(size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

// xmlJunk is what an XML-RPC server should not be sent.
func xmlJunk() [][]byte {
	call := func(body string, length int) []byte {
		return fmt.Appendf(nil, "POST /RPC2 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n%s", length, body)
	}
	nested := strings.Repeat("<value><array><data>", 500)
	publisherUpdate := "<?xml version=\"1.0\"?><methodCall><methodName>publisherUpdate</methodName><params><param><value>/x</value></param>" +
		"<param><value>" + nodeName + "/servo_jf</value></param><param><value><array><data></data></array></value></param></params></methodCall>"
	return [][]byte{
		noise(1400), nil, []byte("POST /RPC2 HTTP/1.1\r\nHost"), call("", 1<<30), call(nested, len(nested)),
		call("<methodCall><methodName>nonsense</methodName></methodCall>", 58), call(publisherUpdate, len(publisherUpdate)),
	}
}

// tcprosJunk is what a TCPROS server should not be sent.
func tcprosJunk() [][]byte {
	kind := geometry_msgs.PoseStampedType
	good := header("callerid="+callerName+"_flood", "topic="+soakTopic, "type="+kind.Name, "md5sum="+kind.MD5)
	return [][]byte{
		good, good[:len(good)/2], noise(1400), {0xff, 0xff, 0xff, 0x7f}, nil,
		header("callerid=/x", "service="+nodeName+"/e_stop_", "md5sum=*"), header("callerid=/x", "topic=/nothing", "type=x/Y", "md5sum=z"),
	}
}

func writeFloods(w io.Writer, all []Flood) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "flooded\tsent /s\trefused /s\tlateness us p50\tp99\tof quiet\tworst s\tlost periods\tlatency probe\tmemory MiB\topen files\tCPU %\treceived ros1 %\tros2 %\t")
	var missed []string
	for _, f := range all {
		p := &f.Phase
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t%d\t%.1f\t%.0f\t%.0f\t%.3f\t%.3f\t\n", f.Port, float64(f.Sent)/f.Seconds, float64(f.Refused)/f.Seconds,
			p.LatenessP50, p.LatenessP99, p.LatenessP99/all[0].Phase.LatenessP99, p.LatenessP99Worst, p.Skipped, p.Probe.Skipped, p.Memory.Max, f.Files, p.CPU,
			100*f.Received[0].share(), 100*f.Received[1].share())
		missed = append(missed, f.Missed...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	writeMissed(w, missed)
	return nil
}

package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sinew/pkg/ros/rtps"
)

const typeName = "peer::dds_::Numbers_"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run joins the domain and does what the arguments say until the standard input
// ends.
func run(args []string) error {
	if len(args) != 4 && len(args) != 7 {
		return errors.New("usage: ours DOMAIN sub|age|pub TOPIC QOS [COUNT PERIOD_US LENGTH]")
	}
	o, err := options(args[0])
	if err != nil {
		return err
	}
	q, err := qosOf(args[3])
	if err != nil {
		return err
	}
	started, ended := input()
	var matched atomic.Bool
	o.Notify = func(e rtps.Event) {
		if e.Kind == rtps.Matched && !matched.Swap(true) {
			fmt.Println("matched")
		}
	}
	p, err := rtps.NewParticipant(o)
	if err != nil {
		return err
	}
	defer p.Close()
	switch verb := args[1]; {
	case verb == "sub":
		return subscribe(p, args[2], q, printSample, ended)
	case verb == "age":
		var a ages
		defer a.print()
		return subscribe(p, args[2], q, a.take, ended)
	case verb == "pub" && len(args) == 7:
		s, err := streamOf(args[4:])
		if err != nil {
			return err
		}
		return s.publish(p, args[2], q, started, ended)
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
}

func options(domain string) (o rtps.Options, err error) {
	if o.Domain, err = strconv.Atoi(domain); err != nil {
		return o, fmt.Errorf("domain: %w", err)
	}
	if a := os.Getenv("PEER_ADDRESS"); a != "" {
		o.Range, o.Interfaces = rtps.Subnet, []string{a}
	}
	for a := range strings.FieldsSeq(os.Getenv("PEERS")) {
		ip, err := netip.ParseAddr(a)
		if err != nil {
			return o, fmt.Errorf("PEERS: %w", err)
		}
		o.NoMulticast = true
		o.Peers = append(o.Peers, netip.AddrPortFrom(ip, 0))
	}
	return o, nil
}

func qosOf(s string) (q rtps.QoS, err error) {
	if len(s) < 3 {
		return q, fmt.Errorf("quality of service %q: two letters and a depth are needed", s)
	}
	q.Reliable, q.TransientLocal = s[0] == 'r', s[1] == 't'
	q.Depth, err = strconv.Atoi(s[2:])
	return q, err
}

// input tells of the first line of the standard input, and of its end.
func input() (started, ended chan struct{}) {
	started, ended = make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			select {
			case started <- struct{}{}:
			default:
			}
		}
	}()
	return started, ended
}

func subscribe(p *rtps.Participant, topic string, q rtps.QoS, take func(rtps.Sample), ended <-chan struct{}) error {
	r, err := p.NewReader(rtps.ReaderOptions{Topic: topic, Type: typeName, QoS: q, Receive: take})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	<-ended
	return r.Close()
}

// stream is what to write.
type stream struct {
	count, length int
	period        time.Duration
	stamped       bool
}

func streamOf(args []string) (s stream, err error) {
	var v [3]int
	for i, a := range args {
		if v[i], err = strconv.Atoi(a); err != nil {
			return s, err
		}
	}
	s = stream{count: max(v[0], -v[0]), stamped: v[0] < 0, period: time.Duration(v[1]) * time.Microsecond, length: v[2]}
	if s.stamped && s.length < 1 {
		return s, errors.New("there is no room for the time in an empty array")
	}
	return s, nil
}

func (s stream) publish(p *rtps.Participant, topic string, q rtps.QoS, started, ended <-chan struct{}) error {
	w, err := p.NewWriter(rtps.WriterOptions{Topic: topic, Type: typeName, QoS: q})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if !q.TransientLocal {
		select {
		case <-started:
		case <-ended:
			return nil
		}
		for w.Matched() == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	next := monotonic()
	for i := range s.count {
		b := numbers(i, s.length)
		if s.stamped {
			stamp(b)
		}
		if err := w.Write(b); err != nil {
			return err
		}
		next += s.period
		sleepUntil(next)
	}
	fmt.Println("written")
	<-ended
	return nil
}

package page_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/test/testbench"
)

// sent is a command or a call of a service that a page sent, or a mark of the script that uses the pages.
type sent struct {
	Page    int // number of the connection, from 0; of a mark -1
	At      time.Duration
	Topic   string // of a command
	Service string // of a call
	Mark    string
	Message []byte // JSON of a command
}

// commandRecorder is a proxy between pages and a program that records every command that a page sends.
type commandRecorder struct {
	t      *testing.T
	target *url.URL
	begun  time.Time
	server *httptest.Server

	network sync.RWMutex // locked while it swallows everything

	mu    sync.Mutex
	pages []*decoder
	all   []sent
}

// recordCommands starts a program and a recorder before it.
func recordCommands(t *testing.T, program string, args ...string) *commandRecorder {
	t.Helper()
	testbench.NeedChromium(t)
	n := testbench.NewNetwork(t, "http://127.0.0.1:1")
	p := n.Start(program, append([]string{"run", "--ros", "off", "--view", "127.0.0.1:0", "--no-demo"}, args...)...)
	p.Expect("ENABLED")
	target, err := url.Parse("http" + testbench.ViewerLink(t, p))
	if err != nil {
		t.Fatal(err)
	}
	r := &commandRecorder{t: t, target: target, begun: time.Now()}
	pages := &httputil.ReverseProxy{Rewrite: func(q *httputil.ProxyRequest) {
		q.SetURL(target) // with its host
		q.Out.Header.Del("Origin")
	}}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch mark, is := strings.CutPrefix(q.URL.Path, "/mark/"); {
		case is:
			r.add(sent{Page: -1, Mark: mark})
		case q.URL.Path == "/swallow/on":
			r.network.Lock()
		case q.URL.Path == "/swallow/off":
			r.network.Unlock()
		case strings.HasPrefix(q.URL.Path, "/keep/"):
			r.page(strings.TrimPrefix(q.URL.Path, "/keep/")).network.Lock()
		case strings.HasPrefix(q.URL.Path, "/deliver/"):
			r.page(strings.TrimPrefix(q.URL.Path, "/deliver/")).network.Unlock()
		case q.URL.Path == "/released":
			for r.commanding() && q.Context().Err() == nil {
				time.Sleep(5 * time.Millisecond)
			}
		case strings.HasPrefix(q.URL.Path, "/silent/"):
			page, _ := strconv.Atoi(strings.TrimPrefix(q.URL.Path, "/silent/"))
			for begun := time.Now(); !r.silent(page) && time.Since(begun) < patience; {
				time.Sleep(5 * time.Millisecond)
			}
			fmt.Fprint(w, r.silent(page))
		case strings.EqualFold(q.Header.Get("Upgrade"), "websocket"):
			r.relay(w, q)
		default:
			pages.ServeHTTP(w, q)
		}
	}))
	t.Cleanup(r.server.Close)
	return r
}

// use has commands.js use pages at the recorder, and tell what it saw.
func (r *commandRecorder) use(seen any, task string) {
	r.t.Helper()
	r.useScript("commands.js", seen, task)
	r.t.Logf("%+v", seen)
}

// useScript has a script use pages at the recorder, and tell what it saw.
func (r *commandRecorder) useScript(name string, seen any, task string, args ...string) {
	r.t.Helper()
	var fault struct {
		Fault  string
		Errors []string
	}
	script := testbench.Absolute(r.t, testbench.PageClient+"/"+name)
	out, err := exec.Command("node", append([]string{script, r.server.URL + "/", task}, args...)...).Output()
	for _, v := range []any{&fault, seen} {
		if err == nil && v != nil {
			err = json.Unmarshal(out, v)
		}
	}
	if err != nil || fault.Fault != "" || len(fault.Errors) > 0 {
		r.t.Fatalf("%v\n%s\n%s", err, fault.Fault, out)
	}
}

func (r *commandRecorder) add(s sent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.At = time.Since(r.begun)
	r.all = append(r.all, s)
}

const (
	silence  = 150 * time.Millisecond // five times the period of the commands of a page
	patience = 5 * time.Second        // in which what a page sent before it ended arrives, on a busy computer too
)

// silent reports whether a page has said that its commands have ended, and has sent none for a while.
func (r *commandRecorder) silent(page int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pages[page].open.Load() > 0 {
		return false
	}
	since := time.Since(r.begun) - silence
	for _, s := range slices.Backward(r.all) {
		if s.At < since {
			break
		}
		if s.Page == page && s.Topic != "" {
			return false
		}
	}
	return true
}

// commanding reports whether a page has said that it commands, and not yet that it has ended.
func (r *commandRecorder) commanding() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.pages, func(d *decoder) bool { return d.open.Load() > 0 })
}

// page returns the page with a number.
func (r *commandRecorder) page(number string) *decoder {
	i, _ := strconv.Atoi(number)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pages[i]
}

// relay connects a page to the program.
func (r *commandRecorder) relay(w http.ResponseWriter, q *http.Request) {
	page, err := websocket.Accept(w, q, &websocket.AcceptOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	if err != nil {
		return
	}
	defer page.CloseNow()
	to := *r.target
	to.Scheme, to.RawQuery = "ws", q.URL.RawQuery
	program, _, err := websocket.Dial(q.Context(), to.String(), &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	if err != nil {
		return
	}
	defer program.CloseNow()
	r.mu.Lock()
	d := &decoder{page: len(r.pages), topics: map[uint32]string{}, services: map[uint32]string{}}
	r.pages = append(r.pages, d)
	r.mu.Unlock()
	defer d.open.Store(0)
	ctx, cancel := context.WithCancel(q.Context())
	defer cancel()
	forward := func(from, to *websocket.Conn, look func([]byte)) {
		defer cancel()
		from.SetReadLimit(-1)
		for {
			kind, data, err := from.Read(ctx)
			if err != nil {
				return
			}
			for _, n := range []*sync.RWMutex{&r.network, &d.network} { // what is on its way arrives when the network is back
				n.RLock()
				n.RUnlock()
			}
			look(data)
			if to.Write(ctx, kind, data) != nil {
				return
			}
		}
	}
	go forward(program, page, d.offered)
	forward(page, program, func(data []byte) {
		if s, is := d.sent(data); is {
			r.add(s)
		}
	})
}

// decoder reads the protocol of one page.
type decoder struct {
	page     int
	topics   map[uint32]string // of channels of the page
	open     atomic.Int64      // channels that the page has not ended
	network  sync.RWMutex      // locked while what the page and the program send each other is kept back
	mu       sync.Mutex
	services map[uint32]string
}

// offered takes what the program says of its services.
func (d *decoder) offered(data []byte) {
	var m struct {
		Op       string
		Services []struct {
			ID   uint32
			Name string
		}
	}
	if data[0] != '{' || json.Unmarshal(data, &m) != nil || m.Op != "advertiseServices" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range m.Services {
		d.services[s.ID] = s.Name
	}
}

// sent decodes what the page says, and reports whether that is a command or a call.
func (d *decoder) sent(data []byte) (sent, bool) {
	const command, call = 1, 2
	switch {
	case data[0] == '{':
		var m struct {
			Op       string
			Channels []struct {
				ID    uint32
				Topic string
			}
			ChannelIDs []uint32
		}
		if json.Unmarshal(data, &m) != nil {
			break
		}
		switch m.Op {
		case "advertise":
			for _, c := range m.Channels {
				d.topics[c.ID] = c.Topic
			}
			d.open.Add(int64(len(m.Channels)))
		case "unadvertise":
			d.open.Add(-int64(len(m.ChannelIDs)))
		}
	case data[0] == command:
		return sent{Page: d.page, Topic: d.topics[binary.LittleEndian.Uint32(data[1:])], Message: data[5:]}, true
	case data[0] == call:
		d.mu.Lock()
		defer d.mu.Unlock()
		return sent{Page: d.page, Service: d.services[binary.LittleEndian.Uint32(data[1:])]}, true
	}
	return sent{}, false
}

// between returns what was sent between two marks.
func (r *commandRecorder) between(from, to string) (all []sent) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	begin := slices.IndexFunc(r.all, func(s sent) bool { return s.Mark == from })
	end := slices.IndexFunc(r.all, func(s sent) bool { return s.Mark == to })
	if begin < 0 || end < begin {
		r.t.Fatalf("no marks %q and then %q", from, to)
	}
	return slices.DeleteFunc(slices.Clone(r.all[begin:end]), func(s sent) bool { return s.Mark != "" })
}

// at returns the time of a mark.
func (r *commandRecorder) at(mark string) time.Duration {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.all, func(s sent) bool { return s.Mark == mark })
	if i < 0 {
		r.t.Fatalf("no mark %q", mark)
	}
	return r.all[i].At
}

// story tells what was sent between two marks: a line for each call, and for the commands of a page on a topic.
func (r *commandRecorder) story(from, to string) string {
	r.t.Helper()
	type key struct {
		page  int
		topic string
	}
	all := r.between(from, to)
	sets := map[key][]sent{}
	for _, s := range all {
		k := key{s.Page, s.Topic}
		sets[k] = append(sets[k], s)
	}
	var b strings.Builder
	for _, s := range all {
		k := key{s.Page, s.Topic}
		list := sets[k]
		switch {
		case s.Topic == "":
			fmt.Fprintf(&b, "%.3f s, connection %d: call of %s\n", s.At.Seconds(), s.Page, s.Service)
		case list != nil:
			gap := time.Duration(0)
			for i := range list[1:] {
				gap = max(gap, list[i+1].At-list[i].At)
			}
			last := list[len(list)-1]
			fmt.Fprintf(&b, "%.3f to %.3f s, connection %d: %d commands on %s, at most %.3f s apart, in the end %s\n",
				s.At.Seconds(), last.At.Seconds(), s.Page, len(list), s.Topic, gap.Seconds(), last.Message)
			delete(sets, k)
		}
	}
	return b.String()
}

// commands returns the commands of those on a topic.
func commands(all []sent, topic string) (list []sent) {
	for _, s := range all {
		if s.Topic == topic {
			list = append(list, s)
		}
	}
	return list
}

// read decodes a command.
func (s sent) read(t *testing.T, m any) {
	t.Helper()
	if err := json.Unmarshal(s.Message, m); err != nil {
		t.Fatalf("%s: %v", s.Message, err)
	}
}

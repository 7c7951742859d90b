package parameter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
)

// MirrorName is the parameter of a node on the parameter server that holds, as text, what the
// node itself has put there: after a node that died without taking it back, the next one tells
// it from what users have set.
const MirrorName = "parameters_of_last_run"

// Mirror keeps a table and the parameter server of ROS 1 the same. The table is the truth:
// whatever others set there is tried, and set back with a warning where it is refused. What
// this node has put there goes away with it, and what others have set stays.
type Mirror struct {
	table  *Table
	client masterclient.Client
	log    *zap.Logger
	given  map[string]bool // names that others have set
	wake   chan struct{}   // capacity 1
	ctx    context.Context // until Close
	stop   context.CancelFunc
	ended  chan struct{}

	mu    sync.Mutex
	fresh bool // the server is to have everything anew

	// of the goroutine
	read map[string]any // what the server held when the table's first values were read
	last map[string]any // what the server was seen to hold, as the table has it
	own  map[string]any // of that, what this node has put there
}

// Periods of a Mirror.
const (
	mirrorPause = 100 * time.Millisecond // between looks at the server
	mirrorCall  = 2 * time.Second        // for a call of the master
	mirrorLeave = 400 * time.Millisecond // to take back what was put there
)

// mirrorCaller is who sets parameters through the server.
const mirrorCaller = "the ROS 1 parameter server"

// NewMirror begins to keep the table's parameters at the master of the client, below the name
// of its caller, once Known is called. given are the names of parameters that others have set
// there before, and read is all that stood there when the table's first values were read: what
// others have set since, while the robot was built, is tried.
func NewMirror(t *Table, client masterclient.Client, given []string, read any, log *zap.Logger) *Mirror {
	m := &Mirror{
		table: t, client: client, log: log, given: map[string]bool{}, read: flat(read),
		wake: make(chan struct{}, 1), ended: make(chan struct{}), own: map[string]any{},
	}
	m.ctx, m.stop = context.WithCancel(context.Background())
	for _, name := range given {
		m.given[name] = true
	}
	t.Watch(func([]Change) { m.Changed() })
	go m.run()
	return m
}

// Known reports that a master, perhaps a new one, has accepted the subscription to changes.
func (m *Mirror) Known() {
	m.mu.Lock()
	m.fresh = true
	m.mu.Unlock()
	m.Changed()
}

// Changed reports that parameters of the server or of the table may have changed.
func (m *Mirror) Changed() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *Mirror) run() {
	defer close(m.ended)
	for {
		select {
		case <-m.ctx.Done():
			return
		case <-m.wake:
		}
		if err := m.look(); err != nil {
			m.log.Debug("parameter server not reached", zap.Error(err))
		}
		select {
		case <-m.ctx.Done():
			return
		case <-time.After(mirrorPause):
		}
	}
}

// look compares the server with what it held before and with the table: what others have
// changed is tried, all together and, if that is refused, one by one, and then the server gets
// what differs from the table.
func (m *Mirror) look() error {
	ctx, cancel := context.WithTimeout(m.ctx, mirrorCall)
	defer cancel()
	m.mu.Lock()
	fresh := m.fresh
	m.mu.Unlock()
	if m.last == nil && !fresh {
		return nil // no master knows this node yet
	}
	tree, _, err := m.client.Param(ctx, m.client.Caller)
	if err != nil {
		return err
	}
	there := flat(tree)
	switch {
	case !fresh:
		m.try(there, m.last)
	case m.last == nil:
		m.tryFirst(there)
	}
	if err := m.put(ctx, there, fresh); err != nil {
		return err
	}
	if fresh {
		m.mu.Lock()
		m.fresh = false
		m.mu.Unlock()
	}
	return nil
}

// tryFirst sets in the table what others have set on the server since it was read, without what
// a node that died has left there.
func (m *Mirror) tryFirst(there map[string]any) {
	before := maps.Clone(m.read)
	left := OfLastRun(there[MirrorName])
	for name, v := range there {
		if left(name, v) {
			before[name] = v
		}
	}
	m.try(there, before)
}

// try sets in the table what on the server differs from before: others have changed it.
func (m *Mirror) try(there, before map[string]any) {
	var news []Assignment
	for _, p := range m.table.All() {
		v, set := there[p.Name]
		last, known := before[p.Name]
		if !set { // what others remove comes back, as this node's
			delete(m.given, p.Name)
		}
		if !set || known && equal(v, last) || equal(v, p.Value) {
			continue
		}
		news = append(news, Assignment{p.Name, v})
	}
	if len(news) == 0 {
		return
	}
	err := m.table.Set(news, mirrorCaller)
	for _, a := range news {
		if err != nil && len(news) > 1 {
			if m.table.Set([]Assignment{a}, mirrorCaller) != nil {
				continue
			}
		} else if err != nil {
			continue
		}
		m.given[a.Name] = true
	}
}

// put gives the server what differs from the table. What others have set since the look at the
// server, which held there, is tried: the server has lost it.
func (m *Mirror) put(ctx context.Context, there map[string]any, fresh bool) error {
	send, own, last := m.differences(there, fresh)
	was, err := m.client.SwapParams(ctx, send)
	if err != nil {
		return fmt.Errorf("setting %d parameters: %w", len(send), err)
	}
	m.own, m.last = own, last
	before := maps.Clone(there)
	maps.Copy(before, last)
	lost := maps.Clone(before)
	for name := range last {
		if v, set := was[m.key(name)]; set && !reflect.DeepEqual(fromServer(v), there[name]) {
			lost[name] = fromServer(v)
		}
	}
	m.try(lost, before)
	return nil
}

// differences are what to send to a server that holds there, and what of it is own and last
// afterwards.
func (m *Mirror) differences(there map[string]any, fresh bool) (send, own, last map[string]any) {
	send, own, last = map[string]any{}, map[string]any{}, map[string]any{}
	for _, p := range m.table.All() {
		if !mirrored(p.Name) || m.within(p.Name) {
			continue
		}
		last[p.Name] = p.Value
		if !m.given[p.Name] {
			own[p.Name] = p.Value
		}
		if v, set := there[p.Name]; !set || !equal(v, p.Value) {
			send[m.key(p.Name)] = serverValue(p.Value)
		}
	}
	if text := marker(own); fresh || len(send) > 0 || !maps.EqualFunc(own, m.own, equal) {
		send[m.client.Caller+"/"+MirrorName] = text
	}
	return send, own, last
}

// within reports whether others have set a list of which the parameter is a part: to set it
// would undo that.
func (m *Mirror) within(name string) bool {
	for i, c := range name {
		if c == '.' && m.given[name[:i]] {
			return true
		}
	}
	return false
}

// marker is the value of MirrorName: the values as text.
func marker(own map[string]any) string {
	texts := make(map[string]string, len(own))
	for name, v := range own {
		texts[name] = fmt.Sprint(v)
	}
	data, _ := json.Marshal(texts) // strings only
	return string(data)
}

// OfLastRun returns a function that tells whether a parameter, by its name with dots and its
// value, is as a node has put it there that died; text is the value of MirrorName.
func OfLastRun(text any) func(name string, value any) bool {
	texts := map[string]string{}
	if s, ok := text.(string); ok {
		_ = json.Unmarshal([]byte(s), &texts) // of somebody else: then there is none
	}
	return func(name string, value any) bool {
		was, ok := texts[name]
		return ok && was == fmt.Sprint(fromServer(value))
	}
}

// Close takes back what this node has put there. What others have set since the last look is
// put back.
func (m *Mirror) Close() {
	m.stop()
	<-m.ended
	if m.last == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), mirrorLeave)
	defer cancel()
	keys := []string{m.client.Caller + "/" + MirrorName}
	for _, name := range slices.Sorted(maps.Keys(m.own)) {
		keys = append(keys, m.key(name))
	}
	was, err := m.client.TakeParams(ctx, keys)
	others := map[string]any{}
	for name, own := range m.own {
		if v, set := was[m.key(name)]; set && !equal(fromServer(v), own) {
			others[m.key(name)] = v
		}
	}
	if len(others) > 0 {
		_, failed := m.client.SwapParams(ctx, others)
		err = errors.Join(err, failed)
	}
	if err != nil {
		m.log.Debug("parameters stay on the server", zap.Error(err))
	}
}

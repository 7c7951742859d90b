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

// MirrorName is the parameter on the parameter server that lists, as text, what the node itself has
// set there. After a node that died without deleting its parameters, the next one distinguishes
// them by it from those that users have set.
const MirrorName = "parameters_of_last_run"

// Mirror synchronises a table and the parameter server of ROS 1. The table is authoritative: values
// that other nodes set on the server are tried, and reset with a warning if they are refused. Close
// deletes the parameters that this node has set and keeps those of others.
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
	fresh bool // all values are to be sent to the server

	// Of the goroutine: the contents of the server when the table's first values were read.
	read map[string]any // contents of the server when the table's first values were read
	last map[string]any // contents of the server at the last check, as in the table
	own  map[string]any // the part of last that this node has set
}

// Periods of a Mirror.
const (
	mirrorPause = 100 * time.Millisecond // between checks of the server
	mirrorCall  = 2 * time.Second        // for a call of the master
	mirrorLeave = 400 * time.Millisecond // for the deletion in Close
)

// mirrorCaller names the source of parameters that are set through the server.
const mirrorCaller = "the ROS 1 parameter server"

// NewMirror returns a Mirror that keeps the table's parameters at the master of the client, below
// the name of its caller, once Known is called. given are the names of parameters that others have
// set there before, and read are the contents of the server when the table's first values were
// read: values that others have set since, while the robot was built, are tried.
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

// Known reports that a master, perhaps a restarted one, has accepted the subscription to changes.
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
		if err := m.checkServer(); err != nil {
			m.log.Debug("parameter server not reached", zap.Error(err))
		}
		select {
		case <-m.ctx.Done():
			return
		case <-time.After(mirrorPause):
		}
	}
}

// checkServer compares the server with its contents at the last check and with the table. It tries the
// values that others have changed, all together and, if that is refused, one by one, and then sends
// the differences from the table to the server.
func (m *Mirror) checkServer() error {
	ctx, cancel := context.WithTimeout(m.ctx, mirrorCall)
	defer cancel()
	m.mu.Lock()
	fresh := m.fresh
	m.mu.Unlock()
	if m.last == nil && !fresh {
		return nil // no master has registered this node yet
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

// tryFirst sets in the table what others have set on the server since it was read, except for what
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

// try sets in the table the values that differ from before, which others have changed on the
// server.
func (m *Mirror) try(there, before map[string]any) {
	var news []Assignment
	for _, p := range m.table.All() {
		v, set := there[p.Name]
		last, known := before[p.Name]
		if !set { // parameters that others delete are set again by this node
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

// put sends the differences from the table to the server. It tries the values that others have set
// since the check of the server, whose contents were there, because sending has overwritten them.
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

// differences returns what to send to a server with contents there, and the values of own and last
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

// within reports whether the parameter is a part of a list that others have set: setting it would
// overwrite that.
func (m *Mirror) within(name string) bool {
	for i, c := range name {
		if c == '.' && m.given[name[:i]] {
			return true
		}
	}
	return false
}

// marker returns the value of MirrorName: the values as text.
func marker(own map[string]any) string {
	texts := make(map[string]string, len(own))
	for name, v := range own {
		texts[name] = fmt.Sprint(v)
	}
	data, _ := json.Marshal(texts) // strings only
	return string(data)
}

// OfLastRun returns a function that reports whether a parameter, given by its name with dots and
// its value, was left by a node that died. text is the value of MirrorName.
func OfLastRun(text any) func(name string, value any) bool {
	texts := map[string]string{}
	if s, ok := text.(string); ok {
		_ = json.Unmarshal([]byte(s), &texts) // text of another program: then nothing was left
	}
	return func(name string, value any) bool {
		was, ok := texts[name]
		return ok && was == fmt.Sprint(fromServer(value))
	}
}

// Close deletes what this node has set. It restores values that others have set since the last
// check.
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

package view

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/sim"
)

// tick is the time between two pictures.
const tick = time.Second / 60

// player plays recordings to viewers in one time. The goroutine of run owns the recordings.
type player struct {
	recordings []*recording
	log        *zap.Logger
	server     *viewer.Server
	topics     map[string]ros.Publisher // by the names for viewers
	scene      ros.Publisher
	meshes     ros.Publisher // topic of the triangles of scenes
	given      marker.Meshes // triangles that viewers have received
	count      uint32        // number of scenes
	warned     time.Time     // time of the last warning to viewers about unreadable messages
	gap        gap

	mu    sync.Mutex
	state viewer.PlaybackState
	asked []viewer.PlaybackRequest
	wake  chan struct{} // capacity 1

	past  chan pastRequest
	ended chan struct{} // closed at the end of run
}

func newPlayer(recordings []*recording, log *zap.Logger) *player {
	return &player{
		recordings: recordings, log: log, topics: map[string]ros.Publisher{}, wake: make(chan struct{}, 1), past: make(chan pastRequest), ended: make(chan struct{}),
		state: viewer.PlaybackState{Status: viewer.Playing, Time: recordings[0].first, Speed: 1},
	}
}

// open advertises all topics. They are latched, so that a late viewer gets the present state while
// playback is paused.
func (p *player) open(s *viewer.Server) (err error) {
	p.server = s
	for _, r := range p.recordings {
		for _, t := range r.Topics() {
			if slices.Contains(r.without, t.Name) {
				continue
			}
			if t.Type == nil {
				p.log.Warn("topic left out: its type is not known", zap.String("file", r.file), zap.String("topic", t.Name), zap.String("type", t.TypeName))
				continue
			}
			if t.Type.Hash == "" || p.topics[r.topic(t.Name)] != nil { // a type of ROS 1 only, or a topic with two types
				p.log.Warn("topic left out: ROS 2 does not have its type", zap.String("file", r.file), zap.String("topic", t.Name), zap.String("type", t.TypeName))
				continue
			}
			if p.topics[r.topic(t.Name)], err = s.Advertise(ros.Topic{Name: r.topic(t.Name), Type: t.Type, Latched: true}); err != nil {
				return err
			}
		}
	}
	if p.scene, err = p.picture("scene"); err != nil {
		return err
	}
	p.meshes, err = p.picture("meshes")
	return err
}

// picture opens a topic of drawings, unless the recording has a topic of that name.
func (p *player) picture(name string) (ros.Publisher, error) {
	name = p.recordings[0].node + "/" + name
	if to := p.topics[name]; to != nil {
		return to, nil
	}
	return p.server.Advertise(ros.Topic{Name: name, Type: sinew_msgs.SceneType, Latched: true})
}

// now returns the present playback state.
func (p *player) now() viewer.PlaybackState {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.state
	s.DidSeek, s.ID = false, ""
	return s
}

// maxAsked bounds the queue of requests.
const maxAsked = 64

// control queues a request. A newer seek replaces an older one.
func (p *player) control(r viewer.PlaybackRequest) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) >= maxAsked {
		p.asked = p.asked[1:]
	}
	p.asked = append(p.asked, r)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// run plays until ctx ends.
func (p *player) run(ctx context.Context) {
	defer close(p.ended)
	p.seek(p.recordings[0].first)
	pace := time.NewTicker(tick)
	defer pace.Stop()
	last := time.Now()
	published, met := last, false
	for {
		select {
		case <-ctx.Done():
			return
		case q := <-p.past:
			q.answer(p.pastMessages(q.HistoryRequest))
			continue
		case <-p.wake:
		case <-pace.C:
		}
		now := time.Now()
		passed := min(now.Sub(last), 10*tick)
		last = now
		met = met || p.server.Viewers() > 0
		if !p.obey() && met { // a short recording would end before the first viewer has connected
			p.advance(passed)
		}
		if now.Sub(published) > time.Second/10 {
			published = now
			p.server.PublishPlayback(p.now())
		}
	}
}

// obey executes the queued requests and reports whether there was a seek.
func (p *player) obey() (sought bool) {
	p.mu.Lock()
	asked := p.asked
	p.asked = nil
	s := p.state
	p.mu.Unlock()
	if len(asked) == 0 {
		return false
	}
	for _, r := range asked {
		s.Speed, s.ID = r.Speed, r.ID
		if r.Seek {
			s.Time, sought = min(max(r.Time, p.recordings[0].first), p.recordings[0].last), true
		}
		s.Status = viewer.Paused
		if r.Play {
			s.Status = viewer.Playing
			if !r.Seek && s.Time >= p.recordings[0].last { // play again from the beginning
				s.Time, sought = p.recordings[0].first, true
			}
		}
	}
	s.DidSeek = sought
	p.set(s)
	if sought {
		p.show(s.Time)
	}
	return sought
}

// set changes the state and publishes it.
func (p *player) set(s viewer.PlaybackState) {
	p.mu.Lock()
	p.state = s
	p.mu.Unlock()
	p.server.PublishPlayback(s)
}

// seek sets the time.
func (p *player) seek(t time.Duration) {
	s := p.now()
	s.Time, s.DidSeek = t, true
	p.set(s)
	p.show(t)
}

// show publishes the newest state at a time.
func (p *player) show(t time.Duration) {
	p.gap, p.given = gap{from: t}, marker.Meshes{} // the server discards them, too
	for _, r := range p.recordings {
		r.resetDrawing()
		p.warnUnreadable(r, r.lookBack(t-r.later))
		p.warnUnreadable(r, r.At(t-r.later, func(m record.Message) { p.publish(r, m) }))
		p.warnUnreadable(r, r.lookAhead(t-r.later))
	}
	p.draw(t)
}

// advance continues the playback by a wall time.
func (p *player) advance(passed time.Duration) {
	s := p.now()
	if s.Status != viewer.Playing {
		return
	}
	from := s.Time
	s.Time = min(from+time.Duration(s.Speed*float64(passed)), p.recordings[0].last)
	for _, r := range p.recordings {
		p.warnUnreadable(r, r.Between(from-r.later, s.Time-r.later, func(m record.Message) { p.publish(r, m) }))
	}
	if next, passed := p.pass(s.Time); passed {
		p.seek(next)
		return
	}
	p.draw(s.Time)
	p.mu.Lock()
	p.state.Time = s.Time
	p.mu.Unlock()
	if s.Time == p.recordings[0].last {
		s.Status = viewer.Ended
		p.set(s)
		return
	}
	p.server.PublishTime(s.Time)
}

// warnPeriod is the least time between two warnings to viewers: a whole recording may be
// unreadable.
const warnPeriod = time.Second

// warnUnreadable logs an error of reading and shows it on the page.
func (p *player) warnUnreadable(r *recording, err error) {
	if err == nil {
		return
	}
	p.log.Warn("the recording cannot be read here", zap.String("file", r.file), zap.Error(err))
	if now := time.Now(); p.server.Viewers() > 0 && now.Sub(p.warned) >= warnPeriod {
		p.warned = now
		p.server.Warn(fmt.Sprintf("%s cannot be read here: %v", path.Base(r.file), err))
	}
}

// publish publishes a recorded message.
func (p *player) publish(r *recording, m record.Message) {
	r.take(m)
	if t := m.Time + r.later; t > p.gap.from {
		p.gap = gap{from: t}
	}
	if slices.Contains(r.without, m.Topic) {
		return
	}
	to := p.topics[r.topic(m.Topic)]
	if to == nil {
		return
	}
	p.send(to, m.Message, m.Time+r.later)
}

// draw publishes the scene at a time if it has changed.
func (p *player) draw(t time.Duration) {
	changed := false
	for _, r := range p.recordings {
		changed, r.changed = changed || r.changed, false
	}
	if !changed {
		return
	}
	scene := sim.Scene{Scale: p.recordings[0].scale}
	for _, r := range p.recordings {
		own := r.scene()
		enlarge(own, scene.Scale/own.Scale)
		add(&scene, own)
	}
	p.count++
	if p.given.Changed(&scene) {
		p.send(p.meshes, marker.Triangles(&scene, p.count, msgs.At(t)), t)
	}
	p.send(p.scene, marker.Scene(&scene, p.count, msgs.At(t)), t)
}

// send publishes a drawing made at a time.
func (p *player) send(to ros.Publisher, m msgs.Message, t time.Duration) {
	s := ros.NewSample(m)
	s.Time = msgs.At(t)
	to.Publish(s)
}

package ros

import (
	"sinew/msgs"
	"sinew/pkg/sim"
)

// scenePublisher makes the simulator draw the scenes that are subscribed to, and publishes
// them: to viewers, and as markers.
type scenePublisher struct {
	sim       *sim.Simulator
	publisher *ModelPublisher
	hardware  *hardware      // nil without Options.Hardware
	due       chan sceneTime // of snapshots with a scene; capacity 1
	markers   bool           // there was a Slow snapshot since the last scene; belongs to publishLoop
}

func newScenePublisher(s *sim.Simulator, p *ModelPublisher) *scenePublisher {
	return &scenePublisher{sim: s, publisher: p, due: make(chan sceneTime, 1)}
}

// sceneTime is the time at which a scene was drawn.
type sceneTime struct {
	stamp   msgs.Time
	markers bool // markers are due, too
}

// sceneHz is the rate of scenes for viewers: that of most screens.
const sceneHz = 60

// request sets the rate at which the simulator draws scenes, and passes on that a snapshot
// has a scene.
func (p *scenePublisher) request(s *sim.Snapshot, stamp msgs.Time) {
	if s.Slow {
		p.markers = true
		rate := 0.0
		if p.publisher.markers.wanted() {
			rate = p.sim.Options().MarkerHz
		}
		if p.publisher.scene.wanted() {
			rate = sceneHz
		}
		p.sim.WantScene(rate)
	}
	if !s.Drawn {
		return
	}
	select {
	case p.due <- sceneTime{stamp, p.markers}:
		p.markers = false
	default:
	}
}

// publish publishes the newest scene, if there is one, with the stamp of the snapshot
// with which it was drawn: to viewers, and as markers when these are due.
func (p *scenePublisher) publish(scene *sim.Scene, at sceneTime) {
	drawn, ok := p.sim.Scene(scene)
	if !ok {
		return
	}
	if p.hardware != nil {
		p.hardware.draw(scene)
	}
	p.publisher.publishScene(scene, at.stamp)
	if at.markers && p.publisher.markersDue(drawn) {
		p.publisher.publishMarkers(scene, at.stamp)
	}
}

package ros

import (
	"fmt"
	"slices"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// tfPeriod bounds the rate of /tf: 100 Hz is more than any display needs, and
// what tf2 buffers keep for ten seconds.
const tfPeriod = 10 * time.Millisecond

// frameTree makes the transforms of a robot from its Pose ports that have a
// Child and its Transforms ports that have Parents.
type frameTree struct {
	links []link // every link after those that it builds on
	world []placement
	pace  throttle
}

// link places one frame.
type link struct {
	port, first   int    // index among all ports, hence in a snapshot, and of the first value of the pose
	child, parent string // ROS frames
	in, under     int    // links of the frame of the values and of the parent; -1 is the world
}

// placement is a pose with a quaternion, as messages have it: no precision is
// lost on the way through a matrix.
type placement struct {
	p spatial.Vec
	q spatial.Quat
}

// unplaced is a frame that a port places.
type unplaced struct {
	port              *sim.Port
	index, first      int // of the port and of its first value
	child, parent, in string
}

// newFrameTree sorts the frames so that each comes after its parent. It refuses
// frames that are placed twice and frames whose chain does not end in the world.
func newFrameTree(ports []sim.Port, frame func(string) string) (*frameTree, error) {
	t := &frameTree{pace: throttle{period: tfPeriod}}
	var open []unplaced
	for i := range ports {
		p := &ports[i]
		if p.Child != "" {
			open = append(open, unplaced{port: p, index: i, child: p.Child, parent: p.Parent, in: frameOf(*p)})
		}
		for k, parent := range p.Parents {
			open = append(open, unplaced{port: p, index: i, first: 7 * k, child: p.Labels[k], parent: parent, in: frameOf(*p)})
		}
	}
	at := map[string]int{sim.World: -1}
	for len(open) > 0 {
		before := len(open)
		open = slices.DeleteFunc(open, func(o unplaced) bool {
			in, haveFrame := at[o.in]
			under, haveParent := at[o.parent]
			if _, twice := at[o.child]; twice || !haveFrame || !haveParent {
				return false
			}
			at[o.child] = len(t.links)
			t.links = append(t.links, link{port: o.index, first: o.first, child: frame(o.child), parent: frame(o.parent), in: in, under: under})
			return true
		})
		if len(open) == before {
			o := &open[0]
			return nil, fmt.Errorf("port %q cannot place frame %q under %q: it is placed twice, or %q and %q do not lead to %q",
				o.port.Name, o.child, o.parent, o.parent, o.in, sim.World)
		}
	}
	t.world = make([]placement, len(t.links))
	return t, nil
}

// frameOf is the frame that the values of an Out port are expressed in.
func frameOf(p sim.Port) string {
	if len(p.Frames) == 0 {
		return sim.World
	}
	return p.Frames[0]
}

// due reports whether transforms of that stamp should go out, and takes it as
// done. They do not when time stands, for tf2 warns of repeated stamps.
func (t *frameTree) due(now time.Duration) bool { return len(t.links) > 0 && t.pace.due(now) }

// message gives the transforms at the time of the values, by port.
func (t *frameTree) message(seq uint32, stamp msgs.Time, values [][]float64) *tf2_msgs.TFMessage {
	m := &tf2_msgs.TFMessage{Transforms: make([]geometry_msgs.TransformStamped, len(t.links))}
	for i, l := range t.links {
		v := values[l.port][l.first:]
		local := placement{spatial.Vec{X: v[0], Y: v[1], Z: v[2]}, spatial.Quat{X: v[3], Y: v[4], Z: v[5], W: v[6]}}
		t.world[i] = local
		if l.in >= 0 {
			t.world[i] = t.world[l.in].mul(local)
		}
		relative := local
		if l.in != l.under {
			relative = t.world[i]
			if l.under >= 0 {
				relative = t.world[l.under].inv().mul(relative)
			}
		}
		m.Transforms[i] = geometry_msgs.TransformStamped{
			Header:       header(seq, stamp, l.parent),
			ChildFrameID: l.child,
			Transform:    relative.transform(),
		}
	}
	return m
}

func (a placement) mul(b placement) placement {
	return placement{a.p.Add(a.q.Apply(b.p)), a.q.Mul(b.q)}
}

func (a placement) inv() placement {
	c := a.q.Conj()
	return placement{c.Apply(a.p).Neg(), c}
}

func (a placement) transform() geometry_msgs.Transform {
	return geometry_msgs.Transform{
		Translation: geometry_msgs.Vector3{X: a.p.X, Y: a.p.Y, Z: a.p.Z},
		Rotation:    geometry_msgs.Quaternion{X: a.q.X, Y: a.q.Y, Z: a.q.Z, W: a.q.W},
	}
}

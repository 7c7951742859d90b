package ros2

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
	"sinew/test/peer/ddspeer"
)

// numbers is the message of the peers of other vendors, which ROS 2 has not.
type numbers struct {
	number uint64
	data   []float64
}

var numbersType = &msgs.Type{Name: "peer/Numbers", DDSName: "peer::dds_::Numbers_", Hash: "RIHS01_0", New: func() msgs.Message { return new(numbers) }}

func (*numbers) Type() *msgs.Type             { return numbersType }
func (*numbers) AppendROS1(dst []byte) []byte { return dst }
func (*numbers) ParseROS1([]byte) error       { return msgs.ErrNotInROS1 }

func (n *numbers) AppendCDR(dst []byte) []byte {
	dst = append(dst, 0, 1, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, n.number)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(n.data)))
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	for _, v := range n.data {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}

func (n *numbers) ParseCDR(src []byte) error {
	if len(src) < 20 {
		return fmt.Errorf("%d bytes", len(src))
	}
	n.number = binary.LittleEndian.Uint64(src[4:])
	return nil
}

// TestVendors exchanges messages with both vendors, whose subscriptions and
// publishers are reliable (the default profile of ROS 2) or best effort (its
// sensor data profile).
func TestVendors(t *testing.T) {
	const n, gap = 100, 2 * time.Millisecond
	for _, c := range []struct {
		name   string
		vendor ddspeer.Program
		config string
	}{
		{"Cyclone, multicast", ddspeer.Cyclone, ddspeer.Multicast},
		{"Cyclone, unicast", ddspeer.Cyclone, ddspeer.Unicast},
		{"Fast DDS", ddspeer.FastDDS, ""},
	} {
		for _, qos := range []string{"rv10", "bv10"} {
			t.Run(c.name+" "+qos, func(t *testing.T) {
				us, logs := node(t, "/us")
				out := ros.Topic{Name: "/out_" + qos, Type: numbersType}
				p := advertise(t, us, out)
				them := c.vendor.Start(t, testDomain, c.config, "sub", "rt"+out.Name, qos)
				eventually(t, "match", p.Wanted)
				k := 0 // what is volatile or best effort may miss any of them
				eventually(t, "messages at theirs", func() bool {
					p.Publish(ros.NewSample(&numbers{number: uint64(k)}))
					k++
					time.Sleep(gap)
					return len(them.Lines("")) > n
				})

				got := new(collector[uint64])
				in := ros.Topic{Name: "/in_" + qos, Type: numbersType}
				if err := us.Subscribe(in, func(r ros.Received) {
					if r.Sender.Endpoint == [16]byte{} || r.Latched {
						t.Errorf("received %+v, want a writer and nothing latched", r)
					}
					got.add(r.Message.(*numbers).number)
				}); err != nil {
					t.Fatal(err)
				}
				source := c.vendor.Start(t, testDomain, c.config, "pub", "rt"+in.Name, qos, fmt.Sprint(n), fmt.Sprint(gap.Microseconds()), "1")
				eventually(t, "match", func() bool { source.Tell("begin"); return len(source.Lines("written")) == 1 })
				reliable := qos[0] == 'r'
				eventually(t, "messages from theirs", func() bool {
					all := got.list()
					return !reliable && len(all) > n/2 || len(all) > 0 && all[len(all)-1] == n-1
				})
				for i, k := range got.list() {
					if i > 0 && k <= got.list()[i-1] {
						t.Fatalf("message %d came after %d", k, got.list()[i-1])
					}
				}
				if l := logs.FilterMessageSnippet("incompatible"); l.Len() > 0 {
					t.Errorf("logged %v", l.All())
				}
			})
		}
	}
}

// TestReleases: peers like nodes of Humble and of Jazzy, at once, list our node
// and read its messages.
func TestReleases(t *testing.T) {
	us, _ := node(t, "/lab/left")
	pose := ros.Topic{Name: "/lab/left/measured_cp", Type: geometry_msgs.PoseStampedType}
	p := advertise(t, us, pose)
	got := subscribe(t, us, text("/lab/left/state_command"))
	for _, c := range []struct {
		name    string
		release ddspeer.Program
	}{{"Humble", ddspeer.Humble}, {"Jazzy", ddspeer.Jazzy}} {
		them := c.release.Start(t, testDomain, ddspeer.Multicast)
		them.Tell("graph")
		them.Tell("pose rt%s bv", pose.Name)
		them.Tell("string rt/lab/left/state_command hello from %s", c.name)
		eventually(t, c.name+" lists the node", func() bool { return len(them.Lines("node /lab left 2 1")) > 0 })
		m := &geometry_msgs.PoseStamped{}
		m.Header = std_msgs.Header{Stamp: 12_000_000_034, FrameID: "world"}
		m.Pose.Position = geometry_msgs.Point{X: 1, Y: -2.5, Z: 1e-9}
		eventually(t, c.name+" reads a pose", func() bool {
			p.Publish(ros.NewSample(m))
			time.Sleep(10 * time.Millisecond)
			return len(them.Lines("pose 12.000000034 world 1 -2.5 1.0000000000000001e-09")) > 0
		})
		eventually(t, c.name+" is heard", func() bool { return strings.Contains(fmt.Sprint(got.list()), "hello from "+c.name) })
	}
}

// TestVendorLateJoiner gives a late subscription of either vendor the latched
// message.
func TestVendorLateJoiner(t *testing.T) {
	us, _ := node(t, "/us")
	topic := ros.Topic{Name: "/latched", Type: numbersType, Latched: true}
	p := advertise(t, us, topic)
	for k := range 3 {
		p.Publish(ros.NewSample(&numbers{number: uint64(k)}))
	}
	for _, v := range []ddspeer.Program{ddspeer.Cyclone, ddspeer.FastDDS} {
		them := v.Start(t, testDomain, ddspeer.Multicast, "sub", "rt/latched", "rt10")
		eventually(t, v.Name+" gets the message", func() bool { return len(them.Lines("2 ")) == 1 })
		if early := len(them.Lines("0 ")) + len(them.Lines("1 ")); early > 0 {
			t.Errorf("%s got %d older messages", v.Name, early)
		}
	}
}

// TestVendorLatched tells the messages that a writer of either vendor kept from
// before the subscription from those that it writes later.
func TestVendorLatched(t *testing.T) {
	const n = 300
	us, _ := node(t, "/us")
	for _, v := range []ddspeer.Program{ddspeer.Cyclone, ddspeer.FastDDS} {
		topic := ros.Topic{Name: "/latched_" + strings.ReplaceAll(v.Name, "-", "_"), Type: numbersType, Latched: true}
		them := v.Start(t, testDomain, ddspeer.Multicast, "pub", "rt"+topic.Name, "rt1000", fmt.Sprint(n), "10000", "1")
		early := new(collector[rtps.Sample])
		_, err := foreign(t).NewReader(rtps.ReaderOptions{
			Topic: "rt" + topic.Name, Type: numbersType.DDSName, QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: n}, Receive: early.add,
		})
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, v.Name+" has written some", func() bool { return early.len() > 20 })
		got := new(collector[ros.Received])
		if err := us.Subscribe(topic, got.add); err != nil {
			t.Fatal(err)
		}
		eventually(t, v.Name+"'s last message", func() bool {
			l := got.list()
			return len(them.Lines("written")) == 1 && len(l) > 0 && l[len(l)-1].Message.(*numbers).number == n-1
		})
		all := got.list() // a slow callback loses what the depth of a subscription cannot hold
		kept := 0
		for _, r := range all {
			if r.Latched {
				kept++
			}
			if r.Sender != all[0].Sender || r.Sender.Endpoint == [16]byte{} {
				t.Fatalf("%s: sender %+v, want one writer", v.Name, r.Sender)
			}
		}
		if kept == 0 || kept == len(all) || !all[kept-1].Latched || all[kept].Latched {
			t.Errorf("%s: %d of %d messages are latched, want the first ones", v.Name, kept, len(all))
		}
	}
}

// TestHeard: a publisher knows when it has been heard of by all who listen, on Cyclone DDS and
// here, and not before they do.
func TestHeard(t *testing.T) {
	tr, _ := node(t, "/talker")
	p := advertise(t, tr, ros.Topic{Name: "/heard", Type: geometry_msgs.PoseStampedType}).(*publisher)
	if p.Heard() {
		t.Error("heard of before anybody listens")
	}
	other, _ := node(t, "/listener")
	if err := other.Subscribe(ros.Topic{Name: "/heard", Type: geometry_msgs.PoseStampedType}, func(ros.Received) {}); err != nil {
		t.Fatal(err)
	}
	them := ddspeer.Jazzy.Start(t, testDomain, ddspeer.Multicast)
	them.Tell("pose rt/heard rv")
	eventually(t, "three readers", func() bool { return p.writer.Matched() == 3 }) // a subscription has two
	eventually(t, "a word of all three", p.Heard)
	p.Publish(ros.NewSample(pose()))
	eventually(t, "the only message", func() bool { return len(them.Lines("pose ")) == 1 })
}

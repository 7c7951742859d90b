package ros2_test

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
	"sinew/pkg/ros/ros2"
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
	t.Parallel()
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
				us, logs := ros2.Node(t, "/us")
				out := ros.Topic{Name: "/out_" + qos, Type: numbersType}
				p := ros2.Advertise(t, us, out)
				them := c.vendor.Start(t, ros2.Domain, c.config, "sub", "rt"+out.Name, qos)
				ros2.Eventually(t, "match", p.HasSubscribers)
				k := 0 // what is volatile or best effort may miss any of them
				ros2.Eventually(t, "messages at theirs", func() bool {
					p.Publish(ros.NewSample(&numbers{number: uint64(k)}))
					k++
					time.Sleep(gap)
					return len(them.Lines("")) > n
				})

				got := new(ros2.Collector[uint64])
				in := ros.Topic{Name: "/in_" + qos, Type: numbersType}
				if err := us.Subscribe(in, func(r ros.Received) {
					if r.Sender.Endpoint == [16]byte{} || r.Latched {
						t.Errorf("received %+v, want a writer and nothing latched", r)
					}
					got.Add(r.Message.(*numbers).number)
				}); err != nil {
					t.Fatal(err)
				}
				source := c.vendor.Start(t, ros2.Domain, c.config, "pub", "rt"+in.Name, qos, fmt.Sprint(n), fmt.Sprint(gap.Microseconds()), "1")
				ros2.Eventually(t, "match", func() bool { source.Tell("begin"); return len(source.Lines("written")) == 1 })
				reliable := qos[0] == 'r'
				ros2.Eventually(t, "messages from theirs", func() bool {
					all := got.List()
					return !reliable && len(all) > n/2 || len(all) > 0 && all[len(all)-1] == n-1
				})
				for i, k := range got.List() {
					if i > 0 && k <= got.List()[i-1] {
						t.Fatalf("message %d came after %d", k, got.List()[i-1])
					}
				}
				if l := logs.FilterMessageSnippet("not matched"); l.Len() > 0 {
					t.Errorf("logged %v", l.All())
				}
			})
		}
	}
}

// TestReleases: peers like nodes of Humble and of Jazzy, at once, list our node
// and read its messages.
func TestReleases(t *testing.T) {
	us, _ := ros2.Node(t, "/lab/left")
	pose := ros.Topic{Name: "/lab/left/measured_cp", Type: geometry_msgs.PoseStampedType}
	p := ros2.Advertise(t, us, pose)
	got := ros2.Subscribe(t, us, ros2.Text("/lab/left/state_command"))
	for _, c := range []struct {
		name    string
		release ddspeer.Program
	}{{"Humble", ddspeer.Humble}, {"Jazzy", ddspeer.Jazzy}} {
		them := c.release.Start(t, ros2.Domain, ddspeer.Multicast)
		them.Tell("graph")
		them.Tell("pose rt%s bv", pose.Name)
		them.Tell("string rt/lab/left/state_command hello from %s", c.name)
		ros2.Eventually(t, c.name+" lists the node", func() bool { return len(them.Lines("node /lab left 2 1")) > 0 })
		m := &geometry_msgs.PoseStamped{}
		m.Header = std_msgs.Header{Stamp: 12_000_000_034, FrameID: "world"}
		m.Pose.Position = geometry_msgs.Point{X: 1, Y: -2.5, Z: 1e-9}
		ros2.Eventually(t, c.name+" reads a pose", func() bool {
			p.Publish(ros.NewSample(m))
			time.Sleep(10 * time.Millisecond)
			return len(them.Lines("pose 12.000000034 world 1 -2.5 1.0000000000000001e-09")) > 0
		})
		ros2.Eventually(t, c.name+" is heard", func() bool { return strings.Contains(fmt.Sprint(got.List()), "hello from "+c.name) })
	}
}

// TestVendorLateJoiner gives a late subscription of either vendor the latched
// message.
func TestVendorLateJoiner(t *testing.T) {
	us, _ := ros2.Node(t, "/us")
	topic := ros.Topic{Name: "/latched", Type: numbersType, Latched: true}
	p := ros2.Advertise(t, us, topic)
	for k := range 3 {
		p.Publish(ros.NewSample(&numbers{number: uint64(k)}))
	}
	for _, v := range []ddspeer.Program{ddspeer.Cyclone, ddspeer.FastDDS} {
		them := v.Start(t, ros2.Domain, ddspeer.Multicast, "sub", "rt/latched", "rt10")
		ros2.Eventually(t, v.Name+" gets the message", func() bool { return len(them.Lines("2 ")) == 1 })
		if early := len(them.Lines("0 ")) + len(them.Lines("1 ")); early > 0 {
			t.Errorf("%s got %d older messages", v.Name, early)
		}
	}
}

// TestVendorLatched tells the messages that a writer of either vendor kept from
// before the subscription from those that it writes later.
func TestVendorLatched(t *testing.T) {
	t.Parallel()
	const n = 300
	us, _ := ros2.Node(t, "/us")
	for _, v := range []ddspeer.Program{ddspeer.Cyclone, ddspeer.FastDDS} {
		topic := ros.Topic{Name: "/latched_" + strings.ReplaceAll(v.Name, "-", "_"), Type: numbersType, Latched: true}
		them := v.Start(t, ros2.Domain, ddspeer.Multicast, "pub", "rt"+topic.Name, "rt1000", fmt.Sprint(n), "10000", "1")
		early := new(ros2.Collector[rtps.Sample])
		_, err := ros2.Foreign(t).NewReader(rtps.ReaderOptions{
			Topic: "rt" + topic.Name, Type: numbersType.DDSName, QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: n}, Receive: early.Add,
		})
		if err != nil {
			t.Fatal(err)
		}
		ros2.Eventually(t, v.Name+" has written some", func() bool { return early.Len() > 20 })
		got := new(ros2.Collector[ros.Received])
		if err := us.Subscribe(topic, got.Add); err != nil {
			t.Fatal(err)
		}
		ros2.Eventually(t, v.Name+"'s last message", func() bool {
			l := got.List()
			return len(them.Lines("written")) == 1 && len(l) > 0 && l[len(l)-1].Message.(*numbers).number == n-1
		})
		all := got.List() // a slow callback loses what the depth of a subscription cannot hold
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

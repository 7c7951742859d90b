package ros2

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

var graphType = rmw_dds_common.ParticipantEntitiesInfoType

// hearGraph subscribes to ros_discovery_info as a node of a release does.
func hearGraph(t *testing.T, userData []byte, parse func(*rmw_dds_common.ParticipantEntitiesInfo, []byte) error) *collector[*rmw_dds_common.ParticipantEntitiesInfo] {
	t.Helper()
	c := new(collector[*rmw_dds_common.ParticipantEntitiesInfo])
	_, err := foreign(t).NewReader(rtps.ReaderOptions{
		Topic: graphTopic, Type: graphType.DDSName, UserData: userData,
		QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: 100},
		Receive: func(s rtps.Sample) {
			info := new(rmw_dds_common.ParticipantEntitiesInfo)
			if err := parse(info, s.Payload); err != nil {
				t.Errorf("the message is not in this release's form: %v\n%x", err, s.Payload)
			}
			c.add(info)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGraph: a peer of Humble and one of Jazzy, at once, each get the message in
// their form, with all endpoints, whether they come early or late.
func TestGraph(t *testing.T) {
	hash := endpointData(graphType.Hash)
	humble := hearGraph(t, nil, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDRGid24)
	jazzy := hearGraph(t, hash, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDR)
	us, _ := node(t, "/lab/left")
	advertise(t, us, text("/a"))
	p := advertise(t, us, ros.Topic{Name: "/b", Type: std_msgs.StringType, Latched: true})
	subscribe(t, us, text("/c"))
	lateHumble := hearGraph(t, nil, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDRGid24)
	lateJazzy := hearGraph(t, hash, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDR)
	for name, c := range map[string]*collector[*rmw_dds_common.ParticipantEntitiesInfo]{
		"Humble": humble, "Jazzy": jazzy, "late Humble": lateHumble, "late Jazzy": lateJazzy,
	} {
		complete := func(i *rmw_dds_common.ParticipantEntitiesInfo) bool {
			n := i.NodeEntitiesInfoSeq[0]
			return len(n.WriterGidSeq) == 2 && len(n.ReaderGidSeq) == 2
		}
		eventually(t, name+" hears of all endpoints", func() bool {
			l := c.list()
			return len(l) > 0 && complete(l[len(l)-1])
		})
		l := c.list()
		last := l[len(l)-1]
		n := last.NodeEntitiesInfoSeq
		if len(n) != 1 || n[0].NodeNamespace != "/lab" || n[0].NodeName != "left" {
			t.Errorf("%s: nodes %+v", name, n)
		}
		if last.Gid != gidOf(us.participant.GUID()) || n[0].WriterGidSeq[1] != gidOf(p.(*publisher).writer.GUID()) {
			t.Errorf("%s: wrong identifiers in %+v", name, last)
		}
	}
	guid := us.participant.GUID()
	if gid := gidOf(guid); !bytes.Equal(gid.Data[:], append(append([]byte{}, guid.Prefix[:]...), guid.Entity[:]...)) {
		t.Errorf("identifier %x of %v", gid.Data, guid)
	}
}

// TestSameName: the newcomer and the old node both hear of a second node of their
// name, and of no other.
func TestSameName(t *testing.T) {
	const text = "another node has the same name"
	_, first := node(t, "/lab/left")
	_, other := node(t, "/left")
	_, second := node(t, "/lab/left")
	eventually(t, "warnings", func() bool {
		return first.FilterMessageSnippet(text).Len() == 1 && second.FilterMessageSnippet(text).Len() == 1
	})
	if l := other.FilterMessageSnippet(text); l.Len() > 0 {
		t.Errorf("%v", l.All())
	}
}

// TestGraphHostile: what others say there may be nonsense.
func TestGraphHostile(t *testing.T) {
	us, logs := node(t, "/us")
	w, err := foreign(t).NewWriter(rtps.WriterOptions{
		Topic: graphTopic, Type: graphType.DDSName, QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{{0, 1, 0, 0}, bytes.Repeat([]byte{255}, 100), append(make([]byte, 20), 255, 255, 255, 255)} {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "a warning", func() bool { return logs.FilterMessageSnippet("not understood").Len() == 1 })
	if _, err := us.Advertise(ros.Topic{Name: "/x", Type: std_msgs.StringType}); err != nil {
		t.Error(err)
	}
}

func TestTypeHash(t *testing.T) {
	for data, want := range map[string]string{
		"typehash=RIHS01_ab;":          "RIHS01_ab",
		"typehash=RIHS01_ab":           "RIHS01_ab",
		"enclave=/;typehash=RIHS01_a;": "RIHS01_a",
		"typehash=;":                   "",
	} {
		if got, found := typeHash([]byte(data)); !found || got != want {
			t.Errorf("typeHash(%q) = %q, %v", data, got, found)
		}
	}
	for _, data := range []string{"", "enclave=/;", "typehash", "xtypehash=1;", "\xff\x00;=;"} {
		if got, found := typeHash([]byte(data)); found {
			t.Errorf("typeHash(%q) = %q", data, got)
		}
	}
}

func TestIsHash(t *testing.T) {
	if !isHash(graphType.Hash) {
		t.Errorf("%q is a hash", graphType.Hash)
	}
	for _, text := range []string{"", "RIHS01_", "INVALID", graphType.Hash[1:], graphType.Hash + "0", strings.ToUpper(graphType.Hash), strings.Replace(graphType.Hash, "01", "02", 1)} {
		if isHash(text) {
			t.Errorf("%q is no hash", text)
		}
	}
}

func FuzzGraph(f *testing.F) {
	info := &rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{{
		NodeNamespace: "/lab", NodeName: "left", ReaderGidSeq: make([]rmw_dds_common.Gid, 2), WriterGidSeq: make([]rmw_dds_common.Gid, 1),
	}}}
	f.Add(info.AppendCDR(nil))
	f.Add(info.AppendCDRGid24(nil))
	f.Add((&rmw_dds_common.ParticipantEntitiesInfo{}).AppendCDR(nil))
	f.Fuzz(func(t *testing.T, payload []byte) {
		info, err := parseGraph(payload)
		if err != nil {
			return
		}
		size := 0
		for _, n := range info.NodeEntitiesInfoSeq {
			size += len(n.NodeNamespace) + len(n.NodeName) + 16*(len(n.ReaderGidSeq)+len(n.WriterGidSeq))
		}
		if size > len(payload) {
			t.Errorf("%d bytes of names and identifiers from %d", size, len(payload))
		}
		// a message that has one form must be read in that form
		back := new(rmw_dds_common.ParticipantEntitiesInfo)
		if again := info.AppendCDRGid24(nil); back.ParseCDRGid24(again) != nil || !reflect.DeepEqual(back, info) {
			t.Errorf("%x is not %+v", again, info)
		}
		if viaBoth, err := parseGraph(info.AppendCDRGid24(nil)); err != nil || !reflect.DeepEqual(viaBoth, info) {
			t.Errorf("the form of Humble is read as %+v, %v, want %+v", viaBoth, err, info)
		}
	})
}

func FuzzUserData(f *testing.F) {
	f.Add([]byte("typehash=RIHS01_ab;enclave=/;"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if hash, found := typeHash(data); found && !strings.Contains(string(data), hashKey+"="+hash) {
			t.Errorf("%q has no hash %q", data, hash)
		}
	})
}

package ros2_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// TestSameName: the newcomer and the old node both hear of a second node of their
// name, and of no other.
func TestSameName(t *testing.T) {
	const text = "another node has the same name"
	_, first := ros2.Node(t, "/lab/left")
	_, other := ros2.Node(t, "/left")
	_, second := ros2.Node(t, "/lab/left")
	ros2.Eventually(t, "warnings", func() bool {
		return first.FilterMessageSnippet(text).Len() == 1 && second.FilterMessageSnippet(text).Len() == 1
	})
	if l := other.FilterMessageSnippet(text); l.Len() > 0 {
		t.Errorf("%v", l.All())
	}
}

// TestGraphHostile: what others say there may be nonsense.
func TestGraphHostile(t *testing.T) {
	us, logs := ros2.Node(t, "/us")
	w, err := ros2.Foreign(t).NewWriter(rtps.WriterOptions{
		Topic: ros2.GraphTopic, Type: ros2.GraphType.DDSName, QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{{0, 1, 0, 0}, bytes.Repeat([]byte{255}, 100), append(make([]byte, 20), 255, 255, 255, 255)} {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	ros2.Eventually(t, "a warning", func() bool { return logs.FilterMessageSnippet("not understood").Len() == 1 })
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
		if got, found := ros2.TypeHash([]byte(data)); !found || got != want {
			t.Errorf("typeHash(%q) = %q, %v", data, got, found)
		}
	}
	for _, data := range []string{"", "enclave=/;", "typehash", "xtypehash=1;", "\xff\x00;=;"} {
		if got, found := ros2.TypeHash([]byte(data)); found {
			t.Errorf("typeHash(%q) = %q", data, got)
		}
	}
}

func TestIsHash(t *testing.T) {
	if !ros2.IsHash(ros2.GraphType.Hash) {
		t.Errorf("%q is a hash", ros2.GraphType.Hash)
	}
	for _, text := range []string{"", "RIHS01_", "INVALID", ros2.GraphType.Hash[1:], ros2.GraphType.Hash + "0", strings.ToUpper(ros2.GraphType.Hash), strings.Replace(ros2.GraphType.Hash, "01", "02", 1)} {
		if ros2.IsHash(text) {
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
		info, err := ros2.ParseGraph(payload)
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
		if viaBoth, err := ros2.ParseGraph(info.AppendCDRGid24(nil)); err != nil || !reflect.DeepEqual(viaBoth, info) {
			t.Errorf("the form of Humble is read as %+v, %v, want %+v", viaBoth, err, info)
		}
	})
}

func FuzzUserData(f *testing.F) {
	f.Add([]byte("typehash=RIHS01_ab;enclave=/;"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if hash, found := ros2.TypeHash(data); found && !strings.Contains(string(data), ros2.HashKey+"="+hash) {
			t.Errorf("%q has no hash %q", data, hash)
		}
	})
}

package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/go-rosbag"
	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
)

// inOrder is what Read should give of a list.
func inOrder(list []given) []given {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b given) int { return int(a.at - b.at) })
	return list
}

// check compares a reading with what was written.
func check(t *testing.T, got []Message, want []given) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Topic != w.topic || g.Time != w.at || g.Type != w.message.Type() || !reflect.DeepEqual(g.Message, w.message) {
			t.Fatalf("message %d is %+v,\nwant %+v", i, g, w)
		}
	}
}

// readAll reads a file in memory.
func readAll(data []byte) (list []Message, err error) {
	err = read(bytes.NewReader(data), int64(len(data)), func(string, *msgs.Type) bool { return true },
		func(m Message) error { list = append(list, m); return nil })
	return list, err
}

// formats are the ways in which others write recordings.
func formats(t testing.TB, list []given) map[string][]byte {
	chunked := mcap.WriterOptions{Chunked: true, ChunkSize: 4 << 10, IncludeCRC: true}
	zstd, lz4, bare := chunked, chunked, chunked
	zstd.Compression, lz4.Compression = mcap.CompressionZSTD, mcap.CompressionLZ4
	bare.SkipMessageIndexing, bare.SkipStatistics, bare.SkipRepeatedSchemas, bare.SkipChunkIndex = true, true, true, true
	return map[string][]byte{
		"mcap in chunks":      foreignMCAP(t, list, chunked, "cdr"),
		"mcap zstd":           foreignMCAP(t, list, zstd, "cdr"),
		"mcap lz4":            foreignMCAP(t, list, lz4, "cdr"),
		"mcap without chunks": foreignMCAP(t, list, mcap.WriterOptions{}, "cdr"),
		"mcap without index":  foreignMCAP(t, list, bare, "cdr"),
		"mcap of ros1":        foreignMCAP(t, list, zstd, "ros1"),
		"bag":                 foreignBag(t, list, rosbag.WithCompression("none"), rosbag.WithChunksize(4<<10)),
		"bag lz4":             foreignBag(t, list, rosbag.WithCompression("lz4"), rosbag.WithChunksize(4<<10)),
	}
}

func TestReadForeign(t *testing.T) {
	list := samples(300)
	for name, data := range formats(t, list) {
		t.Run(name, func(t *testing.T) {
			got, err := readAll(data)
			if err != nil {
				t.Fatal(err)
			}
			check(t, got, inOrder(list))
		})
	}
}

// TestReadCutOff cuts files at many places: what was whole is read, and the error
// says that there should be more.
func TestReadCutOff(t *testing.T) {
	list := samples(300)
	want := inOrder(list)
	for name, data := range formats(t, list) {
		t.Run(name, func(t *testing.T) {
			before, cuts := 0, 50
			if testing.Short() {
				cuts = 10
			}
			for n := len(data) / cuts; n < len(data)*9/10; n += len(data)/cuts + 7 {
				got, err := readAll(data[:n])
				if !errors.Is(err, ErrIncomplete) && (err != nil || len(got) < len(want)) { // cut within the index
					t.Fatalf("%d of %d bytes: %d messages, error %v", n, len(data), len(got), err)
				}
				if len(got) < before {
					t.Fatalf("%d messages of %d bytes, %d of fewer", len(got), n, before)
				}
				before = len(got)
				for _, m := range got {
					if m.Topic != "/robot/measured_cp" && m.Topic != "/robot/note" {
						t.Fatalf("%d bytes: message %+v", n, m)
					}
				}
			}
			if before < len(want)/2 {
				t.Errorf("%d messages of %d, of which nine tenths were there", before, len(want))
			}
		})
	}
}

func TestReadWanted(t *testing.T) {
	list := samples(30)
	for name, data := range formats(t, list) {
		asked := map[string]int{}
		var got []Message
		err := read(bytes.NewReader(data), int64(len(data)), func(topic string, typ *msgs.Type) bool {
			asked[topic+" "+typ.Name]++
			return topic == "/robot/note"
		}, func(m Message) error { got = append(got, m); return nil })
		if err != nil || len(got) != 10 {
			t.Errorf("%s: %d messages, error %v", name, len(got), err)
		}
		if want := map[string]int{"/robot/measured_cp geometry_msgs/PoseStamped": 1, "/robot/note std_msgs/String": 1}; !reflect.DeepEqual(asked, want) {
			t.Errorf("%s: asked for %v", name, asked)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	list := samples(30)
	file := filepath.Join(dir, "x.mcap")
	must(t, os.WriteFile(file, formats(t, list)["mcap zstd"], 0o644))
	stop := errors.New("enough")
	n := 0
	err := Read(file, nil, func(Message) error {
		if n++; n == 5 {
			return stop
		}
		return nil
	})
	if err != stop || n != 5 {
		t.Errorf("visited %d messages, error %v", n, err)
	}
	other := filepath.Join(dir, "x.csv")
	must(t, os.WriteFile(other, []byte("t,x\n0,0\n"), 0o644))
	for _, file := range []string{other, filepath.Join(dir, "none.bag")} {
		if err := Read(file, nil, func(Message) error { return nil }); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", file, err)
		}
		if _, err := Topics(file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", file, err)
		}
	}
}

func TestTopics(t *testing.T) {
	list := samples(30)
	dir := t.TempDir()
	for name, data := range formats(t, list) {
		file := filepath.Join(dir, "x")
		must(t, os.WriteFile(file, data, 0o644))
		topics, err := Topics(file)
		must(t, err)
		byName := map[string]Topic{}
		for _, topic := range topics {
			byName[topic.Name] = topic
		}
		pose := byName["/robot/measured_cp"]
		if pose.Messages != 30 || pose.First != start || pose.Last != start+29*time.Millisecond || pose.TypeName != "geometry_msgs/PoseStamped" || pose.Type == nil {
			t.Errorf("%s: %+v", name, pose)
		}
		if len(topics) != 3 || byName["/unknown"].Type != nil || byName["/old"].Type != nil {
			t.Errorf("%s: %+v", name, topics)
		}
	}
}

// FuzzRead feeds damaged and made-up files, which must neither panic nor give
// messages that were not asked for.
func FuzzRead(f *testing.F) {
	for _, data := range formats(f, samples(4)) {
		f.Add(data)
		f.Add(data[:len(data)*2/3])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var last time.Duration
		_ = read(bytes.NewReader(data), int64(len(data)), func(topic string, _ *msgs.Type) bool { return topic != "/robot/note" },
			func(m Message) error {
				if m.Topic == "/robot/note" || m.Time < last || m.Message == nil {
					t.Errorf("visited %+v after %v", m, last)
				}
				last = m.Time
				return nil
			})
	})
}

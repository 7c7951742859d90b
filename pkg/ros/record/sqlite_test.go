package record_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/record"
)

// The databases of these tests are written by SQLite's own library, see testdata/make_db3.py: pages of 512 bytes, so that tables have
// interior pages, and messages of 1.8 kB that go on in other pages.

// start is when they begin, a pose every 10 ms.
const start = 1_700_000_000 * time.Second

// poses counts the poses of /cam/pose of a recording, which are numbered by their x, and the arrays of /cam/line.
func poses(t *testing.T, file string) (n, arrays int, err error) {
	t.Helper()
	err = record.Read(file, nil, func(m record.Message) error {
		switch v := m.Message.(type) {
		case *geometry_msgs.PoseStamped:
			if at := start + time.Duration(n)*10*time.Millisecond; v.Pose.Position.X != float64(n) || v.Pose.Orientation.W != 1 || m.Time != at || v.Header.Stamp != msgs.At(at) {
				t.Errorf("pose %d: %+v at %v", n, v, m.Time)
			}
			n++
		case *geometry_msgs.PoseArray:
			if len(v.Poses) != 30 || v.Poses[29].Position.X != 29 {
				t.Errorf("array %+v", v)
			}
			arrays++
		}
		return nil
	})
	return n, arrays, err
}

// TestDatabases: a .db3 file is read, a folder of several one after the other, and what the log of a killed recorder has.
func TestDatabases(t *testing.T) {
	for file, want := range map[string][2]int{
		"folder/run_0.db3": {60, 3},
		"folder":           {80, 4},
		"killed.db3":       {40, 2},
	} {
		t.Run(file, func(t *testing.T) {
			file := filepath.Join("testdata", file)
			n, arrays, err := poses(t, file)
			if err != nil || n != want[0] || arrays != want[1] {
				t.Errorf("%d poses, %d arrays, %v; want %v", n, arrays, err, want)
			}
			list, err := record.Topics(file)
			if err != nil || len(list) != 3 || list[0].Name != "/cam/pose" || list[0].Messages != want[0] || list[0].Type != geometry_msgs.PoseStampedType ||
				list[0].First != start || list[2].Type != nil || list[2].TypeName != "sensor_msgs/Unknown" {
				t.Errorf("topics %+v, %v", list, err)
			}
			if info, err := record.Info(file); err != nil || len(info) != 0 {
				t.Errorf("info %v, %v", info, err)
			}
		})
	}
}

// TestIndexOfDatabase: any moment of it is found.
func TestIndexOfDatabase(t *testing.T) {
	x, err := record.OpenIndex("testdata/folder/run_0.db3")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if first, last, ok := x.Span(); !ok || first != start || last != start+590*time.Millisecond {
		t.Errorf("from %v to %v", first, last)
	}
	var seen []float64
	if err := x.Between(start+95*time.Millisecond, start+125*time.Millisecond, func(m record.Message) {
		seen = append(seen, m.Message.(*geometry_msgs.PoseStamped).Pose.Position.X)
	}); err != nil || len(seen) != 3 || seen[0] != 10 {
		t.Errorf("%v, %v", seen, err)
	}
	if _, err := record.OpenIndex("testdata/folder"); err == nil || !strings.Contains(err.Error(), "a folder of 2 files; name one of them: testdata/folder/run_0.db3, ") {
		t.Errorf("error %v", err)
	}
}

// TestDamagedDatabases: of a database that is cut the pages that are there are read; one that is damaged anywhere does no harm.
func TestDamagedDatabases(t *testing.T) {
	whole, err := os.ReadFile("testdata/folder/run_0.db3")
	if err != nil {
		t.Fatal(err)
	}
	write := func(data []byte) string {
		file := filepath.Join(t.TempDir(), "x.db3")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if n, _, err := poses(t, write(whole[:len(whole)/2])); !errors.Is(err, record.ErrIncomplete) || n < 10 || n > 50 {
		t.Errorf("half of it: %d poses, %v", n, err)
	}
	for text, want := range map[string]string{
		"SQLite format 3\x00":    "the file ends within a record",
		string(whole[:512]) + "": "",
		"words":                  `neither an .mcap file nor a .bag file of format 2.0 nor a .db3 file of rosbag2: it is text that begins with "words"; if it is a table, name it .csv`,

		"t,x,µ":                          `begins with "t,x,µ"`,
		"\x8f\x01\xfe\x00\x17\x90noise":  `it is binary and begins with "\x8f\x01\xfe\x00\x17\x90no", as of another program, or damaged or encrypted; copy it again`,
		strings.Repeat("\x00", 9000):     "its first 4096 bytes are 0",
		"#ROSBAG V1.2\n":                 "rosbag migrate",
		"version https://git-lfs.github": "git lfs pull",
		"\x28\xb5\x2f\xfd packed":        "packed by zstd; unpack it first: unzstd FILE",
		"":                               "it is empty",
	} {
		if _, err := record.Topics(write([]byte(text))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, want %q", len(text), err, want)
		}
	}
	for at := 0; at < len(whole); at += 7 {
		data := append([]byte(nil), whole...)
		data[at] ^= 0x55
		_ = record.Read(write(data), nil, func(record.Message) error { return nil }) // no panic, no end
	}
}

// TestFolders: the files of a folder without metadata are found, and what is no recording is named with what to do.
func TestFolders(t *testing.T) {
	whole, err := os.ReadFile("testdata/folder/run_0.db3")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"without metadata": {map[string]string{"x_0.db3": string(whole)}, ""},
		"two recordings":   {map[string]string{"x_0.db3": string(whole), "y_0.db3": string(whole)}, "with several recordings, x_0.db3 and y_0.db3; name one of them"},
		"bad metadata":     {map[string]string{"metadata.yaml": "a: [", "x_0.db3": string(whole)}, "metadata.yaml: yaml"},
		"a log of others":  {map[string]string{"x_0.db3": string(whole), "x_0.db3-wal": strings.Repeat("x", 40)}, "x_0.db3-wal: no write-ahead log of SQLite"},
		"a part left out":  {map[string]string{"metadata.yaml": "a: {relative_file_paths: [x_0.db3]}", "x_0.db3": string(whole), "x_1.db3": string(whole)}, "metadata.yaml names x_0.db3 and not x_1.db3 beside it; ros2 bag reindex"},
		"messages missing": {map[string]string{"metadata.yaml": "a: {relative_file_paths: [x_0.db3], message_count: 70}", "x_0.db3": string(whole)}, "the recording is not complete: metadata.yaml counts 70 messages, of which the files have 66"},
		"messages counted": {map[string]string{"metadata.yaml": "a: {relative_file_paths: [x_0.db3], message_count: 66}", "x_0.db3": string(whole)}, ""},
		"a hot journal":    {map[string]string{"x_0.db3": string(whole), "x_0.db3-journal": "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7rest"}, "x_0.db3-journal: the recorder was killed within a change"},
		"a journal":        {map[string]string{"x_0.db3": string(whole), "x_0.db3-journal": ""}, ""},
		"an empty log":     {map[string]string{"x_0.db3": string(whole), "x_0.db3-wal": ""}, ""},
		"nothing":          {nil, "a folder without metadata.yaml and without files .mcap, .bag, .db3: no recording of rosbag2"},
		"compressed":       {map[string]string{"metadata.yaml": "a:\n  relative_file_paths:\n    - x_0.db3.zstd\n  b: 1\n"}, "x_0.db3.zstd is compressed as a whole; decompress it with zstd -d"},
		"a file missing":   {map[string]string{"metadata.yaml": "a:\n  relative_file_paths: [x_0.db3]\n"}, ": metadata.yaml names x_0.db3, not in the folder, which has no data; copy what is missing there"},
		"a part missing":   {map[string]string{"metadata.yaml": "a: {relative_file_paths: [x_0.db3, x_1.db3]}", "x_0.db3": string(whole)}, "metadata.yaml names x_1.db3, not in the folder; copy what is missing there, or name one of the files that are there"},
		"a file renamed":   {map[string]string{"metadata.yaml": "a: {relative_file_paths: [x_0.db3]}", "tuesday.db3": string(whole)}, "metadata.yaml names x_0.db3, not in the folder, where tuesday.db3 is; name that file if it is the recording, or ros2 bag reindex"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			n, _, err := poses(t, dir)
			if c.want == "" && (err != nil || n != 60) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%d poses, %v; want %q", n, err, c.want)
			}
		})
	}
}

// TestDamagedLogs: what is wrong with the write-ahead log of a killed recorder is told, and the messages before it are read. Pages of an
// earlier log behind its end are no mistake.
func TestDamagedLogs(t *testing.T) {
	db, err := os.ReadFile("testdata/killed.db3")
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile("testdata/killed.db3-wal")
	if err != nil {
		t.Fatal(err)
	}
	const header, page = 32, 24 + 512
	last := header + (len(log)-header)/page*page - page // where the last page begins
	changed := func(at int, by byte) []byte {
		data := append([]byte(nil), log...)
		data[at] ^= by
		return data
	}
	for name, c := range map[string]struct {
		log  []byte
		n    int
		want string
	}{
		"whole":              {log, 40, ""},
		"a bit of a page":    {changed(header+page+100, 1), -1, fmt.Sprintf("has a wrong checksum at byte %d of %d", header+page, len(log))},
		"a salt of the last": {changed(last+8, 1), -1, "ends with messages that were not committed"},
		"an earlier log":     {append(append([]byte(nil), log...), changed(last+8, 1)[last:]...), 40, ""},
		"cut within a page":  {log[:len(log)-7], -1, fmt.Sprintf("ends at byte %d, within a page", len(log)-7)},
		"cut in the header":  {log[:20], -1, "ends at byte 20, within its header"},
		"a wrong header":     {changed(12, 1), -1, "has a wrong checksum in its header"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.db3")
			for name, data := range map[string][]byte{file: db, file + "-wal": c.log} {
				if err := os.WriteFile(name, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			n, _, err := poses(t, file)
			switch {
			case c.want == "" && (err != nil || n != c.n):
				t.Errorf("%d poses, %v; want %d", n, err, c.n)
			case c.want != "" && (n >= 40 || !errors.Is(err, record.ErrIncomplete) || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%d poses, %v; want %q", n, err, c.want)
			}
			if _, again := record.Topics(file); (again != nil) != (err != nil) {
				t.Errorf("topics: %v", again)
			}
		})
	}
}

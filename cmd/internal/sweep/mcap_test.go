package sweep_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/cmd/internal/exitcode"
	"sinew/msgs/cdr"
)

// messages are those of a recording of samples, with the text of their type.
func messages(t *testing.T, name string) (schema string, list [][]byte) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := mcap.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	it, err := r.Messages()
	if err != nil {
		t.Fatal(err)
	}
	if err := mcap.Range(it, func(s *mcap.Schema, c *mcap.Channel, m *mcap.Message) error {
		if m.LogTime != uint64(len(list))*1e9 || c.Topic != "/samples" || s.Encoding != "ros2msg" {
			t.Errorf("message %d on %s, %s, at %d ns", len(list), c.Topic, s.Encoding, m.LogTime)
		}
		schema, list = string(s.Data), append(list, append([]byte(nil), m.Data...))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return schema, list
}

// The type of the messages is that of the sweep, and a sample that fails is NaN after what it
// came to, with the error.
func TestMessages(t *testing.T) {
	out := filepath.Join(t.TempDir(), "s.mcap")
	_, err := do("sweep", "--vary", "tendons.long_up.friction_coefficient=values(0,1)", "--vary", "offset_m[0]=values(0.015)", "--duration", "2", "--sample-hz", "1", "--out", out)
	if exitcode.Code(err) != exitcode.Failed || !strings.Contains(err.Error(), "1 samples failed") {
		t.Errorf("%v", err)
	}
	schema, list := messages(t, out)
	for _, want := range []string{
		"\nuint64 sample\nfloat64 tendons_long_up_friction_coefficient # tendons.long_up.friction_coefficient\nfloat64 offset_m_0 # offset_m[0]\nfloat64[] t # t\nfloat64[] x # x\n",
		"\nfloat64[] c # c\nstring warning\nstring error\n",
	} {
		if !strings.Contains(schema, want) {
			t.Errorf("the type is\n%s", schema)
		}
	}
	if len(list) != 2 {
		t.Fatalf("%d messages", len(list))
	}
	r := cdr.NewReader(list[1])
	if i, varied, offset := r.Uint64(), r.Float64(), r.Float64(); i != 1 || varied != 1 || offset != 0.015 {
		t.Errorf("sample %d of %g and %g", i, varied, offset)
	}
	times := make([]float64, r.Count(8))
	r.Float64s(times)
	for range 6 {
		column := make([]float64, r.Count(8))
		r.Float64s(column)
		if len(column) != len(times) || column[0] != column[0] || column[len(column)-1] == column[len(column)-1] {
			t.Errorf("at %v a column is %v: want numbers, and NaN at the end", times, column)
		}
	}
	if warning, failure := r.String(), r.String(); warning != "" || !strings.Contains(failure, "fail") || r.Finish("Sample") != nil {
		t.Errorf("warning %q, error %q, %v", warning, failure, r.Finish("Sample"))
	}
}

// Any number of workers and of shards make the same bytes, and merge adds nothing to them.
func TestRecordingsOfWorkersAndShards(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s+".mcap") }
	must(t, with("--out", name("whole"), "--workers", "1")...)
	must(t, with("--out", name("many"), "--workers", "7")...)
	args := []string{"merge", "--out", name("merged")}
	for _, i := range []string{"3/4", "1/4", "4/4", "2/4", "2/4"} { // one twice
		part := name("part" + strings.ReplaceAll(i, "/", "of"))
		must(t, with("--out", part, "--shard", i)...)
		args = append(args, part)
	}
	must(t, args...)
	for _, other := range []string{"many", "merged"} {
		if text(t, name(other)) != text(t, name("whole")) {
			t.Errorf("%s differs from that of one worker", name(other))
		}
		if text(t, name(other)+".json") != text(t, name("whole")+".json") {
			t.Errorf("%s.json differs from that of one worker", name(other))
		}
	}
	if _, list := messages(t, name("merged")); len(list) != 23 {
		t.Errorf("%d messages", len(list))
	}
	if again := must(t, with("--out", name("whole"))...); !strings.Contains(again, "has all 23 samples") {
		t.Errorf("a second time it says %q", again)
	}

	// what is missing, cut off, of another kind, or somebody else's
	refused := func(want string, args ...string) {
		t.Helper()
		if _, err := do(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
	refused("6 of 23 samples are missing", "merge", "--out", name("few"), args[3], args[4], args[5])
	csv := filepath.Join(dir, "part.csv")
	must(t, with("--out", csv, "--shard", "1/4")...)
	refused("are merged into a file of their own kind, .csv", "merge", "--out", name("few"), csv)
	refused("are merged into a file of their own kind, .mcap", "merge", "--out", filepath.Join(dir, "few.bag"), args[3])
	refused("want a name that ends in .csv or .mcap", with("--out", filepath.Join(dir, "few.bag"))...)
	cut := text(t, args[3])
	if err := os.WriteFile(args[3], []byte(cut[:len(cut)/2]), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("is not as sweep wrote it", append([]string{"merge", "--out", name("few")}, args[3:]...)...)
	if _, err := os.Stat(name("few")); err == nil {
		t.Error("something is written")
	}
	before := text(t, args[3])
	refused("exists", with("--out", args[3], "--shard", "3/4")...)
	if text(t, args[3]) != before {
		t.Error("a file that is cut off was written over")
	}
}

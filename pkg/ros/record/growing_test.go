package record

import (
	"path/filepath"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// A file that is still being written can be looked at: what was in it when it was opened stays readable while its last
// chunk is written over.
func TestIndexOfGrowingFile(t *testing.T) {
	for _, name := range []string{"x.mcap", "x.bag"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			w, err := Create(file, Options{Node: "/n"})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			p, err := w.Advertise(ros.Topic{Name: "/a", Type: std_msgs.StringType})
			if err != nil {
				t.Fatal(err)
			}
			const each = 500
			sent := 0
			more := func() {
				for range each {
					s := ros.NewSample(&std_msgs.String{Data: time.Duration(sent * 1e6).String()})
					s.Time = msgs.At(time.Hour + time.Duration(sent)*time.Millisecond)
					p.Publish(s)
					sent++
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			more()
			x, err := OpenIndex(file)
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			first, last, _ := x.Span()
			for range 3 {
				more()
				n := 0
				x.cache, x.recent = map[int64][]entry{}, nil // as after other blocks
				if err := x.Between(first-1, last, func(Message) { n++ }); err != nil || n != each {
					t.Errorf("%d of %d messages: %v", n, each, err)
				}
			}
		})
	}
}

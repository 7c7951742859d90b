package record

import (
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// watched is a disk that is looked at after every write.
type watched struct {
	disk
	look func(data []byte)
}

func (d *watched) WriteAt(b []byte, at int64) (int, error) {
	n, err := d.disk.WriteAt(b, at)
	if d.look != nil {
		d.look(d.data.b)
	}
	return n, err
}

func (d *watched) Truncate(size int64) error {
	err := d.disk.Truncate(size)
	if d.look != nil {
		d.look(d.data.b)
	}
	return err
}

// TestLargeEndIsWrittenInPieces: the end of a long recording, whose index is larger than what is
// written at once, is whole, also over an older one; whoever looks in between finds all
// messages; and no memory is kept that grows with it.
func TestLargeEndIsWrittenInPieces(t *testing.T) {
	const chunks = 30_000
	for name, f := range map[string]encoder{"mcap": newMCAPEncoder(testOptions), "bag": newBagEncoder(testOptions)} {
		d := &watched{}
		w, err := newWriter(d, f)
		must(t, err)
		p, err := w.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
		must(t, err)
		for i := range chunks {
			p.Publish(sample(&std_msgs.String{Data: "x"}, start+time.Duration(i)))
			must(t, w.grow())
		}
		looks := 0
		for range 2 {
			p.Publish(sample(&std_msgs.String{Data: "x"}, start+chunks))
			d.look = func(data []byte) {
				looks++
				if list, err := readAll(data); len(list) < chunks {
					t.Errorf("%s: %d messages of %d in between, %v", name, len(list), chunks, err)
				}
			}
			must(t, w.Flush())
			d.look = nil
			if list, err := readAll(d.data.b); err != nil || len(list) != int(w.messages) {
				t.Errorf("%s: %d messages of %d, %v", name, len(list), w.messages, err)
			}
		}
		if w.tailSize < pieceBytes || looks < 5 {
			t.Errorf("%s: the end of %d bytes, looked at %d times, is not large", name, w.tailSize, looks)
		}
		if c := cap(w.out); c > 2*pieceBytes {
			t.Errorf("%s: %d bytes are kept, of pieces of %d", name, c, pieceBytes)
		}
		must(t, w.Close())
	}
}

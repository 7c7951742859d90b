package record

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// Unexported names for the external tests.
const (
	ChunkBytes = chunkBytes
	MaxName    = maxName
	RecordHead = recordHead
)

type Encoder = encoder

var (
	AppendFrom       = appendFrom
	AttachmentInTest = attachment
	BagMagic         = bagMagic
	Cause            = cause
	ErrCut           = errCut
	ErrNoEnd         = errNoEnd
	IoError          = ioError
	LengthPrefixed   = lengthPrefixed
	McapMagic        = mcapMagic
	NewBagEncoder    = newBagEncoder
	NewMCAPEncoder   = newMCAPEncoder
	NewWriter        = newWriter
	OfferedQoS       = offeredQoS
)

func Flip(b []byte, i int) []byte {
	c := append([]byte{}, b...)
	c[i] ^= 0xff
	return c
}

// FailingFile is a file whose disk cannot read the byte at bad and what follows it.
type FailingFile struct {
	Data []byte
	Bad  int64
}

var ErrDisk = errors.New("input/output error")

func (f FailingFile) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) <= f.Bad {
		return copy(b, f.Data[at:]), nil
	}
	return copy(b, f.Data[min(at, f.Bad):f.Bad]), ErrDisk
}

// InOrder is what Read should give of a list.
func InOrder(list []Given) []Given {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Given) int { return int(a.At - b.At) })
	return list
}

// Check compares a reading with what was written.
func Check(t *testing.T, got []Message, want []Given) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Topic != w.Topic || g.Time != w.At || g.Type != w.Message.Type() || !reflect.DeepEqual(g.Message, w.Message) {
			t.Fatalf("message %d is %+v,\nwant %+v", i, g, w)
		}
	}
}

// ReadInTest reads a file of a size.
func ReadInTest(r io.ReaderAt, size int64, want func(string, *msgs.Type) bool, visit func(Message) error) error {
	_, err := read(content{in: r, size: size}, want, visit)
	return err
}

// ReadAll reads a file in memory.
func ReadAll(data []byte) (list []Message, err error) {
	err = ReadInTest(bytes.NewReader(data), int64(len(data)), func(string, *msgs.Type) bool { return true },
		func(m Message) error { list = append(list, m); return nil })
	return list, err
}

// Disk is a target that a test makes slow or full.
type Disk struct {
	mu     sync.Mutex
	Data   SeekBuffer
	Full   int64 // bytes, 0 is endless
	Gate   sync.Mutex
	Closed bool
}

var ErrFull = errors.New("no space left on device")

func (d *Disk) WriteAt(b []byte, at int64) (int, error) {
	d.Gate.Lock()
	defer d.Gate.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	fits := len(b)
	if d.Full > 0 {
		fits = int(min(max(d.Full-at, 0), int64(len(b))))
	}
	d.Data.at = int(at)
	n, _ := d.Data.Write(b[:fits])
	if n < len(b) {
		return n, ErrFull
	}
	return n, nil
}

func (d *Disk) Truncate(size int64) error {
	d.Data.B = d.Data.B[:size]
	return nil
}

func (d *Disk) Close() error {
	d.Closed = true
	return nil
}

var SampleOptions = Options{
	Node: "/robot", Created: Start, Info: map[string]string{"version": "1.2.3"},
	Robot: []byte("rod: {}\n"), RobotName: "robot.yaml",
}

// Sample makes a Sample at a time.
func Sample(m msgs.Message, at time.Duration) *ros.Sample {
	s := ros.NewSample(m)
	s.Time = msgs.At(at)
	return s
}

// Tell publishes a list on a transport; messages of /command arrive instead.
func Tell(t *testing.T, on interface {
	ros.Transport
	Received(ros.Topic, *ros.Sample)
}, list []Given) {
	t.Helper()
	publishers := map[string]ros.Publisher{}
	for _, g := range list {
		topic := ros.Topic{Name: g.Topic, Type: g.Message.Type(), Latched: strings.HasSuffix(g.Topic, "note")}
		if g.Topic == "/command" {
			on.Received(topic, Sample(g.Message, g.At))
			continue
		}
		if publishers[g.Topic] == nil {
			p, err := on.Advertise(topic)
			Must(t, err)
			publishers[g.Topic] = p
		}
		publishers[g.Topic].Publish(Sample(g.Message, g.At))
	}
}

// Story is a list with commands that arrive.
func Story(n int) []Given {
	list := Samples(n)
	for i := 0; i < n; i += 10 {
		at := Start + time.Duration(i)*time.Millisecond + 300*time.Microsecond
		list = append(list, Given{"/command", at, &std_msgs.Float64MultiArray{Data: []float64{float64(i), 0.5}}})
	}
	return InOrder(list)
}

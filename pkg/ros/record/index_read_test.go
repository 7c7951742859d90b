package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// indexed writes 4 s of a topic at 1000 Hz, with a latched one of which there is one message, and one
// that begins after 2 s.
func indexed(t *testing.T, file string) string {
	t.Helper()
	file = filepath.Join(t.TempDir(), file)
	w, err := record.Create(file, record.Options{Node: "/robot"})
	if err != nil {
		t.Fatal(err)
	}
	var topics [3]ros.Publisher
	for i, name := range []string{"/fast", "/once", "/late"} {
		if topics[i], err = w.Advertise(ros.Topic{Name: name, Type: std_msgs.StringType}); err != nil {
			t.Fatal(err)
		}
	}
	padding := string(make([]byte, 2000))
	for ms := range 4000 {
		say := func(p ros.Publisher, text string) {
			s := ros.NewSample(&std_msgs.String{Data: text})
			s.Time = msgs.At(time.Hour + time.Duration(ms)*time.Millisecond)
			p.Publish(s)
		}
		say(topics[0], fmt.Sprint(ms, padding))
		if ms == 5 {
			say(topics[1], "once")
		}
		if ms >= 2000 && ms%10 == 0 {
			say(topics[2], fmt.Sprint(ms))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// brief writes two short messages.
func brief(t testing.TB, file string) string {
	t.Helper()
	file = filepath.Join(t.TempDir(), file)
	w, err := record.Create(file, record.Options{Node: "/robot"})
	record.Must(t, err)
	p, err := w.Advertise(ros.Topic{Name: "/brief", Type: std_msgs.StringType})
	record.Must(t, err)
	for i := range 2 {
		s := ros.NewSample(&std_msgs.String{Data: fmt.Sprint(i)})
		s.Time = msgs.At(time.Hour + time.Duration(i)*time.Second)
		p.Publish(s)
	}
	record.Must(t, w.Close())
	return file
}

// at lists what an index gives for a time after the first message.
func at(t *testing.T, x *record.Index, after time.Duration) (list []string) {
	t.Helper()
	if err := x.At(time.Hour+after, func(m record.Message) {
		text := m.Message.(*std_msgs.String).Data
		list = append(list, fmt.Sprintf("%s %.4s", m.Topic, text[:min(4, len(text))]))
	}); err != nil {
		t.Error(err)
	}
	for i := range list {
		list[i] = string(slices.DeleteFunc([]byte(list[i]), func(b byte) bool { return b == 0 }))
	}
	return list
}

// Of both formats any moment can be read, with the newest message of each topic, and what follows it;
// of a file that was cut off too.
func TestIndex(t *testing.T) {
	for _, name := range []string{"x.mcap", "x.bag", "cut.mcap", "cut.bag"} {
		t.Run(name, func(t *testing.T) {
			file := indexed(t, name)
			cut := name[:3] == "cut"
			if cut {
				info, err := os.Stat(file)
				if err == nil {
					err = os.Truncate(file, info.Size()*7/8)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			x, err := record.OpenIndex(file)
			if cut != errors.Is(err, record.ErrIncomplete) || x == nil {
				t.Fatal(err)
			}
			defer x.Close()
			first, last, ok := x.Span()
			if !ok || first != time.Hour || last > time.Hour+3999*time.Millisecond || last < time.Hour+3400*time.Millisecond || !cut && last != time.Hour+3999*time.Millisecond {
				t.Errorf("from %v to %v, %v", first, last, ok)
			}
			if got := len(x.Topics()); got != 3 {
				t.Errorf("%d topics", got)
			}
			for after, want := range map[time.Duration][]string{
				-time.Second:            nil,
				0:                       {"/fast 0"},
				5500 * time.Microsecond: {"/fast 5", "/once once"},
				2999 * time.Millisecond: {"/once once", "/late 2990", "/fast 2999"},
				1500 * time.Millisecond: {"/once once", "/fast 1500"},
			} {
				if got := at(t, x, after); !slices.Equal(got, want) {
					t.Errorf("at %v: %q, want %q", after, got, want)
				}
			}
			var n int
			previous := time.Duration(0)
			if err := x.Between(time.Hour+time.Second, time.Hour+3*time.Second, func(m record.Message) {
				if n++; m.Time < previous || m.Time <= time.Hour+time.Second || m.Time > time.Hour+3*time.Second {
					t.Errorf("%s at %v after %v", m.Topic, m.Time, previous)
				}
				previous = m.Time
			}); err != nil || n != 2000+101 {
				t.Errorf("%d messages, %v", n, err)
			}
		})
	}
}

// Of a file with an index a damaged part is found when it is read: it is reported once, and
// what is before and after it is read.
func TestIndexOfDamagedPart(t *testing.T) {
	for _, name := range []string{"x.mcap", "x.bag"} {
		t.Run(name, func(t *testing.T) {
			file := indexed(t, name)
			data, err := os.ReadFile(file)
			record.Must(t, err)
			at := bytes.Index(data, []byte("3000\x00")) // the text of a message in the middle
			if filepath.Ext(name) == ".bag" {
				at = bytes.LastIndex(data[:at], []byte("conn=")) - 4 // its header
			}
			data[at] ^= 0x80
			record.Must(t, os.WriteFile(file, data, 0o600))
			x, err := record.OpenIndex(file)
			record.Must(t, err)
			defer x.Close()
			n := 0
			count := func(record.Message) { n++ }
			err = x.Between(time.Hour, time.Hour+4*time.Second, count)
			if err == nil || !strings.Contains(err.Error(), "block at byte ") || n < 3000 || n > 4200 {
				t.Errorf("%d messages, %v", n, err)
			}
			later, err := record.OpenIndex(file)
			record.Must(t, err)
			defer later.Close()
			for i := range 2 {
				if err := later.At(time.Hour+3000*time.Millisecond, count); (err != nil) != (i == 0) {
					t.Errorf("reading %d: %v", i, err)
				}
			}
		})
	}
}

// Files that are damaged anywhere open with an error or without, and nothing else.
func FuzzIndex(f *testing.F) {
	for _, name := range []string{"x.mcap", "x.bag"} {
		data, err := os.ReadFile(brief(f, name))
		record.Must(f, err)
		f.Add(data)
	}
	f.Add(append(slices.Clone(record.McapMagic), 6, 40, 0, 0, 0, 0, 0, 0, 0))
	f.Add(append(slices.Clone(record.BagMagic), 4, 0, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := record.OpenIndex(file)
		if x == nil {
			if err == nil {
				t.Error("neither an index nor an error")
			}
			return
		}
		_, last, _ := x.Span()
		_ = x.At(last, func(record.Message) {}) // what cannot be parsed is an error
		_ = x.Close()
	})
}

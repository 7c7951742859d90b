package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/viewer"
)

const begin = 1000 * time.Second

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// moving records a pose that moves by 1 m/s along x for 10 s from a time on.
func moving(t *testing.T, file string, from time.Duration) string {
	t.Helper()
	file = filepath.Join(t.TempDir(), file)
	w, err := record.Create(file, record.Options{Node: "/rod"})
	must(t, err)
	p, err := w.Advertise(ros.Topic{Name: "/rod/measured_cp", Type: geometry_msgs.PoseStampedType})
	must(t, err)
	for i := range 1001 {
		m := &geometry_msgs.PoseStamped{}
		m.Pose.Position.X, m.Pose.Orientation.W = float64(i)/100, 1
		s := ros.NewSample(m)
		s.Time = msgs.At(from + time.Duration(i)*10*time.Millisecond)
		p.Publish(s)
	}
	must(t, w.Close())
	return file
}

func env() *cli.Env {
	return &cli.Env{Robot: &program.Robot{Name: "rod", Shown: "measured_cp"}, Stdout: new(strings.Builder), Stderr: new(strings.Builder)}
}

// theatre serves recordings to one viewer.
type theatre struct {
	t     *testing.T
	conn  *websocket.Conn
	until context.Context   // of the whole test
	ids   map[string]uint32 // subscriptions, by topic
	info  struct {
		Capabilities []string
		DataEndTime  struct{ Sec, Nsec int64 }
		Metadata     map[string]string
	}
	node  string // without its slash
	about string // of the panel
	link  string
}

func play(t *testing.T, files ...string) *theatre {
	t.Helper()
	return playOf(t, &Cmd{Files: files}, env())
}

// playOf serves what a command line asks for.
func playOf(t *testing.T, c *Cmd, e *cli.Env) *theatre {
	t.Helper()
	recordings, err := c.open(e)
	must(t, err)
	for _, r := range recordings {
		t.Cleanup(func() { _ = r.Close() })
	}
	if len(recordings) > 1 {
		recordings[1].align(recordings[0], nil)
	}
	return project(t, e, recordings)
}

// project serves recordings.
func project(t *testing.T, e *cli.Env, recordings []*recording) *theatre {
	t.Helper()
	agree(recordings)
	p := newPlayer(recordings, zap.NewNop())
	s, err := viewer.New(viewer.Options{
		Address: "127.0.0.1:0", Node: "/rod", Metadata: p.panel(e, ""),
		Playback: &viewer.Playback{From: recordings[0].first, To: recordings[0].last, Control: p.control, State: p.now, History: p.history},
	})
	must(t, err)
	must(t, p.open(s))
	s.Start()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { p.run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended; _ = s.Close() })
	until, release := context.WithTimeout(ctx, time.Minute) // a topic that never comes ends no reading
	t.Cleanup(release)
	h := &theatre{t: t, until: until, ids: map[string]uint32{}, node: recordings[0].node[1:], link: s.Link()}
	if time.Sleep(5 * tick); p.now().Time != recordings[0].first {
		t.Errorf("%v of the recording have passed before anybody saw it", p.now().Time-recordings[0].first)
	}
	h.conn, _, err = websocket.Dial(ctx, strings.Replace(s.Link(), "http", "ws", 1), &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	must(t, err)
	h.conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = h.conn.CloseNow() })
	h.join()
	return h
}

// read returns the next message.
func (h *theatre) read() (websocket.MessageType, []byte) {
	h.t.Helper()
	kind, data, err := h.conn.Read(h.until)
	must(h.t, err)
	return kind, data
}

// join pauses, and subscribes to all topics.
func (h *theatre) join() {
	h.t.Helper()
	_, info := h.read()
	must(h.t, json.Unmarshal(info, &h.info))
	var about struct{ About string }
	must(h.t, json.Unmarshal([]byte(h.info.Metadata["panel"]), &about))
	h.about = about.About
	_, data := h.read()
	var list struct {
		Channels []struct {
			ID    uint32
			Topic string
		}
	}
	must(h.t, json.Unmarshal(data, &list))
	for _, c := range list.Channels {
		h.ids[c.Topic] = c.ID
		must(h.t, h.conn.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, `{"op":"subscribe","subscriptions":[{"id":%d,"channelId":%d}]}`, c.ID, c.ID)))
	}
}

// ask plays or pauses, and goes to a time.
func (h *theatre) ask(command byte, seek time.Duration, id string) {
	h.t.Helper()
	b := binary.LittleEndian.AppendUint64([]byte{3, command, 0, 0, 0x80, 0x3f, 1}, uint64(seek))
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(id))), id...)
	must(h.t, h.conn.Write(context.Background(), websocket.MessageBinary, b))
}

// answered waits for the answer to a request and returns status and time.
func (h *theatre) answered(id string) (status byte, at time.Duration) {
	h.t.Helper()
	for {
		if kind, b := h.read(); kind == websocket.MessageBinary && b[0] == 5 && string(b[19:]) == id {
			return b[1], time.Duration(binary.LittleEndian.Uint64(b[2:]))
		}
	}
}

// isOf reports whether a message of data is of a topic.
func (h *theatre) isOf(b []byte, topic string) bool {
	return binary.LittleEndian.Uint32(b[1:]) == h.ids[topic]
}

// next waits for a message of a topic.
func (h *theatre) next(topic string, m msgs.Message) {
	h.t.Helper()
	for {
		if kind, b := h.read(); kind == websocket.MessageBinary && b[0] == 1 && h.isOf(b, topic) {
			must(h.t, m.ParseCDR(b[13:]))
			return
		}
	}
}

// The viewer moves through a recording: any moment shows the newest state, playing goes on from it, and the
// end is told.
func TestPlayback(t *testing.T) {
	for _, name := range []string{"x.mcap", "x.bag"} {
		h := play(t, moving(t, name, begin))
		if got := strings.Join(h.info.Capabilities, " "); !strings.Contains(got, "playbackControl") || !strings.Contains(got, "time") || strings.Contains(got, "clientPublish") || h.info.DataEndTime.Sec != 1010 {
			t.Errorf("%s, until %+v", got, h.info.DataEndTime)
		}
		for _, at := range []time.Duration{5, 2, 9} {
			h.ask(1, begin+at*time.Second+3*time.Millisecond, "go")
			if status, now := h.answered("go"); status != viewer.Paused || now != begin+at*time.Second+3*time.Millisecond {
				t.Errorf("status %d at %v", status, now)
			}
			var p geometry_msgs.PoseStamped
			h.next("/rod/measured_cp", &p)
			if p.Pose.Position.X != float64(at) {
				t.Errorf("after %d s the pose is at %g m", at, p.Pose.Position.X)
			}
		}
		h.ask(0, begin+9500*time.Millisecond, "play")
		h.answered("play")
		var p geometry_msgs.PoseStamped
		for p.Pose.Position.X < 10 {
			h.next("/rod/measured_cp", &p)
		}
		for {
			if kind, b := h.read(); kind == websocket.MessageBinary && b[0] == 5 && b[1] == viewer.Ended {
				break
			}
		}
	}
}

// A recording of another time lies over the first as a ghost.
func TestOverlay(t *testing.T) {
	h := play(t, moving(t, "sim.mcap", begin), moving(t, "hw.bag", 50*begin))
	h.ask(1, begin+4*time.Second, "go")
	h.answered("go")
	var scene sinew_msgs.Scene
	h.next("/rod/scene", &scene)
	for range 20 { // those of the start may come first
		if len(scene.Shapes) == 2 && scene.Shapes[0].Data[0] == 4 {
			break
		}
		h.next("/rod/scene", &scene)
	}
	if len(scene.Shapes) != 2 || scene.Shapes[1].Name != "overlay pose" || scene.Shapes[1].Data[0] != 4 || scene.Shapes[1].Color.A >= 1 || scene.Shapes[0].Color.A != 1 {
		t.Errorf("%+v", scene.Shapes)
	}
	if h.ids["/overlay/rod/measured_cp"] == 0 {
		t.Errorf("topics %v", h.ids)
	}
}

// damaged is a recording that cannot be read after its first moment.
type damaged struct{ messageSource }

func (damaged) Between(_, _ time.Duration, _ func(record.Message)) error {
	return errors.New("a chunk cannot be decompressed")
}

// Who looks at a recording that cannot be read is told why nothing moves, and not with every picture.
func TestDamaged(t *testing.T) {
	e := env()
	recordings, err := (&Cmd{Files: []string{moving(t, "x.mcap", begin)}}).open(e)
	must(t, err)
	t.Cleanup(func() { _ = recordings[0].Close() })
	recordings[0].messageSource = damaged{recordings[0].messageSource}
	h := project(t, e, recordings)
	told, since, begun := 0, time.Now(), time.Now()
	for time.Since(begun) < time.Second/2 || told == 0 && time.Since(since) < 10*time.Second {
		kind, data := h.read()
		var m struct{ Op, Message string }
		if kind == websocket.MessageText && json.Unmarshal(data, &m) == nil && m.Op == "status" {
			if told++; told == 1 {
				begun = time.Now() // a busy computer is late with the first word
			}
			if m.Message != "x.mcap cannot be read here: a chunk cannot be decompressed" {
				t.Error(m.Message)
			}
		}
	}
	if passed := time.Since(begun); told < 1 || told > 1+int(passed/warnPeriod) {
		t.Errorf("told %d times in %v", told, passed)
	}
}

// What cannot be shown is told with the file and what is allowed, and the exit code is that of a bad file.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		must(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	silent := filepath.Join(dir, "silent.mcap")
	w, err := record.Create(silent, record.Options{Node: "/rod"})
	must(t, err)
	p, err := w.Advertise(ros.Topic{Name: "/chatter", Type: std_msgs.StringType})
	must(t, err)
	s := ros.NewSample(&std_msgs.String{Data: "x"})
	s.Time = msgs.At(begin)
	p.Publish(s)
	must(t, w.Close())
	good := moving(t, "x.mcap", begin)
	offset := 1.0
	for want, c := range map[string]Cmd{
		"no such file":                  {Files: []string{filepath.Join(dir, "none.mcap")}},
		"neither an .mcap file nor":     {Files: []string{write("bad.mcap", "text")}},
		"allowed: .mcap, .bag, .csv":    {Files: []string{write("x.txt", "t\n")}},
		"/chatter (std_msgs/String)":    {Files: []string{silent}},
		"3 recordings; allowed: one":    {Files: []string{good, good, good}},
		"--offset 1: there is no secon": {Files: []string{good}, Offset: &offset},
		"--offset NaN s: allowed are -": {Files: []string{good, good}, Offset: new(math.NaN())},
		"--offset -Inf s: allowed are ": {Files: []string{good, good}, Offset: new(math.Inf(-1))},
		"--offset 3.3e+09 s: allowed a": {Files: []string{good, good}, Offset: new(3.3e9)},
		"--view here:x":                 {Files: []string{good}, View: "here:x"},
	} {
		if err := c.Run(env()); err == nil || !strings.Contains(err.Error(), want) || exitcode.Code(err) != exitcode.Mistake {
			t.Errorf("%q: %v, exit code %d", want, err, exitcode.Code(err))
		}
	}
}

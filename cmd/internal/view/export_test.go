package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// Unexported names for the external tests.
const (
	AheadTime       = aheadTime
	MaxHistoryBytes = maxHistoryBytes
)

var (
	Enlarge    = enlarge
	OpenMotion = openMotion
	Stack      = stack
)

// Past gets a history, or the text with which it is refused.
func (h *Theatre) Past(query string) (status int, body []byte) {
	h.t.Helper()
	r, err := http.Get(h.link + "history?" + query)
	Must(h.t, err)
	defer r.Body.Close()
	body, err = io.ReadAll(r.Body)
	Must(h.t, err)
	return r.StatusCode, body
}

// Rods is a program of rods, whose built-in one has the tendons long_up, long_left, short_down, short_right.
func Rods() *cli.Env {
	e := Env()
	*e.Robot = program.Robot{
		Name: "rod", Shown: "measured_cp", Builtin: robots.Of("tendonsim"), Shape: &program.Shape{Port: "backbone"},
		File: program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
			r, err := continuum.NewRobot(f)
			if err != nil {
				return nil, err
			}
			m, err := r.NewModel()
			return &program.Instance{Model: m, Sketch: func(s *sim.Scene, seen program.Observation) {
				r.Sketch(s, seen.Poses, seen.Nodes, seen.Centerline(), seen.Shapes)
			}}, err
		}),
	}
	return e
}

// Bodies is a program of microrobots.
func Bodies() *cli.Env {
	e := Env()
	*e.Robot = program.Robot{
		Name: "body", Shown: "measured_cp", Builtin: robots.Of("microrobot"), RobotColumn: "robot",
		File: program.Files(func(f *robotfile.Microrobot) (*program.Instance, error) {
			r, err := microrobot.NewRobot(f, nil)
			if err != nil {
				return nil, err
			}
			return &program.Instance{Model: r.NewModel(), Sketch: func(s *sim.Scene, seen program.Observation) { r.Sketch(s, seen.Poses, seen.Shapes) }}, nil
		}),
	}
	return e
}

func File(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	Must(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// At goes to a time of the CSV and returns the scene of then.
func (h *Theatre) At(s float64) *sinew_msgs.Scene {
	h.t.Helper()
	h.Ask(1, 1_000_000_000*time.Second+time.Duration(s*1e9), "go")
	h.Answered("go")
	scene := new(sinew_msgs.Scene)
	h.Next("/"+h.node+"/scene", scene)
	return scene
}

func Shapes(s *sinew_msgs.Scene) string {
	var names []string
	for i := range s.Shapes {
		names = append(names, s.Shapes[i].Name)
	}
	return strings.Join(names, " ")
}

const Begin = 1000 * time.Second

func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Moving records a pose that moves by 1 m/s along x for 10 s from a time on.
func Moving(t *testing.T, file string, from time.Duration) string {
	t.Helper()
	file = filepath.Join(t.TempDir(), file)
	w, err := record.Create(file, record.Options{Node: "/rod"})
	Must(t, err)
	p, err := w.Advertise(ros.Topic{Name: "/rod/measured_cp", Type: geometry_msgs.PoseStampedType})
	Must(t, err)
	for i := range 1001 {
		m := &geometry_msgs.PoseStamped{}
		m.Pose.Position.X, m.Pose.Orientation.W = float64(i)/100, 1
		s := ros.NewSample(m)
		s.Time = msgs.At(from + time.Duration(i)*10*time.Millisecond)
		p.Publish(s)
	}
	Must(t, w.Close())
	return file
}

func Env() *cli.Env {
	return &cli.Env{Robot: &program.Robot{Name: "rod", Shown: "measured_cp"}, Stdout: new(strings.Builder), Stderr: new(strings.Builder)}
}

// Theatre serves recordings to one viewer.
type Theatre struct {
	t     *testing.T
	conn  *websocket.Conn
	until context.Context   // of the whole test
	Ids   map[string]uint32 // subscriptions, by topic
	Info  struct {
		Capabilities []string
		DataEndTime  struct{ Sec, Nsec int64 }
		Metadata     map[string]string
	}
	node  string // without its slash
	About string // of the panel
	link  string
}

// PlayOf serves what a command line asks for.
func PlayOf(t *testing.T, c *Cmd, e *cli.Env) *Theatre {
	t.Helper()
	recordings, err := c.open(e)
	Must(t, err)
	for _, r := range recordings {
		t.Cleanup(func() { _ = r.Close() })
	}
	if len(recordings) > 1 {
		recordings[1].align(recordings[0], nil)
	}
	return Project(t, e, recordings)
}

// Project serves recordings.
func Project(t *testing.T, e *cli.Env, recordings []*recording) *Theatre {
	t.Helper()
	agree(recordings)
	p := newPlayer(recordings, zap.NewNop())
	s, err := viewer.New(viewer.Options{
		Address: "127.0.0.1:0", Node: "/rod", Metadata: p.metadata(e, ""),
		Playback: &viewer.Playback{From: recordings[0].first, To: recordings[0].last, Control: p.control, State: p.now, History: p.history},
	})
	Must(t, err)
	Must(t, p.open(s))
	s.Start()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { p.run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended; _ = s.Close() })
	until, release := context.WithTimeout(ctx, time.Minute) // a topic that never comes ends no reading
	t.Cleanup(release)
	h := &Theatre{t: t, until: until, Ids: map[string]uint32{}, node: recordings[0].node[1:], link: s.Link()}
	if time.Sleep(5 * tick); p.now().Time != recordings[0].first {
		t.Errorf("%v of the recording have passed before anybody saw it", p.now().Time-recordings[0].first)
	}
	h.conn, _, err = websocket.Dial(ctx, strings.Replace(s.Link(), "http", "ws", 1), &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	Must(t, err)
	h.conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = h.conn.CloseNow() })
	h.join()
	return h
}

// Read returns the next message.
func (h *Theatre) Read() (websocket.MessageType, []byte) {
	h.t.Helper()
	kind, data, err := h.conn.Read(h.until)
	Must(h.t, err)
	return kind, data
}

// join pauses, and subscribes to all topics.
func (h *Theatre) join() {
	h.t.Helper()
	_, info := h.Read()
	Must(h.t, json.Unmarshal(info, &h.Info))
	var about struct{ About string }
	Must(h.t, json.Unmarshal([]byte(h.Info.Metadata["panel"]), &about))
	h.About = about.About
	_, data := h.Read()
	var list struct {
		Channels []struct {
			ID    uint32
			Topic string
		}
	}
	Must(h.t, json.Unmarshal(data, &list))
	for _, c := range list.Channels {
		h.Ids[c.Topic] = c.ID
		Must(h.t, h.conn.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, `{"op":"subscribe","subscriptions":[{"id":%d,"channelId":%d}]}`, c.ID, c.ID)))
	}
}

// Ask plays or pauses, and goes to a time.
func (h *Theatre) Ask(command byte, seek time.Duration, id string) {
	h.t.Helper()
	b := binary.LittleEndian.AppendUint64([]byte{3, command, 0, 0, 0x80, 0x3f, 1}, uint64(seek))
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(id))), id...)
	Must(h.t, h.conn.Write(context.Background(), websocket.MessageBinary, b))
}

// Answered waits for the answer to a request and returns status and time.
func (h *Theatre) Answered(id string) (status byte, at time.Duration) {
	h.t.Helper()
	for {
		if kind, b := h.Read(); kind == websocket.MessageBinary && b[0] == 5 && string(b[19:]) == id {
			return b[1], time.Duration(binary.LittleEndian.Uint64(b[2:]))
		}
	}
}

// IsOf reports whether a message of data is of a topic.
func (h *Theatre) IsOf(b []byte, topic string) bool {
	return binary.LittleEndian.Uint32(b[1:]) == h.Ids[topic]
}

// Next waits for a message of a topic.
func (h *Theatre) Next(topic string, m msgs.Message) {
	h.t.Helper()
	for {
		if kind, b := h.Read(); kind == websocket.MessageBinary && b[0] == 1 && h.IsOf(b, topic) {
			Must(h.t, m.ParseCDR(b[13:]))
			return
		}
	}
}

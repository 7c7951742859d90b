package compare_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/exitcode"
	"sinew/msgs/geometry_msgs"
)

// watched runs compare on sim and hw with a page, returns what it prints before the link, and calls watch with a viewer.
func watched(t *testing.T, watch func(ctx context.Context, c *websocket.Conn), args ...string) (text string, err error) {
	t.Helper()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := app.Run(apptest.Robot(&apptest.Integrator{}), append([]string{"compare"}, args...), in, io.Discard)
		_ = in.Close()
		ended <- err
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if link, ok := strings.CutPrefix(lines.Text(), "view     http"); ok {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			c, _, err := websocket.Dial(ctx, "ws"+link, &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
			if err != nil {
				t.Fatal(err)
			}
			c.SetReadLimit(1 << 20)
			watch(ctx, c)
			_ = c.CloseNow()
			break
		}
		text += lines.Text() + "\n"
	}
	_, _ = io.Copy(io.Discard, out)
	return text, <-ended
}

// The page shows the simulation, over it the hardware as it was compared, without its latency and in the frame that was found,
// and how far apart they are. The report is printed and written before, and the exit code is that of the comparison.
func TestCompareOpen(t *testing.T) {
	sim, hw := apptest.Write(t, "sim.csv", pathCSV(200, 0, 0, 1)), apptest.Write(t, "hw.csv", pathCSV(200, 0.037, 0.003, 1))
	dir := t.TempDir()
	var about string
	ids := map[string]uint32{}
	tips := map[string]geometry_msgs.Point{}
	watch := func(ctx context.Context, c *websocket.Conn) {
		var info struct{ Metadata map[string]string }
		var description struct{ About string }
		var list struct {
			Channels []struct {
				ID    uint32
				Topic string
			}
		}
		for _, v := range []any{&info, &list} {
			if _, data, err := c.Read(ctx); err != nil || json.Unmarshal(data, v) != nil {
				t.Fatalf("%v: %s", err, data)
			}
		}
		_ = json.Unmarshal([]byte(info.Metadata["panel"]), &description)
		about = description.About
		names := map[uint32]string{}
		for _, x := range list.Channels {
			ids[x.Topic], names[x.ID] = x.ID, x.Topic
		}
		seek := binary.LittleEndian.AppendUint64([]byte{3, 1, 0, 0, 0x80, 0x3f, 1}, 1_000_000_003_000_500_000) // half a sample on
		_ = c.Write(ctx, websocket.MessageBinary, binary.LittleEndian.AppendUint32(seek, 0))
		for _, topic := range []string{"/fakesim/measured_cp", "/overlay/fakesim/measured_cp"} {
			_ = c.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"op":"subscribe","subscriptions":[{"id":%d,"channelId":%[1]d}]}`, ids[topic]))
		}
		// a recording that plays comes to stand
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end) || len(tips) < 2; {
			wait, cancel := context.WithTimeout(ctx, time.Second)
			kind, data, err := c.Read(wait)
			cancel()
			if err != nil {
				return
			}
			if kind == websocket.MessageBinary && data[0] == 1 {
				var p geometry_msgs.PoseStamped
				if p.ParseCDR(data[13:]) == nil {
					tips[names[binary.LittleEndian.Uint32(data[1:])]] = p.Pose.Position
				}
			}
		}
	}
	text, err := watched(t, watch, sim, hw, "--length-m", "0.25", "--align", "origin", "--out", dir, "--view", "127.0.0.1:0", "--duration", "8s")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "position   RMSE") || !strings.Contains(text, "report     ") {
		t.Errorf("printed before the link:\n%s", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.html")); err != nil {
		t.Error(err)
	}
	if !strings.HasPrefix(about, "sim.csv under hw.csv: RMSE 0.0") || !strings.Contains(about, "37.0 ms of latency removed, aligned by origin") {
		t.Errorf("about %q", about)
	}
	if ids["/fakesim/hil_error"] == 0 || ids["/overlay/fakesim/tip_path"]+ids["/overlay/fakesim/path"] == 0 {
		t.Errorf("topics %v", ids)
	}
	a, b := tips["/fakesim/measured_cp"], tips["/overlay/fakesim/measured_cp"]
	// within a sample of 5 ms; 3 mm and 37 ms apart before
	if d := math.Hypot(a.X-b.X, math.Hypot(a.Y-b.Y, a.Z-b.Z)); len(tips) != 2 || d > 0.0008 {
		t.Errorf("the tips are %g m apart: %v", d, tips)
	}
	_, err = watched(t, func(context.Context, *websocket.Conn) {}, sim, hw, "--length-m", "0.25", "--out", "-", "--open", "--view", "127.0.0.1:0", "--duration", "10ms", "--max-rmse-mm", "1")
	if exitcode.Code(err) != exitcode.Threshold {
		t.Errorf("error %v, exit code %d", err, exitcode.Code(err))
	}
	if _, err = watched(t, nil, sim, hw, "--length-m", "0.25", "--out", "-", "--view", "here:x"); exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "--view here:x") {
		t.Errorf("error %v, exit code %d", err, exitcode.Code(err))
	}
}

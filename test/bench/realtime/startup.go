package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"sinew/msgs/sinew_msgs"
)

// Startup is how long after its start a program had come so far, s.
type Startup struct {
	Link    float64 // it has printed the link
	Page    float64 // the page was read
	Picture float64 // the first scene has come
	Moving  float64 // and one that looks otherwise
}

const (
	mostStart = 1.0 // s, from the start of the program to a moving picture; the browser's own start comes on top
	startWait = 10 * time.Minute
)

func startupVerb(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("startup", flag.ExitOnError)
	name := flags.String("node", "", "tendonsim or microrobot `program` (default: build tendonsim)")
	count := flags.Int("n", 20, "starts")
	clone := flags.String("clone", "", "measure instead, once, from the clone of this `repository` on, with nothing compiled before")
	cold := flags.Bool("cold", false, "and no module downloaded before")
	_ = flags.Parse(args) // ends the program on a mistake
	if *clone != "" {
		return newcomer(ctx, *clone, *cold, os.Stdout)
	}
	program, clean, err := programFor(ctx, *name)
	if err != nil {
		return err
	}
	defer clean()
	all, err := measureStarts(ctx, program, *count)
	if err != nil {
		return err
	}
	if missed := writeStarts(os.Stdout, all); len(missed) > 0 {
		return errMissed
	}
	return nil
}

// measureStarts starts a program so often, as somebody does who knows no argument.
func measureStarts(ctx context.Context, program string, count int) (all []Startup, err error) {
	for range count {
		s, err := watchStart(ctx, exec.Command(program))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// watchStart starts a command, looks at what it shows and ends it.
func watchStart(ctx context.Context, cmd *exec.Cmd) (s Startup, err error) {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	port, err := freePort()
	if err != nil {
		return s, err
	}
	env := cmd.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Env = append(withoutROS(env), fmt.Sprintf("ROS_MASTER_URI=http://127.0.0.1:%d/", port), "ROS_IP=127.0.0.1", fmt.Sprint("ROS_DOMAIN_ID=", randomDomain()))
	var said bytes.Buffer // by others than the program: what it says is read as it comes
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return s, err
	}
	inGroup(cmd)
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return s, err
	}
	defer func() {
		endGroup(cmd)
		_ = cmd.Wait() // go run ends with the signal
		if err != nil {
			err = fmt.Errorf("%s: %w\n%s", cmd, err, &said)
		}
	}()
	stop := context.AfterFunc(ctx, func() { endGroup(cmd) }) // which ends the reading below
	defer stop()
	since := func() float64 { return time.Since(begun).Seconds() }
	lines := bufio.NewScanner(out)
	link := ""
	for link == "" && lines.Scan() {
		link = linkIn(lines.Text())
	}
	if link == "" {
		return s, errors.New("it prints no link")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	s.Link = since()
	answer, err := http.Get(link)
	if err != nil {
		return s, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	if err != nil {
		return s, err
	}
	s.Page = since()
	p, scene, err := openViewer(ctx, strings.Replace(link, "http:", "ws:", 1)+"?max_hz=60", func(c viewerChannel) bool {
		return path.Base(c.Topic) == sceneTopic
	})
	if err != nil {
		return s, err
	}
	defer p.close()
	var first *sinew_msgs.Scene
	for {
		_, data, err := p.conn.Read(ctx)
		if err != nil {
			return s, err
		}
		if len(data) < messageHead || data[0] != 1 || binary.LittleEndian.Uint32(data[1:]) != scene {
			continue
		}
		m := new(sinew_msgs.Scene)
		if err := m.ParseCDR(data[messageHead:]); err != nil {
			return s, err
		}
		if first == nil {
			first, s.Picture = m, since()
		}
		if moved(first, m) {
			s.Moving = since()
			return s, nil
		}
	}
}

// messageHead is the length of what is before a message to a viewer: opcode, subscription, time.
const messageHead = 13

// moved reports whether two scenes do not look alike.
func moved(a, b *sinew_msgs.Scene) bool {
	if len(a.Shapes) != len(b.Shapes) {
		return true
	}
	for i := range a.Shapes {
		x, y := a.Shapes[i].Data, b.Shapes[i].Data
		for k := range min(len(x), len(y)) {
			if x[k] != y[k] {
				return true
			}
		}
	}
	return false
}

// writeStarts writes a table and returns what is missed.
func writeStarts(w io.Writer, all []Startup) (missed []string) {
	column := func(value func(Startup) float64) Spread {
		var x []float64
		for _, s := range all {
			x = append(x, value(s))
		}
		return spread(x)
	}
	fmt.Fprintf(w, "%d starts; s after the start of the program\n", len(all))
	for _, c := range []struct {
		name  string
		value func(Startup) float64
	}{
		{"link printed", func(s Startup) float64 { return s.Link }}, {"page read", func(s Startup) float64 { return s.Page }},
		{"first scene", func(s Startup) float64 { return s.Picture }}, {"it moves", func(s Startup) float64 { return s.Moving }},
	} {
		x := column(c.value)
		fmt.Fprintf(w, "  %-13s p50 %.3f, max %.3f\n", c.name, x.P50, x.Max)
	}
	if x := column(func(s Startup) float64 { return s.Moving }); x.P50 > mostStart {
		missed = append(missed, fmt.Sprintf("a moving picture after %.2f s: at most %.1f are allowed", x.P50, mostStart))
	}
	writeMissed(w, missed)
	return missed
}

// newcomer does what the README tells a newcomer to: clone, go run, open the link.
func newcomer(ctx context.Context, repository string, cold bool, w io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "newcomer")
	if err != nil {
		return err
	}
	defer func() { // the module cache is read-only
		_ = exec.Command("chmod", "-R", "u+w", dir).Run()
		_ = os.RemoveAll(dir)
	}()
	repository, err = filepath.Abs(repository)
	if err != nil {
		return err
	}
	begun := time.Now()
	there := filepath.Join(dir, "sinew")
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "file://"+repository, there).CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w\n%s", err, out)
	}
	cloned := time.Since(begun).Seconds()
	fmt.Fprintf(w, "git clone, of a repository on this computer: %.1f s\n", cloned)
	cmd := exec.Command("go", "run", "./cmd/tendonsim")
	cmd.Dir = there
	cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(dir, "cache"))
	modules := "from the module cache"
	if cold {
		cmd.Env = append(cmd.Env, "GOMODCACHE="+filepath.Join(dir, "modules"))
		modules = "downloaded"
	}
	s, err := watchStart(ctx, cmd)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "go run, modules %s, nothing compiled before: link %.1f s, moving picture %.1f s\n", modules, s.Link, s.Moving)
	fmt.Fprintf(w, "from git clone to a moving picture: %.1f s\n", cloned+s.Moving)
	return nil
}

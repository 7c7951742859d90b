package faults_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"sinew/launch/robots"
	"sinew/test/peer/rospeer"
	"sinew/test/testsize"
)

// malformedFiles returns how many robot files are refused: a thousand where the table is written.
func malformedFiles() int {
	if *write {
		return 1000
	}
	return testsize.Of(50, 150, 1000)
}

// fileFaults are robot files that are none.
func fileFaults() []fault {
	return []fault{{
		name: "a thousand malformed robot files", network: "none",
		cause: "built-in robot files with bytes, lines, keys and numbers broken at random, each through `check` and `run`",
		run:   malformed, alone: true, sees: []sign{{inErrors, "tendonsim: …robot.yaml…: …"}},
		recovers: "does not: each of both ends with exit code 2 and the same line (the slowest is measured)", within: 5 * time.Second,
	}}
}

// malformed has all files refused, on all processors at once.
func malformed(b *bench) {
	tasks := make(chan []byte)
	var all sync.WaitGroup
	var mu sync.Mutex
	refused, wanted := 0, malformedFiles()
	enough := func() bool { mu.Lock(); defer mu.Unlock(); return refused >= wanted }
	for range runtime.NumCPU() {
		all.Go(func() {
			file := filepath.Join(b.t.TempDir(), "robot.yaml")
			for text := range tasks {
				took, isRefused := b.refuses(file, text)
				mu.Lock()
				if isRefused {
					refused++
					b.outcome.took = max(b.outcome.took, took)
				}
				mu.Unlock()
			}
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	of := robots.Of("tendonsim")
	tried := 0
	for ; !enough() && !b.t.Failed() && tried < 4*wanted; tried++ {
		tasks <- breakFile(random, of[tried%len(of)].File())
	}
	close(tasks)
	all.Wait()
	b.settled, b.outcome.ended = true, true
	b.t.Logf("%d of %d broken files refused, the others are robots still", refused, tried)
	if refused < wanted {
		b.t.Errorf("%d files refused, want %d", refused, wanted)
	}
	if taken := b.share.time(); b.outcome.took > b.fault.within+taken {
		b.t.Errorf("refused after %v, want at most %v (the computer took %v)", b.outcome.took, b.fault.within, taken)
	}
}

// refuses runs both verbs with a file. One that check takes is a robot still.
func (b *bench) refuses(file string, text []byte) (took time.Duration, refused bool) {
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.t.Error(err)
		return 0, false
	}
	said := map[string]string{}
	for verb, args := range map[string][]string{"check": {file}, "run": {"--ros", "off", "--duration", "1ms", "--config", file}} {
		begun := time.Now()
		var errs bytes.Buffer
		cmd := exec.Command(b.program(), append([]string{verb}, args...)...)
		cmd.Stderr = &errs
		_ = cmd.Run() // the exit code says it
		took = max(took, time.Since(begun))
		code := cmd.ProcessState.ExitCode()
		said[verb] = fmt.Sprint(code, "\n", slowBuild.ReplaceAllString(errs.String(), ""))
		shown := b.fault.sees[0].shown(errs.String(), rospeer.Observation{})
		if code != 0 && (code != 2 || !shown || strings.Contains(errs.String(), "goroutine ")) {
			b.t.Errorf("%s: exit code %d: %s\nof\n%s", verb, code, &errs, text)
		}
	}
	refused = strings.HasPrefix(said["check"], "2\n")
	if refused && said["run"] != said["check"] || !refused && !strings.HasPrefix(said["run"], "0\n") {
		b.t.Errorf("check: %s\nrun: %s\nof\n%s", said["check"], said["run"], text)
	}
	return took, refused
}

// slowBuild is what run says too where building a robot has taken a while, by the clock.
var slowBuild = regexp.MustCompile(`(?m)^.* INFO building it takes a while: the robot is large, or looks for its equilibrium\n`)

// junk are words in place of others.
var junk = []string{"", "-1", "NaN", ".nan", ".inf", "-.inf", "1e999", "1e-400", "abc", "[]", "{}", "null", "true", "0x", "1 m", "&a", "*a", "!!binary x", "\"", "\x00", "\xff", "[[[[[[", "2026-01-01", "|", ">"}

// breakFile breaks a robot file at one to three places.
func breakFile(random *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + random.IntN(3) {
		if len(text) == 0 {
			break
		}
		at := random.IntN(len(text))
		lines := bytes.SplitAfter(text, []byte("\n"))
		line := random.IntN(len(lines))
		switch random.IntN(7) {
		case 0: // the end is missing
			text = text[:at]
		case 1: // another byte
			text[at] = byte(random.Uint32())
		case 2: // a key twice
			text = bytes.Join(append(lines[:line+1:line+1], lines[line:]...), nil)
		case 3: // a key that there is not
			text = bytes.Join(append(lines[:line:line], append([][]byte{[]byte("lenght_m: 1\n")}, lines[line:]...)...), nil)
		case 4: // a tab or a blank too many
			text = bytes.Join(append(lines[:line:line], append([][]byte{[]byte("\t ")}, lines[line:]...)...), nil)
		default: // a value that is none
			key, _, found := bytes.Cut(lines[line], []byte(": "))
			if found {
				lines[line] = append(append(bytes.Clone(key), ": "...), junk[random.IntN(len(junk))]+"\n"...)
			}
			text = bytes.Join(lines, nil)
		}
	}
	return text
}

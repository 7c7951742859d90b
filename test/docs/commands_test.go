package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/test/testbench"
)

// TestCommandsOfDocuments executes the commands of the documents in their order, in a
// fresh clone. Every page has one of its own, so that none needs what another made, and
// the Go tool is one that has built the programs already. With -literally, as .ci/run calls
// it, all pages are read one after the other in one clone, with the real Go tool. Commands
// stand in blocks of kind sh. A comment above the block says what is special about it:
//
//	needs: TOOL   executed only where the tool is, otherwise checked
//	long          takes minutes or the whole machine: checked
//	file: NAME    not commands, but a file that the reader saves
//	copy of: NAME shows a file; see TestCopiesInDocuments
//	shown         what the last command writes; its first line must be right
//	shown: all    what it writes, without differences but in blanks and in numbers
//
// To check a command is to look for the files, flags, topics and types that it names. With -short, commands of other
// pages than the README are checked.
func TestCommandsOfDocuments(t *testing.T) {
	for _, tool := range []string{"bash", "sed", "cut"} { // which pages use
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	n := 0
	var whole *reader
	if *literally {
		whole = newReader(t)
	}
	checking := sync.OnceValue(func() *reader { return newReader(t) })
	for _, page := range documents(t) {
		all, before := blocks(t, page), n
		for _, b := range all {
			if b.kind == "sh" {
				n += len(commandsIn(b.text))
			}
		}
		executes := n > before
		t.Run(strings.ReplaceAll(strings.TrimPrefix(page, "../../"), "/", "_"), func(t *testing.T) {
			r := whole
			if r == nil && executes {
				t.Parallel() // each has a network of its own
				r = newReader(t)
			}
			if r == nil { // checks change nothing
				r = checking()
			}
			r.Network, r.executes = r.In(t), executes
			r.prelude = "" // a new terminal
			for _, b := range all {
				r.follow(b)
			}
			r.endAll()
		})
	}
	const fewest = 60
	if n < fewest {
		t.Errorf("the documents have %d commands, want at least %d", n, fewest)
	}
}

// reader does what a page says.
type reader struct {
	*testbench.Network
	dir      string   // a fresh clone
	executes bool     // what it reads, and does not only check it
	prelude  string   // settings of the shell so far
	shown    string   // what the last command wrote
	nodes    []opened // that run
	others   []opened // tools that run until the end of the block
}

// opened is a program that a command started.
type opened struct {
	*testbench.Process
	block int // line
	text  string
}

func newReader(t *testing.T) *reader {
	t.Helper()
	testbench.BuildTendonsim(t)
	testbench.BuildMicrorobot(t)
	r := &reader{Network: testbench.NewNetwork(t, fmt.Sprintf("http://127.0.0.1:%d/", testbench.FreePort(t))), dir: freshClone(t)}
	path := os.Getenv("PATH")
	if !*literally {
		shim := t.TempDir()
		if err := os.WriteFile(filepath.Join(shim, "go"), fmt.Appendf(nil, goShim, testbench.Programs), 0o755); err != nil {
			t.Fatal(err)
		}
		path = shim + ":" + path
	}
	// with paths trimmed the cache knows what another clone has compiled
	r.With("GOFLAGS=-trimpath", "PATH="+path)
	if *literally { // the first compilation takes longer than a command may
		compile := exec.Command("go", "build", "./...")
		compile.Dir, compile.Env = r.dir, r.Env
		if out, err := compile.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	return r
}

// goShim stands for the Go tool: it has built the programs already.
const goShim = `#!/bin/bash
case "$*" in
"run ./cmd/"*) program=$(basename "$2"); shift 2; exec "%[1]s/$program" "$@";;
"build -o "*" ./cmd/...") mkdir -p "$3" && cp %[1]s/tendonsim %[1]s/microrobot "$3";;
*) echo "go $*: a test does not know this command" >&2; exit 1;;
esac
`

// executed tools can be had where this test is run; the others are checked.
var executed = []string{"rostopic", "roslaunch", "gnuplot"}

// looksLikeCommand is the first word of what should stand in a block of kind sh.
var looksLikeCommand = regexp.MustCompile(`(?m)^(\$ |go (run|test|build) |ros2 |ros(topic|launch|service) |export |(tendonsim|microrobot) (run|sim|check|static|params|compare|identify|replay))`)

// follow does what a block says.
func (r *reader) follow(b block) {
	tool, needs := strings.CutPrefix(b.mark, "needs: ")
	name, file := strings.CutPrefix(b.mark, "file: ")
	switch {
	case file:
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(b.text), 0o644); err != nil {
			r.T.Fatal(err)
		}
		return
	case strings.HasPrefix(b.mark, "shown") && !r.executes:
		return
	case b.mark == "shown: all":
		if got, want := numberless(r.shown), numberless(b.text); got != want {
			r.T.Errorf("%s:%d: the last command writes\n%s\nshown is\n%s", b.page, b.line, r.shown, b.text)
		}
		return
	case b.mark == "shown":
		if first, _, _ := strings.Cut(b.text, "\n"); !strings.Contains(r.shown, first) {
			r.T.Errorf("%s:%d: the last command does not write %q, but:\n%s", b.page, b.line, first, r.shown)
		}
		return
	case b.kind != "sh":
		if looksLikeCommand.MatchString(b.text) {
			r.T.Errorf("%s:%d: commands belong into a block of kind sh", b.page, b.line)
		}
		return
	}
	execute := b.mark != "long" && r.executes
	if needs {
		_, err := exec.LookPath(tool)
		execute = err == nil && slices.Contains(executed, tool)
	}
	for _, c := range commandsIn(b.text) {
		at := fmt.Sprintf("%s:%d: %s", b.page, b.line, c)
		r.check(at, c)
		if execute {
			r.execute(at, b.line, c)
		}
	}
	r.endOthers()
}

var (
	anyNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?`)
	anyBlanks = regexp.MustCompile(`[ \t]+`)
)

// numberless is text in which numbers, which may differ in the last digit or by the
// machine, and blanks are alike.
func numberless(s string) string {
	return strings.TrimSpace(anyBlanks.ReplaceAllString(anyNumber.ReplaceAllString(s, "0"), " "))
}

// commandsIn are the commands of a block, continued lines joined.
func commandsIn(text string) (all []string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
		if line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

var (
	setting   = regexp.MustCompile(`^(export|eval) `)
	evaluated = regexp.MustCompile(`^eval "\$\((.*)\)"$`)
	ofGoTool  = regexp.MustCompile(`^go (test|build|vet|generate) .*\./`)
	ofCI      = regexp.MustCompile(`^go (test|vet) .*\./`) // .ci/run has commands like these of its own
	ofProgram = regexp.MustCompile(`^(?:go run \./cmd/)?(tendonsim|microrobot)(?: (.*))?$`)
	// endless programs run until they are interrupted, or for long.
	endless = regexp.MustCompile(`^(rostopic (pub -r|hz|echo [^-])|launch/examples/levitation\.py|/usr/bin/python3 test/testdata/steer_square\.py)`)
)

const (
	commandTime = 600 * time.Second // for a command that ends by itself
	startTime   = 120 * time.Second // for a node: roslaunch takes long on a busy machine
	endTime     = 30 * time.Second  // for what is interrupted
	aliveTime   = 2 * time.Second   // an endless one that has not failed by then works
)

// execute runs one command as a reader would.
func (r *reader) execute(at string, line int, command string) {
	r.T.Helper()
	script := fmt.Sprintf("set -o pipefail\ncd %q\n%s", r.dir, r.prelude)
	switch {
	case setting.MatchString(command):
		if m := evaluated.FindStringSubmatch(command); m != nil {
			r.finish(at, script+m[1]) // eval hides that it fails
		}
		r.finish(at, script+command)
		r.prelude += command + "\n"
	case ofCI.MatchString(command), !*literally && ofGoTool.MatchString(command) && !strings.Contains(command, " -o "):
		// checked
	case isNode(command):
		r.endNodes(line) // the reader ends it before the next
		if strings.Contains(command, " --duration") {
			r.finish(at, script+command)
			return
		}
		p := r.Start("bash", "-c", script+"exec "+command)
		r.nodes = append(r.nodes, opened{p, line, at})
		name := "" // roslaunch writes its own first
		if m := ofProgram.FindStringSubmatch(command); m != nil {
			name = m[1]
		}
		p.ExpectWithin(name+" 0.1.0: ", startTime)
		p.ExpectWithin("ENABLED  ", startTime)
		r.shown = p.Output()
	case endless.MatchString(command):
		p := r.Start("bash", "-c", script+"exec "+command)
		r.others = append(r.others, opened{p, line, at})
		select {
		case <-p.Done:
			r.T.Errorf("%s: has ended:\n%s", at, p.Output())
		case <-time.After(aliveTime):
		}
	default:
		r.finish(at, script+command)
	}
}

// isNode tells commands that start a node.
func isNode(command string) bool {
	m := ofProgram.FindStringSubmatch(command)
	return strings.HasPrefix(command, "roslaunch ") || m != nil && verbOf(m[2]) == "run"
}

// verbOf is the verb of a program's arguments.
func verbOf(args string) string {
	verb, _, _ := strings.Cut(args, " ")
	if verb == "" || strings.HasPrefix(verb, "-") || strings.Contains(verb, ":=") {
		return "run"
	}
	return verb
}

// finish runs a command to its end, which must be a good one.
func (r *reader) finish(at, script string) {
	r.T.Helper()
	p := r.Start("bash", "-c", script)
	if code := p.Wait(commandTime); code != 0 {
		r.T.Errorf("%s: exit code %d:\n%s", at, code, p.Output())
	}
	r.shown = p.Output()
}

// endNodes interrupts the nodes of other blocks than that of line.
func (r *reader) endNodes(line int) {
	r.T.Helper()
	for i := len(r.nodes) - 1; i >= 0; i-- { // the first one may be the master
		n := r.nodes[i]
		if n.block == line {
			continue
		}
		code := n.End(endTime)
		if *literally && code == 1 && strings.Contains(n.text, ": go run ") {
			code = 0 // the Go tool ends with 1 after an interrupt, whatever its program ends with
		}
		if code != 0 {
			r.T.Errorf("%s: exit code %d after an interrupt:\n%s", n.text, code, n.Output())
		}
		r.nodes = slices.Delete(r.nodes, i, i+1)
	}
}

// endOthers ends the endless tools of a block, whose exit codes are their own.
func (r *reader) endOthers() {
	for _, o := range r.others {
		o.End(endTime)
	}
	r.others = nil
}

func (r *reader) endAll() {
	r.endOthers()
	r.endNodes(0)
}

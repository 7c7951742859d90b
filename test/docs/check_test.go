package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"sinew/test/source"
	"sinew/test/testbench"
)

// check looks for what a command names: files, flags, topics, types, arguments. It is
// all that can be done about a command whose tool is not here.
func (r *reader) check(at, command string) {
	r.T.Helper()
	for _, f := range filesIn(command) {
		if _, err := os.Stat("../../" + f); err != nil {
			r.T.Errorf("%s: there is no %s", at, f)
		}
	}
	words := strings.Fields(command)
	for strings.Contains(words[0], "=") && !strings.HasPrefix(command, "export") && len(words) > 1 {
		words = words[1:] // CGO_ENABLED=0 …
	}
	switch words[0] {
	case "ros2", "rostopic", "roslaunch":
		r.checkROS(at, words)
	case "go":
		r.checkGo(at, words)
	case "tendonsim", "microrobot":
		r.checkFlags(at, words)
	}
}

// fileWord is a file of this repository; what lies in bin and python is made.
var fileWord = regexp.MustCompile(`(?:^|[\s"=(/])((?:launch|msgs|test|pkg|cmd|docs)/[A-Za-z0-9_./-]+)`)

func filesIn(command string) (files []string) {
	for _, m := range fileWord.FindAllStringSubmatch(command, -1) {
		f := strings.TrimSuffix(m[1], "/...")
		if !strings.HasPrefix(f, "launch/bin") && !strings.HasPrefix(f, "launch/python") {
			files = append(files, strings.TrimSuffix(f, "/"))
		}
	}
	return files
}

var (
	typeWord     = regexp.MustCompile(`^([a-z_]+_msgs)/(?:msg/)?([A-Za-z0-9]+)$`)
	argumentWord = regexp.MustCompile(`^([a-z]+):=`)
	topicWord    = regexp.MustCompile(`^/[a-z_/]+$`)
)

var included = regexp.MustCompile(`['/]([a-z_]+\.launch(?:\.py)?)['"]`)

// launchText returns the text of a launch file and of those that it includes, which take its arguments too.
func launchText(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	for _, m := range included.FindAllSubmatch(text, -1) {
		more, err := os.ReadFile(filepath.Join(filepath.Dir(file), string(m[1])))
		if err != nil {
			return nil, err
		}
		text = append(text, more...)
	}
	return text, err
}

// checkROS checks topics, types and launch arguments.
func (r *reader) checkROS(at string, words []string) {
	r.T.Helper()
	launch := ""
	for _, w := range words {
		switch m := typeWord.FindStringSubmatch(w); {
		case m != nil:
			if _, err := os.Stat("../../msgs/" + m[1] + "/msg/" + m[2] + ".msg"); err != nil {
				r.T.Errorf("%s: there is no type %s", at, w)
			}
		case strings.HasSuffix(w, ".launch"):
			launch = "../../launch/" + w
		case strings.HasPrefix(w, "launch/") && strings.HasSuffix(w, ".launch.py"):
			launch = "../../" + w
		case strings.HasSuffix(w, ".launch.py"):
			launch = "../../launch/" + w
		case topicWord.MatchString(w) && !knownTopic(r.T, filepath.Base(w)):
			r.T.Errorf("%s: no program has a topic %s", at, w)
		}
	}
	if launch == "" {
		return
	}
	text, err := launchText(launch)
	if err != nil {
		r.T.Errorf("%s: %v", at, err)
		return
	}
	for _, w := range words {
		if m := argumentWord.FindStringSubmatch(w); m != nil &&
			!bytes.Contains(text, []byte(`<arg name="`+m[1]+`"`)) && !bytes.Contains(text, []byte("'"+m[1]+"': (")) && !bytes.Contains(text, []byte("DeclareLaunchArgument('"+m[1]+"'")) {
			r.T.Errorf("%s: %s has no argument %s", at, launch, m[1])
		}
	}
}

// knownTopic looks for a topic in the source of the bridge and the models.
func knownTopic(t *testing.T, name string) bool {
	return slices.ContainsFunc(source.Files(t, "../.."), func(f source.File) bool {
		return strings.HasPrefix(f.Path, "../../pkg/") && !strings.HasSuffix(f.Path, "_test.go") &&
			(strings.Contains(f.Text, `"`+name+`"`) || strings.Contains(f.Text, `"~`+name+`"`))
	})
}

// checkGo checks that the packages are there and programs what they should be.
func (r *reader) checkGo(at string, words []string) {
	r.T.Helper()
	for _, w := range words[1:] {
		d, ok := strings.CutPrefix(w, "./")
		if !ok || strings.HasSuffix(d, "...") {
			continue
		}
		if files, _ := filepath.Glob("../../" + d + "/*.go"); files == nil {
			r.T.Errorf("%s: there is no package %s", at, w)
		}
	}
	if words[1] != "run" {
		return
	}
	if _, err := os.Stat("../../" + words[2] + "/main.go"); err != nil {
		r.T.Errorf("%s: %s is no program", at, words[2])
	}
	if name, ok := strings.CutPrefix(words[2], "./cmd/"); ok {
		r.checkFlags(at, append([]string{name}, words[3:]...))
	}
}

var helps sync.Map // of "program verb"

// checkFlags looks for the flags of a command of ours in the help of its verb.
func (r *reader) checkFlags(at string, words []string) {
	r.T.Helper()
	verb := verbOf(strings.Join(words[1:], " "))
	key := words[0] + " " + verb
	help, known := helps.Load(key)
	if !known {
		out, err := exec.Command(filepath.Join(testbench.Programs, words[0]), verb, "--help").CombinedOutput()
		if err != nil {
			r.T.Errorf("%s: %v\n%s", at, err, out)
			return
		}
		help, _ = helps.LoadOrStore(key, string(out))
	}
	for _, w := range words[1:] {
		flag, _, _ := strings.Cut(w, "=")
		if flag == "--ros-args" {
			return
		}
		if strings.HasPrefix(flag, "--") && !strings.Contains(help.(string), flag) && !strings.Contains(help.(string), "--[no-]"+strings.TrimPrefix(strings.TrimPrefix(flag, "--"), "no-")) {
			r.T.Errorf("%s: %s has no flag %s", at, key, flag)
		}
	}
}

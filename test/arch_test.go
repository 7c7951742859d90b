package test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// The tree is the architecture: imports run one way. Each rule says what the
// packages it matches may import of this module, and what of the world outside
// they must not. A package that no rule matches fails the test.
var rules = []struct {
	pattern string   // path.Match pattern of the package, below the module
	may     []string // patterns of packages of this module
	mustNot []string // prefixes of packages outside it
}{
	{"pkg/sim/spatial", nil, pure},
	{"pkg/sim", list("pkg/sim/spatial"), pure},
	{"pkg/sim/integrate", list("pkg/sim/spatial"), pure},
	{"pkg/sim/rod", list("pkg/sim/spatial", "pkg/sim/integrate"), pure},
	{"pkg/sim/rigid", list("pkg/sim/spatial", "pkg/sim/integrate"), pure},
	{"pkg/sim/tendon", list("pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod"), pure},
	{"pkg/sim/robotfile", list("pkg/sim/spatial"), pure},
	{"pkg/sim/continuum", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod", "pkg/sim/tendon", "pkg/sim/robotfile"), pure},
	{"pkg/ros/xmlrpc", nil, noPhysics},
	{"pkg/ros/masterapi", list("pkg/ros/xmlrpc"), noPhysics},
	{"pkg/ros/master", list("pkg/ros/xmlrpc", "pkg/ros/masterapi"), noPhysics},
	{"pkg/ros/rtps", list("pkg/ros/rtps/*"), noPhysics},
	{"pkg/ros/rtps/*", list("pkg/ros/rtps/*"), noPhysics},
	{"pkg/ros/ros1", list("pkg/ros", "pkg/ros/*", "msgs", "msgs/*"), nil},
	{"pkg/ros/ros2", list("pkg/ros", "pkg/ros/rtps", "msgs", "msgs/*"), noPhysics},
	{"pkg/ros/record", list("pkg/ros", "msgs", "msgs/*"), noPhysics},
	{"pkg/ros", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/hil", "msgs", "msgs/*"), noPhysics},
	{"pkg/sim/hil", list("pkg/sim/spatial"), pure},
	{"pkg/sim/hil/identify", list("pkg/sim/hil", "pkg/sim/spatial"), pure},
	{"pkg/sim/hil/report", list("pkg/sim/hil", "pkg/sim/spatial"), pure},
	{"msgs/goros", list("msgs", "msgs/*"), nil},
	{"pkg/sim/stokes", list("pkg/sim/spatial"), pure},
	{"pkg/sim/magnetics", list("pkg/sim/spatial"), pure},
	{"pkg/sim/microrobot", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/stokes", "pkg/sim/magnetics", "pkg/sim/rigid", "pkg/sim/robotfile"), pure},
	{"msgs/cdr", nil, pure},
	{"msgs/gen", list("msgs"), noPhysics},
	{"msgs/internal/*", list("msgs", "msgs/*"), noPhysics},
	{"msgs/*", list("msgs", "msgs/*"), noPhysics},
	{"msgs", nil, noPhysics},
	{"cmd/internal/app", list("pkg/*", "pkg/*/*", "pkg/*/*/*", "msgs", "msgs/*"), noRobotics},
	{"cmd/*", list("cmd/internal/app", "pkg/sim", "pkg/sim/*"), noRobotics},
	{"test", nil, nil},
	{"test/*", list("pkg/*", "pkg/*/*", "pkg/*/*/*", "msgs", "msgs/*", "test/*"), nil},
	{"test/*/*", list("pkg/*", "pkg/*/*", "pkg/*/*/*", "msgs", "msgs/*"), nil},
}

// pure packages have no clock, logger, network, files or ROS: time.Now is
// caught by TestNoClockInPureCode.
var pure = list("net", "os", "log", "go.uber.org/zap", "github.com/bluenviron", "syscall", "golang.org/x/sys")

// noPhysics packages serve any model; noRobotics ones leave ROS 1 to its adapter.
var (
	noPhysics  = list("github.com/bluenviron")
	noRobotics = list("github.com/bluenviron")
)

func list(s ...string) []string { return s }

const module = "sinew"

type pkg struct {
	ImportPath          string
	Imports             []string
	TestImports, XTests []string
	GoFiles             []string
	Dir                 string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,GoFiles,Dir", module+"/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		i := slices.IndexFunc(rules, func(r struct {
			pattern      string
			may, mustNot []string
		}) bool {
			ok, _ := path.Match(r.pattern, name)
			return ok
		})
		if i < 0 {
			t.Errorf("%s: no rule for this package; add one to the table in this test", name)
			continue
		}
		r := rules[i]
		for _, imp := range p.Imports {
			if own, ok := strings.CutPrefix(imp, module+"/"); ok {
				if !matchAny(r.may, own) {
					t.Errorf("%s imports %s: not allowed, it may import %v", name, own, r.may)
				}
			} else if slices.ContainsFunc(r.mustNot, func(b string) bool { return imp == b || strings.HasPrefix(imp, b+"/") }) {
				t.Errorf("%s imports %s: not allowed", name, imp)
			}
		}
	}
}

func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}

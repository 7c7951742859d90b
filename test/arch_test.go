package test_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"sinew/test/source"
)

// rule says what the packages that it matches may import of this module, and what
// of the world outside they must not.
type rule struct {
	pattern string   // path.Match pattern of the package, below the module
	may     []string // patterns of packages of this module
	mustNot []string // prefixes of packages outside it
}

// The tree is the architecture: imports run one way. The first rule that matches a
// package applies; a package that no rule matches fails the test.
var rules = []rule{
	{"pkg/sim/spatial", nil, pure},
	{"pkg/sim", list("pkg/sim/spatial"), pure},
	{"pkg/sim/contact", list("pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod", "pkg/sim/rod/*", "pkg/sim/shape", "pkg/sim/shape/mesh"), pure},
	{"pkg/sim/integrate", list("pkg/sim/spatial"), pure},
	{"pkg/sim/continuation", list("pkg/sim/spatial"), pure},
	{"pkg/sim/rod", list("pkg/sim/spatial"), pure},
	{"pkg/sim/rod/*", list("pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod"), pure},
	{"pkg/sim/rigid", list("pkg/sim/spatial", "pkg/sim/integrate"), pure},
	{"pkg/sim/tendon", list("pkg/sim/spatial", "pkg/sim/rod", "pkg/sim/rod/*"), pure},
	{"pkg/sim/drive", nil, pure},
	{"pkg/sim/robotfile", list("pkg/sim/spatial"), pure},
	{"pkg/sim/lint", list("pkg/sim/robotfile", "pkg/sim/spatial"), pure},
	{"pkg/sim/table", nil, pure},
	{"pkg/sim/sweep", nil, pure},
	{"pkg/sim/batch", list("pkg/sim"), pure},
	{"pkg/sim/simtest", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod/*", "pkg/sim/continuum/equations"), pure},
	{"pkg/sim/trajectory", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/table"), pure},
	{"pkg/sim/reference", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/magnetics", "pkg/sim/robotfile"), pure},
	{"pkg/sim/random", nil, pure},
	{"pkg/sim/sensor", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/random", "pkg/sim/robotfile", "pkg/sim/rod", "pkg/sim/shape"), pure},
	{"pkg/sim/observer", list("pkg/sim", "pkg/sim/robotfile", "pkg/sim/spatial"), pure},
	{"pkg/sim/environment", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/robotfile", "pkg/sim/shape", "pkg/sim/shape/mesh"), pure},
	{"pkg/sim/continuum/rodmodel", list("pkg/sim/spatial", "pkg/sim/robotfile", "pkg/sim/rod", "pkg/sim/rod/*"), pure},
	{"pkg/sim/continuum/equations", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod", "pkg/sim/rod/*"), pure},
	{"pkg/sim/continuum/equilibrium", list("pkg/sim", "pkg/sim/continuation", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod", "pkg/sim/rod/*", "pkg/sim/continuum/equations"), pure},
	{"pkg/sim/continuum/motion", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod", "pkg/sim/rod/*", "pkg/sim/continuum/equations"), pure},
	{"pkg/sim/continuum/force", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod", "pkg/sim/rod/*", "pkg/sim/continuum/equations", "pkg/sim/contact", "pkg/sim/drive", "pkg/sim/magnetics", "pkg/sim/magnetics/*", "pkg/sim/reference", "pkg/sim/robotfile", "pkg/sim/tendon"), pure},
	{"pkg/sim/continuum/continuumtest", list("pkg/sim", "pkg/sim/spatial", "pkg/sim/robotfile", "pkg/sim/continuum", "pkg/sim/continuum/*"), pure},
	{"pkg/sim/continuum", list("pkg/sim", "pkg/sim/continuation", "pkg/sim/sensor", "pkg/sim/continuum/*", "pkg/sim/environment", "pkg/sim/reference", "pkg/sim/magnetics", "pkg/sim/magnetics/*", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/rod", "pkg/sim/rod/*", "pkg/sim/tendon", "pkg/sim/drive", "pkg/sim/contact", "pkg/sim/shape", "pkg/sim/shape/*", "pkg/sim/robotfile"), pure},
	{"pkg/sim/mechanism", list("pkg/sim/spatial", "pkg/sim/continuation", "pkg/sim/contact", "pkg/sim/shape", "pkg/sim/shape/mesh", "pkg/sim/integrate", "pkg/sim/rigid", "pkg/sim/rod", "pkg/sim/rod/*", "pkg/sim/tendon", "pkg/sim/mechanism/*"), pure},
	{"pkg/sim/mechanism/*", list("pkg/sim/spatial"), pure},
	{"pkg/sim/multibody", list("pkg/sim", "pkg/sim/sensor", "pkg/sim/continuum/rodmodel", "pkg/sim/environment", "pkg/sim/reference", "pkg/sim/mechanism", "pkg/sim/mechanism/joint", "pkg/sim/robotfile", "pkg/sim/rod", "pkg/sim/rod/*", "pkg/sim/shape", "pkg/sim/shape/mesh", "pkg/sim/spatial", "pkg/sim/tendon"), pure},
	{"pkg/ros/xmlrpc", list("pkg/ros/bounded", "pkg/ros/hostname"), nil},
	{"pkg/ros/masterclient", list("pkg/ros/xmlrpc"), nil},
	{"pkg/ros/master", list("pkg/ros/xmlrpc", "pkg/ros/masterclient", "pkg/ros/bounded", "pkg/ros/hostname"), nil},
	{"pkg/ros/bounded", nil, nil},
	{"pkg/ros/hostname", nil, nil},
	{"pkg/ros/naming", list("pkg/sim"), nil},
	{"pkg/ros/wallclock", list("pkg/sim"), nil},
	{"pkg/ros/marker", list("pkg/sim", "pkg/sim/spatial", "msgs", "msgs/*"), nil},
	{"pkg/ros/rtps", list("pkg/ros/rtps/*", "pkg/ros/bounded"), nil},
	{"pkg/ros/rtps/*", list("pkg/ros/rtps/*"), nil},
	{"pkg/ros/ros1", list("pkg/ros", "pkg/ros/*", "msgs", "msgs/*"), nil},
	{"pkg/ros/ros2", list("pkg/ros", "pkg/ros/rtps", "pkg/ros/bounded", "msgs", "msgs/*"), nil},
	{"pkg/ros/rosout", list("pkg/ros", "msgs", "msgs/*"), nil},
	{"pkg/ros/parameter", list("pkg/ros", "pkg/ros/bounded", "pkg/ros/naming", "pkg/ros/masterclient", "msgs", "msgs/*"), nil},
	{"pkg/ros/typedescription", list("pkg/ros", "msgs", "msgs/*"), nil},
	{"pkg/ros/lifecycle", list("pkg/ros", "pkg/sim", "msgs", "msgs/*"), nil},
	{"pkg/ros/simcontrol", list("pkg/ros", "pkg/sim", "msgs", "msgs/*"), nil},
	{"pkg/ros/viewer", list("pkg/ros", "pkg/ros/bounded", "pkg/ros/hostname", "pkg/ros/parameter", "msgs", "msgs/*"), nil},
	{"pkg/ros/manifest", list("pkg/ros", "pkg/ros/naming", "pkg/sim"), nil},
	{"pkg/ros/jacobian", list("pkg/ros", "pkg/sim", "msgs", "msgs/*"), nil},
	{"pkg/ros/recording", list("pkg/ros", "pkg/ros/record", "msgs", "msgs/*"), nil},
	{"pkg/ros/record", list("pkg/ros", "msgs", "msgs/*"), nil},
	{"pkg/ros", list("pkg/ros/bounded", "pkg/ros/naming", "pkg/ros/wallclock", "pkg/ros/marker", "pkg/sim", "pkg/sim/spatial", "pkg/sim/hil", "msgs", "msgs/*"), nil},
	{"pkg/sim/hil", list("pkg/sim/hil/diagnosis", "pkg/sim/spatial", "pkg/sim/trajectory"), pure},
	{"pkg/sim/hil/fit", list("pkg/sim/spatial"), pure},
	{"pkg/sim/hil/diagnosis", list("pkg/sim/spatial"), pure},
	{"pkg/sim/hil/identify", list("pkg/sim", "pkg/sim/trajectory", "pkg/sim/hil", "pkg/sim/hil/diagnosis", "pkg/sim/hil/fit", "pkg/sim/robotfile", "pkg/sim/spatial", "pkg/sim/table"), pure},
	{"pkg/sim/hil/report", list("pkg/sim/hil", "pkg/sim/hil/diagnosis", "pkg/sim/spatial", "pkg/sim/trajectory"), pure},
	{"pkg/sim/shape", list("pkg/sim/spatial", "pkg/sim/shape/mesh"), pure},
	{"pkg/sim/shape/mesh", list("pkg/sim/spatial"), pure},
	{"pkg/sim/stokes/boundary", list("pkg/sim/spatial"), pure},
	{"pkg/sim/stokes", list("pkg/sim/spatial", "pkg/sim/shape", "pkg/sim/stokes/boundary"), pure},
	{"pkg/sim/magnetics/rodmagnets", list("pkg/sim/spatial", "pkg/sim/reference", "pkg/sim/magnetics", "pkg/sim/rod/*"), pure},
	{"pkg/sim/magnetics", list("pkg/sim/spatial"), pure},
	{"pkg/sim/microrobot", list("pkg/sim", "pkg/sim/random", "pkg/sim/sensor", "pkg/sim/environment", "pkg/sim/shape", "pkg/sim/shape/mesh", "pkg/sim/spatial", "pkg/sim/integrate", "pkg/sim/stokes", "pkg/sim/reference", "pkg/sim/magnetics", "pkg/sim/rigid", "pkg/sim/robotfile"), pure},
	{"msgs/cdr", nil, pure},
	{"msgs/gen", list("msgs"), nil},
	{"msgs/internal/*", list("msgs", "msgs/*"), nil},
	{"msgs/*", list("msgs", "msgs/*"), nil},
	{"msgs", nil, nil},
	{"launch/robots", nil, pure},
	{"cmd/internal/exitcode", nil, nil},
	{"cmd/internal/program", append(list("launch/robots", "cmd/internal/progress"), library...), nil},
	{"cmd/internal/trajectoryfile", library, nil},
	{"cmd/internal/output", list("cmd/internal/exitcode", "pkg/ros/record"), nil},
	{"cmd/internal/progress", nil, nil},
	{"cmd/internal/cli", verbs(), nil},
	{"cmd/internal/fleet", append(list("cmd/internal/program"), library...), nil},
	{"cmd/internal/inspect", append(verbs("cli", "fleet"), "launch/robots"), nil},
	{"cmd/internal/scheduling", list("pkg/sim", "pkg/ros/wallclock"), nil},
	{"cmd/internal/run", verbs("cli", "fleet", "scheduling"), nil},
	{"cmd/internal/shell", verbs("cli"), nil},
	{"cmd/internal/offline", verbs("cli", "trajectoryfile", "view"), nil},
	{"cmd/internal/compare", verbs("cli", "trajectoryfile", "view"), nil},
	{"cmd/internal/identify", verbs("cli", "trajectoryfile", "offline"), nil},
	{"cmd/internal/view", verbs("cli", "trajectoryfile"), nil},
	{"cmd/internal/variation", append(list("cmd/internal/program"), library...), nil},
	{"cmd/internal/sweep", verbs("cli", "offline", "trajectoryfile", "variation"), nil},
	{"cmd/internal/env", verbs("cli", "variation"), nil},
	{"cmd/internal/app", verbs("cli", "view", "inspect", "run", "shell", "offline", "compare", "identify", "sweep", "env"), nil},
	{"cmd/internal/apptest", append(verbs("app"), "launch/robots"), nil},
	{"cmd/*", list("cmd/internal/app", "cmd/internal/program", "cmd/internal/progress", "launch/robots", "pkg/sim", "pkg/sim/*"), nil},
	{"test", append(list("launch/robots", "test/*", "test/peer/*", "test/tools/vessels"), library...), nil},
	{"test/*", append(list("launch/robots", "test/*", "test/peer/*", "test/tools/vessels"), library...), nil},
	{"test/peer/*", library, nil},
	{"test/peer/dds/*", library, nil},
	{"test/tools/*", append(list("launch/robots", "test/source"), library...), nil},
	{"test/bench/*", append(list("launch/robots", "test/latency", "test/bench/peers/rows"), library...), nil},
	{"test/bench/*/*", append(list("test/bench/peers/rows", "test/bench/peers/contest"), library...), nil},
}

// library are all packages that are not of a program.
var library = list("pkg/*", "pkg/*/*", "pkg/*/*/*", "msgs", "msgs/*")

// verbs are what a package of verbs may import: the library, what every verb needs,
// and more packages below cmd/internal.
func verbs(more ...string) []string {
	may := append(list("cmd/internal/exitcode", "cmd/internal/output", "cmd/internal/program", "cmd/internal/progress"), library...)
	for _, name := range more {
		may = append(may, "cmd/internal/"+name)
	}
	return may
}

// pure packages have no clock, logger, network, files or ROS. TestNoClockInPureCode
// finds calls of time.Now.
var pure = append(list("net", "go.uber.org/zap", "github.com/bluenviron"), system...)

// system is what the tests of pure packages may import all the same, to read golden
// files and to end an example.
var system = list("os", "log", "syscall", "golang.org/x/sys/unix", "golang.org/x/sys/windows")

// testOnly are packages that nothing but tests imports, and modelsUnderTest what the tests of simtest and of the observer make models of.
var (
	testOnly        = list("pkg/sim/simtest", "pkg/sim/continuum/continuumtest")
	modelsUnderTest = list("pkg/sim/continuum", "pkg/sim/microrobot", "pkg/sim/robotfile", "pkg/sim/environment", "pkg/sim/shape/mesh")
)

// testHelpers are packages that any test may import.
var testHelpers = list("pkg/sim/simtest", "launch/robots", "cmd/internal/app", "cmd/internal/apptest", "pkg/sim/continuum/continuumtest", "test/source", "test/peer/ddspeer", "test/latency", "test/subprocess", "test/testbench", "test/testsize", "test/peer/rospeer", "msgs/internal/msgtest", "msgs/catalog")

// forceElements are what tests of the parts of the solver of continuum robots may import, to have something that acts on the rod.
var forceElements = list("pkg/sim/continuum/force", "pkg/sim/contact", "pkg/sim/shape", "pkg/sim/shape/mesh", "pkg/sim/tendon")

// goroslib is the module of the ROS 1 protocol packages. Only goroslibMay import it
// and, as a foreign peer, tests.
const goroslib = "github.com/bluenviron/goroslib"

var goroslibMay = list("pkg/ros/ros1")

func list(s ...string) []string { return s }

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range source.Packages(t) {
		for _, why := range forbidden(p) {
			t.Error(why)
		}
	}
}

// forbidden returns the imports of p and of its tests that the rules do not allow.
func forbidden(p source.Package) (all []string) {
	name := p.Below()
	i := slices.IndexFunc(rules, func(r rule) bool { return matches(r.pattern, name) })
	if i < 0 {
		return []string{name + ": no rule for this package; add one to the table in test/arch_test.go"}
	}
	r := rules[i]
	for _, imp := range p.Imports {
		if own, ok := strings.CutPrefix(imp, source.Module+"/"); ok && slices.Contains(testOnly, own) {
			all = append(all, fmt.Sprintf("%s imports %s: only tests may", name, imp))
			continue
		}
		if !allowed(imp, r.may, r.mustNot) || isBelow(imp, goroslib) && !matchAny(goroslibMay, name) {
			all = append(all, fmt.Sprintf("%s imports %s: not allowed; of this module it may import %v", name, imp, r.may))
		}
	}
	may := slices.Concat(r.may, testHelpers, list(name))
	if matches("pkg/sim/continuum/*", name) {
		may = append(may, forceElements...)
	}
	if name == "pkg/sim/simtest" || name == "pkg/sim/observer" {
		may = append(may, modelsUnderTest...)
	}
	mustNot := slices.DeleteFunc(slices.Clone(r.mustNot), func(s string) bool { return slices.Contains(system, s) })
	for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
		if !allowed(imp, may, mustNot) {
			all = append(all, fmt.Sprintf("the tests of %s import %s: not allowed; of this module they may import %v", name, imp, may))
		}
	}
	return all
}

// allowed reports whether imp is a package of this module that matches may, or a
// package of another one that is not below mustNot.
func allowed(imp string, may, mustNot []string) bool {
	if own, ok := strings.CutPrefix(imp, source.Module+"/"); ok {
		return matchAny(may, own)
	}
	return !slices.ContainsFunc(mustNot, func(prefix string) bool { return isBelow(imp, prefix) })
}

// isBelow reports whether imp is the package prefix or one below it.
func isBelow(imp, prefix string) bool { return imp == prefix || strings.HasPrefix(imp, prefix+"/") }

func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}

// TestForbiddenImportsAreFound shows that the rules can fail.
func TestForbiddenImportsAreFound(t *testing.T) {
	own := func(names ...string) []string {
		for i := range names {
			names[i] = source.Module + "/" + names[i]
		}
		return names
	}
	for _, c := range []struct {
		name string
		p    source.Package
		want int
	}{
		{"no rule", source.Package{ImportPath: "sinew/pkg/new"}, 1},
		{"allowed", source.Package{ImportPath: "sinew/pkg/sim/rod", Imports: append(own("pkg/sim/spatial"), "math"), TestImports: list("os", "testing")}, 0},
		{"upwards", source.Package{ImportPath: "sinew/pkg/sim/rod", Imports: own("pkg/sim/continuum", "pkg/ros")}, 2},
		{"upwards in a test", source.Package{ImportPath: "sinew/pkg/sim/rod", TestImports: own("pkg/sim/continuum"), XTestImports: own("pkg/sim/rod", "pkg/ros")}, 2},
		{"files and network", source.Package{ImportPath: "sinew/pkg/sim", Imports: list("os", "net/http", "network"), TestImports: list("os/exec", "net")}, 3},
		{"a helper of tests", source.Package{ImportPath: "sinew/cmd/internal/offline", Imports: own("pkg/sim/simtest"), TestImports: own("pkg/sim/simtest")}, 1},
		{"goroslib", source.Package{ImportPath: "sinew/pkg/ros/ros2", Imports: list(goroslib + "/v2/pkg/xmlrpc"), TestImports: list(goroslib + "/v2")}, 1},
		{"goroslib in its place", source.Package{ImportPath: "sinew/pkg/ros/ros1", Imports: list(goroslib + "/v2/pkg/prototcp")}, 0},
	} {
		if got := forbidden(c.p); len(got) != c.want {
			t.Errorf("%s: %q, want %d", c.name, got, c.want)
		}
	}
}

package main_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	main "sinew/msgs/gen"
)

// TestUpToDate fails when somebody edits a field list or the generator without
// running it, edits a generated file, or leaves one behind.
func TestUpToDate(t *testing.T) {
	root := os.DirFS("..")
	catalog, err := main.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	want, err := main.Generate(catalog)
	if err != nil {
		t.Fatal(err)
	}
	got, err := main.Committed(root)
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range want {
		if !bytes.Equal(got[path], text) {
			t.Errorf("%s is out of date: go run ./msgs/gen", path)
		}
	}
	for path := range got {
		if want[path] == nil {
			t.Errorf("%s belongs to no field list: go run ./msgs/gen", path)
		}
	}
}

func TestFieldListErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown mark", "bool a # both", `p/msg/A.msg:1: "both" after #: want ros1 or ros2`},
		{"prose", "\n# the answer", `p/msg/A.msg:2: "the answer" after #: want ros1 or ros2`},
		{"no name", "bool", `p/msg/A.msg:1: "bool": want a type and a name`},
		{"not a type", "float-64 a", `p/msg/A.msg:1: "float-64" is not a type`},
		{"zero length", "bool[0] a", `p/msg/A.msg:1: "bool[0]": the array length must be a positive number`},
		{"field name", "bool isBusy", `p/msg/A.msg:1: field name "isBusy" is not lower_snake_case`},
		{"twice", "bool a\nint8 a", "p/msg/A.msg:2: a is defined twice"},
		{"twice on one side", "bool a # ros1\nint8 a", "p/msg/A.msg:2: a is defined twice"},
		{"capital", "bool Ab", `p/msg/A.msg:1: field name "Ab" is not lower_snake_case`},
		{"constant name", "bool a=1", `p/msg/A.msg:1: constant name "a" is not UPPER_SNAKE_CASE`},
		{"constant type", "time A=1", "p/msg/A.msg:1: constant A cannot be of type time"},
		{"constant array", "int8[] A=1", "p/msg/A.msg:1: constant A cannot be of type int8[]"},
		{"constant range", "uint8 A=256", `p/msg/A.msg:1: constant A: strconv.ParseUint: parsing "256": value out of range`},
		{"quote", "string A=x`y", "p/msg/A.msg:1: constant A: \"x`y\" must not contain quotes or backslashes"},
		{"no such message", "q/B b", "p/msg/A.msg: field b: no message q/B"},
		{"cycle", "A a", "p/A contains itself: p/A > p/A"},
		{"byte array", "byte[] a", "p/msg/A.msg: field a: byte[] is not supported, use uint8[]"},
		{"bounded", "string<=9 a", "p/msg/A.msg: field a: ROS 1 has no string<=9"},
		{"bounded array", "int8[<=3] a", "p/msg/A.msg: field a: ROS 1 has no int8[<=3]"},
		{"bound of nothing", "int8[<=] a # ros2", `p/msg/A.msg:1: "int8[<=]": the array length must be a positive number`},
		{"array of at most 0", "int8[<=0] a # ros2", `p/msg/A.msg:1: "int8[<=0]": the array length must be a positive number`},
		{"zero bound", "string<=0 a # ros2", `p/msg/A.msg:1: "string<=0": only a string can have a bound, a positive number`},
		{"bounded number", "int8<=5 a # ros2", `p/msg/A.msg:1: "int8<=5": only a string can have a bound, a positive number`},
		{"bounded constant", "string<=5 A=x", "p/msg/A.msg:1: constant A cannot be of type string<=5"},
		{"char array", "char[3] a", "p/msg/A.msg: field a: char[3] is not supported, use uint8[]"},
		{"empty elements", "Empty[] a", "p/msg/A.msg: field a: arrays of empty messages are not supported"},
		{"side", "Only2 a", "p/msg/A.msg: field a needs a mark: p/Only2 does not exist on both sides"},
		{"clash", "int8 type\nint8 kind", "p/msg/A.msg: fields type and kind are both Kind in Go"},
	} {
		_, err := main.Load(fstest.MapFS{
			"p/msg/A.msg":     {Data: []byte(c.text)},
			"p/msg/Empty.msg": {},
			"p/msg/Only2.msg": {Data: []byte("# ros2\nbool x")},
		})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestServiceErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one half", "bool a", "p/srv/A.srv: no --- between request and response"},
		{"three halves", "---\n---", "p/srv/A.srv:2: second ---"},
		{"half a version", "# ros2\nbool a\n---\nbool b", "p/srv/A.srv: request and response need the same mark"},
		{"line in response", "bool a\n---\nbool", `p/srv/A.srv:3: "bool": want a type and a name`},
	} {
		_, err := main.Load(fstest.MapFS{"p/srv/A.srv": {Data: []byte(c.text)}})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// TestEveryFeature generates a message that uses all of the language, more than
// our own field lists do.
func TestEveryFeature(t *testing.T) {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(main.Builtins)) {
		list.WriteString(name + " a_" + name + "\n")
		if name != "byte" && name != "char" {
			list.WriteString(name + "[] b_" + name + "\n" + name + "[3] c_" + name + "\n")
		}
	}
	list.WriteString("Part part\nPart[] parts\nPart[2] pair\nstring TEXT=some text\nfloat32 HALF=0.5\nbool YES=true # ros2\n")
	list.WriteString("string<=7 short # ros2\nstring<=7[] shorts # ros2\nbyte[2] octets # ros2\nOnly2[] new # ros2\nint64[<=3] few # ros2\n")
	list.WriteString("int8[2] q # ros2\nint8[2] Q # ros1\nint8 split # ros2\nPart split # ros1\n")
	catalog, err := main.Load(fstest.MapFS{
		"p/msg/Part.msg":  {Data: []byte("char x # ros1\nint32 y")},
		"p/msg/Only2.msg": {Data: []byte("# ros2")},
		"p/msg/All.msg":   {Data: []byte(list.String())},
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := main.Generate(catalog)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	c := checked{importer.ForCompiler(fset, "source", nil), map[string]*types.Package{}}
	c.typeCheck(t, fset, files, "sinew/msgs/p", "p/")
	for path, want := range map[string][]string{
		"p/all.go": {
			"ATime     msgs.Time", "CDuration [3]msgs.Duration", "dst = append(dst, m.BUint8...)",
			"dst = msgs.AppendFloat64s(dst, m.CFloat64[:])", `AllText = "some text"`, "AllYes  = true",
			"r.Count(5)", // a Part: char and int32
			"string TEXT=some text\nfloat32 HALF=0.5\nbool a_bool\n",
			"string TEXT=some text\nfloat32 HALF=0.5\nbool YES=true\nbool a_bool\n", "builtin_interfaces/Duration[3] c_duration\n",
			"w.Uint8s(m.BUint8)", "w.Float64s(m.CFloat64[:])", "w.Uint8s(m.Octets[:])", "w.Time(m.BTime[i].ROS2())",
			"m.CDuration[i] = msgs.DurationROS2(r.Time())", "m.Shorts[i] = r.BoundedString(7)",
			"r.BoundedCount(8, 3)", "int64[<=3] few\n",
			"m.New = nil\n\tif n := r.Count(1)",   // an empty message has a byte
			"m.Parts = nil\n\tif n := r.Count(4)", // a Part: int32
			"dst = m.SplitROS1.AppendROS1(dst)", "w.Int8(m.Split)", "int8[2] Q\nPart split\n", "int8[2] q\nint8 split\n",
		},
	} {
		for _, w := range want {
			if !strings.Contains(string(files[path]), w) {
				t.Errorf("%s lacks %q", path, w)
			}
		}
	}
}

// checked holds the generated packages that later ones may import.
type checked struct {
	types.Importer
	packages map[string]*types.Package
}

func (c checked) Import(path string) (*types.Package, error) {
	if p := c.packages[path]; p != nil {
		return p, nil
	}
	return c.Importer.Import(path)
}

// typeCheck compiles the generated files below dir, as far as their types go.
func (c checked) typeCheck(t *testing.T, fset *token.FileSet, files map[string][]byte, path, dir string) {
	t.Helper()
	var parsed []*ast.File
	for name, text := range files {
		if strings.HasPrefix(name, dir) {
			f, err := parser.ParseFile(fset, name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
	}
	p, err := (&types.Config{Importer: c}).Check(path, fset, parsed, nil)
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	c.packages[path] = p
}

func TestNames(t *testing.T) {
	for ros, want := range map[string]string{
		"frame_id": "FrameID", "id": "ID", "LINE_STRIP": "LineStrip", "step_p50": "StepP50", "x": "X",
	} {
		if got := main.Camel(ros); got != want {
			t.Errorf("camel(%s) = %s, want %s", ros, got, want)
		}
	}
	for ros, want := range map[string]string{
		"PoseStamped": "pose_stamped", "TFMessage": "tf_message", "ColorRGBA": "color_rgba",
		"UVCoordinate": "uv_coordinate", "Vector3": "vector3", "std_msgs": "std_msgs",
	} {
		if got := main.Snake(ros); got != want {
			t.Errorf("snake(%s) = %s, want %s", ros, got, want)
		}
	}
}

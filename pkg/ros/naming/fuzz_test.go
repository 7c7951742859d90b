package naming_test

import (
	"strings"
	"testing"

	"sinew/pkg/ros/naming"
)

// FuzzNames checks that no command line or environment panics, and that what is
// resolved is an absolute name that resolves to itself.
func FuzzNames(f *testing.F) {
	f.Add("tensions:=/t __name:=left __ns:=/lab", "http://localhost:11311/", "~tensions")
	f.Add("--ros-args -r a:=b -p c:=1 --params-file f", "http://[::1]", "/tf")
	f.Add("a:b:=~c/ _p:=[1,2]", "http://a:1/", "a//b")
	f.Fuzz(func(t *testing.T, line, uri, name string) {
		args, err := naming.ParseArgs(strings.Split(line, " "))
		if err != nil {
			return
		}
		n, err := naming.NewNames("sim", args, naming.Environment("ROS_MASTER_URI="+uri))
		if err != nil {
			return
		}
		full, err := n.Resolve(name)
		if err != nil {
			return
		}
		plain, err := naming.NewNames("sim", naming.Args{}, naming.Environment()) // which remaps nothing
		if err != nil {
			t.Fatal(err)
		}
		again, err := plain.Resolve(full)
		if err != nil || again != full || full[0] != '/' {
			t.Errorf("%q resolves to %q, which resolves to %q, %v", name, full, again, err)
		}
		if m, err := naming.NewNames("sim", naming.Args{}, naming.Environment("ROS_MASTER_URI="+n.Master().URI())); err != nil || m.Master() != n.Master() {
			t.Errorf("master %+v is not read back, %v", n.Master(), err)
		}
	})
}

package robotfile_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// TestForeignFilesAreNamed: a file in another format is named by its content or, where that does not tell, by
// its extension, and nothing else is said about it.
func TestForeignFilesAreNamed(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.urdf", "<?xml version=\"1.0\"?>\n<robot name=\"arm\"><link name=\"base\"/></robot>", "is a URDF robot description; a robot file is YAML: rigid links"},
		{"a.yaml", "\ufeff<!-- by hand -->\n<robot\n name=\"arm\">\n</robot>", "is a URDF robot description"},
		{"a.xacro", "<?xml version=\"1.0\"?><robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\"/>", "is a xacro macro"},
		{"a.urdf.xacro", "<robot name=\"a\"><xacro:arm/></robot>", "is a xacro macro"},
		{"a.yaml", "<xacro:macro name=\"a\"/>", "is a xacro macro"},
		{"a.xml", "<mujoco model=\"m\"><worldbody/></mujoco>", "is an MJCF model of MuJoCo"},
		{"a.xml", "<mujocoinclude/>", "is an MJCF model of MuJoCo"},
		{"a.sdf", "<?xml version='1.0'?><!DOCTYPE x><sdf version=\"1.7\"/>", "is an SDF description of Gazebo"},
		{"a.scn", "<?xml version='1.0'?><Node name=\"root\"/>", "is a scene of SOFA"},
		{"a.xml", "<graph/>", "is an XML file with the root element graph; a robot file is YAML: write one with init"},
		{"a.usda", "#usda 1.0\n", "is a USD stage"},
		{"a.urdf", "%YAML: [", "is a URDF robot description"},
		{"a.urdf", "", "is a URDF robot description"},
		{"a.MJCF", "just text", "is an MJCF model of MuJoCo"},
		{"a.stl", "solid vessel\nfacet normal 0 0 1\n", "is a mesh (STL); environment.shapes takes it"},
		{"a.mcap", "\x89MCAP0\r\n", "is a recording (MCAP)"},
	} {
		for program, err := range map[string]error{
			"tendonsim":  second(robotfile.Parse[robotfile.Continuum](c.file, []byte(c.text))),
			"microrobot": second(robotfile.Parse[robotfile.Microrobot](c.file, []byte(c.text))),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), c.file+": "+c.want) || strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("%s: %s: %q gives %v, want %q", program, c.file, c.text, err, c.want)
			}
		}
	}
	if _, err := robotfile.Parse[robotfile.Continuum]("robot.urdf", []byte("rod: {length_m: 0.2}")); err != nil {
		t.Errorf("YAML with another extension: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

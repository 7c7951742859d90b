package robotfile

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Descriptions of robots in other formats.
const (
	urdf  = "a URDF robot description"
	xacro = "a xacro macro of a URDF robot description"
	mjcf  = "an MJCF model of MuJoCo"
	sdf   = "an SDF description of Gazebo"
	usd   = "a USD stage"
)

// roots are the root elements of XML files.
var roots = map[string]string{
	"robot": urdf, "mujoco": mjcf, "mujocoinclude": mjcf, "sdf": sdf, "gazebo": sdf, "world": sdf,
	"collada": "a COLLADA scene", "node": "a scene of SOFA", "launch": "a launch file of ROS", "package": "a package.xml of ROS",
}

// extensions are the formats of files that are no YAML by the ends of their names.
var extensions = []struct{ end, format string }{
	{".urdf", urdf}, {".xacro", xacro}, {".mjcf", mjcf}, {".sdf", sdf}, {".world", sdf}, {".usd", usd}, {".usda", usd}, {".usdc", usd}, {".usdz", usd},
	{".srdf", "an SRDF description of MoveIt"}, {".scn", "a scene of SOFA"}, {".dae", "a COLLADA scene"},
}

// beginnings are those of files in other formats.
var beginnings = []struct{ begin, format string }{
	{"#usda", usd}, {"PXR-USDC", usd}, {"\x89MCAP", "a recording (MCAP)"}, {"#ROSBAG", "a recording (rosbag)"},
	{"solid ", "a mesh (STL); environment.shapes takes it"}, {"ply\n", "a mesh (PLY)"}, {"PK\x03\x04", "a ZIP archive"}, {"SQLite format 3\x00", "a recording (rosbag2 in SQLite)"},
}

// foreignContent names the format of a file that is another than a robot file by its content; empty for
// none that is known.
func foreignContent(data []byte) string {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	for _, b := range beginnings {
		if bytes.HasPrefix(data, []byte(b.begin)) {
			return b.format
		}
	}
	element := rootElement(data)
	name, attributes, _ := strings.Cut(element, " ")
	if element == "" {
		return ""
	}
	format := roots[strings.ToLower(name)]
	switch {
	case strings.HasPrefix(name, "xacro:"):
		return xacro
	case format == urdf && strings.Contains(attributes+string(data[:min(len(data), 1<<20)]), "xacro"):
		return xacro
	case format == "":
		return "an XML file with the root element " + shorten(name)
	}
	return format
}

// rootElement returns the first element of an XML file, without brackets and with blanks for white
// space; empty if it is no XML.
func rootElement(data []byte) string {
	for {
		data = bytes.TrimLeft(data, " \t\r\n")
		end := ""
		switch {
		case bytes.HasPrefix(data, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(data, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(data, []byte("<!")):
			end = ">"
		case bytes.HasPrefix(data, []byte("<")):
			element, _, _ := bytes.Cut(data[1:], []byte(">"))
			return strings.Join(strings.Fields(strings.TrimSuffix(string(element), "/")), " ")
		default:
			return ""
		}
		_, rest, found := bytes.Cut(data, []byte(end))
		if !found {
			return ""
		}
		data = rest
	}
}

// foreignName names the format of a file by the end of its name; empty for none that is known.
func foreignName(file string) string {
	base := strings.ToLower(filepath.Base(file))
	for _, e := range extensions {
		if strings.HasSuffix(base, e.end) {
			return e.format
		}
	}
	return ""
}

// foreignCure says what to do with a description in another format.
func foreignCure(format string) string {
	switch format {
	case urdf, xacro, mjcf, sdf, usd:
		return "rigid links and joints are not what is simulated here: write a file with init, and copy lengths, masses and materials into it"
	}
	return "write one with init"
}

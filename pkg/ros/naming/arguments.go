package naming

import (
	"fmt"
	"strings"
)

// Args are the parsed arguments of a command line: those of ROS, and Rest, those of the program.
// Fields that were not given are empty.
type Args struct {
	Rest   []string
	Remaps []Remap
	Params []Param // _name:=value and -p name:=value, in order
	// ParamFiles are the files of --params-file, in order; see LoadParams.
	ParamFiles []string
	// SimTime is the source of use_sim_time: true, and WallTime of use_sim_time: false; both
	// are empty without. They, NoTypeDescription and Idle are set by LoadParams.
	SimTime, WallTime string
	// NoTypeDescription is start_type_description_service: false.
	NoTypeDescription bool
	// Idle describes, one per line, the options and the parameters of every node that have no
	// effect.
	Idle []string

	Name      string // __name, or __node of ROS 2
	Namespace string // __ns
	// Selves are the names and namespaces that ROS 2 assigns to nodes by name, with From being
	// __node, __name or __ns; see Remap.Node.
	Selves   []Remap
	Master   string // __master
	Hostname string // __hostname
	IP       string // __ip
	Log      string // __log, a file that roslaunch names for the log
	// NoRosout means that the log is not published on /rosout.
	NoRosout  bool
	logLevels []logLevel
}

// Remap is a renaming From:=To. Node limits it to one node, if not empty.
type Remap struct{ Node, From, To string }

// String returns the remapping in the form of the command line.
func (r Remap) String() string {
	if r.Node != "" {
		return r.Node + ":" + r.From + ":=" + r.To
	}
	return r.From + ":=" + r.To
}

// ParseArgs parses the arguments of a program, without its name. In ROS 1, a:=b, __name:=left and
// _param:=value may be anywhere; in ROS 2 they have the form --ros-args -r a:=b -p param:=value
// --params-file FILE, up to -- or the end. An argument that begins with - and everything after a
// plain -- belong to the program. The error lists all mistakes.
func ParseArgs(args []string) (Args, error) {
	var a Args
	var errs mistakes
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			a.Rest = append(a.Rest, args[i:]...)
			return a, errs.err()
		case arg == "--ros-args":
			i += a.parseROS2(args[i+1:], &errs)
		case strings.HasPrefix(arg, "-") || !strings.Contains(arg, ":="):
			a.Rest = append(a.Rest, arg)
		default:
			errs.add(arg, a.assign(arg))
		}
	}
	return a, errs.err()
}

// assign parses an argument left:=right of ROS 1.
func (a *Args) assign(arg string) error {
	left, right, _ := strings.Cut(arg, ":=")
	switch {
	case strings.HasPrefix(left, "__"):
		return a.special(left, right)
	case strings.HasPrefix(left, "_"):
		return a.param(left[1:], right)
	}
	return a.remap(left, right)
}

// special parses a setting of the node itself.
func (a *Args) special(key, value string) error {
	fields := map[string]*string{
		"__name": &a.Name, "__node": &a.Name, "__ns": &a.Namespace, "__master": &a.Master,
		"__hostname": &a.Hostname, "__ip": &a.IP, "__log": &a.Log,
	}
	f, known := fields[key]
	switch {
	case !known:
		return fmt.Errorf("unknown setting %s; known are __name, __ns, __master, __ip, __hostname, __log", key)
	case value == "":
		return fmt.Errorf("%s needs a value", key)
	case *f != "" && *f != value:
		return fmt.Errorf("%s was already given as %q", key, *f)
	}
	*f = value
	return nil
}

// remap parses a remapping, with "node:" before it in ROS 2.
func (a *Args) remap(left, right string) error {
	r := Remap{From: left, To: right}
	if strings.Contains(left, "://") {
		return fmt.Errorf("%s: give the name without a scheme", left)
	}
	if node, from, ok := strings.Cut(left, ":"); ok {
		r.Node, r.From = node, from
		if err := checkNode(node); err != nil {
			return fmt.Errorf("node of the remapping: %w", err)
		}
	}
	if err := checkName(r.From); err != nil {
		return err
	}
	if err := checkName(r.To); err != nil {
		return err
	}
	a.Remaps = append(a.Remaps, r)
	return nil
}

func (a *Args) param(name, value string) error {
	p := Param{Name: name, Value: value, Source: CommandLine}
	if name == "" {
		return fmt.Errorf("the parameter has no name")
	}
	if _, err := p.Scalar(); err != nil {
		return err
	}
	a.Params = append(a.Params, p)
	return nil
}

// parseROS2 parses the arguments after --ros-args and returns their number, the closing --
// included.
func (a *Args) parseROS2(args []string, errs *mistakes) int {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch arg {
		case "--":
			return i + 1
		case "--enable-rosout-logs", "--disable-rosout-logs":
			a.NoRosout = arg == "--disable-rosout-logs"
			continue
		}
		flag, ignored := idleFlags[arg]
		values, take := flag.values, a.ros2Option(arg)
		switch {
		case take != nil:
			values = 1
		case ignored && flag.why != "":
			a.Idle = append(a.Idle, CommandLine+": "+arg+" has no effect: "+flag.why)
		case !ignored:
			errs.add("--ros-args", fmt.Errorf("unknown option %q; known are -r, -p, --params-file and --log-level, and -- ends them", arg))
			continue
		}
		if i+values >= len(args) {
			errs.add("--ros-args", fmt.Errorf("%s needs a value", arg))
			return len(args)
		}
		i += values
		if take != nil {
			errs.add(arg+" "+args[i], take(args[i]))
		}
	}
	return len(args)
}

// ros2Option returns the function that parses the value of an option, or nil.
func (a *Args) ros2Option(option string) func(string) error {
	pair := func(take func(left, right string) error) func(string) error {
		return func(v string) error {
			left, right, ok := strings.Cut(v, ":=")
			if !ok {
				return fmt.Errorf("want name:=value")
			}
			return take(left, right)
		}
	}
	switch option {
	case "-r", "--remap":
		return pair(func(left, right string) error {
			if strings.HasPrefix(left, "__") {
				return a.special(left, right)
			}
			if node, setting, ok := strings.Cut(left, ":"); ok && (setting == "__ns" || setting == "__node" || setting == "__name") {
				if right == "" {
					return fmt.Errorf("%s needs a value", setting)
				}
				a.Selves = append(a.Selves, Remap{Node: node, From: setting, To: right})
				return nil
			}
			return a.remap(left, right)
		})
	case "-p", "--param":
		return pair(func(left, right string) error {
			node, name, ok := strings.Cut(left, ":")
			if !ok {
				return a.param(left, right)
			}
			err := a.param(name, right)
			if err == nil {
				a.Params[len(a.Params)-1].Node = node
			}
			return err
		})
	case "--log-level":
		return a.logLevel
	case "--params-file":
		return func(v string) error {
			a.ParamFiles = append(a.ParamFiles, v)
			return nil
		}
	}
	return nil
}

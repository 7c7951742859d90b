package naming

import (
	"fmt"
	"slices"
	"strings"
)

// idleFlags are the options after --ros-args without effect, with the number of their values and
// the reason. The reason is empty if the node does what the option requests in any case.
var idleFlags = map[string]struct {
	values int
	why    string
}{
	"-e": {1, noSecurity}, "--enclave": {1, noSecurity},
	"--log-config-file":           {1, "--log-level sets the level, and __log:=FILE also writes a file"},
	"--log-file-name":             {1, "__log:=FILE also writes the log to a file"},
	"--enable-stdout-logs":        {0, ""},
	"--disable-stdout-logs":       {0, "the log goes to stderr, and --log-level fatal silences it"},
	"--enable-external-lib-logs":  {0, ""},
	"--disable-external-lib-logs": {0, "there is no log but the node's"},
}

const noSecurity = "DDS security is not implemented"

// logLevel is one value of --log-level. An empty name means all loggers.
type logLevel struct{ name, level string }

// levels are the levels of ROS 2, by severity.
var levels = []string{"unset", "debug", "info", "warn", "error", "fatal"}

// logLevel parses a value of --log-level: LEVEL or LOGGER:=LEVEL.
func (a *Args) logLevel(value string) error {
	name, level, named := strings.Cut(value, ":=")
	if !named {
		name, level = "", value
	}
	level = strings.ToLower(level)
	switch {
	case named && name == "":
		return fmt.Errorf("the logger has no name; want LEVEL or LOGGER:=LEVEL")
	case !slices.Contains(levels, level):
		return fmt.Errorf("%.40q is no level; allowed: %s", level, strings.Join(levels, ", "))
	}
	a.logLevels = append(a.logLevels, logLevel{name, level})
	return nil
}

// isFor reports whether a level is that of the logger of a node (absolute name).
func (l logLevel) isFor(node string) bool {
	return l.name == "" || strings.HasPrefix(strings.ReplaceAll(strings.Trim(node, "/"), "/", ".")+".", l.name+".")
}

// LogLevel returns the level that --log-level sets for the logger of a node (absolute name):
// "debug", "info", "warn", "error" or "fatal", by default "info". The logger of /lab/left is
// lab.left, below lab; the longest matching name decides, then the last one. foreign are the other
// loggers that were named.
func (a Args) LogLevel(node string) (level string, foreign []string) {
	longest := -1
	for _, l := range a.logLevels {
		switch {
		case !l.isFor(node):
			foreign = append(foreign, l.name)
		case len(l.name) >= longest && l.level != "unset":
			level, longest = l.level, len(l.name)
		}
	}
	if longest < 0 {
		level = "info"
	}
	return level, foreign
}

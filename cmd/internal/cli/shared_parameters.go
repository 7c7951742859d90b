package cli

import (
	"fmt"
	"slices"
	"strings"

	"sinew/cmd/internal/program"
	"sinew/pkg/ros/naming"
)

// maxParamFile bounds what is read of a parameter file (bytes).
const maxParamFile = 4 << 20

// ReadParamFile reads a file of --params-file, of at most 4 MiB.
func ReadParamFile(name string) ([]byte, error) { return program.ReadFile(name, maxParamFile) }

// splitParameters removes the parameters that a file gives to all nodes of a pattern and that
// are not keys of the robot file: they belong to other nodes. The warnings suggest a key for each that
// may be a typing error and list all others in one line per file.
func splitParameters(f program.File, all []naming.Param) (own []naming.Param, warnings []string) {
	var files []string
	rest := map[string][]string{} // names of parameters, by file
	seen := map[string]bool{}
	for _, p := range all {
		if !p.Shared || f.Has(p.Name) {
			own = append(own, p)
			continue
		}
		if hint := f.Hint(p.Name); hint != "" {
			if line := fmt.Sprintf("%s: %s: given to several nodes and no key of this robot, left to others (%s)", p.Source, p.Name, hint); !seen[line] {
				warnings, seen[line] = append(warnings, line), true
			}
			continue
		}
		file := p.Source[:max(0, strings.LastIndexByte(p.Source, ':'))]
		if rest[file] == nil {
			files = append(files, file)
		}
		if !slices.Contains(rest[file], p.Name) {
			rest[file] = append(rest[file], p.Name)
		}
	}
	for _, file := range files {
		warnings = append(warnings, fmt.Sprintf("%s: given to several nodes and no keys of this robot, left to others: %s", file, list(rest[file])))
	}
	return own, warnings
}

// list formats the first few names and the number of further ones.
func list(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

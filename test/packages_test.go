package test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// pkg is a package of this module, as go list describes it.
type pkg struct {
	ImportPath                string
	Dir                       string
	GoFiles                   []string
	Imports                   []string // by GoFiles
	TestImports, XTestImports []string // by tests inside and outside the package
}

// name returns the path below the module.
func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

// listed is the outcome of go list, which takes a while.
var listed = sync.OnceValues(func() (all []pkg, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports", module+"/...").Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

// packages returns all packages of this module.
func packages(t *testing.T) []pkg {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return all
}

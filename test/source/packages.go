package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Module is the path of this module.
const Module = "sinew"

// Package is a package of a module, as go list describes it.
type Package struct {
	ImportPath                string
	Name                      string
	Dir                       string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string // tests inside and outside the package
	Imports                   []string // by GoFiles
	TestImports, XTestImports []string
	Deps                      []string // all packages below
	Standard                  bool     // of Go
	Export                    string   // file of export data, from List with -export
	Module                    *struct{ Main bool }
}

// Below returns the path of the package below this module.
func (p *Package) Below() string { return strings.TrimPrefix(p.ImportPath, Module+"/") }

const fields = "-json=ImportPath,Name,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Deps,Standard,Export,Module"

// List runs go list with flags and patterns in dir.
func List(dir string, args ...string) (all []Package, err error) {
	cmd := exec.Command("go", append([]string{"list", fields}, args...)...)
	cmd.Dir = dir
	var message strings.Builder
	cmd.Stderr = &message
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w\n%s", strings.Join(args, " "), err, message.String())
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p Package
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// listed is the outcome of go list for this module, which takes a while.
var listed = sync.OnceValues(func() ([]Package, error) { return List("", Module+"/...") })

// Packages returns all packages of this module.
func Packages(t *testing.T) []Package {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

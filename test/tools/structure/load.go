package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"

	"sinew/test/source"
)

// loader checks the types of the packages of a module from their source, and imports all
// others from the export data of the compiler.
type loader struct {
	set     *token.FileSet
	checked map[string]*types.Package
	others  types.Importer
}

// load reads the packages of the module in dir that match the patterns.
func load(dir string, patterns []string) ([]*report, error) {
	wanted, err := source.List(dir, patterns...)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, p := range wanted {
		named[p.ImportPath] = true
	}
	all, err := source.List(dir, append([]string{"-deps"}, patterns...)...) // what is imported comes first
	if err != nil {
		return nil, err
	}
	l := &loader{set: token.NewFileSet(), checked: map[string]*types.Package{}}
	if l.others, err = exportData(dir, l.set, all); err != nil {
		return nil, err
	}
	var reports []*report
	for _, p := range all {
		if !isOwn(p) || len(p.GoFiles) == 0 {
			continue
		}
		files, info, err := l.check(p)
		if err != nil {
			return nil, err
		}
		if !named[p.ImportPath] {
			continue
		}
		r, err := newReport(p, l.set, files, l.checked[p.ImportPath], info)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// isOwn reports whether a package belongs to the module that is looked at.
func isOwn(p source.Package) bool { return p.Module != nil && p.Module.Main }

// exportData imports packages of other modules and of Go.
func exportData(dir string, set *token.FileSet, all []source.Package) (types.Importer, error) {
	args := []string{"-export"}
	for _, p := range all {
		if !isOwn(p) && p.ImportPath != "unsafe" {
			args = append(args, p.ImportPath)
		}
	}
	files := map[string]string{}
	if len(args) > 1 {
		listed, err := source.List(dir, args...)
		if err != nil {
			return nil, err
		}
		for _, p := range listed {
			files[p.ImportPath] = p.Export
		}
	}
	return importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(files[path])
	}), nil
}

// Import implements types.Importer.
func (l *loader) Import(path string) (*types.Package, error) {
	if p := l.checked[path]; p != nil {
		return p, nil
	}
	return l.others.Import(path)
}

// check parses and checks the files of a package that are no tests.
func (l *loader) check(p source.Package) (files []*ast.File, info *types.Info, err error) {
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(l.set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
	}
	info = &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: l}
	l.checked[p.ImportPath], err = config.Check(p.ImportPath, l.set, files, info)
	return files, info, err
}

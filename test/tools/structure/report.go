package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sinew/test/source"
)

// report is what is counted of a package.
type report struct {
	path      string
	files     []string
	fileCount int          // of a total
	uses      [][][]string // names by file that uses and file that declares them
	order     []int        // reading order of the files
	back      int          // arrows against it
	cyclic    int          // arrows between files that use one another, if by way of others

	lines, exported            int
	prefix                     string // that most files share
	shared                     int    // how many
	testFiles, whiteBox, tests int
}

func newReport(p source.Package, set *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) (*report, error) {
	r := &report{path: p.ImportPath, files: p.GoFiles, exported: exportedNames(pkg)}
	r.prefix, r.shared = source.MostSharedPrefix(p.GoFiles)
	r.uses = usesBetween(set, files, pkg, info)
	r.order, r.back = readingOrder(r.arrows())
	r.cyclic = cyclicArrows(r.arrows())
	for _, f := range files {
		text, err := os.ReadFile(set.File(f.FileStart).Name())
		if err != nil {
			return nil, err
		}
		r.lines += bytes.Count(text, []byte("\n"))
	}
	r.testFiles, r.whiteBox = len(p.TestGoFiles)+len(p.XTestGoFiles), len(p.TestGoFiles)
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		n, err := testFunctions(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		r.tests += n
	}
	return r, nil
}

// add adds another package to a total.
func (r *report) add(x *report) {
	r.back += x.back
	r.cyclic += x.cyclic
	r.fileCount += len(x.files)
	r.lines += x.lines
	r.exported += x.exported
	r.shared = max(r.shared, x.shared)
	r.testFiles += x.testFiles
	r.whiteBox += x.whiteBox
	r.tests += x.tests
}

// arrows are the files that each file uses, by index.
func (r *report) arrows() [][]int {
	all := make([][]int, len(r.files))
	for from := range r.uses {
		for to, names := range r.uses[from] {
			if len(names) > 0 {
				all[from] = append(all[from], to)
			}
		}
	}
	return all
}

func (r *report) arrowCount() (n int) {
	for _, to := range r.arrows() {
		n += len(to)
	}
	return n
}

// usesBetween collects the names by which files use what other files of the package
// declare. An identifier that denotes something in another file is a name of the package,
// a field or a method: what is local is in the same file.
func usesBetween(set *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) [][][]string {
	index := map[*token.File]int{}
	uses := make([][][]string, len(files))
	for i, f := range files {
		index[set.File(f.FileStart)] = i
		uses[i] = make([][]string, len(files))
	}
	for id, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		from, to := index[set.File(id.Pos())], index[set.File(object.Pos())]
		if from != to && !slices.Contains(uses[from][to], object.Name()) {
			uses[from][to] = append(uses[from][to], object.Name())
		}
	}
	return uses
}

// exportedNames counts exported names of the package and methods of its exported types.
func exportedNames(pkg *types.Package) (n int) {
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		n++
		if named, ok := object.Type().(*types.Named); ok && object.Parent() == pkg.Scope() {
			if _, isType := object.(*types.TypeName); isType {
				for m := range named.Methods() {
					if m.Exported() {
						n++
					}
				}
			}
		}
	}
	return n
}

// testFunctions counts the functions Test… of a file.
func testFunctions(path string) (n int, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
			n++
		}
	}
	return n, nil
}

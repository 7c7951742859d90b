package test_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/source"
)

// TestNoClockInPureCode fails when simulation code reads the wall clock: time is
// injected there, which is what makes runs repeatable and tests free of sleeps.
func TestNoClockInPureCode(t *testing.T) {
	forbidden := map[string]bool{"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "Tick": true, "NewTimer": true, "NewTicker": true, "AfterFunc": true}
	files := 0
	for _, p := range source.Packages(t) {
		if !strings.HasPrefix(p.ImportPath, source.Module+"/pkg/sim") {
			continue
		}
		for _, f := range p.GoFiles {
			files++
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, f), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && forbidden[s.Sel.Name] {
						t.Errorf("%s: time.%s in simulation code", set.Position(n.Pos()), s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	if files == 0 {
		t.Fatal("no simulation code found")
	}
}

package test_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Tests run the shipped solver. Only a test of convergence order may override solver
// settings, or one that these reasons name: a test with settings of its own certifies a
// product that is not shipped.
var ownSettings = map[string]string{
	"converged":                                       "what the tests below share: iteration to round-off",
	"TestNewtonTraceOfThreeElements":                  "compares increments with a recording that has the exact tangent",
	"TestDynamicsCheckpoints":                         "compares with recordings that were iterated to round-off",
	"TestCommandedBaseFollowsTheCheckpoint":           "compares with recordings that were iterated to round-off",
	"TestMovingBaseCarriesTheMomentum":                "an identity of the converged equations; shipped settings leave 1e-8 N",
	"swing":                                           "for the order of the elements, which the iteration's remainder hides",
	"TestFourthOrderOfMotions":                        "for the order of the elements, which the iteration's remainder hides",
	"TestMagnetisedStretchesAreOfFourthOrderInMotion": "for the order of the elements, which the iteration's remainder hides",
	"TestMutualMagnetsAreOfFourthOrderInMotion":       "for the order of the elements, which the iteration's remainder hides",
	"TestMotionIsOfATightTolerance":                   "compares shipped settings with iteration to round-off",
	"TestWholeWorldIsFrameIndifferent":                "an identity of the converged equations; round-off decides in how many iterations a step of it ends",
	"TestToleranceIsTightEnough":                      "compares shipped settings with iteration to round-off",
	"TestCorrectionOfFrictionIsThatOfNewton":          "compares shipped settings with Newton's method",
	"lagged":                                          "makes the steps of recordings, which were iterated to round-off",
}

// modelPackages are where the solvers and their tests are.
var modelPackages = list("../pkg/sim/continuum", "../pkg/sim/continuum/motion", "../pkg/sim/microrobot")

func TestArchTestsRunTheShippedSolver(t *testing.T) {
	found := map[string]bool{}
	for _, dir := range modelPackages {
		files, err := filepath.Glob(dir + "/*_test.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no tests, %v", dir, err)
		}
		for _, name := range overriders(t, files, nil) {
			found[name] = true
			if ownSettings[name] == "" {
				t.Errorf("%s: %s overrides settings of the solver; use what ships, or give the reason in test/settings_test.go", dir, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ownSettings)) {
		if !found[name] {
			t.Errorf("%s no longer overrides settings of the solver: take it off the list in test/settings_test.go", name)
		}
	}
}

// overriders returns the functions in files, or in the text of a single one, that assign
// to settings of a solver or mention a function that is no test and does.
func overriders(t *testing.T, files []string, text any) []string {
	t.Helper()
	var functions []*ast.FuncDecl
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				functions = append(functions, f)
			}
		}
	}
	names := map[string]bool{}
	for _, f := range functions {
		if holdsFor(f, assignsSetting) {
			names[f.Name.Name] = true
		}
	}
	direct := maps.Clone(names)
	for _, f := range functions {
		mentions := func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			return ok && direct[id.Name] && !strings.HasPrefix(id.Name, "Test")
		}
		if holdsFor(f, mentions) {
			names[f.Name.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// holdsFor reports whether is holds for a node of the function.
func holdsFor(f *ast.FuncDecl, is func(ast.Node) bool) (yes bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		yes = yes || n != nil && is(n)
		return !yes
	})
	return yes
}

// overridingCalls are the methods of the solver that change how it solves.
var overridingCalls = list("Refine", "LagSpin", "SolveFrictionByNewton")

// assignsSetting reports whether n assigns to a field of options, makes options of its own, or calls a method that changes some.
func assignsSetting(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, isSetting)
	case *ast.IncDecStmt:
		return isSetting(n.X)
	case *ast.UnaryExpr:
		return n.Op == token.AND && isSetting(n.X)
	case *ast.CallExpr:
		s, ok := n.Fun.(*ast.SelectorExpr)
		return ok && slices.Contains(overridingCalls, s.Sel.Name)
	case *ast.CompositeLit:
		name := fmt.Sprint(n.Type)
		if s, ok := n.Type.(*ast.SelectorExpr); ok {
			name = s.Sel.Name
		}
		return name == "Newton" || name == "implicitOptions"
	}
	return false
}

// isSetting reports whether x is options or a part of them: a path through a field of
// that name, or a setting of a Newton iteration.
func isSetting(x ast.Expr) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && (slices.Contains(list("options", "newton", "refinements"), s.Sel.Name) || isSetting(s.X))
}

// TestOverridersAreFound shows that the test above can fail.
func TestOverridersAreFound(t *testing.T) {
	const text = `package p
func set(e *engine)      { e.options.newton.Tol = 1 }
func TestDirect()        { e := new(); e.options.refinements++ }
func TestPointer()       { p := &e.options; p.x = 1 }
func TestThroughHelper() { run(set) }
func TestRefined()        { e.stepper.Refine(1e-9, 3) }
func TestOwnOptions()    { run(integrate.Newton{Tol: 1}) }
func TestShipped()       { e := new(); tol := e.options.newton.Tol; e.other.Tol = tol }
`
	got := overriders(t, list("p_test.go"), text)
	if want := list("TestDirect", "TestOwnOptions", "TestPointer", "TestRefined", "TestThroughHelper", "set"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// kind is a kind of change.
type kind string

const (
	operator   kind = "operator"
	comparison kind = "comparison"
	boundary   kind = "boundary"
	logic      kind = "logic"
	condition  kind = "condition"
	constant   kind = "constant"
	statement  kind = "statement"
	nilError   kind = "error"
)

// mutation is one change of a source file: the bytes from start to end become text.
type mutation struct {
	file          string // path below the module
	line          int    // 1-based
	function      string // that contains the change; empty outside functions
	kind          kind
	before, after string // the changed expression or statement, on one line
	start, end    int    // offsets in the file
	text          string
}

// row returns the mutation as a row of the table, with tabs between the columns.
func (m mutation) row() string {
	return fmt.Sprintf("%s:%d\t%s\t%s\t%s → %s", m.file, m.line, m.function, m.kind, m.before, m.after)
}

// name returns row with a space between the columns.
func (m mutation) name() string { return strings.ReplaceAll(m.row(), "\t", " ") }

var lineNumber = regexp.MustCompile(`\.go:[0-9]+ `)

// key returns what names the mutation of a row: all but the line, which changes with
// every edit above it, and the spaces.
func key(row string) string {
	return lineNumber.ReplaceAllString(strings.Join(strings.Fields(row), " "), ".go ")
}

// apply returns the mutated source, which has as many lines as src.
func (m mutation) apply(src []byte) []byte {
	lost := strings.Count(string(src[m.start:m.end]), "\n") - strings.Count(m.text, "\n")
	return []byte(string(src[:m.start]) + m.text + strings.Repeat("\n", max(0, lost)) + string(src[m.end:]))
}

// mutations returns every possible mutation of a Go file.
func mutations(file string, src []byte) ([]mutation, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := finder{file: file, src: src, set: set, found: new([]mutation)}
	ast.Walk(f, tree)
	return *f.found, nil
}

// finder is an ast.Visitor that collects mutations. It is copied at every node, so
// that each copy knows the function it is in.
type finder struct {
	file     string
	src      []byte
	set      *token.FileSet
	found    *[]mutation
	function string         // the function declaration that contains the node
	results  *ast.FieldList // results of the innermost function
	parent   ast.Node       // the node above
}

// Visit implements ast.Visitor. It leaves out types and imports.
func (f finder) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.FieldList, *ast.ArrayType:
		return nil
	case *ast.FuncDecl:
		f.function, f.results = n.Name.Name, n.Type.Results
	case *ast.FuncLit:
		f.results = n.Type.Results
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			f.swap(operator, n, n.OpPos, n.Op, token.ADD)
		}
	case *ast.IncDecStmt:
		other := token.DEC
		if n.Tok == token.DEC {
			other = token.INC
		}
		f.swap(operator, n, n.TokPos, n.Tok, other)
	case *ast.AssignStmt:
		if other, ok := operators[n.Tok]; ok {
			f.swap(operator, n, n.TokPos, n.Tok, other)
		}
	case *ast.BasicLit:
		if text := otherNumber(n); text != "" {
			f.value(n, text)
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.value(n, "false")
		case "false":
			f.value(n, "true")
		}
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		f.negate(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			f.cases(n.Body)
		}
	case *ast.BlockStmt:
		f.drop(n.List)
	case *ast.CaseClause:
		f.drop(n.Body)
	case *ast.CommClause:
		f.drop(n.Body)
	case *ast.ReturnStmt:
		f.noError(n)
	}
	f.parent = n
	return f
}

// operators change places, also in assignments.
var operators = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
}

var comparisons = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

var boundaries = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

var logics = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}

// binary adds every change of the operator of n.
func (f finder) binary(n *ast.BinaryExpr) {
	for _, t := range []struct {
		kind kind
		to   map[token.Token]token.Token
	}{{operator, operators}, {comparison, comparisons}, {boundary, boundaries}, {logic, logics}} {
		if other, ok := t.to[n.Op]; ok {
			f.swap(t.kind, n, n.OpPos, n.Op, other)
		}
	}
}

// otherNumber returns another number instead of n, or nothing if n is no number.
func otherNumber(n *ast.BasicLit) string {
	switch n.Kind {
	case token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil && v < 1<<62 {
			return strconv.FormatInt(v+1, 10)
		}
	case token.FLOAT:
		if v, err := strconv.ParseFloat(n.Value, 64); err == nil && v == 0 {
			return "1.0"
		}
		return "(2 * " + n.Value + ")"
	}
	return ""
}

// value adds the change of a constant to text. It is shown with what is around it, if
// that is an expression or a statement with values.
func (f finder) value(n ast.Expr, text string) {
	var shown ast.Node = n
	switch f.parent.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.CallExpr, *ast.KeyValueExpr,
		*ast.AssignStmt, *ast.ValueSpec, *ast.ReturnStmt:
		shown = f.parent
	}
	f.add(constant, shown, n.Pos(), n.End(), text)
}

// negate adds the negation of a condition, if there is one.
func (f finder) negate(cond ast.Expr) {
	if cond != nil {
		f.replace(condition, cond, "!("+f.source(cond)+")")
	}
}

// cases adds the negations of the conditions of a switch without a tag.
func (f finder) cases(body *ast.BlockStmt) {
	for _, c := range body.List {
		for _, cond := range c.(*ast.CaseClause).List {
			f.negate(cond)
		}
	}
}

// drop adds the removal of every statement that can be left out.
func (f finder) drop(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt, *ast.GoStmt:
			f.replace(statement, s, "")
		case *ast.BranchStmt:
			if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
				f.replace(statement, s, "")
			}
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				f.replace(statement, s, "")
			}
		}
	}
}

// noError adds the change of the returned error to nil, if n returns one.
func (f finder) noError(n *ast.ReturnStmt) {
	if len(n.Results) == 0 || f.results == nil || f.results.NumFields() != len(n.Results) {
		return
	}
	types := f.results.List
	if t, ok := types[len(types)-1].Type.(*ast.Ident); !ok || t.Name != "error" {
		return
	}
	last := n.Results[len(n.Results)-1]
	if f.source(last) != "nil" {
		f.add(nilError, n, last.Pos(), last.End(), "nil")
	}
}

// swap adds the change of the token at pos, which is part of n.
func (f finder) swap(k kind, n ast.Node, pos token.Pos, from, to token.Token) {
	f.add(k, n, pos, pos+token.Pos(len(from.String())), to.String())
}

// replace adds the change of all of n to text.
func (f finder) replace(k kind, n ast.Node, text string) { f.add(k, n, n.Pos(), n.End(), text) }

// add adds the change of the bytes from start to end, which are shown as part of n.
func (f finder) add(k kind, n ast.Node, start, end token.Pos, text string) {
	at, from, to := f.set.Position(start), f.offset(start), f.offset(end)
	begin, stop := f.offset(n.Pos()), f.offset(n.End())
	after := string(f.src[begin:from]) + text + string(f.src[to:stop])
	if after == "" {
		after = "nothing"
	}
	*f.found = append(*f.found, mutation{
		file: f.file, line: at.Line, function: f.function, kind: k,
		before: brief(f.source(n)), after: brief(after), start: from, end: to, text: text,
	})
}

func (f finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f finder) source(n ast.Node) string { return string(f.src[f.offset(n.Pos()):f.offset(n.End())]) }

// brief returns text on one line of moderate length.
func brief(text string) string {
	const most = 90
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

package app_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/program"
)

// mostHelp is the number of characters of a help text that fits a line of --help beside the flag.
const mostHelp = 80

// imperatives are the first words of help texts. A new verb belongs here; anything else is no
// imperative sentence.
var imperatives = strings.Fields(`Align Apply Check Choose Command Compare Continue Create Cross-validate Delay Differentiate
	Estimate Exit Find Follow Hold Identify Interpolate Join Keep Limit List Observe Overwrite Print Publish Randomise Read Record
	Remove Replay Run Search Serve Set Show Simulate Start Step Stop Treat Use Vary Write`)

// Every help text of the command line of both programs is one imperative sentence of at most
// mostHelp characters.
func TestHelpTexts(t *testing.T) {
	for _, robot := range []program.Robot{{Name: "tendonsim", Shape: new(program.Shape)}, {Name: "microrobot"}} {
		parser, err := app.NewParser(robot)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		for _, command := range parser.Model.Children {
			texts[command.Name] = command.Help
			for _, p := range command.Positional {
				texts[command.Name+" <"+p.Name+">"] = p.Help
			}
			for _, f := range command.Flags {
				texts[command.Name+" --"+f.Name] = f.Help
			}
		}
		if len(texts) < 80 {
			t.Errorf("%s: only %d help texts", robot.Name, len(texts))
		}
		for name, text := range texts {
			if n := utf8.RuneCountInString(text); n > mostHelp {
				t.Errorf("%s %s: %d characters, at most %d: %q", robot.Name, name, n, mostHelp, text)
			}
			first, _, _ := strings.Cut(strings.TrimSuffix(text, "."), " ")
			if !slices.Contains(imperatives, strings.TrimSuffix(first, ":")) {
				t.Errorf("%s %s: does not begin with an imperative: %q", robot.Name, name, text)
			}
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "${") {
				t.Errorf("%s %s: is no complete sentence: %q", robot.Name, name, text)
			}
		}
	}
}

// Details that a help text has no room for follow in the help of the command.
func TestHelpHasDetails(t *testing.T) {
	parser, err := app.NewParser(program.Robot{Name: "tendonsim"})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == "identify" })
	text := parser.Model.Children[i].Detail
	for _, want := range []string{"tendonsim identify --config", "\n\n--free: Groups: ", "\n\n<data>: The columns"} {
		if !strings.Contains(text, want) {
			t.Errorf("the help of identify lacks %q: %q", want, text)
		}
	}
	if strings.Contains(text, "${") {
		t.Errorf("a variable is left in the help of identify: %q", text)
	}
}

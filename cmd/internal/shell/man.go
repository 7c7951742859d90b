// Package shell holds the commands completion and man. Like --help they are generated from
// the grammar of the command line.
package shell

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"

	"sinew/cmd/internal/cli"
)

// Man is the command man.
type Man struct{}

// manSection is the section of commands.
const manSection = 1

// Run prints the manual page.
func (*Man) Run(e *cli.Env, app *kong.Kong) error {
	for _, command := range app.Model.Children {
		if command.Detail != "" { // in a paragraph of its own
			command.Detail = "\n" + command.Detail
		}
	}
	page := mangokong.NewManPage(manSection, app.Model).
		WithSection("Exit status", "0 ok, 1 failed, 2 usage or bad robot file, 3 a threshold of the command line was exceeded.")
	text := page.Build(roff.NewDocument())
	// replace the date of today, so that equal programs print equal pages
	text = dated.ReplaceAllString(text, `.TH ${1} "" "`+e.Robot.Name+" "+cli.Version+`"`)
	_, err := fmt.Fprintln(e.Stdout, strings.TrimSpace(text))
	return err
}

// dated is the title line: name, section and date.
var dated = regexp.MustCompile(`(?m)^\.TH (\S+ \S+) .*$`)

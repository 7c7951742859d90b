package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("structure", flag.ContinueOnError)
	dir := flags.String("C", ".", "a `directory` of the module")
	one := flags.String("pkg", "", "print the arrows of one `package`, such as ./pkg/sim/contact")
	if err := flags.Parse(args); err != nil {
		return err
	}
	patterns := flags.Args()
	if *one != "" {
		patterns = []string{*one}
	} else if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	all, err := load(*dir, patterns)
	if err != nil {
		return err
	}
	if *one != "" {
		for _, r := range all {
			r.printArrows(out)
		}
		return nil
	}
	return printTable(out, all)
}

// printTable writes a line per package, those with most back arrows first, and the totals.
func printTable(out io.Writer, all []*report) error {
	slices.SortFunc(all, func(a, b *report) int {
		return cmp.Or(b.back-a.back, b.arrowCount()-a.arrowCount(), cmp.Compare(a.path, b.path))
	})
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "back\tin cycles\tarrows\tfiles\tlines\texported\tsharing a prefix\ttest files\twhite-box\ttests\t  package")
	sum := report{}
	arrows := 0
	for _, r := range all {
		r.printRow(t, r.arrowCount(), len(r.files), r.prefix)
		sum.add(r)
		arrows += r.arrowCount()
	}
	sum.path = fmt.Sprintf("total of %d packages", len(all))
	sum.printRow(t, arrows, sum.fileCount, "most")
	return t.Flush()
}

func (r *report) printRow(out io.Writer, arrows, files int, prefix string) {
	shared := ""
	if r.shared > 0 {
		shared = fmt.Sprintf("%d %s", r.shared, prefix)
	}
	fmt.Fprintf(out, "%d\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t%d\t  %s\n",
		r.back, r.cyclic, arrows, files, r.lines, r.exported, shared, r.testFiles, r.whiteBox, r.tests, r.path)
}

// mostNames is how many identifiers are printed for an arrow.
const mostNames = 6

// printArrows writes the files in reading order with the files that each uses.
func (r *report) printArrows(out io.Writer) {
	fmt.Fprintf(out, "%s: %d files, %d arrows, %d of them in cycles, %d back\n", r.path, len(r.files), r.arrowCount(), r.cyclic, r.back)
	place := make([]int, len(r.files))
	for i, f := range r.order {
		place[f] = i
	}
	for _, from := range r.order {
		fmt.Fprintf(out, "%s\n", r.files[from])
		for _, to := range r.order {
			names := r.uses[from][to]
			if len(names) == 0 {
				continue
			}
			direction := "down"
			if place[to] < place[from] {
				direction = "BACK"
			}
			list := slices.Sorted(slices.Values(names))
			more := ""
			if len(list) > mostNames {
				more = fmt.Sprintf(" and %d more", len(list)-mostNames)
				list = list[:mostNames]
			}
			fmt.Fprintf(out, "  %s %s: %v%s\n", direction, r.files[to], list, more)
		}
	}
}

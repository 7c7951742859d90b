package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// robots are those that there are recordings of.
var robots = []*robot{&ftdcrV4, &tentacle, &trunk, &microswimmer}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hardware:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("hardware", flag.ContinueOnError)
	shared := flags.String("shared", "../shared/golden", "directory of the recordings")
	work := flags.String("work", "", "directory for what is made on the way; without it a temporary one")
	flags.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: hardware [flags] %s [fit | leave-out | evaluate | figure]\nWithout a verb: evaluate and figure.\n", strings.Join(names(), " | "))
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	at := slices.Index(names(), flags.Arg(0))
	verb := flags.Arg(1)
	if at < 0 || flags.NArg() > 2 || !slices.Contains([]string{"", "fit", "leave-out", "evaluate", "figure"}, verb) {
		flags.Usage()
		return errors.New("name a robot, and perhaps a verb, after the flags")
	}
	r := robots[at]
	b, err := newBench(r, ".", filepath.Join(*shared, r.data), *work)
	if err != nil {
		return err
	}
	defer b.close()
	if verb == "fit" {
		if err := b.fit(); err != nil {
			return err
		}
	}
	p, err := b.predict()
	if err != nil {
		return err
	}
	if verb == "leave-out" {
		if err := b.leaveOut(p); err != nil {
			return err
		}
	}
	if verb != "figure" {
		lines, err := r.table(p)
		if err != nil {
			return err
		}
		writeTable(out, lines)
	}
	if verb == "" || verb == "leave-out" || verb == "figure" {
		plots, err := r.figure(p)
		if err != nil {
			return err
		}
		return writePlots(filepath.Join("docs", "images", "hardware_"+r.name+".png"), plots)
	}
	return nil
}

func names() (list []string) {
	for _, r := range robots {
		list = append(list, r.name)
	}
	return list
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"sinew/test/latency"
)

// verbs are what this program does when its first argument says so, for people.
var verbs = map[string]func(ctx context.Context, args []string) error{
	"soak":    soakVerb,
	"estop":   estopVerb,
	"flood":   floodVerb,
	"cycles":  cyclesVerb,
	"calls":   callsVerb,
	"viewers": viewersVerb,
	"startup": startupVerb,
}

// errMissed ends a verb whose table says which target was missed.
var errMissed = errors.New("a target was missed")

// helper is this program as a part of a measurement, in a process of its own. It reports
// whether the arguments ask for one.
func helper(args []string) (is bool, err error) {
	switch {
	case len(args) == 2 && args[0] == asProbe:
		priority, err := strconv.Atoi(args[1])
		if err == nil {
			latency.Serve(priority, os.Stdin, os.Stdout)
		}
		return true, err
	case len(args) == 2 && args[0] == asMaster:
		return true, serveMaster(args[1])
	case len(args) == 3 && args[0] == asSubscriber:
		return true, subscriber(args[1], args[2], os.Stdin, os.Stdout)
	}
	return false, nil
}

// exit ends the program as its error says.
func exit(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "realtime: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("dir", "launch/images", "directory to write the figures to")
	flag.Parse()
	if err := drawHysteresis(filepath.Join(*dir, "hysteresis.png")); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

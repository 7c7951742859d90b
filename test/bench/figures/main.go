package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// figure is a file and what draws it.
type figure struct {
	file string
	draw func(path string) error
}

func main() {
	dir := flag.String("dir", "docs/images", "directory to write the figures to")
	levitation := flag.String("levitation", "", "recording of launch/examples/levitation.py to draw")
	flag.Parse()
	figures := []figure{{"hysteresis.png", drawHysteresis}, {"integrators.png", drawIntegrators}, {"swimmers.png", drawSwimmers}, {"stepout.png", drawStepOut}}
	if *levitation != "" {
		figures = append(figures, figure{"levitation.png", func(path string) error { return drawLevitation(*levitation, path) }})
	}
	for _, f := range figures {
		if err := f.draw(filepath.Join(*dir, f.file)); err != nil {
			fmt.Fprintln(os.Stderr, "figures:", err)
			os.Exit(1)
		}
	}
}

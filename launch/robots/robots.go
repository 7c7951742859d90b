// Package robots holds the robots that come with the programs: a robot file each, and
// commands that show what it does, where it takes commands.
package robots

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Robot is a robot that comes with a program. Its files are NAME.yaml and
// NAME_commands.csv.
type Robot struct {
	Name    string
	Program string // whose robot file it is
	Size    string
	Shows   string // what it is good for, in a line
}

// mechanisms are those of several rods, bodies and joints.
var mechanisms = []string{"six_leg_robot", "gripper_with_ball", "tendon_hand", "arm_with_rod", "y_tree", "thrown_ring", "double_pendulum"}

// IsMechanism reports whether the robot has several rods, bodies and joints.
func (r Robot) IsMechanism() bool { return slices.Contains(mechanisms, r.Name) }

// all lists the robots; the first one of a program is what it runs without a file.
var all = []Robot{
	{"silicone", "tendonsim", "250 mm, 11 mm thick", "silicone rod of the TendonForces thesis, two long and two short tendons; sags and swings"},
	{"nitinol", "tendonsim", "200 mm, 1 mm thick", "metal backbone that stands up, ten disks, four tendons in two planes; a first robot of one's own"},
	{"segments", "tendonsim", "240 mm, 1 mm thick", "two segments of a nitinol backbone, three tendons each: S shapes"},
	{"helical", "tendonsim", "200 mm, 1 mm thick", "one straight and one helical tendon: bends out of the plane and twists"},
	{"servo", "tendonsim", "200 mm, 1 mm thick", "motors that hold the lengths of two tendons, not their tensions, with friction in the holes"},
	{"motors", "tendonsim", "200 mm, 1 mm thick", "two motors with an antagonistic pair of tendons each: dead time, lag, backlash, compliance"},
	{"catheter", "tendonsim", "100 mm, 2 mm thick", "soft magnetic catheter, steered by a field or by a permanent magnet in front of it"},
	{"tendonforces", "tendonsim", "250 mm, 11 mm thick", "the example of TendonForces by PyElastica's own scheme, to compare and to migrate"},
	{"six_leg_robot", "tendonsim", "300 mm, six legs", "continuum Stewart platform: six spring-steel legs between ground and a plate, which carries a load"},
	{"gripper_with_ball", "tendonsim", "90 mm, two fingers", "two soft fingers with a tendon each on a lift: grasp a ball, lift it and put it down"},
	{"tendon_hand", "tendonsim", "80 mm, three fingers", "rigid phalanges on sprung hinges, a flexor and an extensor through the bodies of each finger"},
	{"arm_with_rod", "tendonsim", "520 mm, three motors", "rigid arm that carries a nitinol rod with four tendons, whose motors sit on the forearm"},
	{"y_tree", "tendonsim", "400 mm, 2 mm thick", "nitinol rod that branches into two and sways"},
	{"thrown_ring", "tendonsim", "200 mm, 8 mm thick", "closed hoop that is thrown on a floor, rolls, wobbles and comes to rest"},
	{"double_pendulum", "tendonsim", "550 mm, two links", "two rigid links on hinges, released"},

	{"swimmer", "microrobot", "240 um", "helical swimmer, neutrally buoyant, in a field of 5 mT that turns 10 times a second"},
	{"helix", "microrobot", "240 um", "the swimmer of a denser material: sinks while it swims"},
	{"prolate_magnet", "microrobot", "300 um", "magnetic spheroid, pulled along by a gradient of 0.2 T/m"},
	{"soft_ellipsoid", "microrobot", "200 um", "soft-magnetic ellipsoid: follows a slow field, steps out of a fast one"},
	{"sphere", "microrobot", "100 um", "magnetic sphere that rolls on the floor of a dish"},
	{"beads", "microrobot", "24 of 20 um", "magnetic beads that attract one another into chains, which a turning field turns"},
	{"swarm", "microrobot", "100 of 100 um", "magnetic spheres that drag each other through the fluid and gather into chains"},
	{"levitation", "microrobot", "20.7 mm, 35 g", "neodymium sphere with inertia that a controller holds in the air (launch/examples/levitation.py)"},
}

//go:embed *.yaml *.csv
var files embed.FS

// Rods returns the robots of tendonsim that are a single rod, first the one that it runs without a file.
func Rods() []Robot { return slices.DeleteFunc(Of("tendonsim"), Robot.IsMechanism) }

// Of returns the robots of a program, first the one that it runs without a file.
func Of(program string) (of []Robot) {
	for _, r := range all {
		if r.Program == program {
			of = append(of, r)
		}
	}
	return of
}

// Find returns the robot of a name, of whatever program.
func Find(name string) (r Robot, ok bool) {
	for _, r := range all {
		if r.Name == strings.TrimSuffix(name, ".yaml") {
			return r, true
		}
	}
	return Robot{}, false
}

// File is the robot file.
func (r Robot) File() []byte { return read(r.Name + ".yaml") }

// Commands is a CSV of commands for the robot, as the verb sim takes it; nil for a robot that is only watched.
func (r Robot) Commands() []byte {
	name := r.Name + "_commands.csv"
	if _, err := fs.Stat(files, name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return read(name)
}

func read(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("robots: %v", err)) // a test reads them all
	}
	return data
}

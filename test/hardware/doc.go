// Command hardware fits a robot file to a physical robot and tells how well it
// predicts what the fit has not seen. From the repository's root:
//
//	go run ./test/hardware fit                # writes test/hardware/ftdcr_v4.yaml
//	go run ./test/hardware evaluate           # errors of that file
//	go run ./test/hardware figure             # writes docs/images/hardware.png
//
// The robot, ftdcr_v4 of the OpenCR project, has three segments of three tendons
// each. Nine servos pull the tendons by known lengths while motion capture follows
// a marker near the tip. The recordings belong to others and are not in this
// repository: they are read from -data.
//
// Every row counts as an equilibrium under length control. Tendons are as the
// robot file says: their pull at rest of the servos is pull_m. The frame of the
// motion capture and how late it is stand under hardware. What is not in a robot
// file is where the marker is, see markerBeyond.
//
// What limits the result is written in README.md beside this file.
package main

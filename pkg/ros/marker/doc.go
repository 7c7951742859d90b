// Package marker draws the scenes of simulators as the markers that rviz shows.
package marker

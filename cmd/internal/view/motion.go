package view

import (
	"fmt"
	"path"
	"slices"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/trajectoryfile"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Of the path of a motion.
const (
	pathPeriod = time.Second / 25 // between its messages
	pathPoints = 600              // at most
)

// openMotion opens a CSV. For a swarm it shows robot number among the others.
func openMotion(e *cli.Env, file string, number int) (*recording, *trajectory.Trajectory, error) {
	m, err := trajectoryfile.Read(trajectoryfile.Source{
		File: file, CSV: trajectory.Options{Numbered: e.Robot.RobotColumn, Number: trajectory.AllRobots, Shapes: true},
	})
	if err == nil {
		err = m.CheckRows()
	}
	if err != nil {
		return nil, nil, err
	}
	r := &recording{file: file}
	if m.Untimed {
		r.messageSource, r.content = shapeOf(e, m), fmt.Sprintf("shape of %d nodes", len(m.Tip.Pose))
		return r, m, nil
	}
	own := m.OfRobot(number)
	if len(own.Tip.Pose) == 0 {
		return nil, nil, fmt.Errorf("%s: no rows of %s %d with a position; the numbers go up to %d", file, e.Robot.RobotColumn, number, m.Robots-1)
	}
	memory := Motion(e, own, m.SinceEpoch)
	if m.Robots > 1 {
		addOthers(memory, "/"+e.Robot.Name, m, own.Tip.T)
	}
	r.messageSource = memory
	r.lacks = "place and path (a CSV has no more)"
	switch {
	case e.Robot.Shape != nil:
		r.lacks = "tip and its path (a CSV of samples has no shape of the rod)"
	case !m.Tip.Rotations:
		r.lacks = "place and path (this CSV has no attitude)"
	}
	return r, m, nil
}

// warnNotShown warns on stderr of columns of a CSV that are not shown.
func warnNotShown(e *cli.Env, m *trajectory.Trajectory) {
	for _, remark := range m.Remarks {
		fmt.Fprintf(e.Stderr, "%s: warning: %s\n", e.Robot.Name, remark)
	}
	gaps, first := 0, 0
	for i := range m.Tip.Pose {
		if m.Gap(i) {
			if gaps++; gaps == 1 {
				first = m.Lines[i]
			}
		}
	}
	if gaps > 0 {
		fmt.Fprintf(e.Stderr, "%s: warning: %s:%d: %d rows from there on without a position; the last one stands instead\n", e.Robot.Name, m.File, first, gaps)
	}
	if len(m.Ignored) > 0 {
		fmt.Fprintf(e.Stderr, "%s: warning: %s:1: columns that are not shown: %s; shown are times, poses, tendons (N, or m with :m), vx … wz, ax … alpha_z, bx, by, bz, with a finite number in every row\n",
			e.Robot.Name, m.File, listNames(m.Ignored))
	}
}

// Motion returns a trajectory of one robot as topics with the names that they have in recordings,
// on a clock since 1970. The nodes of a rod have no attitude.
func Motion(e *cli.Env, t *trajectory.Trajectory, clock Clock) *Memory {
	memory, node := &Memory{flat: !t.Tip.Rotations, flatNodes: true}, "/"+e.Robot.Name
	times := clock.of(t.Tip.T)
	header := func(k int) std_msgs.Header { return headerAt(times[k], sim.World) }
	addPoses(memory, e, times, func(k int) spatial.Pose {
		if !t.Tip.Rotations {
			return spatial.Pose{P: t.Tip.Pose[k].P, R: spatial.Identity3()}
		}
		return t.Tip.Pose[k]
	})
	if a := &t.Actuation; len(a.Names) > 0 {
		addTendons(memory, e, clock.of(a.T), a.Names, a.Pull, a.Tension)
	}
	for _, twist := range []struct {
		name   string
		values [][]float64
	}{{"measured_cv", t.Velocity}, {"measured_ca", t.Acceleration}} {
		if twist.values == nil {
			continue
		}
		memory.Add(path.Join(node, twist.name), geometry_msgs.TwistStampedType, times, func(k int) msgs.Message {
			v := twist.values[k]
			return &geometry_msgs.TwistStamped{Header: header(k), Twist: geometry_msgs.Twist{
				Linear: geometry_msgs.Vector3{X: v[0], Y: v[1], Z: v[2]}, Angular: geometry_msgs.Vector3{X: v[3], Y: v[4], Z: v[5]},
			}}
		})
	}
	if t.Field != nil {
		memory.Add(node+"/field_at_robot", sensor_msgs.MagneticFieldType, times, func(k int) msgs.Message {
			v := t.Field[k]
			return &sensor_msgs.MagneticField{Header: header(k), MagneticField: geometry_msgs.Vector3{X: v[0], Y: v[1], Z: v[2]}}
		})
	}
	shapes := clock.of(t.Shape.T)
	memory.Add(node+"/backbone", geometry_msgs.PoseArrayType, shapes, func(k int) msgs.Message {
		line := &geometry_msgs.PoseArray{Header: headerAt(shapes[k], sim.World)}
		for _, p := range t.Shape.Nodes[k] {
			line.Poses = append(line.Poses, marker.Pose(spatial.Pose{P: p, R: spatial.Identity3()}))
		}
		return line
	})
	return memory
}

// addPoses adds the poses of the robot at times, and its path.
func addPoses(memory *Memory, e *cli.Env, times []time.Duration, pose func(k int) spatial.Pose) {
	memory.Add(path.Join("/"+e.Robot.Name, e.Robot.Shown), geometry_msgs.PoseStampedType, times, func(k int) msgs.Message {
		return &geometry_msgs.PoseStamped{Header: headerAt(times[k], sim.World), Pose: marker.Pose(pose(k))}
	})
	addPath(memory, e, times, pose)
}

// addTendons adds pulls, m, and tensions, N, of tendons at times; nil if unknown.
func addTendons(memory *Memory, e *cli.Env, times []time.Duration, names []string, pull, tension [][]float64) {
	memory.Add("/"+e.Robot.Name+"/measured_js", sensor_msgs.JointStateType, times, func(k int) msgs.Message {
		s := &sensor_msgs.JointState{Header: headerAt(times[k], ""), Name: names}
		if pull != nil {
			s.Position = pull[k]
		}
		if tension != nil {
			s.Effort = tension[k]
		}
		return s
	})
}

// addPath adds the path of poses up to each time.
func addPath(memory *Memory, e *cli.Env, times []time.Duration, pose func(k int) spatial.Pose) {
	name := "path"
	if e.Robot.Shape != nil {
		name = "tip_path"
	}
	var at []time.Duration
	var ends []int
	for k, t := range times {
		if len(at) == 0 || t-at[len(at)-1] >= pathPeriod || k == len(times)-1 {
			at, ends = append(at, t), append(ends, k)
		}
	}
	stride := (len(times) + pathPoints - 1) / pathPoints
	memory.Add(path.Join("/"+e.Robot.Name, name), nav_msgs.PathType, at, func(i int) msgs.Message {
		p := &nav_msgs.Path{Header: headerAt(at[i], sim.World)}
		add := func(k int) {
			p.Poses = append(p.Poses, geometry_msgs.PoseStamped{Header: headerAt(times[k], sim.World), Pose: marker.Pose(pose(k))})
		}
		for k := 0; k < ends[i]; k += stride {
			add(k)
		}
		add(ends[i])
		return p
	})
}

// addOthers adds the poses of all robots of a swarm at the times of one, in the order of the file.
func addOthers(memory *Memory, node string, m *trajectory.Trajectory, seconds []float64) {
	times := Clock(m.SinceEpoch).of(seconds)
	memory.Add(node+"/poses", geometry_msgs.PoseArrayType, times, func(k int) msgs.Message {
		all := &geometry_msgs.PoseArray{Header: headerAt(times[k], sim.World)}
		first, _ := slices.BinarySearch(m.Tip.T, seconds[k])
		for i := first; i < len(m.Tip.T) && m.Tip.T[i] == seconds[k]; i++ {
			if !m.Gap(i) {
				all.Poses = append(all.Poses, marker.Pose(m.Tip.Pose[i]))
			}
		}
		return all
	})
}

// shapeOf returns the nodes of a rod as a recording of one moment.
func shapeOf(e *cli.Env, m *trajectory.Trajectory) *Memory {
	memory, at := &Memory{flatNodes: !m.Tip.Rotations}, []time.Duration{m.SinceEpoch(0)}
	memory.Add(path.Join("/"+e.Robot.Name, e.Robot.Shown), geometry_msgs.PoseStampedType, at, func(int) msgs.Message {
		return &geometry_msgs.PoseStamped{Header: headerAt(at[0], sim.World), Pose: marker.Pose(m.Tip.Pose[len(m.Tip.Pose)-1])}
	})
	memory.Add("/"+e.Robot.Name+"/backbone", geometry_msgs.PoseArrayType, at, func(int) msgs.Message {
		a := &geometry_msgs.PoseArray{Header: headerAt(at[0], sim.World)}
		for _, p := range m.Tip.Pose {
			a.Poses = append(a.Poses, marker.Pose(p))
		}
		return a
	})
	return memory
}

func headerAt(t time.Duration, frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: msgs.At(t), FrameID: frame}
}

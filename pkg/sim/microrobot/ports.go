package microrobot

import (
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
)

// role is what a port of a Model is.
type role uint8

const (
	fieldInput role = iota // of reference.Field
	externalWrench
	ambientFlow
	measuredCP
	measuredCV
	measuredCA
	fieldAtRobot
	appliedWrench
	path
	poses
	contactList
	shapePose    // of reference.Shapes, all in a row
	shapeTF      // one for each shape that may move, all in a row
	sensorValues // one for each sensor, all in a row
	drawnCP
)

// bodyFrame is the frame of the robot.
const bodyFrame = "body"

// drawnFrame is where markers show the robot, for views that follow it: markers are
// enlarged about the origin of the world, bodyFrame is not.
const drawnFrame = "drawn"

// listPorts returns the ports of the robot moved by e, and what each is. fields are the In
// ports of the field.
func listPorts(robot *Robot, e engine, fields, shapes []sim.Port) (ports []sim.Port, roles []role) {
	add := func(r role, p sim.Port) {
		roles = append(roles, r)
		ports = append(ports, p)
	}
	listInPorts(fields, add)
	for _, p := range shapes {
		add(shapePose, p)
	}
	listOutPorts(robot, e, add)
	return ports, roles
}

// listInPorts adds the ports that take commands, those of the field first.
func listInPorts(fields []sim.Port, add func(role, sim.Port)) {
	for _, p := range fields {
		add(fieldInput, p)
	}
	world := []string{sim.World}
	command := func(name string, k sim.Kind, unit string) sim.Port {
		return sim.Port{Name: name, Kind: k, Direction: sim.In, Unit: unit, Group: name}
	}
	ew := command("external_wrench", sim.Wrench, "N, N m")
	ew.Frames = []string{sim.World, bodyFrame}
	add(externalWrench, ew)
	af := command("ambient_flow", sim.Twist, "m/s, rad/s")
	af.Frames = world
	add(ambientFlow, af)
}

// listOutPorts adds the output ports.
func listOutPorts(robot *Robot, e engine, add func(role, sim.Port)) {
	world := []string{sim.World}
	out := func(name string, k sim.Kind, unit string, frames []string) sim.Port {
		return sim.Port{Name: name, Kind: k, Direction: sim.Out, Unit: unit, Frames: frames}
	}
	cp := out("measured_cp", sim.Pose, "m", world)
	cp.Child, cp.Parent = bodyFrame, sim.World
	add(measuredCP, cp)
	drawn := out("drawn_cp", sim.Pose, "m", world)
	drawn.Child, drawn.Parent, drawn.Silent = drawnFrame, sim.World, true
	add(drawnCP, drawn)
	add(measuredCV, out("measured_cv", sim.Twist, "m/s, rad/s", world))
	if _, ok := e.(inertialEngine); ok {
		add(measuredCA, out("measured_ca", sim.Twist, "m/s^2, rad/s^2", world))
	}
	add(fieldAtRobot, out("field_at_robot", sim.Field, "T", world))
	add(appliedWrench, out("applied_wrench", sim.Wrench, "N, N m", []string{bodyFrame}))
	trace := out("path", sim.Path, "m", world)
	trace.Pace = sim.Slow
	add(path, trace)
	if robot.hasShapes() {
		touches := out("contacts", sim.Contacts, "m, N", world)
		touches.Labels = robot.shapeNames()
		if robot.file.Swarm != nil {
			touches.Pace = sim.Slow
		}
		add(contactList, touches)
	}
	if robot.movesShapes() {
		for _, name := range robot.shapeNames() {
			add(shapeTF, reference.ShapePosePort(name))
		}
	}
	if s := robot.file.Swarm; s != nil {
		all := out("poses", sim.PoseArray, "m", world)
		all.Pace, all.Labels = sim.Slow, numbers(s.Count)
		add(poses, all)
	}
}

func numbers(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}

// Reynolds numbers, by half of the largest extent, above which inertia of the fluid changes
// drag by more than a few percent: 3/8 Re in translation (Oseen), Re²/1200 in rotation
// (Takagi, J. Phys. Soc. Japan 42 (1977) 319), both of a sphere.
const (
	warnReynolds     = 0.1
	warnSpinReynolds = 5
)

// commonGauges are what Measure gives of every robot.
var commonGauges = []sim.Gauge{
	{Key: "lag_angle", Unit: "rad"}, // between the moment and the field
	{Key: "step_out", Warn: 0.5, Hint: "1: the body lags behind the field by more than the largest magnetic torque can turn it; let the field turn slower, or make it stronger"},
	{Key: "alignment_time", Unit: "s"}, // τ of the last step, of a swing √(J/mB); 0: nothing aligns the body
	{Key: "substeps"},                  // of the last step
	{Key: "follows_field"},             // 1: τ is far below the step, the torques stay in balance: as exact as substeps
	{Key: "reynolds_number", Warn: warnReynolds, Accept: string(robotfile.Reynolds), Hint: "Stokes drag, which neglects the inertia of the fluid, is too low"},
	{Key: "spin_reynolds_number", Warn: warnSpinReynolds, Accept: string(robotfile.Reynolds), Hint: "Stokes drag, which neglects the inertia of the fluid, is too low"},
	{Key: "field_strength", Unit: "T"},
	{Key: "drawing_scale"}, // of markers over what they show
	{Key: "rotation_per_step", Unit: "rad", Accept: string(robotfile.RotationPerStep), Hint: "the steps do not resolve it; use a smaller step_s"}, // of each substep, the mean
	reference.PrescribedRotationGauge, // of each substep
}

// flowGauge is measured where there are walls.
var flowGauge = sim.Gauge{
	Key: "flow_through_wall", Warn: 0.1, Accept: string(robotfile.FlowThroughWall),
	Hint: "share of the speed of the flow at the body that goes through a wall nearby, where fluid stops; give a flow along the wall, or remove the wall",
}

// rotationGauge and prescribedGauge are the places of these among commonGauges.
const rotationGauge, prescribedGauge = 9, 10

// listGauges returns the gauges of the robot moved by e.
func listGauges(r *Robot, e engine) []sim.Gauge {
	gauges := append([]sim.Gauge(nil), commonGauges...)
	gauges[rotationGauge].Warn = r.file.Solver.MaxRotation()
	gauges[prescribedGauge].Warn = substepAngle
	gauges = append(gauges, e.Gauges()...)
	if r.walls != nil {
		gauges = append(gauges, sim.Gauge{Key: "wall_gap", Unit: "m"}, flowGauge)
	}
	if r.hasShapes() {
		gauges = append(gauges, contactGauges...)
	}
	if r.movesShapes() {
		gauges = append(gauges, shapeGauge)
	}
	if len(r.file.Field.Dipoles) > 0 {
		gauges = append(gauges, reference.MagnetSpeedGauge)
	}
	if r.coils != nil {
		gauge := reference.WorkspaceGauge
		gauge.Accept = string(robotfile.CoilRange)
		gauges = append(gauges, gauge)
	}
	sim.AcceptGauges(gauges, r.file.Accept)
	return gauges
}

package trajectory_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Head lines of files as programs of motion capture and tracking write them, before rows that the tests make.
const (
	motiveHead = "Format Version,1.23,Take Name,Take 2026-03-01,Capture Frame Rate,100.000000,Export Frame Rate,100.000000,Rotation Type,Quaternion,Length Units,Millimeters,Coordinate Space,Global\n\n" +
		",Type,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Marker,Marker,Marker\n" +
		",Name,Tip,Tip,Tip,Tip,Tip,Tip,Tip,Tip,mid,mid,mid\n,ID,1,1,1,1,1,1,1,1,2,2,2\n" +
		",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Error Per Marker,Position,Position,Position\n" +
		"Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,,X,Y,Z\n"
	viconHead     = "Trajectories\n100\n,,Robot:tip,,,Robot:mid,,\nFrame,Sub Frame,X,Y,Z,X,Y,Z\n,,mm,mm,mm,mm,mm,mm\n"
	trackerHead   = "Objects\n100\n,,tip:tip,,,,,,,base:base,,,,,,\nFrame,Sub Frame,RX,RY,RZ,RW,TX,TY,TZ,RX,RY,RZ,RW,TX,TY,TZ\n,,,,,,mm,mm,mm,,,,,mm,mm,mm\n"
	qualisysHead  = "NO_OF_FRAMES\t3\nNO_OF_CAMERAS\t8\nNO_OF_MARKERS\t2\nFREQUENCY\t100\nDATA_INCLUDED\t3D\nMARKER_NAMES\ttip\tmid\nFrame\tTime\ttip X\ttip Y\ttip Z\tmid X\tmid Y\tmid Z\n"
	trackMateHead = "LABEL,ID,TRACK_ID,POSITION_X,POSITION_Y,POSITION_Z,POSITION_T,FRAME\nLabel,Spot ID,Track ID,X,Y,Z,T,Frame\nLabel,Spot ID,Track ID,X,Y,Z,T,Frame\n,,,(micron),(micron),(micron),(sec),\n"
)

// TestFilesOfOtherPrograms: one motion, (0.1, 0.2, 0.3) m and 10 mm further along x per 10 ms, in the files of other programs.
func TestFilesOfOtherPrograms(t *testing.T) {
	for _, c := range []struct {
		name, head, row string // of the arguments of a row: its number, its time in s, x in mm and in um
		o               trajectory.Options
		turned, planar  bool
		remark          string
	}{
		{name: "Motive", head: motiveHead, row: "%[1]d,%[2]f,0,0,0.6,0.8,%[3]f,200,300,0.001,1,2,3\n", turned: true, remark: "an export of OptiTrack Motive, of which Tip is the tip"},
		{name: "Motive, a marker that is asked for", head: strings.ReplaceAll(motiveHead, "mid", "end"), row: "%[1]d,%[2]f,0,0,0,1,1,2,3,0.001,%[3]f,200,300\n", o: trajectory.Options{Body: "end"}, remark: "of which end is the tip"},
		{name: "Vicon Nexus, a body beside the tip", head: strings.Replace(viconHead, "mid", "wand", 1), row: "%[1]d,0,1,2,3,%[3]f,200,300\n", o: trajectory.Options{Body: "wand"}, remark: "of which wand is the tip"},
		{name: "Motive, a body beside a marker called tip", head: strings.NewReplacer("Tip", "Robot", "mid", "tip").Replace(motiveHead), row: "%[1]d,%[2]f,0,0,0.6,0.8,%[3]f,200,300,0.001,1,2,3\n", turned: true, remark: "of which Robot is the tip"},
		{name: "rotations of another body", head: "t,x_mm,y_mm,z_mm,base_qx,base_qy,base_qz,base_qw\n", row: "%[2]f,%[3]f,200,300,0,0,0.6,0.8\n"},
		{name: "rates of a gyroscope", head: "t,Gyr_X,Gyr_Y,Gyr_Z,x_mm,y_mm,z_mm\n", row: "%[2]f,1,2,3,%[3]f,200,300\n"},
		{name: "Motive, angles", head: strings.Replace(motiveHead, "Quaternion", "XYZ", 1), row: "%[1]d,%[2]f,1,2,3,,%[3]f,200,300,0.001,1,2,3\n", remark: "rotations are angles (XYZ), which are not read"},
		{name: "Vicon Nexus", head: viconHead, row: "%[1]d,0,%[3]f,200,300,1,2,3\n", remark: "an export of Vicon Nexus"},
		{name: "Vicon Tracker", head: trackerHead, row: "%[1]d,0,0,0,0.6,0.8,%[3]f,200,300,0,0,0,1,1,2,3\n", turned: true, remark: "an export of Vicon Tracker, of which tip is the tip"},
		{name: "Vicon Tracker, angles", head: strings.ReplaceAll(trackerHead, "RZ,RW", "RZ,"), row: "%[1]d,0,1,2,3,,%[3]f,200,300,0,0,0,,1,2,3\n", remark: "rotations are angles, which are not read"},
		{name: "the component first", head: "t,x_cmd,y_cmd,z_cmd,x_tip_mm,y_tip_mm,z_tip_mm,qx_tip,qy_tip,qz_tip,qw_tip\n", row: "%[2]f,1,2,3,%[3]f,200,300,0,0,0.6,0.8\n", turned: true},
		{name: "the component first, of bodies", head: "t,X_base (mm),Y_base (mm),Z_base (mm),X_tip (mm),Y_tip (mm),Z_tip (mm)\n", row: "%[2]f,1,2,3,%[3]f,200,300\n"},
		{name: "Qualisys", head: qualisysHead, row: "%[1]d\t%[2]f\t%[3]f\t200\t300\t1\t2\t3\n", remark: "an export of Qualisys"},
		{name: "TrackMate", head: trackMateHead, row: "ID%[1]d,%[1]d,0,%[4]f,200000,0,%[2]f,%[1]d\n", planar: true, remark: "x and y alone are used"},
		{name: "NDI", head: "Tools,Port 1,Frame,Face,State,Q0,Qx,Qy,Qz,Tx,Ty,Tz,Error\n", row: "1,449,%[1]d,1,OK,0.8,0,0,0.6,%[3]f,200,300,0.1\n", o: trajectory.Options{TimeUnit: 0.01}, turned: true, remark: "an export of NDI"},
		{name: "units in brackets", head: "Time (Seconds),X (mm),Y (mm),Z (mm)\n", row: "%[2]f,%[3]f,200,300\n"},
		{name: "units below names", head: "Time,X,Y,Z\ns,mm,mm,mm\n", row: "%[2]f,%[3]f,200,300\n"},
		{name: "units behind a slash", head: "t / s;x / mm;y / mm;z / mm\n", row: "%[2]f;%[3]f;200;300\n"},
		{name: "numpy", head: "# t_ms x_mm y_mm z_mm\n", row: "%[2]f %[3]f 200 300\n", o: trajectory.Options{TimeUnit: 1}},
		{name: "pandas", head: ",time,pos_x_mm,pos_y_mm,pos_z_mm\n", row: "%[1]d,%[2]f,%[3]f,200,300\n"},
		{name: "Tracker", head: "mass_A\nt\tx_mm\ty_mm\n", row: "%[2]f\t%[3]f\t200\n", planar: true},
		{name: "PlotJuggler", head: "__time,/cam/pose/position/x [mm],/cam/pose/position/y [mm],/cam/pose/position/z [mm],/cam/pose/orientation/x,/cam/pose/orientation/y,/cam/pose/orientation/z,/cam/pose/orientation/w\n", row: "%[2]f,%[3]f,200,300,0,0,0.6,0.8\n", turned: true},
		{name: "Qualisys without frame and time", head: strings.Join(strings.Split(qualisysHead, "\n")[:6], "\n") + "\n", row: "%[3]f\t200\t300\t1\t2\t3\n", remark: "an export of Qualisys"},
		{name: "EuRoC", head: "#timestamp [ns],p_RS_R_x [mm],p_RS_R_y [mm],p_RS_R_z [mm],q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []\n", row: "%[5]d,%[3]f,200,300,0.8,0,0,0.6\n", turned: true},
		{name: "rostopic echo -p", head: "%time,field.header.seq,field.header.stamp,field.header.frame_id,field.pose.position.x,field.pose.position.y,field.pose.position.z\n", row: "%[5]d,%[1]d,%[5]d,world,%[6]f,0.2,0.3\n", remark: "times are taken for ns since 1970"},
		{name: "one body of several", head: "Time,Base X,Base Y,Base Z,Tip X,Tip Y,Tip Z\ns,mm,mm,mm,mm,mm,mm\n", row: "%[2]f,1,2,3,%[3]f,200,300\n"},
		{name: "one body that is asked for", head: "Time (s),wand X (mm),wand Y (mm),wand Z (mm),Tip X,Tip Y,Tip Z\n", row: "%[2]f,%[3]f,200,300,1,2,3\n", o: trajectory.Options{Body: "Wand"}},
		{name: "one marker that is asked for", head: "t,low_x,low_y,low_z,high_x_mm,high_y_mm,high_z_mm\n", row: "%[2]f,1,2,3,%[3]f,200,300\n", o: trajectory.Options{Body: "high"}},
		{name: "a body that is asked for beside the tip", head: "t,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw,cart.position.x (mm),cart.position.y (mm),cart.position.z (mm),cart.orientation.x,cart.orientation.y,cart.orientation.z,cart.orientation.w\n", row: "%[2]f,1,2,3,0,0,0,1,%[3]f,200,300,0,0,0.6,0.8\n", o: trajectory.Options{Body: "cart"}, turned: true},
		{name: "a body without rotations beside one with them", head: "t,cart_position_x_mm,cart_position_y_mm,cart_position_z_mm,imu_orientation_x,imu_orientation_y,imu_orientation_z,imu_orientation_w\n", row: "%[2]f,%[3]f,200,300,0,0,0.6,0.8\n"},
		{name: "one of two bodies with rotations", head: "t,a_qx,a_qy,a_qz,a_qw,a_x,a_y,a_z,b_qx,b_qy,b_qz,b_qw,b_x (mm),b_y (mm),b_z (mm)\n", row: "%[2]f,0,0,0,1,1,2,3,0,0,0.6,0.8,%[3]f,200,300\n", o: trajectory.Options{Body: "b"}, turned: true},
		{name: "one pattern for all coordinates", head: "t,pos_x,p_x_mm,p_y_mm,p_z_mm\n", row: "%[2]f,7,%[3]f,200,300\n"},
		{name: "one body of any name", head: "Time (s),wand X (mm),wand Y (mm),wand Z (mm),Velocity X,Velocity Y,Velocity Z\n", row: "%[2]f,%[3]f,200,300,1,2,3\n"},
		{name: "a body in turn with another", head: "Time,Port,X (mm),Y (mm),Z (mm)\n", row: "%[2]f,1,7,8,9\n%[2]f,2,%[3]f,200,300\n", o: trajectory.Options{Body: "2.0"}},
		{name: "a body in turn by its name", head: "t,body,pos_x_mm,pos_y_mm,pos_z_mm\n", row: "%[2]f,Wand,7,8,9\n%[2]f,Tip,%[3]f,200,300\n", o: trajectory.Options{Body: "tip"}},
		{name: "a track beside spots in none", head: trackMateHead, row: "ID%[1]d,%[1]d,None,7,8,0,%[2]f,%[1]d\nID%[1]d,%[1]d,4,%[4]f,200000,0,%[2]f,%[1]d\n", o: trajectory.Options{Body: "4"}, planar: true},
		{name: "a number of each row", head: "id,t,x_mm,y_mm,z_mm\n", row: "%[1]d,%[2]f,%[3]f,200,300\n"},
		{name: "a tendon called tool", head: "t,tool,x_mm,y_mm,z_mm\n", row: "%[2]f,%[2]f,%[3]f,200,300\n"},
		{name: "one body in all rows", head: "t,handle,name,x_mm,y_mm,z_mm\n", row: "%[2]f,10,rod,%[3]f,200,300\n"},
		{name: "numbers of a quaternion", head: "t,x_mm,y_mm,z_mm,q0,q1,q2,q3\n", row: "%[2]f,%[3]f,200,300,0.8,0,0,0.6\n", remark: "rotations are not read, q0, q1, q2, q3: whether the scalar is the first or the last is not certain"},
		{name: "angles beside positions", head: "t,x_mm,y_mm,z_mm,roll,pitch,yaw\n", row: "%[2]f,%[3]f,200,300,1,2,3\n", remark: "rotations are not read, roll, pitch, yaw: in which order they turn is not certain"},
		{name: "q0 beside qx, qy and qz", head: "t,x_mm,y_mm,z_mm,q0,qx,qy,qz\n", row: "%[2]f,%[3]f,200,300,0.8,0,0,0.6\n", turned: true},
		{name: "a point beside torques", head: "t,tx,ty,tz,ee_pos_x (mm),ee_pos_y (mm),ee_pos_z (mm)\n", row: "%[2]f,1,2,3,%[3]f,200,300\n", o: trajectory.Options{Body: "ee"}},
		{name: "a point beside another", head: "t,px (mm),py (mm),pz (mm),ee_x,ee_y,ee_z\n", row: "%[2]f,%[3]f,200,300,1,2,3\n", o: trajectory.Options{Body: "p"}},
		{name: "bodies above coordinates", head: "body,tip,tip,tip,wand,wand,wand\naxis,x (mm),y (mm),z (mm),x,y,z\nt,,,,,,\n", row: "%[2]f,%[3]f,200,300,1,2,3\n"},
		{name: "bodies above coordinates, one of them", head: "body,tip,tip,tip,wand,wand,wand\naxis,x,y,z,x (mm),y (mm),z (mm)\nt,,,,,,\n", row: "%[2]f,1,2,3,%[3]f,200,300\n", o: trajectory.Options{Body: "wand"}},
		{name: "three lines of names", head: ",rod,rod,rod,rod,rod,rod,rod\n,position,position,position,rotation,rotation,rotation,rotation\ntime,x (mm),y (mm),z (mm),x,y,z,w\n", row: "%[2]f,%[3]f,200,300,0,0,0.6,0.8\n", turned: true},
		{name: "bodies in cells that span", head: "time;tip;;;wand;;\n;X [mm];Y [mm];Z [mm];X [mm];Y [mm];Z [mm]\ntime;;;;;;\n", row: "%[2]f;%[3]f;200;300;1;2;3\n"},
		{name: "DeepLabCut in space", head: "scorer,net,net,net\nbodyparts,tip,tip,tip\ncoords,x (mm),y (mm),z (mm)\n", row: "%[1]d,%[3]f,200,300\n", o: trajectory.Options{TimeUnit: 0.01}},
		{name: "MATLAB", head: "Time,Position_1_mm,Position_2_mm,Position_3_mm,Quat_1,Quat_2,Quat_3,Quat_4\n", row: "%[2]f,%[3]f,200,300,0.8,0,0,0.6\n", remark: "rotations are not read, Quat_1"},
		{name: "a line of units with a title", head: "Time,X,Y,Z\nunit,mm,mm,mm\n", row: "%[2]f,%[3]f,200,300\n"},
		{name: "many lines before the names", head: strings.Repeat("Header line: something\n", 300) + "Time;X [mm];Y [mm];Z [mm]\n", row: "%[2]f;%[3]f;200;300\n"},
		{name: "angles of the body that is asked for", head: "t,wand_pos_x,wand_pos_y,wand_pos_z,rod_pos_x_mm,rod_pos_y_mm,rod_pos_z_mm,rod_rot_x,rod_rot_y,rod_rot_z\n", row: "%[2]f,1,2,3,%[3]f,200,300,4,5,6\n", o: trajectory.Options{Body: "rod"}, remark: "rotations are not read, rod_rot_x, rod_rot_y, rod_rot_z: in which order they turn is not certain"},
		{name: "angles of the only body", head: "t,EE_X (mm),EE_Y (mm),EE_Z (mm),EE_Roll,EE_Pitch,EE_Yaw\n", row: "%[2]f,%[3]f,200,300,4,5,6\n", remark: "rotations are not read, EE_Roll, EE_Pitch, EE_Yaw"},
		{name: "frames at a rate that is given", head: "Frame,X (mm),Y (mm),Z (mm)\n", row: "%[1]d,%[3]f,200,300\n", o: trajectory.Options{TimeUnit: 0.01}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.head
			for i := range 3 {
				mm := 100 + 10*float64(i)
				text += fmt.Sprintf(c.row, i, 0.01*float64(i), mm, 1e3*mm, 1_772_500_000_000_000_000+10_000_000*int64(i), 1e-3*mm)
			}
			m, err := trajectory.ReadCSV("x.csv", strings.NewReader(text), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Tip.Pose) != 3 || m.Tip.Rotations != c.turned || m.Tip.Planar != c.planar {
				t.Fatalf("%+v", m.Tip)
			}
			for i, p := range m.Tip.Pose {
				want := spatial.Vec{X: 0.1 + 0.01*float64(i), Y: 0.2, Z: 0.3}
				if c.planar {
					want.Z = 0
				}
				if p.P.Sub(want).Norm() > 1e-9 || math.Abs(m.Tip.T[i]-m.Tip.T[0]-0.01*float64(i)) > 1e-6 {
					t.Errorf("row %d: %v at %g s, want %v", i, p.P, m.Tip.T[i], want)
				}
				if turn := spatial.ExpRot(spatial.Vec{Z: 2 * math.Asin(0.6)}); c.turned && p.R.TMul(turn).Log().Norm() > 1e-6 {
					t.Errorf("row %d: %v, want %v", i, p.R, turn)
				}
			}
			if remarks := strings.Join(m.Remarks, "\n"); !strings.Contains(remarks, c.remark) {
				t.Errorf("remarks %q, want %q", remarks, c.remark)
			}
		})
	}
}

// tendons is the layout of a trial of a robot with tendons.
var tendons = trajectory.Layout{Ports: trajectory.TendonPorts(), Pose: []string{"tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"}}

// TestFilesThatAreNotCertain: a file whose meaning is not certain is refused with what it looks like and what to do.
func TestFilesThatAreNotCertain(t *testing.T) {
	rows := "1,0,1,2,3,4,5,6\n2,0,1,2,3,4,5,6\n"
	for name, c := range map[string]struct {
		text, want string
		o          trajectory.Options
	}{
		"numbers alone":             {"0,1,2,3\n0.1,1,2,3\n", "x.csv:1: 4 columns of numbers without names; write names above them, such as t,x,y,z", trajectory.Options{}},
		"pixels":                    {"t,x (px),y (px)\n0,1,2\n", `x.csv:1: column "x (px)" is in pixels; multiply by the size of a pixel`, trajectory.Options{}},
		"pixels of DeepLabCut":      {"scorer,net,net,net\nbodyparts,tip,tip,tip\ncoords,x,y,likelihood\n0,1,2,0.9\n", "x.csv:1: an export of DeepLabCut, whose coordinates are pixels: multiply them by the size of a pixel", trajectory.Options{}},
		"pixels of TrackMate":       {strings.ReplaceAll(trackMateHead, "micron", "pixel") + "a,1,0,1,2,0,0,0\n", `POSITION_X is in "pixel"; set the size of a pixel in ImageJ`, trajectory.Options{}},
		"two tracks":                {trackMateHead + "a,1,0,1,2,0,0,0\nb,2,1,1,2,0,0,0\n", "x.csv:1: the column track has several bodies, 0, 1: --hw-topic NAME says which one is the tip", trajectory.Options{}},
		"a track and spots in none": {trackMateHead + "a,1,0,1,2,0,0,0\nb,2,None,1,2,0,1,0\n", "several bodies, 0, none: --hw-topic NAME", trajectory.Options{}},
		"bodies in turn":            {"Timestamp,Port,X (mm),Y (mm),Z (mm)\n0,1,1,2,3\n0.01,2,1,2,3\n0.02,1,1,2,3\n0.03,3,1,2,3\n", "x.csv:1: the column Port has several bodies, 1, 2, 3: --hw-topic NAME says which one is the tip, such as --hw-topic 1", trajectory.Options{}},
		"names of bodies":           {"t,Body,x,y,z\n0,tip,1,2,3\n0,base,1,2,3\n", "the column Body has several bodies, tip, base", trajectory.Options{}},
		"bodies one by one":         {"t,id,x,y,z\n0,7,1,2,3\n1,7,1,2,3\n0,8,1,2,3\n1,8,1,2,3\n", "the column id has several bodies, 7, 8", trajectory.Options{}},
		"bodies of a trial":         {"t,id,x,y,z\n0,7,1,2,3\n1,7,1,2,3\n0,8,1,2,3\n1,8,1,2,3\n", "the column id has several bodies, 7, 8", trajectory.Options{Robot: &tendons}},
		"no such body in turn":      {"t,Body,x,y,z\n0,tip,1,2,3\n0,base,1,2,3\n", `there is no body "wand"; in the column Body there are tip, base`, trajectory.Options{Body: "wand"}},
		"an unknown unit":           {"t,x (furlong),y (m),z (m)\n0,1,2,3\n", `column "x (furlong)" has the unit "furlong"; allowed: m, cm, mm, um`, trajectory.Options{}},
		"frames without a rate":     {"Frame,x,y,z\n0,1,2,3\n", "Frame counts frames: --time-unit S says how many seconds there are from one to the next", trajectory.Options{}},
		"NDI":                       {"Tools,Port 1,Frame,Face,State,Q0,Qx,Qy,Qz,Tx,Ty,Tz,Error\n1,449,7,1,OK,0.8,0,0,0.6,1,2,3,0.1\n", "frame counts frames: --time-unit S", trajectory.Options{}},
		"no such body":              {viconHead + rows, `there is no body "wand"; there are tip, mid`, trajectory.Options{Body: "wand"}},
		"torques":                   {"t,Tx (Nm),Ty (Nm),Tz (Nm)\n0,1,2,3\n", `column "Tx (Nm)" has the unit "newton metre"`, trajectory.Options{}},
		"torques and a point":       {"t,Tx,Ty,Tz,EE_X,EE_Y,EE_Z\n0,1,2,3,4,5,6\n", "columns of t and of ee; --hw-topic NAME says which body is the tip", trajectory.Options{}},
		"torques and a marker":      {"t,tx,ty,tz,ee_pos_x,ee_pos_y,ee_pos_z\n0,1,2,3,4,5,6\n", "columns of t and of ee; --hw-topic NAME says which body is the tip", trajectory.Options{}},
		"pressures and a point":     {"t,px,py,pz,ee_x,ee_y,ee_z\n0,1,2,3,4,5,6\n", "columns of p and of ee; --hw-topic NAME says which body is the tip", trajectory.Options{}},
		"torques without units":     {"t,fx,fy,fz,tx,ty,tz\n0,1,2,3,4,5,6\n", "no column x or tip_x, a position in m", trajectory.Options{}},
		"bodies and no tip":         {"t,EE X (mm),EE Y (mm),EE Z (mm),Base X,Base Y,Base Z\n0,1,2,3,4,5,6\n", "--hw-topic NAME says which body is the tip: ee, base", trajectory.Options{}},
		"coordinates of no name":    {"t,a,b,c\n0,1,2,3\n", "there are a, b, c; name its columns x, y, z, or x_mm", trajectory.Options{}},
		"times of no name":          {"at,x,y,z\n0,1,2,3\n", "there are at, x, y, z; name the times t, or t_ms if they are in ms", trajectory.Options{}},
		"rates alone":               {"t,Gyr_X,Gyr_Y,Gyr_Z\n0,1,2,3\n", "no column x", trajectory.Options{}},
		"an input and no track":     {"t,x_in,y_in,z_in\n0,1,2,3\n", "no column x", trajectory.Options{}},
		"no such body of ours":      {"t,tip_x,tip_y,tip_z,cart_x,cart_y,cart_z\n0,1,2,3,4,5,6\n", `there is no body "card"; there are tip, cart`, trajectory.Options{Body: "card"}},
		"two bodies":                {"t,a_position_x,a_position_y,a_position_z,b_position_x,b_position_y,b_position_z\n0,1,2,3,4,5,6\n", "columns of a and of b; --hw-topic NAME says which body is the tip", trajectory.Options{}},
		"another section":           {strings.Replace(viconHead, "Trajectories", "Devices", 1) + rows, `whose first section is "Devices"; export trajectories`, trajectory.Options{}},
		"Motive in feet":            {strings.Replace(motiveHead, "Millimeters", "Feet", 1) + "0,0,0,0,0,1,1,2,3,0,1,2,3\n", `Length Units "Feet"; allowed: Meters, Centimeters, Millimeters`, trajectory.Options{}},
		"Motive in another body":    {strings.Replace(motiveHead, "Global", "Local", 1) + "0,0,0,0,0,1,1,2,3,0,1,2,3\n", `coordinate space "Local", where a position may be that in another body; export it with Global`, trajectory.Options{}},
		"angles alone":              {"t,roll,pitch,yaw\n0,1,2,3\n", "no positions but rotations, roll, pitch, yaw: in which order they turn is not certain", trajectory.Options{}},
		"numbers of a quaternion":   {"t,q0,q1,q2,q3\n0,1,0,0,0\n", "no positions but rotations, q0, q1, q2, q3: whether the scalar", trajectory.Options{}},
		"Motive without header":     {strings.SplitN(motiveHead, "\n", 3)[2] + "0,0,0,0,0,1,1,2,3,0,1,2,3\n1,0.1,0,0,0,1,1,2,3,0,1,2,3\n", "looks like an export of Motive without its first line", trajectory.Options{}},
		"two times":                 {"sec,ns,x,y,z\n0,1000000000,1,2,3\n1,2000000000,1,2,3\n", "x.csv:2: ns = 1 s is no part of a second, as that of the column sec beside it; leave one of them out", trajectory.Options{}},
		"rotations alone":           {"t,qx,qy,qz,qw\n0,0,0,0,1\n", "rotations without positions; identify reads them", trajectory.Options{}},
		"rows that are no track":    {"t,x,y,z\n0,1,2,3\nabc,def,ghi,jkl\n", `x.csv:3: t = "abc" is not a number`, trajectory.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := trajectory.ReadCSV("x.csv", strings.NewReader(c.text), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestTUMWithoutNames: a file of name .tum has columns of its own.
func TestTUMWithoutNames(t *testing.T) {
	m, err := trajectory.ReadCSV("hw.tum", strings.NewReader("0 1 2 3 0 0 0.6 0.8\n0.5 1 2 3 0 0 0.6 0.8\n"), trajectory.Options{})
	if err != nil || len(m.Tip.Pose) != 2 || !m.Tip.Rotations || m.Tip.T[1] != 0.5 || m.Tip.Pose[0].P.Z != 3 {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestRowsWithoutAMeasurement: rows in which all numbers of the pose are missing are left out and counted; one of three missing is
// a mistake.
func TestRowsWithoutAMeasurement(t *testing.T) {
	for name, text := range map[string]string{
		"empty":               "t,x,y,z\n0,1,2,3\n1,,,\n2,,,\n3,4,5,6\n",
		"NaN":                 "t,x,y,z\n0,1,2,3\n1,NaN,NaN,NaN\n2,nan,nan,nan\n3,4,5,6\n",
		"words":               "t,x,y,z\n0,1,2,3\n1,NA,NA,NA\n2,null,-,None\n3,4,5,6\n",
		"beside a tension":    "t,x,y,z,left\n0,1,2,3,1\n1,,,,2\n2,,,,3\n3,4,5,6,4\n",
		"at the end of a row": "t;x;y;z\n0;1;2;3\n1;;;\n2;;;\n3;4;5;6\n",
	} {
		t.Run(name, func(t *testing.T) {
			m, err := readAny(text)
			if err != nil || len(m.Tip.Pose) != 2 || m.Tip.T[1] != 3 {
				t.Fatalf("%+v, %v", m, err)
			}
			if remarks := strings.Join(m.Remarks, "\n"); !strings.Contains(remarks, "2 rows in which no pose was measured were left out") {
				t.Errorf("remarks %q", remarks)
			}
			if strings.Contains(text, "left") && len(m.Actuation.T) != 4 {
				t.Errorf("tensions at %v", m.Actuation.T)
			}
		})
	}
}

// TestRepeatedRows: a row that is there twice counts once; two poses at one time are not decided between.
func TestRepeatedRows(t *testing.T) {
	m, err := readAny("t,x,y,z\n0,1,2,3\n1,1,2,4\n1,1,2,4\n2,1,2,4\n3,1,2,5\n3,1,2,6\n")
	if err != nil || m.Repeated != 1 || len(m.Tip.Pose) != 5 {
		t.Fatalf("%+v, %v", m, err)
	}
	if err := m.Tip.Validate("x"); err == nil || !strings.Contains(err.Error(), "same stamp") {
		t.Errorf("error %v", err)
	}
}

// TestTimesSince1970: the unit of times since 1970 is the only one in which they are of our time; a clock is read.
func TestTimesSince1970(t *testing.T) {
	for name, times := range map[string][2]string{
		"s":                      {"1772500000.25", "1772500000.5"},
		"ms":                     {"1772500000250", "1772500000500"},
		"us":                     {"1772500000250000", "1772500000500000"},
		"ns":                     {"1772500000250000000", "1772500000500000000"},
		"two columns":            {"1772500000,250000000", "1772500000,500000000"},
		"sec, nsec":              {"1772500000,250000000", "1772500000,500000000"},
		"secs, usecs":            {"1772500000,250000", "1772500000,500000"},
		"a clock":                {"2026-03-03 01:06:40.25", "2026-03-03 01:06:40.5"},
		"days first":             {"3.3.2026 01:06:40.25", "03.03.2026 01:06:40.500"},
		"the same day and month": {"3/3/2026 01:06:40.25", "03/03/2026 1:06:40.5 AM"},
		"a month in words":       {"03-Mar-2026 01:06:40.25", "3 Mar 2026 01:06:40.5"},
		"ISO 8601":               {"2026-03-03T02:06:40.25+01:00", "2026-03-03T01:06:40.5Z"},
	} {
		t.Run(name, func(t *testing.T) {
			head := "timestamp,x,y,z\n"
			switch {
			case name == "two columns":
				head = "header.stamp.sec,header.stamp.nanosec,x,y,z\n"
			case strings.Contains(name, "sec"):
				head = name + ",x,y,z\n"
			}
			m, err := readAny(head + times[0] + ",1,2,3\n" + times[1] + ",1,2,3\n")
			if err != nil {
				t.Fatal(err)
			}
			const resolution = 1e-6 // s, of a float64 of seconds since 1970
			if math.Abs(m.Tip.T[0]-1772500000.25) > resolution || math.Abs(m.Tip.T[1]-1772500000.5) > resolution {
				t.Errorf("times %.9f", m.Tip.T)
			}
		})
	}
}

// TestClocks: times of a day go on past midnight, and minutes and seconds are counted. A date that may be two days is refused.
func TestClocks(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want []float64
	}{
		"midnight":            {rows: []string{"23:59:59.5", "23:59:59.75", "00:00:00.25", "0:00:01,5"}, want: []float64{86399.5, 86399.75, 86400.25, 86401.5}},
		"midnight in America": {rows: []string{"11:59:59.5 PM", "12:00:00.25 AM"}, want: []float64{86399.5, 86400.25}},
		"minutes":             {rows: []string{"59:59.500", "60:00.250", "75:01.000"}, want: []float64{3599.5, 3600.25, 4501}},
	} {
		t.Run(name, func(t *testing.T) {
			text := "time;x;y;z\n"
			for _, at := range c.rows {
				text += at + ";1;2;3\n"
			}
			m, err := readAny(text)
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range m.Tip.T {
				if math.Abs(at-c.want[i]) > 1e-6 {
					t.Errorf("row %d: %.6f s, want %g", i, at, c.want[i])
				}
			}
		})
	}
	for at, want := range map[string]string{
		"03/01/2026 10:00:00.5": `x.csv:2: time = "03/01/2026 10:00:00.5" may be 1 March or 3 January; write dates such as 2026-03-01 10:00:00`,
		"10:05":                 `x.csv:2: time = "10:05" is not a number`,
	} {
		if _, err := readAny("time,x,y,z\n" + at + ",1,2,3\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", at, err, want)
		}
	}
}

// TestTimesThatLookLikeMilliseconds: times that make one motion a thousand times longer than the other are refused.
func TestTimesThatLookLikeMilliseconds(t *testing.T) {
	of := func(unit float64) *trajectory.Trajectory {
		m := &trajectory.Trajectory{Name: fmt.Sprintf("x%g", unit)}
		for i := range 300 {
			m.Tip.Add(0.01*float64(i)/unit, spatial.IdentityPose())
		}
		return m
	}
	for unit, want := range map[float64]string{1: "", 1e-3: "look like ms; --time-unit ms", 1e-6: "look like us", 1e-9: "look like ns"} {
		err := trajectory.CheckTimes(of(1), of(unit))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%g s: error %v, want %q", unit, err, want)
		}
	}
	if err := trajectory.CheckTimes(of(1e-3), of(1)); err == nil || !strings.Contains(err.Error(), "x0.001: its times span 2990 s at intervals of 10 s") {
		t.Errorf("the simulation in ms: error %v", err)
	}
}

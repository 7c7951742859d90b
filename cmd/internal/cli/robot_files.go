package cli

// RobotFiles is the flag --config of commands that simulate a robot.
type RobotFiles struct {
	Config []string `help:"Read the robot file (default: built-in); later files override earlier ones." placeholder:"FILE" sep:"none"`
}

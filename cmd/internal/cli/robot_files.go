package cli

// RobotFiles is the flag --config of verbs that simulate a robot.
type RobotFiles struct {
	Config []string `help:"Robot file; without it the built-in robot. Further ones are laid over it." placeholder:"FILE" sep:"none"`
}

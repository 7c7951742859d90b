package naming_test

import (
	"fmt"
	"strings"

	"sinew/pkg/ros/naming"
)

// environment stands for os.LookupEnv; nothing is set in it.
func environment(string) (string, bool) { return "", false }

func ExampleNames_Resolve() {
	args, err := naming.ParseArgs(strings.Fields("--verbose __name:=left measured_cp:=/vrpn/tip"))
	if err != nil {
		fmt.Println(err)
		return
	}
	names, err := naming.NewNames("tendonsim", args, environment)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"~measured_cp", "~tensions", "/tf"} {
		full, err := names.Resolve(name)
		fmt.Println(name, "is", full, err)
	}
	fmt.Println("for the program:", args.Rest)
	// Output:
	// ~measured_cp is /vrpn/tip <nil>
	// ~tensions is /left/tensions <nil>
	// /tf is /tf <nil>
	// for the program: [--verbose]
}

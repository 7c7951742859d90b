package program

import (
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
)

// Calibration reads the coil system of field.coils, or returns nil if the robot file names none.
func Calibration(name robotfile.FileName) (*magnetics.Coils, error) {
	if name == "" {
		return nil, nil
	}
	const (
		key  = "field.coils"
		most = 64 << 20 // bytes
	)
	data, err := ReadFile(string(name), most)
	if err != nil {
		return nil, &KeyError{Key: key, Err: err}
	}
	coils, err := magnetics.ParseCoils(string(name), data)
	if err != nil {
		return nil, &KeyError{Key: key, Err: err}
	}
	return coils, nil
}

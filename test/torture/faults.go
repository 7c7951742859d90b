package torture

import (
	"errors"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
)

// FaultName returns the name of the error type that ended a run, empty for an error
// that the models do not name.
func FaultName(err error) string {
	for _, f := range []struct {
		name  string
		found bool
	}{
		{"continuum.UnstableError", as[*continuum.UnstableError](err)},
		{"continuum.NotConvergedError", as[*continuum.NotConvergedError](err)},
		{"continuum.DiskCollisionError", as[*continuum.DiskCollisionError](err)},
		{"continuum.CoarseMeshError", as[*continuum.CoarseMeshError](err)},
		{"continuum.EquilibriumError", as[*continuum.EquilibriumError](err)},
		{"contact.SpeedError", as[*contact.SpeedError](err)},
		{"contact.InsideWallError", as[*contact.InsideWallError](err)},
		{"microrobot.UnstableError", as[*microrobot.UnstableError](err)},
		{"microrobot.FieldError", as[*microrobot.FieldError](err)},
		{"microrobot.StiffError", as[*microrobot.StiffError](err)},
		{"microrobot.SlipError", as[*microrobot.SlipError](err)},
		{"microrobot.InertialError", as[*microrobot.InertialError](err)},
		{"microrobot.WallError", as[*microrobot.WallError](err)},
		{"microrobot.CollapseError", as[*microrobot.CollapseError](err)},
		{"microrobot.StiffSwarmError", as[*microrobot.StiffSwarmError](err)},
		{"microrobot.OverlapError", as[*microrobot.OverlapError](err)},
	} {
		if f.found {
			return f.name
		}
	}
	return mechanismFault(err)
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

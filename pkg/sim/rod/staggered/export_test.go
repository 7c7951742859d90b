package staggered

import (
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Body has a mass and inertias of the magnitude of those of softParams(4).
func Body(node int) rod.AttachedBody {
	return rod.AttachedBody{Node: node, Mass: 7, Inertia: spatial.Vec{X: 0.3, Y: 0.5, Z: 0.8}}
}

// SoftParams are parameters of a rod with stiffnesses of similar magnitude, so that no term of a
// sum hides another.
func SoftParams(elements int) rod.Params {
	return rod.Params{
		Length: 1, Elements: elements, Section: rod.Section{Area: 0.01, I1: 2e-4, I2: 3e-4, J: 4e-4},
		Material: rod.Material{YoungsModulus: 1e4, ShearModulus: 6e3, Density: 1000, ShearCorrection: 0.9},
		Base:     spatial.IdentityPose(),
	}
}

func Silicone(elements int) rod.Params {
	return rod.Params{
		Length: 0.25, Elements: elements, Section: rod.Circle(0.0055),
		Material: rod.Material{YoungsModulus: 16598637, ShearModulus: 7216880, Density: 997.7, ShearCorrection: rod.CircleShearCorrection, Law: rod.VolumePreserving},
		Base:     spatial.IdentityPose(),
	}
}

func NitinolParams(elements int) rod.Params {
	return rod.Params{
		Length: 0.2, Elements: elements, Section: rod.Circle(0.0005),
		Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 60e9 / 2.6, Density: 6450, ShearCorrection: rod.CircleShearCorrection, Law: rod.VolumePreserving},
		Base:     spatial.IdentityPose(),
	}
}

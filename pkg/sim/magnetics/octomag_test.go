//go:build octomag

package magnetics

import (
	"fmt"
	"os"
	"testing"
)

// calibrationVar names the OctoMag calibration file (OctoMag_Calibration.yaml of
// ETH's Tesla_core_public), which is not ours to distribute: this test is run by
// hand, with -tags octomag.
const calibrationVar = "SINEW_OCTOMAG_CALIBRATION"

// The real OctoMag: field and gradient per ampere at two points, evaluated
// independently from ETH's calibration (rows Bx By Bz, Gxx Gxy Gxz Gyy Gyz).
func TestOctoMag(t *testing.T) {
	name := os.Getenv(calibrationVar)
	if name == "" {
		t.Fatalf("the calibration file is not included; give its name in %s", calibrationVar)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseMPEM(name, data)
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Systems map[string][]struct {
			Position [3]float64
			Rows     [8][8]float64 `json:"actuation_8xN"`
		}
	}
	read(t, "mpem_octomag.json", &golden)
	for _, at := range golden.Systems["OctoMag"] {
		for i, coil := range c.Names() {
			var k int
			if _, err := fmt.Sscanf(coil, "Coil_%d", &k); err != nil || k >= 8 {
				t.Fatalf("coil %q is none of OctoMag's", coil)
			}
			b, g := c.PerAmpere(i, vec(at.Position))
			const digits = 1e-8 // the gradient's printed digits and differences
			for r, got := range []float64{b.X, b.Y, b.Z, g.XX, g.XY, g.XZ, g.YY, g.YZ} {
				size := b.Norm()
				if r >= 3 {
					size = g.Norm()
				}
				near(t, fmt.Sprintf("%s row %d at %v", coil, r, at.Position), got, at.Rows[r][k], digits*size)
			}
		}
	}
}

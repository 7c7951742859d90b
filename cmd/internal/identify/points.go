package identify

import (
	"context"
	"encoding/csv"
	"fmt"
	"strconv"

	"sinew/cmd/internal/output"
	"sinew/pkg/sim/hil/identify"
)

// pointsHeader are the columns of --points.
var pointsHeader = []string{"file", "row", "t", "point", "kind", "measured_x_m", "measured_y_m", "measured_z_m", "predicted_x_m", "predicted_y_m", "predicted_z_m"}

// The kinds of points: what the last stage fitted, what it only predicted, and what a fit
// without their recording predicts.
const (
	fittedPoint  = "fitted"
	heldOutPoint = "held_out"
	leftOutPoint = "left_out"
)

// writePoints writes the table of --points.
func (f *fitting) writePoints(ctx context.Context, file *output.File) error {
	if file == nil {
		return nil
	}
	points, err := f.problem.Points(ctx, f.result.Values())
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	if err := w.Write(pointsHeader); err != nil {
		return err
	}
	for i := range points {
		kind := heldOutPoint
		if points[i].Fitted {
			kind = fittedPoint
		}
		if err := w.Write(pointRecord(&points[i], kind)); err != nil {
			return err
		}
	}
	for i := range f.folds {
		for k := range f.folds[i].points {
			if err := w.Write(pointRecord(&f.folds[i].points[k], leftOutPoint)); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

func pointRecord(p *identify.Point, kind string) []string {
	t := ""
	if !p.Static {
		t = strconv.FormatFloat(p.T, 'g', -1, 64)
	}
	record := []string{p.Trial, strconv.Itoa(p.Row), t, p.Name, kind}
	for _, v := range []float64{p.Measured.X, p.Measured.Y, p.Measured.Z, p.Predicted.X, p.Predicted.Y, p.Predicted.Z} {
		record = append(record, fmt.Sprintf("%.9g", v))
	}
	return record
}

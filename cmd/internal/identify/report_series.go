package identify

import (
	"math"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/spatial"
)

// SeriesReport is one measured point in one recording: what the pictures of the page show. Lists
// have an item for each row.
type SeriesReport struct {
	File      string       `json:"file"`
	Point     string       `json:"point"`
	Static    bool         `json:"static"`
	Row       []int        `json:"row"`         // in the file, from 0
	T         []float64    `json:"t_s"`         // 0 in equilibria
	Fitted    []bool       `json:"fitted"`      // else predicted only
	Measured  [][3]float64 `json:"measured_m"`  // in the world
	Predicted [][3]float64 `json:"predicted_m"` // in the world
	Velocity  [][3]float64 `json:"velocity_m_per_s"`
	Load      []*float64   `json:"sum_of_tensions_n"` // predicted; null where the robot has none
	Commands  []string     `json:"commands"`
	Command   [][]*float64 `json:"command"`    // of each row; null before the first
	LastMoved [][]float64  `json:"last_moved"` // of each row: 1 where the command last rose, −1 where it fell
	// Follows is how the predicted position varies with each command, m per unit of it.
	Follows [][3]float64 `json:"follows_m"`
}

func seriesReports(series []*diagnosis.Series) (list []SeriesReport) {
	ranges, follow := diagnosis.Ranges(series), diagnosis.Follow(series)
	for _, s := range series {
		r := SeriesReport{File: s.Recording, Point: s.Point, Static: s.Static, Commands: s.Commands.Names, LastMoved: s.LastMoved(ranges)}
		for _, v := range follow[s.Point] {
			r.Follows = append(r.Follows, triple(v))
		}
		for i, u := range s.CommandsAt() {
			row := &s.Rows[i]
			r.Row, r.T, r.Fitted = append(r.Row, row.Index), append(r.T, row.T), append(r.Fitted, row.Fitted)
			r.Measured, r.Predicted = append(r.Measured, triple(row.Measured)), append(r.Predicted, triple(row.Predicted))
			r.Velocity, r.Load = append(r.Velocity, triple(row.Velocity)), append(r.Load, known(row.Load))
			commands := make([]*float64, len(u))
			for k, v := range u {
				if !math.IsNaN(v) {
					commands[k] = &u[k]
				}
			}
			r.Command = append(r.Command, commands)
		}
		list = append(list, r)
	}
	return list
}

func triple(v spatial.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

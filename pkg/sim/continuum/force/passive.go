package force

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// passive implements the methods of equations.Element and equations.Stateful for elements that embed it and
// have nothing to do in some of them.
type passive struct{}

func (passive) UpdateKinematics(*strain.State)                    {}
func (passive) Assemble(*strain.State, *strain.Equations)         {}
func (passive) AssembleWrenches(*strain.State, *strain.Equations) {}
func (passive) Potential(*strain.State) float64                   { return 0 }
func (passive) HasPotential() bool                                { return true }
func (passive) BaseWrench(*strain.State) (w spatial.Wrench)       { return w }

func (passive) Reset(*strain.State)                                       {}
func (passive) BeginStep(*strain.State, equations.Step, []spatial.Wrench) {}
func (passive) BeginEquilibrium(*strain.State)                            {}
func (passive) Commit(*strain.State) (impact bool)                        { return false }
func (passive) CommitEquilibrium(*strain.State)                           {}
func (passive) Revert(*strain.State)                                      {}
func (passive) CommitAtRest(*strain.State)                                {}
func (passive) StateLen() int                                             { return 0 }
func (passive) Save([]float64)                                            {}
func (passive) Restore([]float64, *strain.State)                          {}

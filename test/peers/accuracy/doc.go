// Command accuracy measures what accuracy costs in sinew and in MuJoCo's chain of rigid links:
// two tendon-driven rods, each program against its own
// converged solution, at settings of elements, order, solver and step of which the cheapest
// at each level of error count. ../accuracy.sh installs MuJoCo in a scratch environment and
// calls it; it needs the network and is no part of the tests.
package main

// Command accuracy measures what accuracy costs in sinew and in MuJoCo's chain of rigid links, and in PyElastica:
// tendon-driven rods and rods that fall onto a floor, each program against its own
// converged solution, at settings of elements, order, solver and step of which the cheapest
// at each level of error count. ../accuracy.sh installs both in a scratch environment and
// calls it; it needs the network and is no part of the tests.
package main

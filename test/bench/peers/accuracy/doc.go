// Command accuracy measures what accuracy costs in sinew, in MuJoCo's chain of rigid links, in PyElastica and in SoRoMoX:
// tendon-driven rods and rods that fall onto a floor, each program against its own
// converged solution, at settings of elements, order, solver and step of which the cheapest
// at each level of error count. ../accuracy.sh installs them in a scratch environment and
// calls it; it needs the network and is no part of the tests.
package main

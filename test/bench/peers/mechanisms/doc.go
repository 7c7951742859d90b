// Command mechanisms measures what accuracy costs in mechanisms of rods, rigid bodies and joints here, in MuJoCo, in Exudyn
// and in PyElastica: each robot file of this folder beside the same model of another program, each against its own converged
// motion. ../mechanisms.sh installs them in a scratch environment and calls it; it needs the network and is no part of the
// tests.
package main

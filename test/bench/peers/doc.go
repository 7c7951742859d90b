// Command peers measures tendonsim's method reference beside PyElastica 0.3.2 with
// tendon loads, in one run on one machine, and prints the ratio of their times per
// step. compare.sh installs PyElastica in a scratch environment and calls it; it
// needs the network and is no part of the tests.
package main

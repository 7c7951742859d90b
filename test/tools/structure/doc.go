// Command structure counts how the files of each package use one another, from the
// repository's root:
//
//	go run ./test/tools/structure                          all packages, worst first
//	go run ./test/tools/structure ./pkg/sim/...            some of them
//	go run ./test/tools/structure -pkg ./pkg/sim/contact   the arrows of one package
//	go run ./test/tools/structure -C ../other              another checkout of the module
//
// An arrow runs from file A to file B if an identifier in A denotes something that B
// declares: a name of the package, a field or a method. It counts once, however many
// identifiers make it. Tests are left out, as are files that this system does not build.
//
// A package can be read from top to bottom if its files have an order in which all arrows
// run down. Arrows that run up in the best order that was found are back arrows. The order is
// found as follows. Strongly connected components of files are sorted topologically, so
// that no arrow between components is a back arrow. In components of up to 18 files the order
// with fewest back arrows is found exactly, by dynamic programming over sets of files. In
// larger ones the heuristic of Eades, Lin and Smyth (Information Processing Letters 47, 1993)
// takes sinks to the end and sources to the beginning, and where there are neither the file
// with the greatest difference of outgoing and incoming arrows to the beginning; then single
// files are moved to another place of their component while that lowers the number of back
// arrows, which is an upper bound of the smallest one. Ties are decided by the names of
// files, so that the outcome is always the same.
//
// The other columns: arrows in cycles, which connect files of one component; lines of the files; exported names, which are those of the package, and
// methods of exported types; the prefix before the first underscore that most files share;
// test files, those of them inside the package (white-box) and functions Test….
package main

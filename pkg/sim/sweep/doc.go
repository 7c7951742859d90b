// Package sweep says which values the varied numbers of a robot have in each of many
// samples. The values of a sample follow from its index, the seed and the text of the
// variation alone, so that any number of workers, on any number of machines, draws the same.
package sweep

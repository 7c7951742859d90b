// Package output writes the files of verbs. A file is written beside its name and
// takes it when it is whole, so that what was there before stays until then and
// after every failure. No output goes onto a file that the verb reads, and none
// replaces what another program or a person wrote, or what cannot be made again,
// unless --force is given.
package output

// Package output writes the files of verbs. A file is written under a temporary name and renamed
// when it is complete, so that an existing file stays until then and after every failure. An output
// never replaces a file that the verb reads. Without --force it never replaces a file of another
// program or a person, or one that cannot be made again.
package output

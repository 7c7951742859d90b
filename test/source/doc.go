// Package source reads the source tree of this module for tests and tools that check its
// structure: packages with their imports, Go files, and what the names of files say.
package source

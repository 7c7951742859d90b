// Package continuumtest has what tests of package continuum and of the packages below it share: robots as robot files, and a robot of
// method implicit that is stepped with all that acts on it in one value.
package continuumtest

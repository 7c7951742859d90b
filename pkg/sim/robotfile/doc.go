// Package robotfile turns YAML robot files into typed parameters and back.
//
// The Go structs are the schema. Each field says in its tags what the file may
// hold, and reading, checking, overriding and printing all walk the same tags:
//
//	yaml     the key; the unit is part of it
//	unit     SI unit of the numbers ("1" where dimensionless)
//	range    interval of every number, for example "(0, 100]"; a bracket at inf
//	         admits .inf
//	default  the value of an absent key, as YAML; a single value without default
//	         must be given, an absent list is empty, an absent pointer nil; "-"
//	         leaves the rule to settle
//	example  a value for the pattern that Print shows of absent mappings
//	enum     the admitted words, separated by |
//	len      the admitted lengths of a list, separated by |; "any" for all others
//	choice   keys of one struct with the same choice exclude one another
//	live     "loop" or "model": the key can be set while the robot runs; see Live
//	doc      the meaning, one line
//
// Rules that join several keys are in the settle methods.
//
// A Draft collects a robot file, overlays over it and single values over those;
// Draft.Robot checks the whole and reports every mistake at once, each with file,
// line, key, value, unit and allowed range. All quantities are SI; vectors are in
// world axes unless a field says otherwise.
package robotfile

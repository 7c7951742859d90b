// Package robotfile turns YAML robot files into typed parameters and back.
//
// The Go structs are the schema. The tags of a field define what the file may hold;
// reading, checking, overriding and printing use the same tags:
//
//	yaml     the key; the unit is part of it
//	unit     SI unit of the numbers ("1" where dimensionless)
//	range    interval of every number, for example "(0, 100]"; a bracket at inf
//	         admits .inf
//	default  the value of an absent key, as YAML; a single value without default
//	         must be given, an absent list is empty, an absent pointer nil; "-"
//	         leaves the rule to finalize
//	example  a value for the pattern that Print shows of absent mappings
//	enum     the admitted words, separated by |
//	len      the admitted lengths of a list, separated by |; "any" for all others
//	choice   keys of one struct with the same choice exclude one another
//	live     "loop" or "model": the key can be set while the robot runs; see Live
//	doc      the meaning, one line
//
// The finalize methods check the rules that join several keys.
//
// A Draft merges a robot file with overlays and single values, of which later ones override
// earlier ones. Draft.Robot checks the result and reports all mistakes at once, each with file,
// line, key, value, unit and allowed range. All quantities are SI; vectors are in
// world axes unless a field says otherwise.
package robotfile

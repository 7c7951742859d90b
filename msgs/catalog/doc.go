// Package catalog lists every message and service type that Sinew knows.
package catalog

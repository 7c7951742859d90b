// Package sensor measures robots as the instruments of a laboratory do: at a rate of their own, late, and with errors.
//
// A Set holds the sensors of a robot file. The model that has it lets it look after each step, and shows and saves its values as its
// own: each sensor is an Out port with Samples. What a sensor reads is a function of the model, in SI units; what becomes of it on
// the way is the same for all: bias and its random walk, white noise, outliers, resolution, limits, drop-outs, and latency.
//
// Random numbers are a function of seed, name and the number of the measurement alone, so that a run can be repeated bit for bit from
// any state.
package sensor

package identify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"text/tabwriter"

	"sinew/cmd/internal/cli"
	"sinew/pkg/sim/hil/identify"
)

// fold is a fit without one recording, and the prediction of that one.
type fold struct {
	file     string
	training identify.Errors // of the others, fitted
	heldOut  identify.Errors
	values   []float64        // of the parameters of the last stage, nil where that fits nothing else
	points   []identify.Point // of the recording
	err      error
}

// leaveOneOut fits again without each recording in turn. Folds run side by side, on all
// processors; what they find depends on neither.
func (f *fitting) leaveOneOut(ctx context.Context, e *cli.Env) {
	for _, s := range f.stages {
		for _, tr := range s.trials {
			if tr.Fitted() > 0 && !f.hasFold(tr.Name) {
				f.folds = append(f.folds, fold{file: tr.Name})
			}
		}
	}
	text, err := f.start()
	processors := runtime.GOMAXPROCS(0)
	side := max(1, min(processors, len(f.folds)))
	bar := e.Progress("leaving one out", int64(len(f.folds)), "fits")
	defer bar.End()
	var wg sync.WaitGroup
	turn := make(chan struct{}, side)
	for k := range f.folds {
		turn <- struct{}{}
		wg.Go(func() {
			one := &f.folds[k]
			if one.err = err; err == nil {
				one.err = f.fold(ctx, one, f.copyOf(text), max(1, processors/side))
			}
			bar.Add(1)
			<-turn
		})
	}
	wg.Wait()
	for k := range f.folds {
		f.pooled.Pool(&f.folds[k].heldOut)
	}
}

func (f *fitting) hasFold(file string) bool {
	for k := range f.folds {
		if f.folds[k].file == file {
			return true
		}
	}
	return false
}

var errAlone = errors.New("nothing is left to fit")

// fold fits every stage without one recording, which the last stage predicts. A stage
// that has no other is passed over.
func (f *fitting) fold(ctx context.Context, one *fold, base identify.File, workers int) error {
	stages, held := f.without(one.file)
	if len(stages) == 0 {
		return errAlone
	}
	last := stages[len(stages)-1]
	last.trials = append(last.trials, held)
	for i, s := range stages {
		o, err := f.run(ctx, s, base, watch{workers: workers})
		if err != nil {
			return s.named(f, err)
		}
		if i < len(stages)-1 {
			if base, err = f.next(o); err != nil {
				return err
			}
			continue
		}
		one.training = o.after.Fitted
		if last.place == f.stages[len(f.stages)-1].place {
			one.values = o.result.Values()
		}
		one.heldOut = o.after.Trials[len(o.after.Trials)-1].HeldOut
		points, err := o.problem.Points(ctx, o.result.Values())
		if err != nil {
			return err
		}
		for k := range points {
			if points[k].Trial == one.file {
				one.points = append(one.points, points[k])
			}
		}
	}
	return nil
}

// without copies the stages that have another recording than file, and that one, held
// out as the last stage that fits it selects it.
func (f *fitting) without(file string) (stages []*stage, held *identify.Trial) {
	for _, s := range f.stages {
		other := &stage{planStage: s.planStage}
		for _, tr := range s.trials {
			switch {
			case tr.Fitted() == 0: // predicted only
			case tr.Name == file:
				held = tr.Held()
			default:
				other.trials = append(other.trials, tr)
			}
		}
		if len(other.trials) > 0 {
			stages = append(stages, other)
		}
	}
	return stages, held
}

// foldsFailed is the error of the fits that had no result.
func (f *fitting) foldsFailed() error {
	var errs []error
	for k := range f.folds {
		if one := &f.folds[k]; one.err != nil {
			errs = append(errs, fmt.Errorf("--leave-one-out: without %s: %w", one.file, one.err))
		}
	}
	return errors.Join(errs...)
}

// printFolds writes what each recording is predicted to be by a fit to the others.
func (f *fitting) printFolds(w io.Writer) {
	unit, factor := f.unit()
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "left out\tposes\ttraining RMSE\theld-out RMSE\t% of length\tlargest")
	for k := range f.folds {
		one := &f.folds[k]
		if one.err != nil {
			fmt.Fprintf(t, "%s\t–\tfailed: %v\n", one.file, one.err)
			continue
		}
		h := &one.heldOut
		if h.Poses == 0 || one.training.Poses == 0 { // of rotations alone
			fmt.Fprintf(t, "%s\t%d\t–\t–\n", one.file, h.Poses)
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%.4g %s\t%.4g %s\t%.3g %%\t%.4g %s\n", one.file, h.Poses, factor*one.training.RMS(), unit, factor*h.RMS(), unit, 100*h.RMS()/f.lengthM, factor*h.MaxM, unit)
	}
	if p := &f.pooled; p.Poses > 0 {
		fmt.Fprintf(t, "pooled\t%d\t\t%.4g %s\t%.3g %%\t%.4g %[3]s\n", p.Poses, factor*p.RMS(), unit, 100*p.RMS()/f.lengthM, factor*p.MaxM)
	}
	t.Flush()
}

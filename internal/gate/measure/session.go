package measure

import (
	"context"
	"slices"
	"time"
)

// Session takes samples round by round into a log.
type Session struct {
	Log       *Log
	Binaries  []Binary
	Seed      uint64
	Benchtime string
	Have      []Sample       // those that are in the log already; they are not taken again
	Progress  func(Progress) // called before every sample; may be nil
	Count     *Instructions  // counts in addition to the time; nil where only time is measured
}

// Progress is where a session stands.
type Progress struct {
	Done, Planned int
	Left          time.Duration // as the samples so far suggest; 0 as long as nothing is known
	Next          Slot
}

// Take takes the samples of rounds from up to and without to, of the benchmarks given, from every arm that the
// binaries have. What is in the log already is not taken again. It returns the new samples; with an error, those
// until then. A failed sample is no error.
func (s *Session) Take(ctx context.Context, benchmarks []Benchmark, from, to int) ([]Sample, error) {
	taken := Taken(s.Have)
	var plan []Slot
	for round := from; round < to; round++ {
		for _, slot := range Schedule(s.Seed, round, benchmarks, s.arms()) {
			if taken[slot] == 0 {
				plan = append(plan, slot)
			}
		}
	}
	binaries := map[[2]string]Binary{}
	for _, b := range s.Binaries {
		binaries[[2]string{b.Package.ImportPath, b.Arm}] = b
	}
	began := time.Now()
	var samples []Sample
	for i, slot := range plan {
		s.report(i, len(plan), time.Since(began), slot)
		bin, ok := binaries[[2]string{slot.Package, slot.Arm}]
		if !ok {
			continue // a package that one of the arms does not have; the caller knows
		}
		sample, err := Take(ctx, bin, slot.Benchmark, slot.Round, s.Benchtime)
		if err == nil && s.Count != nil && sample.Result != nil {
			err = s.Count.Add(ctx, bin, &sample)
		}
		if err != nil {
			return samples, err
		}
		if s.Log != nil {
			if err := s.Log.Add(sample); err != nil {
				return samples, err
			}
		}
		samples = append(samples, sample)
	}
	return samples, nil
}

func (s *Session) report(done, planned int, spent time.Duration, next Slot) {
	if s.Progress == nil {
		return
	}
	p := Progress{Done: done, Planned: planned, Next: next}
	if done > 0 {
		p.Left = spent / time.Duration(done) * time.Duration(planned-done)
	}
	s.Progress(p)
}

// arms lists the arms in the order of the binaries.
func (s *Session) arms() []string {
	var arms []string
	for _, b := range s.Binaries {
		if !slices.Contains(arms, b.Arm) {
			arms = append(arms, b.Arm)
		}
	}
	return arms
}

package props

// Example is a check on one fixed instance: a worked case of a paper, or the counterexample to a printed form. The
// function returns the ratio and the instance in words.
func Example(name string, f func() (Ratio, string)) LegacyCheck {
	type worked struct {
		ratio Ratio
		shown string
	}
	return LegacySweep[string, worked]{
		Name:  name,
		Cells: func(Effort) []string { return []string{"the instance"} },
		Measure: func(*Trial, string) worked {
			ratio, shown := f()
			return worked{ratio, shown}
		},
		Judge: func(_ []string, w []worked) Judgement {
			return Judgement{Parts: []Part{{Name: name, Ratio: w[0].ratio}}, Counterexample: w[0].shown}
		},
		Replicates: 1,
	}.Check()
}

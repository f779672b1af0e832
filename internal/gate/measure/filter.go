package measure

import (
	"fmt"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// Select keeps the benchmarks that a filter in the syntax of benchstat matches, by their names, the keys in them, and
// pkg. Units are not known before they are measured; as far as .unit goes a benchmark has sec/op alone.
func Select(benchmarks []Benchmark, filter string) ([]Benchmark, error) {
	if filter == "" {
		return benchmarks, nil
	}
	f, err := benchproc.NewFilter(filter)
	if err != nil {
		return nil, fmt.Errorf("filter %q: %w", filter, err)
	}
	var kept []Benchmark
	for _, b := range benchmarks {
		r := &benchfmt.Result{Name: benchfmt.Name(b.Name), Iters: 1}
		r.Values = []benchfmt.Value{{Value: 1, Unit: "sec/op", OrigValue: 1e9, OrigUnit: "ns/op"}}
		setConfig(r, "pkg", b.Package)
		m, err := f.Match(r)
		if err != nil {
			return nil, fmt.Errorf("filter %q: %w", filter, err)
		}
		if m.Any() {
			kept = append(kept, b)
		}
	}
	return kept, nil
}

package props

import "reflect"

// typedInstances and typedSweep are instances and sweep with types, which tests are written with.
type typedInstances[I any] struct {
	Name           string
	Cases          Scale
	Regimes        []string
	Draw           func(t *T, done string) I
	Judge          func(r *Record, in I, claimed string)
	Controls       []Control
	Declined       map[string]float64
	Proven, Coarse map[string]string
	Replicates     int
}

func (s typedInstances[I]) erase() checker {
	return instances{
		Name: s.Name, Cases: s.Cases, Regimes: s.Regimes, Controls: s.Controls, Kind: reflect.TypeFor[I](),
		Declined: s.Declined, Proven: s.Proven, Coarse: s.Coarse, Replicates: s.Replicates,
		Draw:  func(t *T, done string) any { return s.Draw(t, done) },
		Judge: func(r *Record, in any, claimed string) { s.Judge(r, in.(I), claimed) },
	}.erase()
}

type typedSweep[K, M any] struct {
	Name     string
	Cells    func(Effort) []K
	Regimes  []string
	Measure  func(t *Trial, cell K, done string) M
	Judge    func(r *Record, cell K, m M, claimed string)
	Conclude func(r *Record, cells []K, all []M, claimed string)
	Controls []Control
	Declined map[string]float64
	Coarse   map[string]string
}

func (s typedSweep[K, M]) erase() checker {
	out := sweep{
		Name: s.Name, Kind: reflect.TypeFor[M](), Regimes: s.Regimes, Controls: s.Controls, Declined: s.Declined,
		Coarse:  s.Coarse,
		Cells:   func(e Effort) cellsOfSweep { return untyped(s.Cells(e)) },
		Measure: func(t *Trial, cell any, done string) any { return s.Measure(t, cell.(K), done) },
	}
	if s.Judge != nil {
		out.Judge = func(r *Record, cell, m any, claimed string) { s.Judge(r, cell.(K), m.(M), claimed) }
	}
	if s.Conclude != nil {
		out.Conclude = func(r *Record, cells, all []any, claimed string) {
			typed, measured := make([]K, len(cells)), make([]M, len(all))
			for i := range cells {
				typed[i], measured[i] = cells[i].(K), all[i].(M)
			}
			s.Conclude(r, typed, measured, claimed)
		}
	}
	return out.erase()
}

package peers

import (
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
)

// Beside is the processor time, in seconds, of the same work on both sides, interleaved: a machine that is busy for a
// while is busy for both.
type Beside struct{ Ours, Peers []float64 }

// Beside times work and one of the peer's operations, interleaved, while another round is wanted, as testing.B.Loop
// says it.
func (p *Peer) Beside(another func() bool, operation string, work func() error) (Beside, error) {
	var b Beside
	for another() {
		wake()
		before := cputime.Process()
		if err := work(); err != nil {
			return b, err
		}
		ours := cputime.Process() - before
		theirs, err := p.Time(operation, 1)
		if err != nil {
			return b, err
		}
		b.Ours, b.Peers = append(b.Ours, ours), append(b.Peers, theirs)
	}
	return b, nil
}

// Share is our time as a share of the peer's: the median over the rounds.
func (b Beside) Share() float64 { return number.Median(quotients(b.Ours, b.Peers)) }

// Speedup is the peer's time over ours: the median over the rounds.
func (b Beside) Speedup() float64 { return number.Median(quotients(b.Peers, b.Ours)) }

func quotients(x, y []float64) []float64 {
	return list.Fill(len(x), func(i int) float64 { return x[i] / y[i] })
}

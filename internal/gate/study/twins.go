package study

// A twin is a test binary that does what the unchanged one does: the numbers up to copies are the same binary, the next
// differ in a comment or in a function that no benchmark calls, alternately.
const (
	copies   = 11
	variants = 50
	twins    = copies + variants
)

// The kinds of twins.
const (
	identical = "the same binary"
	comment   = "another comment"
	unrelated = "another function"
)

// TwinKinds lists them.
var TwinKinds = []string{identical, comment, unrelated}

func twinKind(t int) string {
	switch {
	case t <= copies:
		return identical
	case t%2 == 0:
		return comment
	}
	return unrelated
}

// twinBenchmark is the benchmark of a twin that is a variant, an index of planted.
func twinBenchmark(t int) int { return (t - copies - 1) / 2 % len(planted) }

// The rounds in which variants and copies are compared: a variant in a group of [firstLook] of them, a copy in all.
const (
	variantGroups = 2
	copyGroups    = 2
)

// twinComparison is one of unchanged code with a twin.
type twinComparison struct {
	kind  string
	name  string
	round int    // the first of three
	arms  [3]arm // old, old again, new
}

// arm is what was sampled: a place of the unchanged code, or a twin.
type arm struct{ place, twin int }

func (a arm) slot(name string, round int) countSlot {
	return countSlot{Name: name, Round: round, Place: a.place, Twin: a.twin}
}

// sidesOfUnchanged are the places of the unchanged code and the copies.
const sidesOfUnchanged = 2 + copies

// identicalEach is the number of comparisons of identical code, in a group of rounds and for a benchmark.
const identicalEach = 20

// twinComparisons lists them: 200 of identical code and one for each variant. Those of identical code and one group of
// rounds take three of thirteen samples a round each, so that no two of them share more than one: the translates of
// {0, 1, 4} and {0, 2, 7} modulo 13 are a Steiner triple system.
func twinComparisons() (all []twinComparison) {
	for t := copies + 1; t <= twins; t++ {
		all = append(all, twinComparison{twinKind(t), planted[twinBenchmark(t)], t / 2 % variantGroups * firstLook,
			[3]arm{{0, 0}, {1, 0}, {0, t}}})
	}
	for group := range copyGroups {
		for _, p := range planted {
			for k := range identicalEach {
				c := twinComparison{kind: identical, name: p, round: (variantGroups + group) * firstLook}
				for i, step := range [][3]int{{0, 1, 4}, {0, 2, 7}}[k/sidesOfUnchanged] {
					c.arms[i] = side((k + step) % sidesOfUnchanged)
				}
				all = append(all, c)
			}
		}
	}
	return all
}

func side(k int) arm {
	if k < 2 {
		return arm{place: k}
	}
	return arm{twin: k - 1}
}

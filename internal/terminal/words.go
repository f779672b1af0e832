package terminal

import (
	"fmt"
	"strings"
	"time"
)

// Clock prints a duration as minutes and seconds.
func Clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Plural counts things: "1 claim", "2 claims", "2 units of work".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if head, tail, found := strings.Cut(noun, " of "); found {
		return fmt.Sprintf("%d %ss of %s", n, head, tail)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

package main

import (
	"fmt"
	"strings"
	"time"
)

// clock prints a duration as minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// plural counts things.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if head, tail, found := strings.Cut(noun, " of "); found {
		return fmt.Sprintf("%d %ss of %s", n, head, tail)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

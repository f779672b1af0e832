package emergence

import "testing"

// D_A(1/2) with k = 5: the count 1 has probability 5/64, 3 has 10/64, 5 has 1/64 + 1/4. With one bit there is no other
// accepted count, and with λ = 0 no other that occurs.
func TestRarestAccepted(t *testing.T) {
	near(t, "k = 5", rarestAccepted(5, 0.5), 5./64, 0)
	near(t, "k = 1", rarestAccepted(1, 0.5), 0.5, 0)
	near(t, "λ = 0", rarestAccepted(5, 0), 0.5, 0)
}

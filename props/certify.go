package props

// certifier judges an instance that a user brings.
type certifier struct {
	check   string
	regimes []string
	blank   func() any // a pointer to an empty instance
	judge   func(r *Record, in any)
}

// certifierOf returns nil where the instance is not made of tagged fields alone.
func certifierOf[I any](check string, judge func(*Record, I), regimes []string) *certifier {
	return nil
}

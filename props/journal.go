package props

// Journal keeps the measurements of a run.
type Journal struct{}

func (j *Journal) lookup(key string, c codec) (any, bool) { return nil, false }
func (j *Journal) owns(key string) bool                   { return true }
func (j *Journal) keep(key string, c codec, m any)        {}

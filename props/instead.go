package props

import "reflect"

// says reports whether a control claims something of its own.
func says[C any](instead C) bool { return !reflect.ValueOf(&instead).Elem().IsZero() }

// instead is what a control claims: what the check claims, with the fields that the control sets, changed by a function
// if there is one.
func instead[C any](claim, set C, change func(*C)) C {
	to, from := reflect.ValueOf(&claim).Elem(), reflect.ValueOf(&set).Elem()
	switch {
	case to.Kind() == reflect.Struct:
		for i := range to.NumField() {
			if f := from.Field(i); !f.IsZero() {
				own(to.Field(i)).Set(own(f))
			}
		}
	case !from.IsZero():
		to.Set(from)
	}
	if change != nil {
		change(&claim)
	}
	return claim
}

// own is a field without regard to its case: those of what is claimed are for the check alone.
func own(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

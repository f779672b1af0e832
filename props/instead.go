package props

import "reflect"

// says reports whether a control claims something of its own.
func says(instead any) bool { return !reflect.ValueOf(instead).IsZero() }

// instead returns the claim of a control: the claim of the check, with the fields that the control sets.
func instead(claim, set any) any {
	to, from := place(claim), place(set)
	switch {
	case to.Kind() == reflect.Struct:
		for i := range to.NumField() {
			if f := from.Field(i); !f.IsZero() {
				own(to.Field(i)).Set(own(f))
			}
		}
	case !from.IsZero():
		return set
	}
	return to.Interface()
}

// own is a field without regard to its case: those of what is claimed are for the check alone.
func own(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

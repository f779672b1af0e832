// Package tensors reads and writes instances of claims as NumPy files: an .npz archive, a folder of .npy files or one
// .npy file. It reads .safetensors as well.
//
// [Read] takes a file as NumPy and PyTorch users write it and rejects unsupported content with a message of one line:
// other dtypes, more than two dimensions, NaN, sizes beyond [MaxElements], damaged files. [Decode] checks the arrays
// against a list of [Field] with symbolic shapes such as "m×n" and fills a struct; [Encode] writes the same struct so
// that Decode returns it bit for bit. [Template] is the Python that writes such a file.
//
// The reader does not use codeberg.org/sbinet/npyio, which trusts a file: v0.14.0 allocates the length of a header and
// the product of a shape before it has read either, and indexes out of range where a header has no end of line. Here a
// file costs no more than its own size and [MaxElements] allow, and no file panics.
package tensors

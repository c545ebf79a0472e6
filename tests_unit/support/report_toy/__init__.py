"""A toy domain for reports: towers of pegs. Its face lies beside its module, in one folder."""

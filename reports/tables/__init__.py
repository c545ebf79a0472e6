"""Tables: pure functions of rows."""

"""The same bridges in general physics libraries (extra `witness`): proof and yardstick only."""
